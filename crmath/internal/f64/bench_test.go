package f64

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// named is a kind of arguments with a name.
type named struct {
	name string
	kind args.Kind
}

// only draws the arguments of a kind that are in the domain of a function.
func only(domain func(x float64) bool, kind args.Kind) args.Kind {
	return func(rng *rand.Rand) float64 {
		for {
			if x := kind(rng); domain(x) {
				return x
			}
		}
	}
}

// finite draws any bits except ±Inf and NaN.
var finite = only(func(x float64) bool { return x-x == 0 }, args.AnyBits)

// octaves draws numbers of either sign whose logarithms are nearly uniform in
// [a·ln 2, b·ln 2).
func octaves(a, b int) args.Kind {
	return func(rng *rand.Rand) float64 {
		return math.Copysign(math.Ldexp(1+rng.Float64(), a+rng.IntN(b-a)), rng.Float64()-0.5)
	}
}

// near1Octaves draws numbers 1 + x, where octaves draws x.
func near1Octaves(rng *rand.Rand) float64 { return 1 + octaves(-40, -4)(rng) }

// positives are the arguments of logarithms.
var positives = []named{
	{"0…1000", args.Between(0, 1000)}, {"0.9…1.1", args.Between(0.9, 1.1)},
	{"near 1", near1Octaves}, {"positive", args.Positive(finite)},
	{"0…1", args.Between(0, 1)},
}

// angles are the arguments of trigonometric functions.
var angles = []named{
	{"±10", args.Between(-10, 10)}, {"±π/4", args.Between(-math.Pi/4, math.Pi/4)},
	{"small", octaves(-40, -4)}, {"±1000", args.Between(-1000, 1000)},
	{"±1e5", args.Between(-1e5, 1e5)}, {"±1e8", args.Between(-1e8, 1e8)},
	{"±1e15", args.Between(-1e15, 1e15)}, {"any", finite},
}

