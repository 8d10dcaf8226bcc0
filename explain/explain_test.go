package explain_test

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// loop computes a sum of products in float32 arithmetic.
type loop func(x, y []float32) float32

func chain(x, y []float32) float32 {
	s := float32(x[0] * y[0])
	for i := 1; i < len(x); i++ {
		s += float32(x[i] * y[i])
	}
	return s
}

// fused rounds the exact product and the sum once, by way of a sum that is
// rounded to odd.
func fused(x, y []float32) float32 {
	s := float32(x[0] * y[0])
	for i := 1; i < len(x); i++ {
		s = float32(fp.Binary32.FMA(float64(x[i]), float64(y[i]), float64(s), fp.NearestEven))
	}
	return s
}

func double(x, y []float32) float32 {
	s := 0.0
	for i := range x {
		s += float64(x[i]) * float64(y[i])
	}
	return float32(s)
}

func backwards(x, y []float32) float32 {
	n := len(x)
	s := float32(x[n-1] * y[n-1])
	for i := n - 2; i >= 0; i-- {
		s += float32(x[i] * y[i])
	}
	return s
}

// fusedBackwards rounds the last product, which comes first.
func fusedBackwards(x, y []float32) float32 {
	turn := func(v []float32) []float32 {
		w := slices.Clone(v)
		slices.Reverse(w)
		return w
	}
	return fused(turn(x), turn(y))
}

// fusedLanes fuses all products but the first of each of two lanes.
func fusedLanes(x, y []float32) float32 {
	var lanes [2][2][]float32
	for i := range x {
		l := &lanes[i%2]
		l[0], l[1] = append(l[0], x[i]), append(l[1], y[i])
	}
	return fused(lanes[0][0], lanes[0][1]) + fused(lanes[1][0], lanes[1][1])
}

func fourLanes(x, y []float32) float32 {
	var s [4]float32
	for i := range x {
		s[i%4] += float32(x[i] * y[i])
	}
	return (s[0] + s[2]) + (s[1] + s[3])
}

// zigzag takes the first, the last, the second and so on.
func zigzag(x, y []float32) float32 {
	n := len(x)
	s := float32(0)
	for i := range x {
		k := i / 2
		if i%2 == 1 {
			k = n - 1 - k
		}
		s += float32(x[k] * y[k])
	}
	return s
}

// sevenths is a chain over blocks of 7, each of them backwards, three at a
// time.
func sevenths(x, y []float32) float32 {
	s := float32(0)
	for i := 0; i < len(x); i += 7 {
		t := float32(0)
		for j := min(i+7, len(x)) - 1; j >= i; j -= 2 {
			t += float32(x[j] * y[j])
		}
		for j := min(i+7, len(x)) - 2; j >= i; j -= 2 {
			t += float32(x[j] * y[j])
		}
		s += t
	}
	return s
}

// intelAMX rounds the inputs to bfloat16, and adds the products of 16 pairs to
// two sums, and those to the accumulator.
func intelAMX(x, y []float32) float32 {
	short := func(v float32) float32 {
		return float32(fp.BFloat16.Round(float64(v), fp.NearestEven))
	}
	s := float32(0)
	for i := 0; i < len(x); i += 32 {
		var t [2]float32
		for k := i; k < min(i+32, len(x)); k++ {
			t[k%2] += float32(short(x[k]) * short(y[k]))
		}
		s += t[0] + t[1]
	}
	return s
}

// random returns values of a normal distribution.
func random(r *rand.Rand, shape ...int) explain.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	a := explain.Array{Format: fp.Binary32, Shape: shape}
	for range n {
		a.Values = append(a.Values, float64(float32(r.NormFloat64())))
	}
	return a
}

