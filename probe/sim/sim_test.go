package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

func open(t testing.TB, address string, s probe.Spec) probe.Target {
	t.Helper()
	target, err := Open(context.Background(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// dot computes one dot product.
func dot(t testing.TB, address string, dtype fp.Format, x, y []float64) float64 {
	t.Helper()
	target := open(t, address, probe.Spec{Op: probe.Dot, DType: dtype, N: len(x)})
	b := probe.NewBatch(target)
	copy(b.X, x)
	copy(b.Y, y)
	if err := target.Call(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	return b.Out[0]
}

func TestConformance(t *testing.T) {
	for _, l := range List(context.Background()) {
		for _, dtype := range l.DTypes {
			if dtype.Precision() < fp.BFloat16.Precision() {
				continue // the suite's inputs are integers that it does not hold
			}
			for _, s := range []probe.Spec{
				{Op: probe.Dot, N: 37},
				{Op: probe.Gemm, N: 1},
				{Op: probe.Gemm, N: 40, M: 5, Cols: 3, OutIndex: []int{1, 2}},
			} {
				s.DType = dtype
				name := fmt.Sprintf("%s/%v/%s/n=%d", l.Address, dtype, s.Op, s.N)
				t.Run(name, func(t *testing.T) {
					probetest.Run(t, func() (probe.Target, error) {
						return Open(context.Background(), l.Address, s)
					})
				})
			}
		}
	}
}

// random draws a value of the format over its whole range, subnormals and zeros
// included, or of ordinary size.
func random(rng *rand.Rand, f fp.Format) float64 {
	switch rng.IntN(8) {
	case 0:
		return 0
	case 1:
		return f.FromBits(rng.Uint64()%(1<<(f.Precision()-1)) | rng.Uint64()&1<<15) // subnormal
	case 2, 3:
		for {
			if v := f.FromBits(rng.Uint64() & 0xffff); v-v == 0 {
				return v
			}
		}
	}
	return f.Round(rng.NormFloat64(), fp.NearestEven)
}

// publishedParts are the significand and the exponent as the publications write
// them: in floating point.
func publishedParts(v float64, f fp.Format) (sig float64, exp int) {
	if v == 0 {
		return 0, math.MinInt32
	}
	m, e := math.Frexp(v)
	sig, exp = 2*m, e-1
	if exp < f.MinExp() {
		sig, exp = math.Ldexp(sig, exp-f.MinExp()), f.MinExp()
	}
	return sig, exp
}

// published is the fused sum in floating point, as published: the model
// computes it in integers.
func published(u mma.Unit, x, y []float64) float64 {
	dtype := u.In
	c := 0.0
	for len(x) > 0 {
		k := min(u.Terms, len(x))
		sigs, exps := []float64{}, []int{}
		for i := range k {
			sx, ex := publishedParts(x[i], dtype)
			sy, ey := publishedParts(y[i], dtype)
			if sx != 0 && sy != 0 {
				sigs, exps = append(sigs, sx*sy), append(exps, ex+ey)
			}
		}
		x, y = x[k:], y[k:]
		sc, ec := publishedParts(c, fp.Binary32)
		if c == 0 {
			ec = -126
		}
		sum := func(bits int) (float64, int) {
			e := slices.Max(exps)
			s := 0.0
			for i := range sigs {
				s += math.Ldexp(math.Trunc(math.Ldexp(sigs[i], bits+exps[i]-e)), -bits)
			}
			return s, e
		}
		if u.Structure == mma.Fused {
			sigs, exps = append(sigs, sc), append(exps, ec)
			s, e := sum(u.Bits)
			c = math.Ldexp(s, e)
			if math.Abs(c) >= 0x1p128 {
				c = math.Inf(int(math.Copysign(1, c)))
			}
			if c = fp.Binary32.Round(c, fp.TowardZero); c == 0 {
				c = 0
			}
			continue
		}
		s, e := 0.0, math.MinInt32
		if len(sigs) > 0 {
			s, e = sum(u.Bits)
		}
		top := max(e, ec)
		if s != 0 {
			s = math.Floor(math.Ldexp(s, 31+e-top)) * 0x1p-31
		}
		sc = math.Floor(math.Ldexp(sc, 24+ec-top)) * 0x1p-24
		c = fp.Binary32.Round(math.Ldexp(s+sc, top), fp.NearestEven)
	}
	return c
}

// TestPublished compares the integer arithmetic with the published formulas on
// values of every size.
func TestPublished(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, m := range models() {
		for _, u := range m.units {
			dtype := u.In
			if dtype != fp.Binary16 && dtype != fp.BFloat16 ||
				u.Structure != mma.Fused && u.Structure != mma.TwoStage {
				continue
			}
			for range 20_000 {
				n := 1 + rng.IntN(3*u.Terms)
				x, y := make([]float64, n), make([]float64, n)
				limit := 0.0
				for i := range x {
					x[i], y[i] = random(rng, dtype), random(rng, dtype)
					limit = max(limit, math.Abs(x[i]*y[i]))
				}
				if limit >= 0x1p120 {
					continue // infinities have a test of their own
				}
				got, want := dot(t, u.Name, dtype, x, y), published(u, x, y)
				if math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("%s %v\nx = %v\ny = %v\n%v, want %v", u.Name, dtype, x, y, got, want)
				}
			}
		}
	}
}

// groups is the tree of fused groups: (((0 1 2 3) 4 5 6 7) …).
func groups(n, group int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	var acc []int
	for from := 0; from < n; from += group {
		node := acc
		for i := from; i < min(from+group, n); i++ {
			node = append(node, i)
		}
		acc = []int{b.Node(node...)}
	}
	return b.MustTree()
}

// TestTrees compares the models with the trees of Figure 4 of the FPRev paper,
// on products by powers of two, whose significands are below 2.
func TestTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, tt := range []struct {
		address     string
		group, bits int
	}{{"sim:v100", 4, 23}, {"sim:turing", 8, 24}, {"sim:a100", 8, 24}, {"sim:ada", 8,
		24}, {"sim:h100", 16, 25}, {"sim:b200", 16, 25}} {
		for _, n := range []int{3, 16, 32, 50,
			128} { // no last group of one: its addition would be binary
			model := probetest.FromTree(groups(n, tt.group),
				probetest.Options{Products: true, DType: fp.Binary16, Acc: fp.Binary32,
					Out:  fp.Binary32,
					Mode: fp.TowardZero, AlignBits: tt.bits, FromZero: true})
			for range 200 {
				b := probe.NewBatch(model)
				for i := range b.X {
					b.X[i], b.Y[i] = fp.Binary16.Round(rng.NormFloat64(),
						fp.NearestEven), math.Ldexp(1, rng.IntN(9)-4)
				}
				if err := model.Call(context.Background(), b); err != nil {
					t.Fatal(err)
				}
				if got := dot(t, tt.address, fp.Binary16, b.X, b.Y); got != b.Out[0] {
					t.Fatalf("%s n=%d: %v, want %v", tt.address, n, got, b.Out[0])
				}
			}
		}
	}
}

func TestWitnesses(t *testing.T) {
	big, tiny := 0x1p14, 0x1p-14
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		name, address string
		dtype         fp.Format
		x, y          []float64
		want          float64
	}{
		// One bit more is kept with every generation.
		{"23 bits kept", "sim:v100", fp.Binary16, []float64{big, tiny, -big},
			[]float64{0x1p5, 0x1p10, 0x1p5}, 0x1p-4},
		{"23 bits", "sim:v100", fp.Binary16, []float64{big, tiny, -big},
			[]float64{0x1p10, 0x1p14, 0x1p10}, 0},
		{"24 bits", "sim:a100", fp.Binary16, []float64{big, tiny, -big},
			[]float64{0x1p10, 0x1p14, 0x1p10}, 1},
		{"24 bits, lost", "sim:a100", fp.Binary16, []float64{big, tiny, -big},
			[]float64{0x1p11, 0x1p14, 0x1p11}, 0},
		{"25 bits", "sim:h100", fp.Binary16, []float64{big, tiny, -big},
			[]float64{0x1p11, 0x1p14, 0x1p11}, 1},
		{"25 bits, lost", "sim:h100", fp.Binary16, []float64{big, tiny, -big},
			[]float64{0x1p12, 0x1p14, 0x1p12}, 0},
		// 1.5·1.5 = 2.25 has the exponent 0 in the alignment, not 1.
		{"not normalised", "sim:v100", fp.Binary16, []float64{1.5, 0x1p-11, -1.5},
			[]float64{1.5, 0x1p-12, 1.5}, 0x1p-23},
		{"truncated", "sim:v100", fp.Binary16, []float64{1, -0x1.8p-11, -1},
			[]float64{1, 0x1p-12, 1}, -0x1p-23},
		{"rounded towards zero", "sim:h100", fp.Binary16, []float64{1, 0x1.8p-12},
			[]float64{1, 0x1p-12}, 1},
		{"rounded towards zero, negative", "sim:h100", fp.Binary16, []float64{-1, -0x1.8p-12},
			[]float64{1, 0x1p-12}, -1},
		{"group of four", "sim:v100", fp.Binary16, []float64{big, 1, 1, 1, -big},
			[]float64{big, 1, 1, 1, big}, 0},
		{"after the group", "sim:v100", fp.Binary16, []float64{big, 1, 1, -big, 1},
			[]float64{big, 1, 1, big, 1}, 1},
		{"subnormals", "sim:v100", fp.Binary16, []float64{0x1p-24}, []float64{0x1p-24}, 0x1p-48},
		{"subnormal result", "sim:a100", fp.BFloat16, []float64{0x1p-126}, []float64{0x1.8p-22},
			0x1p-148 + 0x1p-149},
		{"below subnormals", "sim:a100", fp.BFloat16, []float64{-0x1p-126}, []float64{0x1.8p-24},
			0},
		{"minus zero", "sim:h100", fp.Binary16, []float64{math.Copysign(0, -1)}, []float64{1}, 0},
		{"overflow", "sim:h100", fp.BFloat16, []float64{0x1p127, 0x1p127}, []float64{1, 1}, inf},
		{"overflow, negative", "sim:h100", fp.BFloat16, []float64{-0x1p100}, []float64{0x1p28},
			-inf},
		{"large terms cancel", "sim:h100", fp.BFloat16, []float64{0x1p100, -0x1p100, 1},
			[]float64{0x1p100, 0x1p100, 1}, 0},
		{"infinite", "sim:h100", fp.Binary16, []float64{-inf, 1}, []float64{1, 1}, -inf},
		{"inf by zero", "sim:h100", fp.Binary16, []float64{inf, 1}, []float64{0, 1}, nan},
		{"inf and -inf in two groups", "sim:v100", fp.Binary16, []float64{inf, 0, 0, 0, -inf},
			[]float64{1, 0, 0, 0, 1}, nan},
		// CDNA3 rounds the accumulator down, so the sum is lower than its
		// mirror image.
		{"floor", "sim:cdna3", fp.Binary16, []float64{1, 0, 0, 0, 0, 0, 0, 0, big, -big},
			[]float64{1, 1, 1, 1, 1, 1, 1, 1, big, big}, 0},
		{"floor, negative", "sim:cdna3", fp.Binary16, []float64{-1, 0, 0, 0, 0, 0, 0, 0, big, -big},
			[]float64{1, 1, 1, 1, 1, 1, 1, 1, big, big}, -0x1p4},
		{"product overflows", "sim:cdna3", fp.BFloat16, []float64{0x1p127, -0x1p127},
			[]float64{2, 2}, nan},
		// CDNA1 and CDNA2 round each of the pairwise sums.
		{"pairs", "sim:cdna1", fp.Binary16, []float64{big, 1, -big, 1}, []float64{big, 1, big, 1},
			0},
		{"pairs, lost in one", "sim:cdna1", fp.Binary16, []float64{1, 1, big, -big},
			[]float64{1, 1, big, big}, 2},
		{"groups of two", "sim:cdna1", fp.BFloat16, []float64{1, 1, big, 1, -big},
			[]float64{1, 1, big, 1, big}, 0},
		{"groups of four", "sim:cdna2", fp.BFloat16, []float64{1, 1, big, -big},
			[]float64{1, 1, big, big}, 2},
		{"subnormals kept", "sim:cdna1", fp.BFloat16, []float64{0x1p-127}, []float64{1}, 0x1p-127},
		{"subnormals flushed", "sim:cdna2", fp.BFloat16, []float64{0x1p-127}, []float64{1}, 0},
	}
	for _, tt := range tests {
		got := dot(t, tt.address, tt.dtype, tt.x, tt.y)
		if math.Float64bits(got) != math.Float64bits(tt.want) &&
			(got == got || tt.want == tt.want) {
			t.Errorf("%s, %s: %v, want %v", tt.address, tt.name, got, tt.want)
		}
	}
}

// TestFormats compares a dot product in every format with package mma.
func TestFormats(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, m := range models() {
		for _, u := range m.units {
			n := 2*u.Terms + 1
			x, y, want := make([]float64, n), make([]float64, n), make([]float64, 1)
			for i := range x {
				x[i] = u.In.RoundSaturated(rng.NormFloat64(), fp.NearestEven)
				y[i] = u.In.RoundSaturated(rng.NormFloat64(), fp.NearestEven)
			}
			u.Multiply(want, x, y, nil, 1, 1, n)
			if got := dot(t, u.Name, u.In, x, y); got != want[0] {
				t.Errorf("%s %v: %v, want %v", u.Name, u.In, got, want[0])
			}
		}
	}
}

func TestKeys(t *testing.T) {
	for address, want := range map[string]string{"Hopper": "sim:h100", "sim:volta": "sim:v100",
		"a100": "sim:a100"} {
		target := open(t, address, probe.Spec{N: 32})
		k := target.Key()
		if k.Target != want || k.Op != probe.Gemm || k.DType != fp.Binary16 ||
			k.Out != fp.Binary32 || k.M != 256 || k.Cols != 1 || target.Lanes() != 256 {
			t.Errorf("%s: %+v", address, k)
		}
	}
	if got := open(t, "h100", probe.Spec{N: 1 << 19}).Lanes(); got != 2 {
		t.Errorf("%d lanes at n = 2^19", got)
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		address, id string
		s           probe.Spec
	}{
		{"sim:k80", "unknown-target", probe.Spec{N: 4}},
		{"sim:v100", "unsupported-dtype", probe.Spec{N: 4, DType: fp.BFloat16}},
		{"sim:h100", "unsupported-dtype", probe.Spec{N: 4, DType: fp.Binary32}},
		{"sim:b200", "unsupported-dtype", probe.Spec{N: 4, DType: fp.E2M1}},
		{"sim:a100", "unsupported-dtype", probe.Spec{N: 4, DType: fp.E4M3FN}},
		{"sim:cdna3", "unsupported-dtype", probe.Spec{N: 4, DType: fp.E4M3FN}},
		{"sim:h100", "unsupported-op", probe.Spec{N: 4, Op: probe.Sum}},
		{"sim:h100", "bad-n", probe.Spec{}},
		{"sim:h100", "unsupported-option", probe.Spec{N: 4, Align: 16}},
		{"sim:h100", "unsupported-option", probe.Spec{N: 4, Stride: 2}},
		{"sim:h100", "unsupported-option", probe.Spec{N: 4, Trans: "a"}},
		{"sim:h100", "unsupported-option", probe.Spec{N: 4, Threads: 8}},
		{"sim:h100", "unsupported-option", probe.Spec{N: 4, Device: "cuda"}},
		{"sim:h100", "unsupported-option", probe.Spec{N: 4, Acc: fp.Binary16}},
		{"sim:h100", "bad-shape", probe.Spec{N: 4, M: -1}},
		{"sim:h100", "bad-shape", probe.Spec{N: math.MaxInt}},
		{"sim:h100", "bad-shape", probe.Spec{N: math.MaxInt, Op: probe.Dot}},
		{"sim:h100", "bad-shape", probe.Spec{N: 1 << 14, M: 1 << 14}},
		{"sim:h100", "bad-shape", probe.Spec{N: 4, Op: probe.Dot, M: 4}},
		{"sim:h100", "bad-out-index", probe.Spec{N: 4, OutIndex: []int{0, 1}}},
	} {
		_, err := Open(context.Background(), tt.address, tt.s)
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != tt.id || f.Cause == "" || f.Cure == "" {
			t.Errorf("%s %+v: %v, want a fault %s", tt.address, tt.s, err, tt.id)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	for _, m := range models() {
		b.Run(m.name(), func(b *testing.B) {
			target := open(b, m.name(), probe.Spec{N: 512})
			batch := probe.NewBatch(target)
			rng := rand.New(rand.NewPCG(1, 1))
			for i := range batch.X {
				batch.X[i] = fp.Binary16.Round(rng.NormFloat64(), fp.NearestEven)
			}
			for b.Loop() {
				if err := target.Call(context.Background(), batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
