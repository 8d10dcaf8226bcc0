package binned

import (
	"math"
	"math/big"
	"testing"
)

// oracle runs the algorithms as the papers print them, one value after the
// other, in arithmetic of p bits without a largest or smallest exponent. Only
// the corrections that are asked for are made.
type oracle struct {
	t *testing.T
	p uint
}

func oracleOf[T Float](t *testing.T) oracle { return oracle{t, uint(formatOf[T]().p)} }

func (o oracle) number(mode big.RoundingMode) *big.Float {
	return new(big.Float).SetPrec(o.p).SetMode(mode)
}

// exactly returns a + b, which must be a number of p bits.
func (o oracle) exactly(a, b *big.Float) *big.Float {
	z := o.number(big.ToNearestEven).Add(a, b)
	if z.Acc() != big.Exact {
		o.t.Helper()
		o.t.Fatalf("a sum that should be exact is rounded: %v + %v", a, b)
	}
	return z
}

func (o oracle) minus(a *big.Float) *big.Float { return new(big.Float).Neg(a) }

func pow2(e int) *big.Float { return new(big.Float).SetMantExp(big.NewFloat(1), e) }

// ceilLog returns ⌈log2(n·x / (1 − c·n·u))⌉.
func (o oracle) ceilLog(n int64, x *big.Float, c int64) int {
	r, _ := x.Rat(nil)
	d := big.NewRat(c*n, 1)
	d.Mul(d, new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), o.p)))
	d.Sub(big.NewRat(1, 1), d)
	r.Mul(r, big.NewRat(n, 1)).Quo(r, d)
	j := r.Num().BitLen() - r.Denom().BitLen() - 2
	for {
		if q, _ := pow2(j).Rat(nil); q.Cmp(r) >= 0 {
			return j
		}
		j++
	}
}

func largestOf(x []*big.Float) *big.Float {
	m := new(big.Float)
	for _, v := range x {
		if a := new(big.Float).Abs(v); a.Cmp(m) > 0 {
			m = a
		}
	}
	return m
}

// total adds T^k up to T^1, rounding to nearest.
func (o oracle) total(t []*big.Float) *big.Float {
	s := o.number(big.ToNearestEven)
	for i := len(t) - 1; i >= 0; i-- {
		s.Add(s, t[i])
	}
	return s
}

// split is the splitting algorithm with rounding to nearest.
func (o oracle) split(m, x *big.Float) (q, r *big.Float) {
	s := o.number(big.ToNearestEven).Add(m, x)
	q = o.exactly(s, o.minus(m))
	return q, o.exactly(x, o.minus(q))
}

func (o oracle) algorithm3(x []*big.Float, k int) *big.Float {
	top := largestOf(x)
	if top.Sign() == 0 {
		return o.number(big.ToNearestEven)
	}
	var t []*big.Float
	for range k {
		m := pow2(o.ceilLog(int64(len(x)), top, 2))
		s, rest := o.number(big.ToNearestEven), make([]*big.Float, len(x))
		for i, v := range x {
			var q *big.Float
			q, rest[i] = o.split(m, v)
			s = o.exactly(s, q)
		}
		t, x = append(t, s), rest
		top = new(big.Float).SetMantExp(m, 1-int(o.p)) // 2·u·M
	}
	return o.total(t)
}

// algorithm4 takes the c of 1 − c·n·u in step 2: 2 as printed, 4 as corrected.
func (o oracle) algorithm4(x []*big.Float, k int, c int64) *big.Float {
	top := largestOf(x)
	if top.Sign() == 0 {
		return o.number(big.ToNearestEven)
	}
	var t []*big.Float
	for range k {
		j := o.ceilLog(int64(len(x)), top, c)
		m := new(big.Float).Mul(big.NewFloat(3), pow2(j))
		mi, rest := m, make([]*big.Float, len(x))
		for i, v := range x {
			next := o.number(big.ToNegativeInf).Add(mi, v)
			q := o.exactly(next, o.minus(mi))
			rest[i] = o.number(big.ToNegativeInf).Sub(v, q)
			mi = next
		}
		t, x = append(t, o.exactly(mi, o.minus(m))), rest
		top = pow2(j + 2 - int(o.p)) // ulp(M)
	}
	return o.total(t)
}

func (o oracle) doubleSweep(x []*big.Float, k int) *big.Float {
	top := largestOf(x)
	if top.Sign() == 0 {
		return o.number(big.ToNearestEven)
	}
	alpha := o.ceilLog(int64(len(x)), big.NewFloat(1), 4)
	e := alpha + o.ceilLog(1, top, 0)
	t := make([]*big.Float, k)
	for f := range t {
		t[f] = o.number(big.ToNearestEven)
	}
	for _, r := range x {
		for f := range t {
			var q *big.Float
			q, r = o.split(pow2(e-f*(int(o.p)-1-alpha)), r)
			t[f] = o.exactly(t[f], q)
		}
	}
	return o.total(t)
}

