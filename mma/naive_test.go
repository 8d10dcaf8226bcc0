package mma

import (
	"math"
	"math/big"

	"github.com/lastbit/lastbit/fp"
)

// The tests compute the structures a second time: in integers of any size,
// multiples of 2^-quantum, without significands and exponents of terms.
const quantum = 1000

// fixed returns v·2^quantum.
func fixed(v float64) *big.Int {
	f := new(big.Float).SetMantExp(big.NewFloat(v), quantum)
	i, acc := f.Int(nil)
	if acc != big.Exact {
		panic("below the quantum")
	}
	return i
}

// product returns the product of values, at least one, exactly.
func product(values ...float64) *big.Int {
	f := new(big.Float).SetPrec(400).SetInt64(1)
	for _, v := range values {
		f.Mul(f, new(big.Float).SetFloat64(v))
	}
	i, acc := f.SetMantExp(f, quantum).Int(nil)
	if acc != big.Exact {
		panic("below the quantum")
	}
	return i
}

// quantise rounds v to a multiple of 2^unit.
func quantise(v *big.Int, unit int, m fp.Mode) *big.Int {
	if unit+quantum <= 0 {
		return v
	}
	step := new(big.Int).Lsh(big.NewInt(1), uint(unit+quantum))
	rest := new(big.Int)
	q, rest := new(big.Int).DivMod(v, step, rest) // rest is not negative
	up := false
	twice := new(big.Int).Lsh(rest, 1)
	switch c := twice.Cmp(step); {
	case rest.Sign() == 0:
	case m == fp.NearestEven:
		up = c > 0 || c == 0 && q.Bit(0) == 1
	case m == fp.Up:
		up = true
	case m == fp.TowardZero:
		up = v.Sign() < 0
	case m == fp.ToOdd:
		up = q.Bit(0) == 0
	}
	if up {
		q.Add(q, big.NewInt(1))
	}
	return q.Mul(q, step)
}

// exponent returns the exponent of the leading bit of v, which is not 0.
func exponent(v *big.Int) int { return v.BitLen() - 1 - quantum }

// narrow rounds v to p bits, with subnormals of binary32's exponents, and to an
// infinity from 2^128 on.
func narrow(v *big.Int, p int, m fp.Mode) float64 {
	if v.Sign() == 0 {
		return 0
	}
	v = quantise(v, max(exponent(v), -126)-p+1, m)
	if v.Sign() != 0 && exponent(v) >= 128 {
		return math.Inf(v.Sign())
	}
	return toFloat(v)
}

func toFloat(v *big.Int) float64 {
	f := new(big.Float).SetInt(v)
	x, _ := f.SetMantExp(f, -quantum).Float64()
	return x
}

// exponentOf returns the exponent of a value of the format, of zero where v is
// 0.
func exponentOf(v float64, f fp.Format, zero int) int {
	if v == 0 {
		return zero
	}
	return max(math.Ilogb(v), f.MinExp())
}

// naive is a group as a unit computes it, from the definitions.
type naive struct{ Unit }

// special returns the sum of terms that are not finite.
func (u naive) special(x, y []float64, c float64, scales []float64) float64 {
	s := 0.0
	for _, v := range scales {
		if v != v {
			s = v
		}
	}
	for i := range x {
		if p := x[i] * y[i]; p-p != 0 {
			s += p
		}
	}
	if c-c != 0 {
		s += c
	}
	return s
}

// exponents returns the exponents of the products, as the unit counts them.
func (u naive) exponents(x, y []float64, scales [2][]float64) []int {
	all := make([]int, u.Terms)
	for i := range all {
		all[i] = u.Zero
		if i >= len(x) || x[i] == 0 || y[i] == 0 {
			continue
		}
		all[i] = exponentOf(x[i], u.In, 0) + exponentOf(y[i], u.In, 0)
		if u.Normalise {
			all[i] = exponent(product(x[i], y[i]))
		}
		if u.Block > 0 {
			all[i] += math.Ilogb(scales[0][i/u.Block]) + math.Ilogb(scales[1][i/u.Block])
		}
	}
	return all
}

// alignedSum sums the products of the given indices, rounded below the largest
// of their exponents and least.
func (u naive) alignedSum(x, y []float64, scales [2][]float64, from, step, least int) (
	*big.Int, int,
) {
	exps := u.exponents(x, y, scales)
	top := least
	for i := from; i < len(exps); i += step {
		top = max(top, exps[i])
	}
	sum := new(big.Int)
	for i := from; i < len(x); i += step {
		p := []float64{x[i], y[i]}
		if u.Block > 0 {
			p = append(p, scales[0][i/u.Block], scales[1][i/u.Block])
		}
		sum.Add(sum, quantise(product(p...), top-u.Bits, u.Align))
	}
	return sum, top
}

