package sumtree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestReplayAgainstLoops holds the replay against loops written out.
func TestReplayAgainstLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + rng.IntN(50)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(float32(rng.NormFloat64() * math.Exp2(float64(rng.IntN(20)))))
			y[i] = float64(float32(rng.NormFloat64()))
		}
		chain := Family{Kind: Chain}.Tree(n)
		var plain, products, fused float32
		var wide float64
		for i := range x {
			plain += float32(x[i])
			products += float32(float32(x[i]) * float32(y[i]))
			if i == 0 {
				fused = float32(float32(x[i]) * float32(y[i]))
			} else {
				fused = float32(fp.Binary32.FMA(x[i], y[i], float64(fused), fp.NearestEven))
			}
			wide += x[i]
		}
		dot := Plain(fp.Binary32)
		dot.Products = true
		fma := dot
		fma.FMA = FMALater
		inF64 := Plain(fp.Binary32)
		inF64.Nodes.Acc = fp.Binary64
		for _, c := range []struct {
			name string
			a    Arithmetic
			want float64
		}{
			{"sum", Plain(fp.Binary32), float64(plain)},
			{"dot", dot, float64(products)},
			{"fma", fma, float64(fused)},
			{"wide", inF64, float64(float32(wide))},
		} {
			got, err := chain.Replay(c.a, x, y)
			if err != nil || math.Float64bits(got) != math.Float64bits(c.want) {
				t.Fatalf("%s of %d: %x, want %x (%v)", c.name, n, got, c.want, err)
			}
		}
	}
}

func TestFusedReplay(t *testing.T) {
	tree, _ := Parse("(0 1 2 3)")
	a := Arithmetic{
		In:    fp.Binary16,
		Out:   fp.Binary32,
		Nodes: NodeArith{Acc: fp.Binary32, Align: 23, Trunc: fp.TowardZero, Mode: fp.TowardZero},
	}
	for k := range 30 {
		got, err := tree.Replay(a, []float64{math.Ldexp(1, k), 1, -math.Ldexp(1, k), 0}, nil)
		want := 0.0
		if k <= 23 {
			want = 1
		}
		if err != nil || got != want {
			t.Errorf("2^%d + 1 - 2^%d fused with 23 bits is %v, want %v (%v)", k, k, got, want, err)
		}
	}
}

func BenchmarkMillionLeaves(b *testing.B) {
	n := 1 << 20
	f := Family{Kind: Chunks, Block: 8192, Of: &Family{Kind: Pairwise, Block: 128, Unroll: 8}}
	x := make([]float64, n)
	tree := f.Tree(n)
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			f.Tree(n)
		}
	})
	b.Run("equal", func(b *testing.B) {
		u := f.Tree(n)
		for b.Loop() {
			if !u.Equal(tree) {
				b.Fatal(fmt.Errorf("not equal"))
			}
		}
	})
	b.Run("replay", func(b *testing.B) {
		r, err := NewReplayer(tree, Plain(fp.Binary32))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			r.Sum(x, nil)
		}
	})
	b.Run("masked", func(b *testing.B) {
		for b.Loop() {
			f.Masked(x)
		}
	})
}

// TestFlushingWithFMA holds products of float64 values that enter their
// additions unrounded: subnormal factors count as zeros where inputs are
// flushed, and a subnormal sum is flushed, a product on its way there is not.
func TestFlushingWithFMA(t *testing.T) {
	const least = 0x1p-1022
	tree, err := Parse("((0 1) 2)")
	if err != nil {
		t.Fatal(err)
	}
	keeps := Plain(fp.Binary64)
	keeps.Products, keeps.FMA = true, FMALater
	flushes := keeps
	flushes.DAZ, flushes.FTZ = true, true
	both := flushes
	both.FMA = FMAAll
	type three = [3]float64
	ones := three{1, 1, 1}
	for _, c := range []struct {
		name string
		a    Arithmetic
		x, y three
		want float64
	}{
		{"inputs are kept", keeps, three{0, 0, least / 2}, three{1, 1, 4}, 2 * least},
		{"first factor", flushes, three{0, 0, least / 2}, three{1, 1, 4}, 0},
		{"second factor", flushes, three{0, 0, 4}, three{1, 1, least / 2}, 0},
		{"both products", both, three{least / 2, 3, least}, three{4, least / 2, 4}, 4 * least},
		{"result", flushes, three{least, -1.5 * least, 0}, ones, 0},
		{"subnormal product", flushes, three{0, 4 * least, least}, three{1, 1, 0.5}, 4.5 * least},
		{"infinite", both, three{math.Inf(1), 1, 1}, ones, math.Inf(1)},
	} {
		got, err := tree.Replay(c.a, c.x[:], c.y[:])
		if err != nil || got != c.want {
			t.Errorf("%s: %v, want %v (%v)", c.name, got, c.want, err)
		}
	}
	from := keeps
	from.PlusZero = true
	got, err := tree.Replay(from, []float64{0, 0, -least}, []float64{1, 1, least})
	if err != nil || !math.Signbit(got) {
		t.Errorf("a negative product that underflows gives %v (%v), want -0", got, err)
	}
}