// singleSweep is Algorithm 2 line by line with its misprints corrected, except
// one: factor·M is added in the place of M, with 1 as printed and 1.5 as
// corrected.
func (o oracle) singleSweep(v []*big.Float, k int, factor float64) *big.Float {
	if len(v) == 0 {
		return o.number(big.ToNearestEven)
	}
	alpha := o.ceilLog(int64(len(v)), big.NewFloat(1), 4)
	emax := 1023
	if o.p == 24 {
		emax = 127
	}
	n := func(f int) int { return emax - (f-1)*(int(o.p)-1-alpha) } // log2 N^f
	extractor := func(f int) *big.Float {
		return new(big.Float).Mul(big.NewFloat(factor), pow2(n(f)))
	}
	supports := func(f int, x *big.Float) bool {
		return x.Sign() == 0 || n(f) >= alpha+o.ceilLog(1, new(big.Float).Abs(x), 0)
	}
	h := 1
	for supports(h+1, v[0]) && n(h) > -1500 {
		h++
	}
	for !supports(h, v[0]) {
		h--
	}
	t := make([]*big.Float, k+1)
	for f := range t {
		t[f] = o.number(big.ToNearestEven)
	}
	for _, x := range v {
		for !supports(h, x) { // lines 7 to 15
			for f := k; f >= 3; f-- {
				t[f] = t[f-1]
			}
			if k >= 2 {
				t[2] = o.exactly(t[1], o.minus(t[0]))
			}
			t[1] = t[0]
			t[0] = o.number(big.ToNearestEven)
			h--
		}
		q, _ := o.split(extractor(h-1), x)
		t[0] = o.exactly(t[0], q)
		r := x
		for f := 1; f <= k; f++ {
			q, r = o.split(extractor(h+f-1), r)
			t[f] = o.exactly(t[f], q)
		}
	}
	t[1] = o.exactly(t[1], o.minus(t[0])) // line 25
	t[1] = o.exactly(t[1], t[0])          // the corrected order of line 28
	return o.total(t[1:])
}

// oneReduction knows the largest value beforehand, adds without carries, and
// then the sums of the levels as carry and rest.
func (o oracle) oneReduction(x []*big.Float, k int) *big.Float {
	top := largestOf(x)
	if top.Sign() == 0 {
		return o.number(big.ToNearestEven)
	}
	emax, w := 1023, 40
	if o.p == 24 {
		emax, w = 127, 13
	}
	e := emax
	for o.ceilLog(1, top, 0) > e+w-int(o.p) {
		e += w
	}
	for o.ceilLog(1, top, 0) <= e-w+w-int(o.p) {
		e -= w
	}
	t := make([]*big.Float, k)
	for f := range t {
		t[f] = new(big.Float).SetPrec(200)
	}
	for _, r := range x {
		for f := range t {
			var q *big.Float
			q, r = o.split(new(big.Float).Mul(big.NewFloat(1.5), pow2(e-f*w)), r)
			t[f].Add(t[f], q)
		}
	}
	var terms []*big.Float
	for f := range t {
		unit := e - f*w + 1 - int(o.p)
		m, _ := new(big.Float).SetMantExp(t[f], -unit).Int(nil)
		half := new(big.Int).Lsh(big.NewInt(1), o.p-2)
		carry := new(big.Int).Rsh(new(big.Int).Add(m, half), o.p-1)
		rest := new(big.Int).Sub(m, new(big.Int).Lsh(carry, o.p-1))
		terms = append(terms,
			new(big.Float).SetMantExp(new(big.Float).SetInt(carry), unit+int(o.p)-1),
			new(big.Float).SetMantExp(new(big.Float).SetInt(rest), unit))
	}
	return o.total(terms)
}

// bigs returns the numbers x.
func bigs[T Float](x []T) []*big.Float {
	b := make([]*big.Float, len(x))
	for i, v := range x {
		b[i] = big.NewFloat(float64(v))
	}
	return b
}

// rounded returns x in T: ±Inf if it overflows, and +0 for zero.
func rounded[T Float](x *big.Float) T {
	if x.Sign() == 0 {
		return 0
	}
	var z T
	switch any(z).(type) {
	case float32:
		f, _ := x.Float32()
		return T(f)
	}
	f, _ := x.Float64()
	return T(f)
}

// exactSum returns Σ x_i.
func exactSum[T Float](x []T) *big.Float {
	s := new(big.Float).SetPrec(2300)
	for _, v := range x {
		s.Add(s, big.NewFloat(float64(v)))
	}
	return s
}

// bitsOf returns the bits of x.
func bitsOf[T Float](x T) uint64 {
	switch x := any(x).(type) {
	case float32:
		return uint64(math.Float32bits(x))
	case float64:
		return math.Float64bits(x)
	}
	panic("no float")
}
