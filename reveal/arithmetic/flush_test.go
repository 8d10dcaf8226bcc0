package arithmetic_test

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// lanesOfBfloat returns a dot product of bfloat16 numbers in four float32
// lanes, which count subnormals as zeros and make none; lane by lane is then
// added by join, and the conversion to the result flushes. A product passes
// through product.
func lanesOfBfloat(
	n int, join func(lane int, s float64) float64, product func(i int, p float64) float64,
) probe.Target {
	key := probe.Key{Target: "lanes", Op: probe.Dot, DType: fp.BFloat16, Out: fp.BFloat16,
		N: n, Threads: 1}
	return revealtest.DotOf(key, func(x, y []float64) float64 {
		var lane [4]float64
		for i := range n {
			p := product(i, float64(flushed(x[i])*flushed(y[i])))
			lane[i%4] = flushed(fp.Binary32.Add(lane[i%4], p, fp.NearestEven))
		}
		s := lane[0]
		for k, v := range lane[1:] {
			s = join(k, fp.Binary32.Add(s, v, fp.NearestEven))
		}
		return fp.BFloat16.Round(flushed(s), fp.NearestEven)
	})
}

// TestPartsThatFlush reveals dot products that flush in some additions, or that
// flush products, and holds the traits.
func TestPartsThatFlush(t *testing.T) {
	t.Parallel()
	keep := func(_ int, v float64) float64 { return v }
	flush := func(_ int, v float64) float64 { return flushed(v) }
	rounded := func(_ int, p float64) float64 {
		return flushed(fp.Binary32.Round(p, fp.NearestEven))
	}
	tail := func(i int, p float64) float64 {
		if i >= 28 {
			return rounded(i, p)
		}
		return p
	}
	for name, c := range map[string]struct {
		join, product func(int, float64) float64
		want          string
	}{
		"all": {flush, keep, "flushed"}, "lanes": {keep, keep, "flushed in part"},
		"products": {flush, rounded, "flushed"}, "products of the tail": {flush, tail, "flushed"},
	} {
		for seed := range revealtest.Everyday(3) {
			target := lanesOfBfloat(30, c.join, c.product)
			f := revealtest.Find(t, target, seed)
			if !f.Verified || f.Verdict != reveal.TreeVerdict || f.Traits.Subnormals != c.want {
				t.Errorf("%s, seed %d:", name, seed)
				revealtest.Wrong(t, f)
				continue
			}
			revealtest.Replays(t, target, f, 50)
		}
	}
	other := func(_ int, v float64) float64 {
		if math.Abs(v) < 0x1p-130 {
			return 0
		}
		return v
	}
	for seed := range revealtest.Everyday(24) {
		if f := revealtest.Find(t, lanesOfBfloat(30, other, keep), seed); f.Verified {
			t.Errorf("seed %d: lanes flush below another number:", seed)
			revealtest.Wrong(t, f)
		}
	}
}

// TestFlushedFirstFactors holds that a target which flushes its first factors
// and keeps its second is not taken for one that flushes both.
func TestFlushedFirstFactors(t *testing.T) {
	const n = 9
	key := probe.Key{Target: "dot", Op: probe.Dot, DType: fp.Binary32, Out: fp.Binary32, N: n,
		Threads: 1}
	for name, second := range map[string]func(float64) float64{
		"first": func(v float64) float64 { return v }, "both": flushed,
	} {
		f := revealtest.Find(t, revealtest.DotOf(key, func(x, y []float64) float64 {
			var s float64
			for i := range x {
				p := fp.Binary32.Mul(flushed(x[i]), second(y[i]), fp.NearestEven)
				s = fp.Binary32.Add(s, p, fp.NearestEven)
			}
			return s
		}), 1)
		if f.Verified != (name == "both") {
			t.Errorf("%s:", name)
			revealtest.Wrong(t, f)
		}
	}
}

// TestFlushedSumsOfMinusZero holds that a finding names whether +0 is added to
// a flushed sum in the end.
func TestFlushedSumsOfMinusZero(t *testing.T) {
	tree := probetest.Chain(9)
	x := make([]float64, 9)
	x[0], x[8] = 0x1p-126, -1.5*0x1p-126
	for _, zero := range []bool{false, true} {
		target := probetest.FromTree(tree, probetest.Options{FTZ: true, DAZ: true, FromZero: true,
			Each: func(_ int, s float64) float64 {
				if zero && s == 0 {
					return 0
				}
				return s
			}})
		f := revealtest.Must(t, target, reveal.Options{}, tree)
		got, err := f.Tree.Replay(*f.Arithmetic, x, nil)
		if err != nil || got != 0 || math.Signbit(got) == zero {
			t.Errorf("adds +0 %v: %v (%v)", zero, got, err)
		}
	}
}