// group computes one group.
func (u naive) group(x, y []float64, c float64, scales [2][]float64) float64 {
	switch u.Structure {
	case Pairwise, PairChain, TwoChains, FusedPairs:
		return u.scalar(x, y, c)
	}
	if s := u.special(x, y, c, append(append([]float64{}, scales[0]...), scales[1]...)); s != 0 {
		return s
	}
	expC := exponentOf(c, fp.Binary32, u.Zero)
	switch u.Structure {
	case FusedThenAdded:
		sum, _ := u.alignedSum(x, y, scales, 0, 1, noExponent)
		s := narrow(sum, u.Precision, u.Round)
		if s-s != 0 {
			return s
		}
		return narrow(new(big.Int).Add(fixed(s), fixed(c)), 24, u.Round)
	case TwoStage, Interleaved:
		return u.staged(x, y, c)
	case GroupScaled:
		return u.grouped(x, y, c, scales)
	}
	sum, top := u.alignedSum(x, y, scales, 0, 1, expC)
	sum.Add(sum, quantise(fixed(c), top-u.Bits, u.Align))
	return narrow(sum, u.Precision, u.Round)
}

func (u naive) staged(x, y []float64, c float64) float64 {
	infinite := 0.0
	for i := range x {
		if p := x[i] * y[i]; math.Abs(p) >= 0x1p128 {
			infinite += math.Inf(int(math.Copysign(1, p)))
		}
	}
	if infinite != 0 {
		return infinite
	}
	none := [2][]float64{}
	sum, top := u.alignedSum(x, y, none, 0, 1, noExponent)
	if u.Structure == Interleaved {
		even, a := u.alignedSum(x, y, none, 0, 2, noExponent)
		odd, b := u.alignedSum(x, y, none, 1, 2, noExponent)
		top = max(a, b)
		sum.Add(quantise(even, top-u.Bits, fp.Down), quantise(odd, top-u.Bits, fp.Down))
	}
	expC := exponentOf(c, fp.Binary32, fp.Binary32.MinExp())
	both := max(top, expC)
	sum = quantise(sum, both-u.SumBits, fp.Down)
	if u.Structure != Interleaved || expC >= both-u.Bits-1 {
		sum.Add(sum, quantise(fixed(c), both-u.AccBits, fp.Down))
	}
	if sum.Sign() != 0 && u.LateBits > 0 {
		sum = quantise(sum, max(exponent(sum), -126)-u.LateBits, fp.Down)
	}
	if r := narrow(sum, 24, u.Round); r != 0 || sum.Sign() >= 0 {
		return r
	}
	return math.Copysign(0, -1)
}

func (u naive) grouped(x, y []float64, c float64, scales [2][]float64) float64 {
	top := exponentOf(c, fp.Binary32, u.Zero)
	if len(x) < u.Terms {
		top = max(top, u.Zero)
	}
	var terms []*big.Int
	for from := 0; from < len(x); from += u.ScaleGroup {
		sum, zero := new(big.Int), true
		a, b := math.Abs(scales[0][from/u.Block]), math.Abs(scales[1][from/u.Block])
		for i := from; i < min(from+u.ScaleGroup, len(x)); i++ {
			sum.Add(sum, product(x[i], y[i], a, b))
			zero = zero && x[i]*y[i] == 0
		}
		terms = append(terms, sum)
		if zero || a == 0 || b == 0 {
			top = max(top, u.Zero)
		} else {
			top = max(top, exponentOf(a, u.Scale, 0)+exponentOf(b, u.Scale, 0))
		}
	}
	sum := quantise(fixed(c), top-u.Bits, u.Align)
	for _, t := range terms {
		sum.Add(sum, quantise(t, top-u.Bits, u.Align))
	}
	return narrow(sum, u.Precision, u.Round)
}

// scalar computes the structures that round after every addition.
func (u naive) scalar(x, y []float64, c float64) float64 {
	flush := func(v float64) float64 {
		if u.Flush && math.Abs(v) < 0x1p-126 {
			return 0
		}
		return v
	}
	input := func(v float64) float64 {
		if u.Flush && math.Abs(v) < u.In.MinNormal() {
			return 0
		}
		return v
	}
	at := func(i int) (float64, float64) {
		if i >= len(x) {
			return 0, 0
		}
		return input(x[i]), input(y[i])
	}
	// plus adds exactly and rounds once; addends may be exact products.
	plus := func(a, b float64) float64 {
		if a-a != 0 || b-b != 0 {
			return a + b
		}
		sum := new(big.Int).Add(fixed(a), fixed(b))
		if sum.Sign() == 0 {
			return 0
		}
		if u.Flush && (u.Structure == PairChain || u.Structure == TwoChains) {
			if r := quantise(sum, exponent(sum)-23, u.Round); exponent(r) < -126 {
				return 0 // tiny after rounding
			}
		}
		return flush(narrow(sum, 24, u.Round))
	}
	mul := func(i int) float64 { a, b := at(i); return a * b } // exact in binary64
	switch u.Structure {
	case PairChain:
		for i := 0; i < len(x); i += 2 {
			c = plus(mul(i+1), flush(c))
			c = plus(mul(i), flush(c))
		}
		return c
	case TwoChains:
		even, odd := 0.0, 0.0
		for i := 0; i < len(x); i += 2 {
			even, odd = plus(mul(i), even), plus(mul(i+1), odd)
		}
		return plus(flush(c), plus(even, odd))
	case FusedPairs:
		return plus(c, plus(mul(0), mul(1)))
	}
	var tree func(from, n int) float64
	tree = func(from, n int) float64 {
		if n == 1 {
			return plus(mul(from), 0)
		}
		return plus(tree(from, n/2), tree(from+n/2, n/2))
	}
	return plus(flush(c), tree(0, u.Terms))
}