// TestZerosAndSubnormalsOfParts holds the signs of zeros, and the subnormals,
// that some additions, products and last steps make in another way than the
// rest.
func TestZerosAndSubnormalsOfParts(t *testing.T) {
	const least = 0x1p-126
	const h = 0.5
	chain := Family{Kind: Chain}.Tree(3)
	negative := math.Copysign(0, -1)
	base := Arithmetic{In: fp.BFloat16, Out: fp.BFloat16, Products: true,
		Product: fp.Binary32, FTZ: true, PlusZero: true,
		Nodes: NodeArith{Acc: fp.Binary32}}
	fromZero, register, keeps, starts := base, base, base, base
	starts.Starts = Ranges{{0, 1}}
	fuses := starts
	fuses.FMA = FMAChain
	fromZero.FromZero = true
	first := base.Nodes
	first.PlusZero = true
	register.Except = []Exception{{Inner: Ranges{{0, 1}}, Arith: first}}
	keeps.KeepsOut, keeps.Factor = true, 0.5
	flushes := keeps
	flushes.KeepsOut = false
	ones := []float64{1, 1, 1}
	for name, c := range map[string]struct {
		a    Arithmetic
		x, y []float64
		want float64
	}{
		"a flushed product is −0": {
			fromZero, []float64{-least, -least, -least}, []float64{h, h, h}, negative},
		"a product by zero is +0": {
			fromZero, []float64{-least, negative, -least}, []float64{h, 1, h}, 0},
		"+0 and a flushed product": {
			starts, []float64{-least, -least, -least}, []float64{h, h, h}, 0},
		"+0 and a product by zero": {
			fuses, []float64{negative, negative, -least}, []float64{h, h, 0}, 0},
		"+0 fused with a flushed product": {
			fuses, []float64{-least, negative, negative}, []float64{h, h, h}, negative},
		"all of them are zeros": {
			base, []float64{-least, negative, -least}, []float64{h, 1, h}, 0},
		"a flushed sum is −0": {
			base, []float64{-1.5 * least, 1.25 * least, negative}, ones, negative},
		"a flushed sum is added to +0": {
			register, []float64{-1.5 * least, 1.25 * least, negative}, ones, 0},
		"the last step keeps subnormals": {keeps, []float64{least, 0, 0}, ones, least / 2},
		"the last step flushes":          {flushes, []float64{least, 0, 0}, ones, 0},
	} {
		got, err := chain.Replay(c.a, c.x, c.y)
		if err != nil || math.Float64bits(got) != math.Float64bits(c.want) {
			t.Errorf("%s: %v (%v), want %v", name, got, err, c.want)
		}
	}
}

// TestSums compares replays of several inputs at once with a replay of each
// alone.
func TestSums(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 12))
	dot := Plain(fp.Binary32)
	dot.Products = true
	fma := dot
	fma.FMA = FMALater
	wide := Plain(fp.Binary32)
	wide.Nodes.Acc = fp.Binary64
	down := Plain(fp.Binary32)
	down.Nodes.Mode = fp.Down
	half := Plain(fp.Binary16)
	flushing := Plain(fp.Binary32)
	flushing.DAZ = true
	started := Plain(fp.Binary32)
	started.Starts = Ranges{{0, 1}}
	mean := Plain(fp.Binary64)
	mean.Mean, mean.PlusZero = true, true
	flushed := fma
	flushed.FTZ, flushed.PlusZero = true, true
	tiny := flushed
	tiny.Tiny, tiny.PlusZeroOut = TinyAfter, true
	for k, a := range []Arithmetic{Plain(fp.Binary64), Plain(fp.Binary32), wide, down, half,
		flushing, started, mean, dot, fma, flushed, tiny} {
		for range 20 {
			n := 1 + rng.IntN(40)
			r, err := NewReplayer(randomTree(rng, n, 2), a)
			if err != nil {
				t.Fatal(err)
			}
			x, y := make([][]float64, rng.IntN(11)), make([][]float64, 0)
			for j := range x {
				x[j] = specials(rng, a.In, n)
				y = append(y, specials(rng, a.In, n))
			}
			if !a.Products {
				y = nil
			}
			got, err := r.Sums(x, y)
			if err != nil || len(got) != len(x) {
				t.Fatalf("%d sums of %d inputs (%v)", len(got), len(x), err)
			}
			for j := range x {
				var second []float64
				if a.Products {
					second = y[j]
				}
				want, err := r.Sum(x[j], second)
				if err != nil || math.Float64bits(got[j]) != math.Float64bits(want) &&
					(got[j] == got[j] || want == want) {
					t.Fatalf("seed %d, arithmetic %d: sum %d of %v is %x, want %x (%v)", seed, k, j,
						x[j], got[j], want, err)
				}
			}
		}
		r, err := NewReplayer(randomTree(rng, 3, 2), a)
		if err != nil {
			t.Fatal(err)
		}
		ones := [][]float64{{1, 1, 1}, {1, 1}}
		if _, err := r.Sums(ones, ones); err == nil {
			t.Errorf("arithmetic %d: no error for two summands in a tree of three", k)
		}
	}
}

// specials returns n values of a format: of all sizes, zeros of both signs,
// subnormals, and now and then an infinity or a NaN.
func specials(rng *rand.Rand, f fp.Format, n int) []float64 {
	x := make([]float64, n)
	zeros := rng.IntN(4) == 0
	for i := range x {
		switch k := rng.IntN(40); {
		case zeros || k < 4:
			x[i] = math.Copysign(0, float64(rng.IntN(2))-0.5)
		case k < 8:
			x[i] = f.MinNormal() * (rng.Float64() - 0.5)
		case k == 8 && rng.IntN(n) == 0:
			x[i] = math.Inf(rng.IntN(2) - 1)
		case k == 9 && rng.IntN(n) == 0:
			x[i] = math.NaN()
		default:
			x[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(24)-8)
		}
		x[i] = f.Round(x[i], fp.NearestEven)
	}
	return x
}
