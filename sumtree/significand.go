package sumtree

import (
	"math/big"

	"github.com/lastbit/lastbit/fp"
)

// sumWide returns the sum of the inputs taken, in an accumulator of
// Arithmetic.Significand bits.
func (r *Replayer) sumWide() float64 {
	n := r.t.Leaves()
	if s := r.sumInfinite(); s-s != 0 {
		return s
	}
	val := make([]big.Float, r.t.Nodes())
	zeros := true
	var y big.Float
	for i := range n {
		v := val[i].SetPrec(uint(r.a.Significand)).SetFloat64(r.x[i])
		switch f := r.a.Product; {
		case f != 0:
			v.SetFloat64(f.Mul(r.x[i], r.y[i], fp.NearestEven))
		case r.a.Products:
			v.Mul(v, y.SetPrec(uint(r.a.Significand)).SetFloat64(r.y[i]))
		}
		zeros = zeros && v.Sign() == 0
	}
	for k := range r.t.Inner() {
		kids := r.t.kids[r.t.first[k]:r.t.first[k+1]]
		val[n+k].SetPrec(uint(r.a.Significand)).Add(&val[kids[0]], &val[kids[1]])
	}
	s := r.a.Out.RoundBig(&val[r.t.Root()], fp.NearestEven)
	if s == 0 && (r.a.PlusZero && zeros || r.a.PlusZeroOut) {
		return 0
	}
	return s
}

// sumInfinite returns the sum of the infinite and NaN summands, and a finite
// number where there are none.
func (r *Replayer) sumInfinite() (s float64) {
	for i, x := range r.x {
		switch f := r.a.Product; {
		case f != 0:
			x = f.Mul(x, r.y[i], fp.NearestEven) // may overflow
		case r.a.Products && (x-x != 0 || r.y[i]-r.y[i] != 0):
			x = float64(x * r.y[i])
		}
		if x-x != 0 {
			s += x
		}
	}
	return s
}
