package cli

import (
	"crypto/sha256"
	"errors"
	"math"
	"slices"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// A total takes the rows of a group and has the result in the end.
type total interface {
	// add adds rows. y is nil unless the operation is one of pairs.
	add(x, y []float64) error
	// addWide adds a row of integers that are no float64: x + xRest and y + yRest.
	addWide(x, xRest, y, yRest float64) error
	// value is the result in a format.
	value(f fp.Format) (float64, error)
}

// exactTotal is the exact sums of an operation.
type exactTotal struct {
	op   *operation
	sums []exact.Accumulator
	// extra counts what wide rows added to each sum besides one summand a row.
	extra [2]int64
}

func newExactTotal(op *operation) *exactTotal {
	return &exactTotal{op: op, sums: make([]exact.Accumulator, len(op.sums))}
}

func (t *exactTotal) add(x, y []float64) error {
	for i, what := range t.op.sums {
		a := &t.sums[i]
		switch what {
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
	for i, what := range t.op.sums {
		a := &t.sums[i]
		before := a.Count()
		switch what {
		case values:
			addParts(a, x, xRest)
		case magnitudes:
			addParts(a, math.Abs(x), math.Abs(xRest))
		case squares:
			addProducts(a, x, xRest, x, xRest)
		case products:
			addProducts(a, x, xRest, y, yRest)
		}
		t.extra[i] += a.Count() - before - 1
	}
	return nil
}

func addParts(a *exact.Accumulator, x, rest float64) {
	a.Add(x)
	if rest != 0 {
		a.Add(rest)
	}
}

// addProducts adds (x + xRest)·(y + yRest). A factor that is zero or not finite has no
// rest, and the product with it is all there is: it has the sign of the whole.
func addProducts(a *exact.Accumulator, x, xRest, y, yRest float64) {
	a.AddProduct(x, y)
	for _, p := range [][2]float64{{xRest, y}, {x, yRest}, {xRest, yRest}} {
		if p[0] != 0 && p[1] != 0 && p[0]-p[0] == 0 && p[1]-p[1] == 0 {
			a.AddProduct(p[0], p[1])
		}
	}
}

// finish takes the extra summands out of the counts: as many +0.
func (t *exactTotal) finish() {
	for i := range t.sums {
		if t.extra[i] == 0 {
			continue
		}
		zeros := make([]int64, exact.Limbs)
		zeros[0] = t.extra[i]
		var a exact.Accumulator
		if err := a.AddLimbs(zeros); err != nil {
			panic(err) // a count and zeros are a state
		}
		t.sums[i].Sub(&a)
		t.extra[i] = 0
	}
}

func (t *exactTotal) value(f fp.Format) (float64, error) {
	t.finish()
	return t.op.exact(t.sums, f), nil
}

// merge adds what was added to o.
func (t *exactTotal) merge(o *exactTotal) {
	for i := range t.sums {
		t.sums[i].Merge(&o.sums[i])
		t.extra[i] += o.extra[i]
	}
}

// digest is the hash of the state: exact's own, of two sums the hash of theirs.
func (t *exactTotal) digest() [sha256.Size]byte {
	t.finish()
	first := t.sums[0].Digest()
	if len(t.sums) == 1 {
		return first
	}
	second := t.sums[1].Digest()
	return sha256.Sum256(append(first[:], second[:]...))
}

// count is the number of rows.
func (t *exactTotal) count() int64 { return t.sums[0].Count() - t.extra[0] }

// decode sets the sums to canonical states.
func (t *exactTotal) decode(states [][]byte) error {
	for i, b := range states {
		if err := t.sums[i].UnmarshalBinary(b); err != nil {
			return err
		}
		if t.sums[i].Count() != t.sums[0].Count() || !possible(&t.sums[i], t.op.sums[i]) {
			return errImpossible
		}
	}
	return nil
}

var errImpossible = errors.New("no rows have the sums or the counts in it")

// possible tells whether summands of a kind may have a state, so far as its counts and
// signs tell.
func possible(a *exact.Accumulator, what summand) bool {
	v := a.AppendLimbs(nil)
	plain := v[0] // summands but −0, NaN and infinities
	for _, n := range v[1:specials] {
		if n < 0 || n > plain {
			return false
		}
		plain -= n
	}
	sign := fractionOf(a).multiple.Sign()
	switch what {
	case magnitudes, squares: // none is −0, −Inf or less than 0
		if v[1] != 0 || v[4] != 0 || sign < 0 {
			return false
		}
	}
	return v[0] >= 0 && (plain > 0 || sign == 0)
}
