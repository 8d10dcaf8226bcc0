package sums

import (
	"crypto/sha256"
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
}

func newExactTotal(op *Operation) *exactTotal {
	return &exactTotal{op: op, sums: make([]exact.Accumulator, len(op.summands))}
}

func (t *exactTotal) add(x, y []float64) error {
	for i, part := range t.op.summands {
		a := &t.sums[i]
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
	return nil
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

func (t *exactTotal) value(f fp.Format) (float64, error) { return t.op.exact(t.sums, f), nil }

// merge adds the sums of o.
func (t *exactTotal) merge(o *exactTotal) {
	for i := range t.sums {
		t.sums[i].Merge(&o.sums[i])
	}
}

// decimal returns every digit of a sum that is finite, else "".
func (t *exactTotal) decimal() string {
	c := t.sums[0].Counts()
	if !t.op.isSum || c.NaN != 0 || c.PosInf != 0 || c.NegInf != 0 {
		return ""
	}
	return t.sums[0].Decimal()
}

// digest returns the hash of the state: exact's own, or of two sums the hash of
// their hashes.
func (t *exactTotal) digest() [sha256.Size]byte {
	first := t.sums[0].Digest()
	if len(t.sums) == 1 {
		return first
	}
	second := t.sums[1].Digest()
	return sha256.Sum256(append(first[:], second[:]...))
}

// count returns the number of rows.
func (t *exactTotal) count() int64 { return t.sums[0].Count() }

var errImpossible = errors.New("no rows have the sums or the counts in it")

// decode sets the sums to canonical states.
func (t *exactTotal) decode(states [][]byte) error {
	for i, b := range states {
		a := &t.sums[i]
		if err := a.UnmarshalBinary(b); err != nil {
			return err
		}
		if a.Count() != t.count() || !isPossible(a, t.op.summands[i]) {
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
