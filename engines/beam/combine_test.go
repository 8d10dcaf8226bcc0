package exactbeam

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"

	"github.com/lastbit/lastbit/exact"
)

func init() {
	register.Function2x0(generate)
	register.Function1x1(paired)
	register.Function1x1(bitsOf)
	register.Function2x1(bitsOfKey)
	beam.RegisterType(reflect.TypeFor[KV]())
	register.Emitter2[int, float64]()
	register.Emitter1[float64]()
}

// numbers returns n numbers of wide exponents that cancel.
func numbers(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(seed, 0))
	x := make([]float64, n)
	for i := range x {
		if i%2 == 1 && r.IntN(4) > 0 {
			x[i] = -x[i-1]
			continue
		}
		x[i] = math.Ldexp(r.Float64()-0.5, r.IntN(400)-200)
	}
	return x
}

// special holds multisets whose sums, means and variances are not finite
// numbers, or zeros.
var special = map[string][]float64{
	"negative zeros": {math.Copysign(0, -1), math.Copysign(0, -1)},
	"both zeros":     {math.Copysign(0, -1), 0},
	"NaN":            {1, math.NaN(), 2},
	"infinity":       {1, math.Inf(1), math.MaxFloat64},
	"both":           {math.Inf(1), math.Inf(-1)},
	"overflow":       {math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64},
	"subnormal":      {math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64},
}

// same reports whether two results have the same bits, or are both NaN.
func same(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
}

// results returns what package exact returns for the numbers of a PCollection.
func results(x []float64) map[string]float64 {
	return map[string]float64{
		"sum": exact.Sum(x), "mean": exact.Mean(x, nil), "variance": exact.Variance(x, nil),
		"dot": exact.Dot(x, halves(x)),
	}
}

func halves(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = paired(v).Y
	}
	return y
}

// paired returns a product of a number.
func paired(x float64) Pair { return Pair{x, x/3 + 1} }

