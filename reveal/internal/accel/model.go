package accel

import (
	"reflect"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
)

// Subnormal is what becomes of subnormal factors.
type Subnormal string

// The ways to take a subnormal factor.
const (
	Kept    Subnormal = "kept"
	Flushed Subnormal = "flushed"
	Unknown Subnormal = "unknown"
)

// Model is what the results of a matrix unit allow.
type Model struct {
	// Known lists the units of mma.Units whose arithmetic gives all results,
	// and is empty for a unit that is not in the table.
	Known []string `json:"known"`
	// Arithmetic is one that gives all results. Others do, too, that differ in
	// the fields Undetermined.
	Arithmetic   mma.Arithmetic `json:"arithmetic"`
	Undetermined []string       `json:"undetermined,omitempty"`
	Subnormals   Subnormal      `json:"subnormal_factors"`
	// Replayed counts random products that were computed apart from the
	// questions, and Matched those that Arithmetic gives the bits of.
	Replayed int `json:"replayed"`
	Matched  int `json:"matched"`
}

// Verified reports whether Arithmetic gave the bits of every replay.
func (m *Model) Verified() bool { return m.Replayed > 0 && m.Matched == m.Replayed }

// candidates returns every arithmetic with groups of the given sizes, and the
// rows of the table that round after every addition.
func candidates(in fp.Format, terms []int) []mma.Arithmetic {
	modes := []fp.Mode{fp.TowardZero, fp.Down, fp.NearestEven}
	shapes := []mma.Arithmetic{
		{Structure: mma.Fused, Zero: firstZero},
		{Structure: mma.FusedThenAdded, Zero: firstZero},
	}
	for _, s := range []mma.Structure{mma.TwoStage, mma.Interleaved} {
		shapes = append(shapes,
			mma.Arithmetic{Structure: s, Zero: noZero, SumBits: 31, AccBits: 24},
			mma.Arithmetic{Structure: s, Zero: noZero, SumBits: 32, AccBits: 24, LateBits: 31})
	}
	var all []mma.Arithmetic
	for _, u := range mma.Units() {
		if u.In == in && isScalar(u.Arithmetic) {
			all = append(all, u.Arithmetic)
		}
	}
	for _, a := range shapes {
		for _, a.Terms = range terms {
			if a.Structure == mma.Interleaved && a.Terms < 2 {
				continue
			}
			for a.Bits = minBits; a.Bits <= maxBits; a.Bits++ {
				for _, a.Align = range modes {
					for _, a.Normalise = range []bool{false, true} {
						for _, a.Round = range append([]fp.Mode{fp.Up}, modes...) {
							for _, a.Precision = range []int{24, 14, 11} {
								if a.Precision < 24 && a.SumBits > 0 {
									continue // these round to binary32
								}
								all = append(all, a)
							}
						}
					}
				}
			}
		}
	}
	return all
}

// isScalar reports whether a unit rounds after every addition, so that most
// parameters are without meaning. Only the rows of the table are tried.
func isScalar(a mma.Arithmetic) bool {
	return a.Structure >= mma.Pairwise && a.Structure <= mma.FusedPairs
}

// Bits that may be kept, and the exponents of zero.
const (
	minBits   = 8
	maxBits   = 40
	firstZero = -126
	noZero    = -1 << 16 // of units that do not count zeros
	zeroRange = 16       // exponents of zero to try
)

// differing returns the names of the fields that differ among arithmetics.
func differing(all []mma.Arithmetic) []string {
	var names []string
	t := reflect.TypeFor[mma.Arithmetic]()
	for i := range t.NumField() {
		first := reflect.ValueOf(all[0]).Field(i).Interface()
		if slices.ContainsFunc(all, func(a mma.Arithmetic) bool {
			return reflect.ValueOf(a).Field(i).Interface() != first
		}) {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}

// known returns the names of the units whose arithmetic is among those given.
// zero is whether the exponent of zero counts. Sums of n products do not tell
// groups of n from longer ones.
func known(in fp.Format, n int, all []mma.Arithmetic, zero bool) []string {
	names := []string{}
	for _, u := range mma.Units() {
		if u.In != in || u.Block > 0 {
			continue
		}
		if slices.ContainsFunc(all, func(a mma.Arithmetic) bool {
			b := u.Arithmetic
			if !zero || isScalar(a) {
				a.Zero = b.Zero
			}
			if a.Terms >= n && b.Terms >= n {
				a.Terms = b.Terms
			}
			return a == b
		}) {
			names = append(names, u.Name)
		}
	}
	return names
}
