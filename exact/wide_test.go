package exact

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// split writes a 64-bit integer as the sum of two float64 numbers of its sign.
func split(v int64) (hi, lo float64) {
	m := uint64(v)
	if v < 0 {
		m = -m
	}
	hi, lo = float64(m&^0x7ff), float64(m&0x7ff)
	if v < 0 {
		hi, lo = -hi, -lo
	}
	if hi == 0 {
		return lo, 0
	}
	return hi, lo
}

// TestWide adds integers and their products as pairs of float64 numbers.
func TestWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 4))
	for range 200 {
		var sum, product, ints, parts, partsProduct Accumulator
		wantSum, wantProduct := new(big.Int), new(big.Int)
		n := int64(rng.IntN(10))
		for range n {
			x, y := int64(rng.Uint64())>>rng.IntN(64), int64(rng.Uint64())>>rng.IntN(64)
			xhi, xlo := split(x)
			yhi, ylo := split(y)
			sum.AddWide(xhi, xlo)
			product.AddWideProduct(xhi, xlo, yhi, ylo)
			ints.AddInt64(x)
			parts.AddParts(xhi, xlo)
			partsProduct.AddPartsProduct([]float64{xhi, xlo}, []float64{yhi, ylo})
			wantSum.Add(wantSum, big.NewInt(x))
			p := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
			wantProduct.Add(wantProduct, p)
		}
		if sum.Decimal() != wantSum.String() || sum.Count() != n {
			t.Errorf("%s of %d, want %v of %d", sum.Decimal(), sum.Count(), wantSum, n)
		}
		if s := product.Decimal(); s != wantProduct.String() && wantProduct.Sign() != 0 ||
			product.Count() != n {
			t.Errorf("%s of %d, want %v of %d", s, product.Count(), wantProduct, n)
		}
		if parts.Digest() != sum.Digest() || partsProduct.Digest() != product.Digest() {
			t.Errorf("two parts are not the two numbers")
		}
		a, _ := sum.MarshalBinary()
		b, _ := ints.MarshalBinary()
		if sum.Counts().NegZero == 0 && !bytes.Equal(a, b) {
			t.Errorf("the state is not that of the same integers")
		}
	}
}

func TestWideSpecials(t *testing.T) {
	inf, zero := math.Inf(1), math.Copysign(0, -1)
	for _, c := range []struct{ xhi, xlo, yhi, ylo, want float64 }{
		{1 << 60, 3, inf, 0, inf}, {1 << 60, 3, -inf, 0, -inf}, {-1 << 60, -3, inf, 0, -inf},
		{1 << 60, 3, 0, 0, 0}, {1 << 60, 3, zero, 0, zero}, {zero, 0, 1 << 60, 3, zero},
		{0, 0, inf, 0, math.NaN()}, {1 << 60, 3, math.NaN(), 0, math.NaN()}, {0, 0, 0, 0, 0},
	} {
		var a Accumulator
		a.AddWideProduct(c.xhi, c.xlo, c.yhi, c.ylo)
		if got := a.Float64(); !same(got, c.want) || a.Count() != 1 {
			t.Errorf("(%v + %v)·(%v + %v) is %v of %d, want %v", c.xhi, c.xlo, c.yhi, c.ylo, got,
				a.Count(), c.want)
		}
	}
	var a Accumulator
	a.AddWide(zero, 0)
	if got := a.Float64(); !same(got, zero) || a.Count() != 1 {
		t.Errorf("−0 is %v of %d", got, a.Count())
	}
}