// benchmarks are the functions of one argument side by side with package
// math's, on the arguments that calls are likely to have, and on others. Go has
// no Exp10.
var benchmarks = []struct {
	name         string
	ours, theirs func(float64) float64
	kinds        []named
}{
	{"Exp", nearest(Exp), math.Exp,
		[]named{{"±20", args.Between(-20, 20)}, {"±1", args.Between(-1, 1)},
			{"small", octaves(-40, -4)}, {"±700", args.Between(-700, 700)}, {"any", finite}}},
	{"Exp2", nearest(Exp2), math.Exp2,
		[]named{{"±20", args.Between(-20, 20)}, {"±1", args.Between(-1, 1)},
			{"small", octaves(-40, -4)}, {"±1000", args.Between(-1000, 1000)}, {"any", finite}}},
	{"Exp10", nearest(Exp10), func(x float64) float64 { return math.Pow(10, x) },
		[]named{{"±20", args.Between(-20, 20)}, {"±1", args.Between(-1, 1)},
			{"small", octaves(-40, -4)}, {"±300", args.Between(-300, 300)}}},
	{"Expm1", nearest(Expm1), math.Expm1,
		[]named{{"±2", args.Between(-2, 2)}, {"±20", args.Between(-20, 20)},
			{"±0.03", args.Between(-0x1p-5, 0x1p-5)}, {"small", octaves(-50, -5)},
			{"±700", args.Between(-700, 700)}, {"any", finite}}},
	{"Log", nearest(Log), math.Log, positives},
	{"Log2", nearest(Log2), math.Log2, positives},
	{"Log10", nearest(Log10), math.Log10, positives},
	{"Log1p", nearest(Log1p), math.Log1p,
		[]named{{"-0.5…10", args.Between(-0.5, 10)}, {"±0.001", args.Between(-0x1p-10, 0x1p-10)},
			{"±0.2", args.Between(-0.2, 0.2)}, {"small", octaves(-50, -4)},
			{"0…1e6", args.Between(0, 1e6)}, {"positive", args.Positive(finite)}}},
	{"Sin", nearest(Sin), math.Sin, angles},
	{"Cos", nearest(Cos), math.Cos, angles},
	{"Sincos", func(x float64) float64 { s, c := Sincos(x, fp.NearestEven); return s + c },
		func(x float64) float64 { s, c := math.Sincos(x); return s + c },
		angles},
	{"Tan", nearest(Tan), math.Tan, angles},
	{"Asin", nearest(Asin), math.Asin,
		[]named{{"±1", args.Between(-1, 1)}, {"±0.5", args.Between(-0.5, 0.5)},
			{"small", octaves(-40, -4)}, {"0.7…1", args.Between(0.7, 1)}}},
	{"Acos", nearest(Acos), math.Acos,
		[]named{{"±1", args.Between(-1, 1)}, {"±0.5", args.Between(-0.5, 0.5)},
			{"small", octaves(-40, -4)}, {"0.7…1", args.Between(0.7, 1)}}},
	{"Atan", nearest(Atan), math.Atan,
		[]named{{"±10", args.Between(-10, 10)}, {"±1", args.Between(-1, 1)},
			{"±0.4", args.Between(-0.4, 0.4)}, {"small", octaves(-40, -4)},
			{"±100", args.Between(-100, 100)}, {"wide", octaves(-20, 20)}, {"any", finite}}},
	{"Sinh", nearest(Sinh), math.Sinh,
		[]named{{"±10", args.Between(-10, 10)}, {"±1", args.Between(-1, 1)},
			{"±0.4", args.Between(-0.4, 0.4)}, {"small", octaves(-40, -4)},
			{"±700", args.Between(-700, 700)}, {"any", finite}}},
	{"Cosh", nearest(Cosh), math.Cosh,
		[]named{{"±10", args.Between(-10, 10)}, {"±1", args.Between(-1, 1)},
			{"small", octaves(-40, -4)}, {"±700", args.Between(-700, 700)}, {"any", finite}}},
	{"Tanh", nearest(Tanh), math.Tanh,
		[]named{{"±10", args.Between(-10, 10)}, {"±1", args.Between(-1, 1)},
			{"±0.6", args.Between(-0.6, 0.6)}, {"±0.03", args.Between(-0.03, 0.03)},
			{"small", octaves(-40, -4)}, {"±20", args.Between(-20, 20)},
			{"±1000", args.Between(-1000, 1000)}, {"any", finite}}},
	{"Asinh", nearest(Asinh), math.Asinh,
		[]named{{"±10", args.Between(-10, 10)}, {"±1", args.Between(-1, 1)},
			{"small", octaves(-40, -4)}, {"±1e6", args.Between(-1e6, 1e6)}, {"any", finite}}},
	{"Acosh", nearest(Acosh), math.Acosh,
		[]named{{"1…10", args.Between(1, 10)}, {"1…2", args.Between(1, 2)},
			{"near 1", only(func(x float64) bool { return x >= 1 }, near1Octaves)},
			{"1…1e6", args.Between(1, 1e6)}, {"large", magnitudeUp(finite)}}},
	{"Atanh", nearest(Atanh), math.Atanh,
		[]named{{"±1", args.Between(-1, 1)}, {"±0.5", args.Between(-0.5, 0.5)},
			{"small", octaves(-40, -4)}}},
	{"Cbrt", nearest(Cbrt), math.Cbrt,
		[]named{{"±100", args.Between(-100, 100)}, {"±1", args.Between(-1, 1)}, {"any", finite}}},
	{"Atan2", func(x float64) float64 { return Atan2(x, 3-x, fp.NearestEven) },
		func(x float64) float64 { return math.Atan2(x, 3-x) },
		[]named{{"±10", args.Between(-10, 10)}, {"0…3", args.Between(0, 3)},
			{"±1e5", args.Between(-1e5, 1e5)}, {"wide", octaves(-20, 20)}}},
	{"Hypot", func(x float64) float64 { return Hypot(x, 3-x, fp.NearestEven) },
		func(x float64) float64 { return math.Hypot(x, 3-x) },
		[]named{{"±10", args.Between(-10, 10)}, {"0…3", args.Between(0, 3)},
			{"±1e5", args.Between(-1e5, 1e5)}, {"wide", octaves(-20, 20)}}},
	{"Pow", func(x float64) float64 { return powNearest(x, 10-float64(0.2*x)) },
		func(x float64) float64 { return math.Pow(x, 10-float64(0.2*x)) },
		[]named{{"0…100", args.Between(0, 100)}, {"0…1", args.Between(0, 1)},
			{"wide", args.Positive(octaves(-60, 4))}}},
	{"PowInverse", func(x float64) float64 { return powNearest(x, float64(1000*x)) },
		func(x float64) float64 { return math.Pow(x, float64(1000*x)) },
		[]named{{"0.9…1.1", args.Between(0.9, 1.1)}}},
	{"PowInteger", func(x float64) float64 { return powNearest(x, 3) },
		func(x float64) float64 { return math.Pow(x, 3) }, []named{{"±10", args.Between(-10, 10)}}},
	{"PowThird", func(x float64) float64 { return powNearest(x, 1.0/3) },
		func(x float64) float64 { return math.Pow(x, 1.0/3) },
		[]named{{"0…10", args.Between(0, 10)}}},
	{"PowHalves", func(x float64) float64 { return powNearest(x, 1.5) },
		func(x float64) float64 { return math.Pow(x, 1.5) },
		[]named{{"0…10", args.Between(0, 10)}}},
	{"Erf", nearest(Erf), math.Erf,
		[]named{{"±1", args.Between(-1, 1)}, {"±3", args.Between(-3, 3)},
			{"small", octaves(-40, -4)}, {"any", finite}}},
	{"Erfc", nearest(Erfc), math.Erfc,
		[]named{{"±1", args.Between(-1, 1)}, {"±3", args.Between(-3, 3)},
			{"0…26", args.Between(0, 26)}}},
	{"Gamma", nearest(Gamma), math.Gamma,
		[]named{{"0…5", args.Between(0, 5)}, {"0…20", args.Between(0, 20)},
			{"0…170", args.Between(0, 170)}, {"±5", args.Between(-5, 5)},
			{"-170…0", args.Between(-170, 0)}}},
	{"Lgamma", nearest(lgammaValue), func(x float64) float64 { y, _ := math.Lgamma(x); return y },
		[]named{{"0…5", args.Between(0, 5)}, {"0…20", args.Between(0, 20)},
			{"0…1000", args.Between(0, 1000)}, {"±5", args.Between(-5, 5)},
			{"positive", args.Positive(finite)}}},
}

