package sums

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// A total adds the rows of a group.
type total interface {
	// add adds rows. y is nil unless the operation is one of pairs.
	add(x, y []float64) error
	// addWide adds a row of integers that no float64 holds: x + xRest and
	// y + yRest.
	addWide(x, xRest, y, yRest float64) error
	// value returns the result in a format.
	value(f fp.Format) (float64, error)
}

// exactTotal holds the exact sums of an operation.
type exactTotal struct {
	op   *Operation
	sums []exact.Accumulator
	// scaled are the sums of decimals, by ascending scales above 0.
	scaled []scaledSums
}

func newExactTotal(op *Operation) *exactTotal {
	return &exactTotal{op: op, sums: make([]exact.Accumulator, len(op.summands))}
}

func (t *exactTotal) add(x, y []float64) error {
	t.addScaled(0, x, y)
	return nil
}

// addScaled adds rows of integers of units of 10^−scale, or with scale 0 of any
// numbers.
func (t *exactTotal) addScaled(scale int, x, y []float64) {
	sums := t.of(scale)
	for i, part := range t.op.summands {
		a := &sums[i]
		switch part {
		case values:
			a.AddSlice(x)
		case magnitudes:
			addMagnitudes(a, x)
		case squares:
			a.AddDot(x, x)
		case products:
			a.AddDot(x, y)
		}
	}
}

// addMagnitudes adds |x[i]|.
func addMagnitudes(a *exact.Accumulator, x []float64) {
	var buf [1024]float64
	for part := range slices.Chunk(x, len(buf)) {
		for i, v := range part {
			buf[i] = math.Abs(v)
		}
		a.AddSlice(buf[:len(part)])
	}
}

func (t *exactTotal) addWide(x, xRest, y, yRest float64) error {
	for i, part := range t.op.summands {
		a := &t.sums[i]
		switch part {
		case values:
			a.AddWide(x, xRest)
		case magnitudes:
			a.AddWide(math.Abs(x), math.Abs(xRest))
		case squares:
			a.AddWideProduct(x, xRest, x, xRest)
		case products:
			a.AddWideProduct(x, xRest, y, yRest)
		}
	}
	return nil
}

func (t *exactTotal) value(f fp.Format) (float64, error) {
	if len(t.scaled) > 0 {
		return t.decimalValue(f), nil
	}
	return t.op.exact(t.sums, f), nil
}

// merge adds the sums of o.
func (t *exactTotal) merge(o *exactTotal) {
	for i := range t.sums {
		t.sums[i].Merge(&o.sums[i])
	}
	for _, s := range o.scaled {
		sums := t.of(s.scale)
		for i := range sums {
			sums[i].Merge(&s.sums[i])
		}
	}
}

// decimal returns every digit of a sum that is finite, else "".
func (t *exactTotal) decimal() string {
	c := t.all()[0].Counts()
	switch {
	case !t.op.isSum || c.NaN != 0 || c.PosInf != 0 || c.NegInf != 0:
		return ""
	case len(t.scaled) == 0:
		return t.sums[0].Decimal()
	}
	r := t.fraction(0)
	places, _ := r.FloatPrec()
	return r.FloatString(places)
}

// digest returns the hash of the state: exact's own for one sum, or the hash of
// the hashes of several. The hashes of decimals follow their scale.
func (t *exactTotal) digest() [sha256.Size]byte {
	first := t.sums[0].Digest()
	if len(t.sums) == 1 && len(t.scaled) == 0 {
		return first
	}
	hashes := first[:]
	for i := range t.sums[1:] {
		h := t.sums[i+1].Digest()
		hashes = append(hashes, h[:]...)
	}
	for _, s := range t.scaled {
		hashes = binary.AppendUvarint(hashes, uint64(s.scale))
		for i := range s.sums {
			h := s.sums[i].Digest()
			hashes = append(hashes, h[:]...)
		}
	}
	return sha256.Sum256(hashes)
}

// count returns the number of rows.
func (t *exactTotal) count() int64 {
	n := t.sums[0].Count()
	for _, s := range t.scaled {
		n += s.sums[0].Count()
	}
	return n
}

// size returns the number of accumulators.
func (t *exactTotal) size() int { return len(t.sums) * (1 + len(t.scaled)) }

var errImpossible = errors.New("no rows have the sums or the counts in it")

// decode sets the sums of a scale to canonical states.
func (t *exactTotal) decode(scale int, states [][]byte) error {
	sums := t.of(scale)
	for i, b := range states {
		a := &sums[i]
		if err := a.UnmarshalBinary(b); err != nil {
			return err
		}
		if a.Count() != sums[0].Count() || !isPossible(a, t.op.summands[i]) {
			return errImpossible
		}
	}
	return nil
}

// isPossible reports whether summands of a kind may have a state, as far as its
// counts and its sign show.
func isPossible(a *exact.Accumulator, part summand) bool {
	c, sign := a.Counts(), a.Sign()
	left := c.All // summands that are neither −0 nor NaN nor infinite
	for _, n := range []int64{c.NegZero, c.NaN, c.PosInf, c.NegInf} {
		if n < 0 || n > left {
			return false
		}
		left -= n
	}
	if part == magnitudes || part == squares {
		if c.NegZero != 0 || c.NegInf != 0 || sign < 0 {
			return false
		}
	}
	return c.All >= 0 && (left > 0 || sign == 0)
}
