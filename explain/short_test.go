package explain_test

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// TestCompiledLoop explains a product whose rest goes by vectors of half the
// size, as in GCC's loops.
func TestCompiledLoop(t *testing.T) {
	compiled := func(x, y []float32) float32 {
		var s [8]float32
		n := len(x) / 8 * 8
		for i := range n {
			s[i%8] += float32(x[i] * y[i])
		}
		four := s[:4]
		for i := range four {
			four[i] += s[i+4]
		}
		for ; n+4 <= len(x); n += 4 {
			for i := range four {
				four[i] += float32(x[n+i] * y[n+i])
			}
		}
		sum := (four[0] + four[2]) + (four[1] + four[3])
		for ; n < len(x); n++ {
			sum += float32(x[n] * y[n])
		}
		return sum
	}
	r := rand.New(rand.NewPCG(8, 3))
	a, b := random(r, 8, 95), random(r, 95, 8)
	p, err := explain.NewProduct(explain.MatMul, a, b)
	if err != nil {
		t.Fatal(err)
	}
	x, err := explain.Explain(t.Context(), p, multiply(a, b, chain), multiply(a, b, compiled),
		explain.Options{})
	if err != nil || answer(x) != "[order]" {
		t.Errorf("%s, %v: %+v, %s", answer(x), err, x.B, x.Reason)
	}
}

// TestSingle explains sums in float64 beside the same sums with float32
// somewhere on the way.
func TestSingle(t *testing.T) {
	const rows, n = 12, 90
	single := func(v float64) float64 { return float64(float32(v)) }
	sum := func(input, store, result func(float64) float64) func(x []float64) float64 {
		return func(x []float64) float64 {
			s := 0.0
			for _, v := range x {
				s = store(s + input(v))
			}
			return result(s)
		}
	}
	same := func(v float64) float64 { return v }
	for _, c := range []struct {
		name, want string
		short      bool // all inputs are float32
		f          func(x []float64) float64
	}{
		{"all", "[accumulator inputs]", false, sum(single, single, same)},
		{"sums", "[accumulator]", true, sum(same, single, same)},
		{"inputs", "[inputs]", false, sum(single, same, same)},
		{"result", "[rounding]", false, sum(same, same, single)},
	} {
		r := rand.New(rand.NewPCG(8, 2))
		x := explain.Array{Format: fp.Binary64, Shape: []int{rows, n}}
		for range rows * n {
			v := r.NormFloat64()
			if c.short {
				v = single(v)
			}
			x.Values = append(x.Values, v)
		}
		e := explainRows(t, explain.Sum, x, sum(same, same, same), c.f)
		if answer(e) != c.want {
			t.Errorf("%s: %s instead of %s: %+v, %+v, %s", c.name, answer(e), c.want, e.A, e.B,
				e.Reason)
		}
	}
}

// TestWidened explains sums of float32 numbers that were computed in float32,
// or rounded to bfloat16, and stored as float64 afterwards.
func TestWidened(t *testing.T) {
	const rows, n = 12, 90
	sumIn := func(f fp.Format, backwards bool) func(x []float64) float64 {
		return func(x []float64) float64 {
			s := 0.0
			for i := range x {
				if backwards {
					i = len(x) - 1 - i
				}
				s = f.Add(s, x[i], fp.NearestEven)
			}
			return s
		}
	}
	double, single := sumIn(fp.Binary64, false), sumIn(fp.Binary32, false)
	for _, c := range []struct {
		name, want string
		f, g       func(x []float64) float64
	}{
		{"one in float64", "[accumulator]", double, single},
		{"both in float32", "[order]", single, sumIn(fp.Binary32, true)},
		{"result in bfloat16", "[rounding]", single, func(x []float64) float64 {
			return fp.BFloat16.Round(single(x), fp.NearestEven)
		}},
	} {
		r := rand.New(rand.NewPCG(8, 4))
		x := explain.Array{Format: fp.Binary32, Shape: []int{rows, n}}
		for range rows * n {
			x.Values = append(x.Values, float64(float32(r.NormFloat64())))
		}
		e := explainRows(t, explain.Sum, x, c.f, c.g)
		if answer(e) != c.want {
			t.Errorf("%s: %s instead of %s: %+v, %+v, %s", c.name, answer(e), c.want, e.A, e.B,
				e.Reason)
		}
	}
}

// TestSkippingNaN explains sums that count NaN as zeros, in two orders, and
// leaves sums unexplained that are NaN on one side.
func TestSkippingNaN(t *testing.T) {
	const rows, n = 12, 90
	r := rand.New(rand.NewPCG(8, 5))
	x := explain.Array{Format: fp.Binary64, Shape: []int{rows, n}}
	for i := range rows * n {
		x.Values = append(x.Values, r.NormFloat64())
		if i%17 == 0 {
			x.Values[i] = math.NaN()
		}
	}
	skip := func(backwards, keeps bool) func(x []float64) float64 {
		return func(x []float64) float64 {
			s := 0.0
			for i := range x {
				if backwards {
					i = len(x) - 1 - i
				}
				if keeps || x[i] == x[i] {
					s += x[i]
				}
			}
			return s
		}
	}
	e := explainRows(t, explain.Sum, x, skip(false, false), skip(true, false))
	if answer(e) != "[order]" || e.A.Model != "chain, NaN as zeros" {
		t.Errorf("%s: %+v, %+v, %s", answer(e), e.A, e.B, e.Reason)
	}
	if e := explainRows(t, explain.Sum, x, skip(false, false), skip(false, true)); e.Explained {
		t.Errorf("%s: %+v, %+v", answer(e), e.A, e.B)
	}
}