// subnormal draws positive subnormal numbers.
func subnormal(rng *rand.Rand) float64 { return math.Float64frombits(rng.Uint64N(1<<52-1) + 1) }

// magnitudeUp draws numbers of at least 1.
func magnitudeUp(kind args.Kind) args.Kind {
	return func(rng *rand.Rand) float64 {
		x := math.Abs(kind(rng))
		return max(x, 1/x)
	}
}

// guessedPath returns the accurate path of a function whose kernel begins with
// a guess.
func guessedPath(f wide.Function, guess func(float64) float64) func(float64) float64 {
	return func(x float64) float64 { return f.Rounded(x, guess(x), fp.NearestEven) }
}

var sink float64

// comparison collects ratios of times: for each function the mean over kinds of
// arguments, and the worst.
type comparison struct {
	sums, counts map[string]float64
	worst        map[string]string
	worstRatio   map[string]float64
	order        []string
}

func (c *comparison) add(function, kind string, ratio float64) {
	if c.sums == nil {
		c.sums, c.counts, c.worst, c.worstRatio = map[string]float64{}, map[string]float64{},
			map[string]string{}, map[string]float64{}
	}
	if c.counts[function] == 0 {
		c.order = append(c.order, function)
	}
	c.sums[function] += math.Log(ratio)
	c.counts[function]++
	if ratio > c.worstRatio[function] {
		c.worst[function], c.worstRatio[function] = kind, ratio
	}
}

