package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestOdd rounds results to odd, and then to shorter formats. math/big and fp
// round the same real numbers once.
func TestOdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	differs := 0
	for range 4000 {
		var x, xx Accumulator
		sum, squares := new(big.Float).SetPrec(5000), new(big.Float).SetPrec(5000)
		n := 3 + rng.IntN(6)
		for range n {
			v := math.Ldexp(float64(rng.IntN(64)-32), rng.IntN(70)-45)
			x.Add(v)
			xx.AddProduct(v, v)
			big := new(big.Float).SetPrec(5000).SetFloat64(v)
			sum.Add(sum, big)
			squares.Add(squares, big.Mul(big, big))
		}
		count := new(big.Float).SetPrec(5000).SetInt64(int64(n))
		mean := new(big.Float).SetPrec(5000).Quo(sum, count)
		variance := new(big.Float).SetPrec(5000).Mul(sum, mean)
		variance.Sub(squares, variance).Quo(variance, count)
		if variance.Sign() < 0 {
			continue // all are equal, and the quotient is not exact
		}
		deviation := new(big.Float).SetPrec(5000).Sqrt(variance)
		for _, format := range []fp.Format{fp.Binary16, fp.BFloat16} {
			for _, c := range []struct {
				name string
				got  Odd
				want *big.Float
			}{
				{"sum", SumOf[Odd](&x), sum},
				{"mean", MeanOf[Odd](&x), mean},
				{"norm", SqrtOf[Odd](&xx), new(big.Float).SetPrec(5000).Sqrt(squares)},
				{"variance", VarianceOf[Odd](&x, &xx, 0), variance},
				{"deviation", StdDevOf[Odd](&x, &xx, 0), deviation},
			} {
				got := format.Round(float64(c.got), fp.NearestEven)
				if want := format.RoundBig(c.want, fp.NearestEven); got != want {
					t.Errorf("%s in %v: %g, want %g", c.name, format, got, want)
				}
				nearest, _ := c.want.Float64()
				if format.Round(nearest, fp.NearestEven) != got {
					differs++
				}
			}
		}
	}
	if differs == 0 {
		t.Error("no number would be rounded wrongly from the nearest float64")
	}
}

func TestOddEdges(t *testing.T) {
	tiny := math.SmallestNonzeroFloat64
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{nil, 0},
		{[]float64{math.Copysign(0, -1)}, math.Copysign(0, -1)},
		{[]float64{1, 0x1p-52}, 1 + 0x1p-52},
		{[]float64{1, 0x1p-80}, 1 + 0x1p-52},
		{[]float64{1, -0x1p-80}, 1 - 0x1p-53},
		{[]float64{1 + 0x1p-52, -0x1p-80}, 1 + 0x1p-52},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64},
		{[]float64{-math.MaxFloat64, -math.MaxFloat64}, -math.MaxFloat64},
		{[]float64{2 * tiny}, 2 * tiny},
		{[]float64{math.Inf(1), 1}, math.Inf(1)},
		{[]float64{math.Inf(1), math.Inf(-1)}, math.NaN()},
	} {
		var a Accumulator
		a.AddSlice(c.x)
		got := float64(SumOf[Odd](&a))
		if math.Float64bits(got) != math.Float64bits(c.want) && (got == got || c.want == c.want) {
			t.Errorf("%g: %g, want %g", c.x, got, c.want)
		}
	}
	var a Accumulator
	a.AddProduct(tiny, 0.25) // far below the smallest number
	if got := SumOf[Odd](&a); float64(got) != tiny {
		t.Errorf("a sum below the smallest number is %g", got)
	}
}