// TestRunningMean explains means by Welford's recurrence.
func TestRunningMean(t *testing.T) {
	const rows, n = 12, 90
	r := rand.New(rand.NewPCG(8, 6))
	for _, f := range []fp.Format{fp.Binary32, fp.Binary64} {
		x := explain.Array{Format: f, Shape: []int{rows, n}}
		for range rows * n {
			x.Values = append(x.Values, f.Round(r.NormFloat64(), fp.NearestEven))
		}
		e := explainRows(t, explain.Mean, x, func(x []float64) float64 {
			s := 0.0
			for _, v := range x {
				s = f.Add(s, v, fp.NearestEven)
			}
			return f.Round(s/n, fp.NearestEven)
		}, func(x []float64) float64 {
			m := 0.0
			for i, v := range x {
				d := f.Add(v, -m, fp.NearestEven)
				m = f.Add(m, f.Round(d/float64(i+1), fp.NearestEven), fp.NearestEven)
			}
			return m
		})
		if answer(e) != "[accumulator]" {
			t.Errorf("%s: %s: %+v, %+v, %s", f, answer(e), e.A, e.B, e.Reason)
		}
	}
}

// explainRows explains the difference of the sums or means of the rows of x by
// two functions, in the format of x or, for sums, in float64.
func explainRows(
	t *testing.T, op explain.Op, x explain.Array, f, g func(x []float64) float64,
) *explain.Explanation {
	t.Helper()
	p, err := explain.NewSum(op, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	rows, n := x.Shape[0], x.Shape[1]
	var sides [2]explain.Array
	for k, sum := range []func(x []float64) float64{f, g} {
		sides[k] = explain.Array{Format: fp.Binary64, Shape: []int{rows}}
		if op == explain.Mean {
			sides[k].Format = x.Format
		}
		for i := range rows {
			sides[k].Values = append(sides[k].Values, sum(x.Values[i*n:(i+1)*n]))
		}
	}
	e, err := explain.Explain(t.Context(), p, sides[0], sides[1], explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestOneOrderInTwoFormats explains sums in an order far down the catalogue
// beside the same sums rounded to a shorter format. The order must not be
// named: other orders also give the rounded sums.
func TestOneOrderInTwoFormats(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	x := random(rng, 300, 257)
	for i, v := range x.Values {
		x.Values[i] = fp.Binary16.Round(v, fp.NearestEven)
	}
	p, err := explain.NewSum(explain.Sum, x, 0)
	if err != nil {
		t.Fatal(err)
	}
	family, err := sumtree.ParseFamily("chunks(256) of chunks(16) of chunks(4) of chain")
	if err != nil {
		t.Fatal(err)
	}
	b := sums(t, p, func(int) *sumtree.Tree { return family.Tree(p.N) })
	a := explain.Array{Format: b.Format, Shape: b.Shape}
	for _, v := range b.Values {
		a.Values = append(a.Values, fp.Binary16.Round(v, fp.NearestEven))
	}
	got, err := explain.Explain(t.Context(), p, a, b, explain.Options{})
	if err != nil || answer(got) != "[rounding]" {
		t.Errorf("%s, %v: %+v, %+v, %s", answer(got), err, got.A, got.B, got.Reason)
	}
}

// TestShortLibrary explains a result that a library computed in a short format
// and widened. The inputs must not be named where the format holds them.
func TestShortLibrary(t *testing.T) {
	const rows, n = 40, 60
	tree := zigzagTree(n)
	short := sumtree.Plain(fp.Binary32)
	short.In, short.Out, short.Nodes.Acc = fp.BFloat16, fp.BFloat16, fp.BFloat16
	libraries := func(context.Context, [2]int) iter.Seq[explain.Tree] {
		return func(yield func(explain.Tree) bool) {
			yield(explain.Tree{Name: "lib", Tree: tree, Arithmetic: &short})
		}
	}
	bf16 := func(v float64) float64 { return fp.BFloat16.Round(v, fp.NearestEven) }
	for _, c := range []struct {
		input func(v float64) float64
		want  string
	}{
		{bf16, "[order accumulator rounding]"},
		{func(v float64) float64 { return v }, "[order accumulator inputs rounding]"},
	} {
		rng := rand.New(rand.NewPCG(4, 8))
		x := random(rng, rows, n)
		for i, v := range x.Values { // sums that are rounded in float32
			const exponents = 20
			x.Values[i] = math.Ldexp(c.input(v), rng.IntN(exponents))
		}
		p, err := explain.NewSum(explain.Sum, x, 1)
		if err != nil {
			t.Fatal(err)
		}
		b := sums(t, p, func(int) *sumtree.Tree {
			return sumtree.Family{Kind: sumtree.Chain}.Tree(n)
		})
		a := explain.Array{Format: b.Format, Shape: b.Shape}
		for e := range rows {
			summands, _ := p.Element(e)
			rounded := make([]float64, n)
			for i, v := range summands {
				rounded[i] = bf16(v)
			}
			v, err := tree.Replay(short, rounded, nil)
			if err != nil {
				t.Fatal(err)
			}
			a.Values = append(a.Values, v)
		}
		got, err := explain.Explain(t.Context(), p, a, b, explain.Options{Trees: libraries})
		if err != nil || answer(got) != c.want {
			t.Errorf("%s instead of %s, %v: %+v, %+v, %s", answer(got), c.want, err, got.A, got.B,
				got.Reason)
		}
	}
}
