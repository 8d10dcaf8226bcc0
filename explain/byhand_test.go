package explain_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
)

// inTurn is a plain loop.
func inTurn(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// inPairs adds neighbours until one number is left.
func inPairs(x []float64) float64 {
	for len(x) > 1 {
		var next []float64
		for i := 0; i+1 < len(x); i += 2 {
			next = append(next, x[i]+x[i+1])
		}
		if len(x)%2 == 1 {
			next = append(next, x[len(x)-1])
		}
		x = next
	}
	return x[0]
}

// recursive adds the sums of two halves.
func recursive(x []float64, base int) float64 {
	if len(x) <= base {
		return inTurn(x)
	}
	return recursive(x[:len(x)/2], base) + recursive(x[len(x)/2:], base)
}

// cut returns sums of parts, where the i-th begins at at(i).
func cut(x []float64, k int, at func(i int) int) []float64 {
	var sums []float64
	for i := range k {
		sums = append(sums, inTurn(x[at(i):at(i+1)]))
	}
	return sums
}

// dealt returns k sums that take turns.
func dealt(x []float64, k int) []float64 {
	sums := make([]float64, k)
	for i, v := range x {
		sums[i%k] += v
	}
	return sums
}

// sumRows adds the numbers of each row.
func sumRows(a explain.Array, f func(x []float64) float64) explain.Array {
	n := a.Shape[1]
	r := explain.Array{Format: a.Format, Shape: a.Shape[:1]}
	for i := range a.Shape[0] {
		r.Values = append(r.Values, f(a.Values[i*n:(i+1)*n]))
	}
	return r
}

// TestHandOrders explains orders that programs have around their sums.
func TestHandOrders(t *testing.T) {
	t.Parallel()
	const n = 301
	a := doubles(40, n)
	larger := func(i int) int { return i*(n/8) + min(i, n%8) }
	for want, f := range map[string]func(x []float64) float64{
		"parts(8, first ones longer) of chain": func(x []float64) float64 {
			return inTurn(cut(x, 8, larger))
		},
		"parts(8, first ones longer) of chain, joined by pairs": func(x []float64) float64 {
			return inPairs(cut(x, 8, larger))
		},
		"parts(14, last one longer) of chain": func(x []float64) float64 {
			return inTurn(cut(x, 14, func(i int) int { return []int{i * (n / 14), n}[i/14] }))
		},
		"parts(16, proportional) of chain": func(x []float64) float64 {
			return inTurn(cut(x, 16, func(i int) int { return i * n / 16 }))
		},
		"dealt to 6 sums": func(x []float64) float64 { return inTurn(dealt(x, 6)) },
		"dealt to 16 sums, joined by pairs": func(x []float64) float64 {
			return inPairs(dealt(x, 16))
		},
		"halves down to 8":            func(x []float64) float64 { return recursive(x, 8) },
		"neighbours, then their sums": inPairs,
	} {
		x := explainSums(t, a, sumRows(a, f), sumRows(a, inTurn))
		if answer(x) != "[order]" || x.A.Model != want {
			t.Errorf("%s by %s, not by %s: %s", answer(x), x.A.Model, want, x.Reason)
		}
	}
}

// TestShortInputs explains sums of float64 numbers that were rounded to short
// formats.
func TestShortInputs(t *testing.T) {
	t.Parallel()
	a := doubles(30, 60)
	for _, f := range []fp.Format{fp.Binary32, fp.BFloat16, fp.Binary16} {
		short := func(x []float64) float64 {
			s := 0.0
			for _, v := range x {
				s += f.Round(v, fp.NearestEven)
			}
			return s
		}
		if x := explainSums(t, a, sumRows(a, short), sumRows(a, inTurn)); answer(x) != "[inputs]" {
			t.Errorf("%s: %s, %s", f, answer(x), x.Reason)
		}
	}
}

// TestFlushedSubnormals explains sums that flush, beside sums of numbers so
// small that every order is exact.
func TestFlushedSubnormals(t *testing.T) {
	t.Parallel()
	a := doubles(40, 60)
	for i := range a.Values {
		a.Values[i] *= 0x1p-1023
	}
	flush := func(v float64) float64 {
		if v < 0x1p-1022 && v > -0x1p-1022 {
			return 0
		}
		return v
	}
	flushed := func(x []float64) float64 {
		s := 0.0
		for _, v := range x {
			s = flush(s + flush(v))
		}
		return s
	}
	if x := explainSums(t, a, sumRows(a, flushed), sumRows(a, inTurn)); answer(x) != "[flush]" {
		t.Errorf("%s: %s", answer(x), x.Reason)
	}
}

// doubles returns a matrix of random float64 numbers.
func doubles(rows, columns int) explain.Array {
	r := rand.New(rand.NewPCG(5, 1))
	a := explain.Array{Format: fp.Binary64, Shape: []int{rows, columns}}
	for range rows * columns {
		a.Values = append(a.Values, r.NormFloat64())
	}
	return a
}

// explainSums explains two sums over rows.
func explainSums(t *testing.T, of, a, b explain.Array) *explain.Explanation {
	t.Helper()
	p, err := explain.NewSum(explain.Sum, of, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, err := explain.Explain(t.Context(), p, a, b, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}