// multiply computes a matrix by a loop.
func multiply(a, b explain.Array, f loop) explain.Array {
	m, k, n := a.Shape[0], a.Shape[1], b.Shape[1]
	c := explain.Array{Format: fp.Binary32, Shape: []int{m, n}}
	x, y := make([]float32, k), make([]float32, k)
	for i := range m {
		for j := range n {
			for l := range k {
				x[l], y[l] = float32(a.Values[i*k+l]), float32(b.Values[l*n+j])
			}
			c.Values = append(c.Values, float64(f(x, y)))
		}
	}
	return c
}

func answer(x *explain.Explanation) string {
	if !x.Explained {
		return "unexplained"
	}
	return fmt.Sprint(x.Causes)
}

// TestProducts explains products of loops in Go.
func TestProducts(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 1))
	a, b := random(r, 12, 90), random(r, 90, 16)
	p, err := explain.NewProduct(explain.MatMul, a, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		a, b loop
		want string
	}{
		{"fma", chain, fused, "[fma]"},
		{"accumulator", chain, double, "[accumulator]"},
		{"order", chain, fourLanes, "[order]"},
		{"direction", backwards, chain, "[order]"},
		{"direction of fused products", fusedBackwards, fused, "[order]"},
		{"direction and fma", fusedBackwards, chain, "[order fma]"},
		{"fma, backwards", fusedBackwards, backwards, "[fma]"},
		{"lanes of fused products", fusedBackwards, fusedLanes, "[order]"},
		{"fma and order", fused, fourLanes, "[order fma]"},
		{"bfloat16", chain, intelAMX, "[order inputs]"},
		{"zigzag", chain, zigzag, "unexplained"},
		{"sevenths", fused, sevenths, "unexplained"},
		{"both unknown", zigzag, sevenths, "unexplained"},
	} {
		x, err := explain.Explain(t.Context(), p, multiply(a, b, c.a), multiply(a, b, c.b),
			explain.Options{})
		if err != nil || answer(x) != c.want {
			t.Errorf("%s: %s instead of %s, %v; %s", c.name, answer(x), c.want, err, x.Reason)
			continue
		}
		if x.Explained && (x.A.Reproduces != 192 || x.B.Reproduces != 192) {
			t.Errorf("%s: models reproduce %d and %d elements", c.name, x.A.Reproduces,
				x.B.Reproduces)
		}
	}
}

// TestParts explains a product whose last rows and columns have other orders.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	a, b := random(r, 26, 72), random(r, 72, 21)
	p, err := explain.NewProduct(explain.MatMul, a, b)
	if err != nil {
		t.Fatal(err)
	}
	left, right := multiply(a, b, fused), multiply(a, b, chain)
	replace := func(with explain.Array, from, to [2]int) {
		for i := from[0]; i < to[0]; i++ {
			for j := from[1]; j < to[1]; j++ {
				left.Values[i*21+j] = with.Values[i*21+j]
			}
		}
	}
	replace(multiply(a, b, backwards), [2]int{0, 16}, [2]int{26, 21})
	replace(multiply(a, b, fourLanes), [2]int{24, 0}, [2]int{26, 21})
	x, err := explain.Explain(t.Context(), p, left, right, explain.Options{})
	const want = "chain, FMA of all but first products; elsewhere reverse chain; elsewhere "
	named := strings.HasPrefix(x.A.Model, want) // and a third, which has several names
	if err != nil || answer(x) != "[order fma]" || !named || x.A.Reproduces != 26*21 {
		t.Errorf("%s by %q and %q (%s), %v", answer(x), x.A.Model, x.B.Model, x.Reason, err)
	}
	replace(multiply(a, b, zigzag), [2]int{20, 18}, [2]int{24, 21})
	x, err = explain.Explain(t.Context(), p, left, right, explain.Options{})
	if err != nil || x.Explained {
		t.Errorf("a part of an unknown order is explained by %q, %v", x.A.Model, err)
	}
}

