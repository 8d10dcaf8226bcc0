package mma

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// Structure is the way that products of a group and the accumulator c come
// together.
type Structure uint8

// The structures.
const (
	// Fused sums c and all products at once.
	Fused Structure = iota
	// FusedThenAdded sums the products at once, rounds, and adds c, rounded in
	// the same way.
	FusedThenAdded
	// TwoStage sums the products at once, without rounding the sum. It aligns
	// that sum and c to the larger exponent, and rounds both down: the sum to
	// SumBits fraction bits, c to AccBits. Where LateBits is not 0, the total
	// is rounded down to that many fraction bits. Then it is rounded in
	// direction Round. A small negative total becomes −0. A product of 2^128 or
	// more is infinite.
	TwoStage
	// Interleaved sums the products of even index at once, and likewise the odd
	// ones. It aligns both sums to the larger exponent, rounds both down to
	// Bits fraction bits, and adds. Then it goes on as TwoStage, but drops a c
	// of an exponent more than Bits + 1 below the largest.
	Interleaved
	// Pairwise rounds every product, adds pairs of neighbours until one sum is
	// left, and adds that to c. It rounds after every addition.
	Pairwise
	// PairChain adds the products to c by fused multiply-adds, the later one of
	// each pair first.
	PairChain
	// TwoChains adds the products of even index by fused multiply-adds that
	// begin with 0, and likewise the odd ones. It adds both sums, and then c.
	TwoChains
	// FusedPairs sums two products exactly, rounds, and adds c.
	FusedPairs
	// Scaled is Fused for blocks: the exponent of a product includes both
	// scales, which are powers of two.
	Scaled
	// GroupScaled sums ScaleGroup products exactly, multiplies by both scales,
	// and takes these products as the terms of a fused sum with c, each with
	// the sum of its scales' exponents.
	GroupScaled
)

var structureNames = [...]string{"fused", "fused-then-added", "two-stage", "interleaved",
	"pairwise", "pair-chain", "two-chains", "fused-pairs", "scaled", "group-scaled"}

// String returns the name, such as two-stage.
func (s Structure) String() string { return structureNames[s] }

// MarshalText returns the name.
func (s Structure) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the names that String returns.
func (s *Structure) UnmarshalText(b []byte) error {
	i := slices.Index(structureNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("mma: no structure is called %q", b)
	}
	*s = Structure(i)
	return nil
}

// Arithmetic fixes the bits of a product of matrices, for inputs of one format.
type Arithmetic struct {
	Structure Structure `json:"structure"`
	Terms     int       `json:"terms"`                   // products of a group
	Bits      int       `json:"bits,omitempty"`          // fraction bits that aligned terms keep
	Align     fp.Mode   `json:"align"`                   // rounding of aligned terms: rz, rd or rne
	Normalise bool      `json:"normalise,omitempty"`     // a product's exponent is its own
	Zero      int       `json:"zero_exponent,omitempty"` // exponent of a term of zero
	SumBits   int       `json:"sum_bits,omitempty"`
	AccBits   int       `json:"acc_bits,omitempty"`
	LateBits  int       `json:"late_bits,omitempty"`
	Round     fp.Mode   `json:"rounding"`        // of the results of a group
	Precision int       `json:"precision"`       // bits of a result's significand, at most 24
	Flush     bool      `json:"flush,omitempty"` // subnormals are zeros, in and out

	Scale      fp.Format `json:"scale,omitempty"`       // of Scaled and GroupScaled
	Block      int       `json:"block,omitempty"`       // elements that share a scale
	ScaleGroup int       `json:"scale_group,omitempty"` // products of an exact sum
}

// Unit is one row: a matrix unit and the format of its inputs. Its results are
// binary32.
type Unit struct {
	Name        string // h100
	Aliases     []string
	Full        string // NVIDIA Hopper
	In          fp.Format
	Instruction string
	Source      string // of the figures
	Arithmetic
}

// Is reports whether the unit has that name or alias, in any case.
func (u Unit) Is(name string) bool {
	name = strings.ToLower(name)
	return u.Name == name || slices.Contains(u.Aliases, name)
}

// Find returns the row of that name and input format that takes no scales.
func Find(name string, in fp.Format) (Unit, bool) {
	for _, u := range Units() {
		if u.Is(name) && u.In == in && u.Block == 0 {
			return u, true
		}
	}
	return Unit{}, false
}

// Check reports why an arithmetic cannot be computed here.
func (a Arithmetic) Check() error {
	switch {
	case a.Terms < 1 || a.Terms > maxTerms:
		return fmt.Errorf("mma: groups of %d products; use 1 to %d", a.Terms, maxTerms)
	case a.Bits < 0 || a.Bits > maxBits:
		return fmt.Errorf("mma: %d bits kept; use at most %d", a.Bits, maxBits)
	case a.Precision < 1 || a.Precision > 24:
		return fmt.Errorf("mma: results of %d bits; use 1 to 24", a.Precision)
	}
	return nil
}
