package arithmetic_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// fusedLanes is a dot product in lanes of fused multiply-adds.
type fusedLanes struct {
	in, format fp.Format // of the factors and the result, and of the sums
	lanes      int
	begins     func(lane int) bool // with +0, or with a product
	tail       bool                // what is left over is rounded and added alone
	ends       bool                // by adding +0
}

// dot returns the dot product.
func (l fusedLanes) dot(x, y []float64) float64 {
	f, n := l.format, len(x)
	whole := n - n%l.lanes
	if !l.tail {
		whole = n
	}
	sums, begun := make([]float64, l.lanes), make([]bool, l.lanes)
	for i := range whole {
		k := i % l.lanes
		if !begun[k] && !l.begins(k) {
			sums[k] = f.Mul(x[i], y[i], fp.NearestEven)
		} else {
			sums[k] = f.FMA(x[i], y[i], sums[k], fp.NearestEven)
		}
		begun[k] = true
	}
	s := sums[0]
	for _, v := range sums[1:min(l.lanes, n)] {
		s = f.Add(s, v, fp.NearestEven)
	}
	for i := whole; i < n; i++ {
		s = f.Add(s, f.Mul(x[i], y[i], fp.NearestEven), fp.NearestEven)
	}
	if l.ends {
		s = f.Add(s, 0, fp.NearestEven)
	}
	return l.in.Round(s, fp.NearestEven)
}

// TestProductsThatVanish holds that a verified replay gives the sign of a zero
// that products round to: a lane of them is −0, and one of zeros is +0 where it
// begins with +0.
func TestProductsThatVanish(t *testing.T) {
	t.Parallel()
	all, none := func(int) bool { return true }, func(int) bool { return false }
	variants := map[string]fusedLanes{
		"begin with +0":              {begins: all},
		"begin with a product":       {begins: none},
		"end with +0":                {begins: none, ends: true},
		"begin and end with +0":      {begins: all, ends: true},
		"rounded tail":               {begins: all, tail: true},
		"one begins with +0":         {begins: func(k int) bool { return k == 2 }},
		"one begins with a product":  {begins: func(k int) bool { return k != 2 }},
		"a product, rounded tail":    {begins: none, tail: true},
		"first with +0 and the tail": {begins: func(k int) bool { return k == 0 }, tail: true},
	}
	for name, l := range variants {
		for _, f := range []fp.Format{fp.Binary64, fp.Binary32, fp.BFloat16} {
			for k, n := range []int{7, 2, 3, 24, 5, 8, 11, 43, 130} {
				if k > 0 && (k != 3 || f != fp.Binary64) && !revealtest.IsWhole() {
					continue
				}
				l.in, l.format, l.lanes = f, f, min(4, n)
				if f == fp.BFloat16 {
					l.format = fp.Binary32
				}
				t.Run(fmt.Sprintf("%s/%v/%d", name, f, n), func(t *testing.T) {
					checkVanishing(t, l, n)
				})
			}
		}
	}
}

// TestProductsThatVanishInManyLanes does the same for more lanes than are asked
// one by one, and a tail.
func TestProductsThatVanishInManyLanes(t *testing.T) {
	all := func(int) bool { return true }
	for _, n := range []int{3*100 + 7, 2 * 100} {
		l := fusedLanes{fp.Binary32, fp.Binary32, 100, all, true, false}
		checkVanishing(t, l, n)
	}
	few := fusedLanes{fp.Binary32, fp.Binary32, 60, all, true, false}
	checkVanishing(t, few, 3*60+8)
}

// checkVanishing reveals a dot product, and compares the replay on zeros and
// products that round to zero.
func checkVanishing(t *testing.T, l fusedLanes, n int) {
	key := probe.Key{Target: "dot", Op: probe.Dot, DType: l.in, Out: l.in, N: n, Threads: 1}
	f := revealtest.Find(t, revealtest.DotOf(key, l.dot), 1)
	if !f.Verified || f.Verdict != reveal.TreeVerdict {
		revealtest.Wrong(t, f)
		return
	}
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	negative := math.Copysign(0, -1)
	x, y := make([]float64, n), make([]float64, n)
	for range 400 {
		period := 1 + rng.IntN(n)
		for i := range x {
			x[i], y[i] = negative, 1
			if i >= period && rng.IntN(8) > 0 {
				x[i], y[i] = x[i-period], y[i-period]
			} else if rng.IntN(3) > 0 {
				x[i], y[i] = -l.in.Smallest(), l.in.MinNormal()
			}
		}
		want := l.dot(x, y)
		got, err := f.Tree.Replay(*f.Arithmetic, x, y)
		if err != nil || !revealtest.EqualBits(got, want) {
			t.Fatalf("%+v\nreplay %v, target %v of %v %v: %v", *f.Arithmetic, got, want, x, y, err)
		}
	}
}