func (c *comparison) log(b *testing.B) {
	total := 0.0
	for _, f := range c.order {
		mean := c.sums[f] / c.counts[f]
		total += mean
		b.Logf("%-12s mean %.2f, worst %.2f (%s)", f, math.Exp(mean), c.worstRatio[f], c.worst[f])
	}
	b.Logf("geometric mean over the functions: %.3f", math.Exp(total/float64(max(1, len(c.order)))))
}

// BenchmarkAgainstMath reports the shortest times of one call, in turns, and
// their ratio: for so few arguments that a branch predictor learns them, and
// for many. Run with -benchtime 1x.
func BenchmarkAgainstMath(b *testing.B) {
	for _, size := range []int{1 << 12, 1 << 16} {
		var c comparison
		for _, f := range benchmarks {
			for _, k := range f.kinds {
				b.Run(fmt.Sprintf("n=%d/f=%s/x=%s", size, f.name, k.name), func(b *testing.B) {
					x := make([]float64, size)
					rng := rand.New(rand.NewPCG(1, 2))
					for i := range x {
						x[i] = k.kind(rng)
					}
					loop := func(f func(float64) float64) func() {
						return func() {
							for _, v := range x {
								sink += f(v)
							}
						}
					}
					for b.Loop() {
						t := stopwatch.Minima(50*time.Millisecond, loop(f.ours), loop(f.theirs))
						b.ReportMetric(t[0]/float64(len(x)), "ns/crmath")
						b.ReportMetric(t[1]/float64(len(x)), "ns/math")
						b.ReportMetric(t[0]/t[1], "ratio")
						c.add(f.name, k.name, t[0]/t[1])
					}
					b.ReportMetric(0, "ns/op")
				})
			}
		}
		b.Logf("%d arguments", size)
		c.log(b)
	}
}

