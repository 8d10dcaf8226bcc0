package sumtree_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// TestSkips holds the replay of chains that skip products against loops that
// do, on products of zeros, tiny numbers, infinities and NaN.
func TestSkips(t *testing.T) {
	const n = 9
	f := fp.Binary32
	rng := rand.New(rand.NewPCG(1, 1))
	values := []float64{0, math.Copysign(0, -1), 1, -1, f.Smallest(), -f.MinNormal(), 0x1p-80,
		math.Inf(1), math.NaN(), 3, f.Max()}
	draw := func() []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = values[rng.IntN(len(values)-rng.IntN(6))]
		}
		return v
	}
	for skip, leavesOut := range map[sumtree.Skip]func(x, y float64) bool{
		sumtree.SkipNone:   func(x, y float64) bool { return false },
		sumtree.SkipX:      func(x, y float64) bool { return x == 0 },
		sumtree.SkipY:      func(x, y float64) bool { return y == 0 },
		sumtree.SkipEither: func(x, y float64) bool { return x == 0 || y == 0 },
	} {
		a := sumtree.Plain(f)
		a.Products, a.FMA, a.PlusZero, a.Skips = true, sumtree.FMALater, true, skip
		some := rng.IntN(2) == 0
		if some {
			a.Skipped = sumtree.Ranges{{2, 4}, {8, 9}}
		}
		r, err := sumtree.NewReplayer(sumtree.Family{Kind: sumtree.Chain}.Tree(n), a)
		if err != nil {
			t.Fatal(err)
		}
		for range 5000 {
			x, y := draw(), draw()
			var want float64
			for i := range x {
				if some && !a.Skipped.Contains(i) || !leavesOut(x[i], y[i]) {
					want = f.FMA(x[i], y[i], want, fp.NearestEven)
				}
			}
			got, err := r.Sum(x, y)
			same := math.Float64bits(got) == math.Float64bits(want) || got != got && want != want
			if err != nil || !same {
				t.Fatalf("%v: %v·%v is %v, want %v (%v)", skip, x, y, got, want, err)
			}
		}
	}
}

// TestSkipText holds that JSON keeps the rules.
func TestSkipText(t *testing.T) {
	for _, s := range []sumtree.Skip{sumtree.SkipNone, sumtree.SkipX, sumtree.SkipY,
		sumtree.SkipEither} {
		b, err := json.Marshal(s)
		var back sumtree.Skip
		if err == nil {
			err = json.Unmarshal(b, &back)
		}
		if err != nil || back != s {
			t.Errorf("%v in JSON is %s, read as %v (%v)", s, b, back, err)
		}
	}
	if err := new(sumtree.Skip).UnmarshalText([]byte("z")); err == nil {
		t.Error("there is no rule z")
	}
}
