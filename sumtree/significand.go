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
		return s // as its root is
	}
	if r.room.wide == nil {
		r.room.wide = make([]big.Float, r.t.Nodes())
	}
	val := r.room.wide
	zeros := true
	mode, rounds := r.a.Nodes.Mode, bigModes[r.a.Nodes.Mode]
	var y big.Float
	for i := range n {
		v := val[i].SetPrec(uint(r.a.Significand)).SetMode(rounds).SetFloat64(r.x[i])
		switch f := r.a.Product; {
		case f != 0:
			v.SetFloat64(f.Mul(r.x[i], r.y[i], mode))
		case r.a.Products:
			v.Mul(v, y.SetPrec(uint(r.a.Significand)).SetFloat64(r.y[i]))
		}
		zeros = zeros && v.Sign() == 0
	}
	for k := range r.t.Inner() {
		kids := r.t.kids[r.t.first[k]:r.t.first[k+1]]
		s, a, b := &val[n+k], &val[kids[0]], &val[kids[1]]
		s.SetPrec(uint(r.a.Significand)).SetMode(rounds).Add(a, b)
		if mode == fp.Down && a.Sign() == 0 && b.Sign() == 0 && a.Signbit() != b.Signbit() {
			s.Neg(s.SetInt64(0)) // big.Float makes +0 of +0 and −0
		}
	}
	if e := r.a.After; e != nil {
		s := e.apply(e.Format.RoundBig(&val[r.t.Root()], fp.NearestEven), r.x)
		return r.a.Out.Round(s, fp.NearestEven)
	}
	s := r.a.Out.RoundBig(&val[r.t.Root()], r.outMode(mode))
	if s == 0 && mode != fp.Down && (r.a.PlusZero && zeros || r.a.PlusZeroOut) {
		return 0
	}
	return s
}

// bigModes are the rounding modes of an accumulator of Arithmetic.Significand
// bits.
var bigModes = [...]big.RoundingMode{fp.NearestEven: big.ToNearestEven,
	fp.TowardZero: big.ToZero, fp.Up: big.ToPositiveInf, fp.Down: big.ToNegativeInf,
	fp.NearestAway: big.ToNearestAway}

// sumInfinite returns the sum of the infinite and NaN summands, and a finite
// number where there are none.
func (r *Replayer) sumInfinite() (s float64) {
	for i, x := range r.x {
		switch f := r.a.Product; {
		case f != 0:
			x = f.Mul(x, r.y[i], r.a.Nodes.Mode) // may overflow
		case r.a.Products && (x-x != 0 || r.y[i]-r.y[i] != 0):
			x = float64(x * r.y[i])
		}
		if x-x != 0 {
			s += x
		}
	}
	return s
}