// TestTrees takes an order that was revealed elsewhere.
func TestTrees(t *testing.T) {
	const n = 40
	b := sumtree.NewBuilder(n)
	sum := 0
	for i := 1; i < n; i++ {
		k := i / 2
		if i%2 == 1 {
			k = n - 1 - k
		}
		sum = b.Node(sum, k)
	}
	order := explain.Tree{Name: "zigzag", Tree: b.MustTree(), Arithmetic: &sumtree.Arithmetic{
		In: fp.Binary32, Out: fp.Binary32, Products: true,
		Nodes: sumtree.NodeArith{Acc: fp.Binary32},
	}}
	r := rand.New(rand.NewPCG(2, 1))
	x, y := random(r, 9, n), random(r, n, 9)
	p, err := explain.NewProduct(explain.MatMul, x, y)
	if err != nil {
		t.Fatal(err)
	}
	opt := explain.Options{Trees: func(context.Context, [2]int) iter.Seq[explain.Tree] {
		return slices.Values([]explain.Tree{order})
	}}
	got, err := explain.Explain(t.Context(), p, multiply(x, y, zigzag), multiply(x, y, chain), opt)
	if err != nil || answer(got) != "[order]" || got.A.Model != "zigzag" {
		t.Errorf("%s by %q (%s), %v", answer(got), got.A.Model, got.Reason, err)
	}
}

// TestFew refuses results that are too few to tell models apart.
func TestFew(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 20 {
		a, b := random(r, 1, 50), random(r, 50, 1)
		p, err := explain.NewProduct(explain.MatMul, a, b)
		if err != nil {
			t.Fatal(err)
		}
		left, right := multiply(a, b, zigzag), multiply(a, b, sevenths)
		x, err := explain.Explain(t.Context(), p, left, right, explain.Options{})
		if err != nil || x.Explained {
			t.Fatalf("one element is explained by %q and %q, %v", x.A.Model, x.B.Model, err)
		}
	}
}

// TestRandomOrders finds no cause for results that were added in random orders:
// a fixed permutation, and a new one for each element.
func TestRandomOrders(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 9))
		a, b := random(r, 8, 60), random(r, 60, 8)
		p, err := explain.NewProduct(explain.MatMul, a, b)
		if err != nil {
			t.Fatal(err)
		}
		fixed := r.Perm(60)
		permuted := func(order func() []int) loop {
			return func(x, y []float32) float32 {
				s := float32(0)
				for _, i := range order() {
					s += float32(x[i] * y[i])
				}
				return s
			}
		}
		for _, f := range []loop{permuted(func() []int { return fixed }),
			permuted(func() []int { return r.Perm(60) })} {
			x, err := explain.Explain(t.Context(), p, multiply(a, b, chain), multiply(a, b, f),
				explain.Options{})
			if err != nil || x.Explained {
				t.Errorf("seed %d: %v by %q and %q, %v", seed, x.Causes, x.A.Model, x.B.Model, err)
			}
		}
	}
}

// TestIllConditioned reports sums whose condition allows large errors.
func TestIllConditioned(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	a, b := random(r, 20, 64), random(r, 64, 8)
	for i := range 20 { // each half cancels the other, nearly
		for k := range 32 {
			a.Values[i*64+32+k] = -a.Values[i*64+k]
		}
	}
	for k := range 32 {
		for j := range 8 {
			v := b.Values[k*8+j] * (1 + 0x1p-12)
			b.Values[(32+k)*8+j] = float64(float32(v))
		}
	}
	p, err := explain.NewProduct(explain.MatMul, a, b)
	if err != nil {
		t.Fatal(err)
	}
	x, err := explain.Explain(t.Context(), p, multiply(a, b, chain), multiply(a, b, double),
		explain.Options{})
	if err != nil || x.Closer != "b" || x.Condition < 1000 || !x.Allowed {
		t.Errorf("closer is %q, the condition %g, allowed %v, %v", x.Closer, x.Condition, x.Allowed,
			err)
	}
}