// Beam compares floats with ==, so results travel as bits.
func bitsOf(x float64) uint64 {
	if x != x {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(x)
}

// A KV is a key and the bits of its result: passert compares no keyed
// collections.
type KV struct {
	Key  int
	Bits uint64
}

func bitsOfKey(key int, x float64) KV { return KV{key, bitsOf(x)} }

// TestGlobally runs pipelines over numbers of every kind.
func TestGlobally(t *testing.T) {
	cases := map[string][]float64{"one": {0.1}, "wide": numbers(1, 1000)}
	for name, x := range special {
		cases[name] = x
	}
	for name, x := range cases {
		p, s := beam.NewPipelineWithRoot()
		col := beam.CreateList(s, x)
		want := results(x)
		for what, got := range map[string]beam.PCollection{
			"sum": Sum(s, col), "mean": Mean(s, col), "variance": Variance(s, col),
			"dot": Dot(s, beam.ParDo(s, paired, col)),
		} {
			passert.Equals(s.Scope(name+" "+what), beam.ParDo(s, bitsOf, got), bitsOf(want[what]))
		}
		var a exact.Accumulator
		a.AddSlice(x)
		state, _ := a.MarshalBinary()
		passert.Equals(s.Scope(name+" state"), beam.Combine(s, &ExactState{}, col), state)
		if err := run(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEmpty combines nothing: Beam returns nothing.
func TestEmpty(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	col := beam.CreateList(s, []float64{})
	for _, got := range []beam.PCollection{Sum(s, col), Mean(s, col), Variance(s, col)} {
		passert.Empty(s, got)
	}
	if err := run(p); err != nil {
		t.Error(err)
	}
}

// keyed is how many numbers the keys of TestPerKey have.
var keyed = map[int]int{0: 1_000_000, 1: 1, 2: 2, 3: 1000}

// valuesOf returns the numbers of a key.
func valuesOf(key int) []float64 { return numbers(uint64(key), keyed[key]) }

// generate emits the numbers of a key.
func generate(key int, emit func(int, float64)) {
	for _, x := range valuesOf(key) {
		emit(key, x)
	}
}

// TestPerKey combines keys with a million numbers and with one.
func TestPerKey(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	var keys []int
	for key := range keyed {
		keys = append(keys, key)
	}
	col := beam.ParDo(s, generate, beam.CreateList(s, keys))
	for what, got := range map[string]beam.PCollection{
		"sum": SumPerKey(s, col), "mean": MeanPerKey(s, col), "variance": VariancePerKey(s, col),
	} {
		var want []any
		for key := range keyed {
			want = append(want, KV{key, bitsOf(results(valuesOf(key))[what])})
		}
		s := s.Scope(what)
		passert.Equals(s, beam.ParDo(s, bitsOfKey, got), want...)
	}
	if err := run(p); err != nil {
		t.Error(err)
	}
}

// A combiner is a CombineFn of numbers.
type combiner[A any, O any] interface {
	CreateAccumulator() A
	AddInput(A, float64) A
	MergeAccumulators(A, A) A
	ExtractOutput(A) O
}

// byTrees combines numbers in bundles and merges these in a random tree, each
// time through the coder that Beam finds.
func byTrees[A, O any](t *testing.T, r *rand.Rand, fn combiner[A, O], x []float64) A {
	t.Helper()
	if len(x) < 2 || r.IntN(5) == 0 {
		a := fn.CreateAccumulator()
		for _, v := range x {
			a = fn.AddInput(a, v)
		}
		return travel(t, a)
	}
	cut := r.IntN(len(x) + 1)
	a, b := byTrees(t, r, fn, x[:cut]), byTrees(t, r, fn, x[cut:])
	if r.IntN(2) == 0 {
		a, b = b, a
	}
	return travel(t, fn.MergeAccumulators(a, b))
}

// travel returns an accumulator from its bytes, by Beam's coder.
func travel[A any](t *testing.T, a A) A {
	t.Helper()
	var b bytes.Buffer
	if err := beam.NewElementEncoder(reflect.TypeFor[A]()).Encode(a, &b); err != nil {
		t.Fatal(err)
	}
	got, err := beam.NewElementDecoder(reflect.TypeFor[A]()).Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return got.(A)
}

// TestMerges merges accumulators along random trees, and through their coders:
// runners with one bundle merge none.
func TestMerges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	cases := map[string][]float64{"none": nil, "one": {0.1}, "wide": numbers(3, 500)}
	for name, x := range special {
		cases[name] = x
	}
	for name, x := range cases {
		want := results(x)
		for range 20 {
			r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
			for what, got := range map[string]float64{
				"sum":      ExactSum{}.ExtractOutput(byTrees(t, r, ExactSum{}, x)),
				"mean":     ExactMean{}.ExtractOutput(byTrees(t, r, ExactMean{}, x)),
				"dot":      ExactDot{}.ExtractOutput(byTrees(t, r, dotOfNumbers{}, x)),
				"variance": new(ExactVariance).ExtractOutput(byTrees(t, r, new(ExactVariance), x)),
			} {
				if !same(got, want[what]) {
					t.Fatalf("%s: the %s is %g, want %g", name, what, got, want[what])
				}
			}
		}
	}
}

// dotOfNumbers is ExactDot for numbers, which it pairs through the coder.
type dotOfNumbers struct{ ExactDot }

func (d dotOfNumbers) AddInput(a *exact.Accumulator, x float64) *exact.Accumulator {
	return d.ExactDot.AddInput(a, paired(x))
}

// TestPopulation divides by n.
func TestPopulation(t *testing.T) {
	fn := &ExactVariance{Population: true}
	for _, tt := range []struct {
		x    []float64
		want float64
	}{
		{nil, math.NaN()}, {[]float64{3}, 0}, {[]float64{1, 2, 3, 4}, 1.25},
	} {
		a := fn.CreateAccumulator()
		for _, x := range tt.x {
			a = fn.AddInput(a, x)
		}
		if got := fn.ExtractOutput(a); !same(got, tt.want) {
			t.Errorf("%v: %g, want %g", tt.x, got, tt.want)
		}
	}
}