// BenchmarkAccurate reports the times of calls that take the accurate path: for
// hard arguments, and where all results are subnormal or near the largest
// number. It reports the mean and the longest time, each of the shortest of
// repetitions.
func BenchmarkAccurate(b *testing.B) {
	accurate := func(name string, f func(x []float64) float64, x [][]float64) {
		b.Run("f="+name, func(b *testing.B) {
			for b.Loop() {
				sum, longest, at := 0.0, 0.0, x[0]
				for _, v := range x {
					t := math.Inf(1)
					for range 20 {
						begin := time.Now()
						for range 10 {
							sink += f(v)
						}
						t = min(t, float64(time.Since(begin))/10)
					}
					if sum += t; t > longest {
						longest, at = t, v
					}
				}
				b.ReportMetric(sum/float64(len(x)), "ns/mean")
				b.ReportMetric(longest, "ns/longest")
				b.Logf("%s: longest at %x", name, at)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	one := func(f func(float64) float64) func([]float64) float64 {
		return func(x []float64) float64 { return f(x[0]) }
	}
	draw := func(k ...args.Kind) (all [][]float64) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			for _, k := range k {
				all = append(all, []float64{k(rng)})
			}
		}
		return all
	}
	exponents := map[string][]args.Kind{
		"exp":   {args.Between(708, 709.8), args.Between(-745.2, -708)},
		"exp2":  {args.Between(1022, 1024), args.Between(-1075, -1022)},
		"exp10": {args.Between(307, 308.3), args.Between(-324, -307)},
		"expm1": {args.Between(708, 709.8)},
		"sinh":  {args.Between(708, 710.5)}, "cosh": {args.Between(708, 710.5)}, "log": {subnormal},
		"log2": {subnormal}, "log10": {subnormal}, "cbrt": {subnormal},
	}
	for _, f := range []struct {
		name        string
		f, accurate func(float64) float64
	}{
		{"exp", nearest(Exp), nearest(expAccurate)},
		{"exp2", nearest(Exp2), nearest(exp2Accurate)}, {"exp10", nearest(Exp10),
			nearest(exp10Accurate)},
		{"expm1", nearest(Expm1), nearest(expm1Accurate)},
		{"log", nearest(Log), nearest(logAccurate)}, {"log2", nearest(Log2), nearest(log2Accurate)},
		{"log10", nearest(Log10), nearest(log10Accurate)},
		{"log1p", nearest(Log1p), nearest(log1pAccurate)},
		{"sin", nearest(Sin), accuratePath(wide.Sin)},
		{"cos", nearest(Cos), accuratePath(wide.Cos)},
		{"tan", nearest(Tan), accuratePath(wide.Tan)},
		{"asin", nearest(Asin), guessedPath(wide.Asin, math.Asin)},
		{"acos", nearest(Acos), guessedPath(wide.Acos, math.Acos)},
		{"atan", nearest(Atan), guessedPath(wide.Atan, math.Atan)},
		{"sinh", nearest(Sinh), accuratePath(wide.Sinh)},
		{"cosh", nearest(Cosh), accuratePath(wide.Cosh)},
		{"tanh", nearest(Tanh), accuratePath(wide.Tanh)},
		{"asinh", nearest(Asinh), accuratePath(wide.Asinh)},
		{"acosh", nearest(Acosh), accuratePath(wide.Acosh)},
		{"atanh", nearest(Atanh), accuratePath(wide.Atanh)},
		{"cbrt", nearest(Cbrt), nearest(Cbrt)},
	} {
		hard := args.Hard(b, f.name)
		accurate(f.name+"/hard", one(f.f), hard)
		accurate(f.name+"/path", one(f.accurate), hard)
		if k := exponents[f.name]; k != nil {
			accurate(f.name+"/extreme", one(f.f), draw(k...))
		}
		if f.name == "sin" || f.name == "cos" || f.name == "tan" {
			var near [][]float64
			for i, x := range nearMultiples() {
				if i%16 == 0 {
					near = append(near, []float64{x})
				}
			}
			accurate(f.name+"/multiples of π÷2", one(f.accurate), near)
		}
	}
	two := func(f func(x, y float64) float64) func([]float64) float64 {
		return func(x []float64) float64 { return f(x[0], x[1]) }
	}
	pairs := func(kinds ...pairs) (all [][]float64) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			for _, k := range kinds {
				x, y := k(rng)
				all = append(all, []float64{x, y})
			}
		}
		return all
	}
	atan2 := func(y, x float64) float64 { return Atan2(y, x, fp.NearestEven) }
	hypot := func(x, y float64) float64 { return Hypot(x, y, fp.NearestEven) }
	accurate("atan2/hard", two(atan2), args.Hard(b, "atan2"))
	accurate("atan2/path",
		two(func(y,
			x float64) float64 {
			return atan2Accurate(math.Abs(y), x, math.Atan2(math.Abs(y), x), fp.NearestEven)
		}),
		args.Hard(b, "atan2"))
	accurate("atan2/extreme", two(atan2),
		pairs(atan2Kinds[2], atan2Kinds[3], atan2Kinds[4], atan2Kinds[6], atan2Kinds[7],
			atan2Kinds[8], atan2Kinds[9], atan2Kinds[10]))
	accurate("hypot/hard", two(hypot), args.Hard(b, "hypot"))
	accurate("hypot/extreme", two(hypot),
		pairs(both(subnormal, subnormal), both(octaves(1020, 1023), octaves(1020, 1023)),
			func(rng *rand.Rand) (x, y float64) { return pythagorean(rng) }))
	accurate("pow/hard", two(powNearest), args.Hard(b, "pow"))
	accurate("pow/path",
		two(func(x, y float64) float64 { return powAccurate(x, y, fp.NearestEven) }), args.Hard(b,
			"pow"))
	accurate("pow/extreme", two(powNearest), pairs(powKinds...))
	accurate("pow/longest precision", two(func(x, y float64) float64 {
		var z wide.Float
		z.SetPow(x, y, wide.PowLast)
		r, _ := z.Float64(wide.PowLast)
		return r
	}), args.Hard(b, "pow"))
}