// TestFunctions explains results of made-up libraries.
func TestFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	x := explain.Array{Format: fp.Binary64, Shape: []int{2000}}
	for range 2000 {
		x.Values = append(x.Values, r.Float64())
	}
	library := func(name string, seed uint64, exact bool) explain.Function {
		return explain.Function{Name: name, Exact: exact, Evaluate: func(
			_ context.Context, out, x, _ []float64,
		) error {
			r := rand.New(rand.NewPCG(seed, 1))
			for i, v := range x {
				out[i] = math.Sqrt(v)
				if !exact && r.IntN(10) == 0 {
					out[i] = math.Nextafter(out[i], 2)
				}
			}
			return nil
		}}
	}
	libraries := []explain.Function{library("right", 0, true), library("one", 1, false),
		library("two", 2, false), library("three", 3, false)}
	results := func(k int) explain.Array {
		a := explain.Array{Format: fp.Binary64, Shape: []int{2000}, Values: make([]float64, 2000)}
		_ = libraries[k].Evaluate(t.Context(), a.Values, x.Values, nil)
		return a
	}
	for _, c := range []struct {
		a, b int
		want string
	}{{1, 2, "[libm]"}, {0, 1, "[exact]"}, {1, 3, "unexplained"}} {
		got, err := explain.ExplainFunction(t.Context(), x, explain.Array{}, results(c.a),
			results(c.b), libraries[:3])
		if err != nil || answer(got) != c.want {
			t.Errorf("%d and %d: %s instead of %s, %v", c.a, c.b, answer(got), c.want, err)
		}
	}
}

// TestShapes refuses inputs and results that do not belong together.
func TestShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	a, b := random(r, 3, 4), random(r, 5, 2)
	if _, err := explain.NewProduct(explain.MatMul, a, b); err == nil {
		t.Error("matrices without a product have one")
	}
	if _, err := explain.NewSum(explain.Sum, a, 2); err == nil {
		t.Error("a matrix has a third axis")
	}
	p, err := explain.NewSum(explain.Sum, a, 0)
	if err != nil || !slices.Equal(p.Shape, []int{4}) || p.N != 3 {
		t.Fatalf("%v, %v", p, err)
	}
	x, _ := p.Element(1)
	if want := []float64{a.Values[1], a.Values[5], a.Values[9]}; !slices.Equal(x, want) {
		t.Errorf("column 1 is %v instead of %v", x, want)
	}
	_, err = explain.Explain(t.Context(), p, random(r, 3), random(r, 3), explain.Options{})
	if err == nil || !strings.Contains(err.Error(), "shape") {
		t.Errorf("the error is %v", err)
	}
}

// TestShortResults explains a product in bfloat16 that was widened to float32,
// beside one in float32, with inputs in float32 and with inputs that bfloat16
// holds.
func TestShortResults(t *testing.T) {
	short := func(v float64) float64 { return fp.BFloat16.Round(v, fp.NearestEven) }
	product := func(x, y []float32) float32 {
		s := float32(0)
		for i := range x {
			s += float32(short(float64(x[i])) * short(float64(y[i])))
		}
		return float32(short(float64(s)))
	}
	r := rand.New(rand.NewPCG(8, 1))
	a, b := random(r, 12, 90), random(r, 90, 16)
	for _, want := range []string{"[inputs rounding]", "[rounding]"} {
		p, err := explain.NewProduct(explain.MatMul, a, b)
		if err != nil {
			t.Fatal(err)
		}
		x, err := explain.Explain(t.Context(), p, multiply(a, b, product), multiply(a, b, chain),
			explain.Options{})
		if err != nil || answer(x) != want || x.A.Reproduces != 192 {
			t.Errorf("%s instead of %s, %v: %+v, %s", answer(x), want, err, x.A, x.Reason)
		}
		for _, m := range []explain.Array{a, b} {
			for i, v := range m.Values {
				m.Values[i] = short(v)
			}
		}
	}
}
