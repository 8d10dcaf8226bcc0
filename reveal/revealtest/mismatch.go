package revealtest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// kind is a kind of inputs. Its fill sets summands, or factors where y is not
// nil; all are values of the format.
type kind struct {
	name     string
	products bool // it needs y
	needs    func(reveal.Traits) string
	fill     func(rng *rand.Rand, f fp.Format, x, y []float64)
}

// kinds are the inputs of Mismatch. A kind that needs a trait is left out where
// that is unknown.
var kinds = []kind{
	{name: "moderate", fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
		spread(rng, f, x, -4, 4)
		spread(rng, f, y, -4, 4)
	}},
	{name: "wide", fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
		spread(rng, f, x, f.MinExp()/4, f.MaxExp()/4)
		spread(rng, f, y, f.MinExp()/4, f.MaxExp()/4)
	}},
	{name: "cancelling", fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
		spread(rng, f, x, -8, 3)
		powers(rng, y)
		for i := 1; i < len(x); i += 2 {
			x[i] = -x[i-1]
			if rng.IntN(2) == 0 {
				x[i] = f.NextUp(x[i])
			}
		}
		rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	}},
	{name: "tiny", needs: subnormals, fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
		spread(rng, f, x, f.MinExp()-f.Precision(), f.MinExp()+3)
		spread(rng, f, y, -2, 2)
	}},
	{name: "tiny products", products: true, needs: subnormals,
		fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
			half := (f.MinExp() - f.Precision()) / 2
			spread(rng, f, x, half, half+f.Precision())
			spread(rng, f, y, half, half+f.Precision()/2)
		}},
	{name: "flushed", needs: subnormals, fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
		powers(rng, y)
		zeros := rng.Float64()
		for i := range x {
			x[i] = -f.MinNormal() * (1 + float64(float64(rng.IntN(4))/4))
			if rng.Float64() < zeros {
				x[i] = math.Copysign(0, -1)
			}
			if rng.IntN(4) == 0 {
				x[i] = -x[i]
			}
			if y != nil {
				x[i] = math.Copysign(x[i], x[i]*y[i])
			}
		}
	}},
	{name: "zeros", needs: initial, fill: func(rng *rand.Rand, _ fp.Format, x, y []float64) {
		powers(rng, y)
		allNegative := rng.IntN(3) == 0 // the products, where there are some
		for i := range x {
			sign := rng.Float64() - 0.5
			if allNegative {
				sign = -1
				if y != nil {
					sign = -y[i]
				}
			}
			x[i] = math.Copysign(0, sign)
		}
	}},
	{name: "sparse", needs: initial, fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
		spread(rng, f, x, -4, 4)
		spread(rng, f, y, -4, 4)
		for i := range x {
			if rng.IntN(4) > 0 {
				x[i] = math.Copysign(0, x[i])
			}
		}
	}},
	{name: "huge", fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
		spread(rng, f, x, f.MaxExp()-4, f.MaxExp())
		powers(rng, y)
	}},
	{name: "infinite", fill: func(rng *rand.Rand, f fp.Format, x, y []float64) {
		spread(rng, f, x, -4, 4)
		powers(rng, y)
		for range 1 + rng.IntN(2) {
			x[rng.IntN(len(x))] = math.Inf(rng.IntN(2)*2 - 1)
		}
	}},
}

func subnormals(t reveal.Traits) string { return t.Subnormals }
func initial(t reveal.Traits) string    { return t.Initial }

// spread fills v with values of random signs whose exponents are lo … hi.
func spread(rng *rand.Rand, f fp.Format, v []float64, lo, hi int) {
	for i := range v {
		x := math.Ldexp(1+rng.Float64(), lo+rng.IntN(hi-lo+1))
		x = min(f.Round(x, fp.NearestEven), f.Max())
		v[i] = math.Copysign(x, rng.Float64()-0.5)
	}
}

// powers fills v with ±1 and ±½.
func powers(rng *rand.Rand, v []float64) {
	for i := range v {
		v[i] = math.Copysign(1/float64(1+rng.IntN(2)), rng.Float64()-0.5)
	}
}

// Mismatch replays the tree and the arithmetic of a verified finding on inputs
// of a seed: of moderate and of all sizes, cancelling ones, subnormal ones,
// zeros of both signs, sums that overflow, and infinities, so many of each. It
// returns an error that names the first input where the target gives other
// bits; NaNs are equal.
func Mismatch(ctx context.Context, target probe.Target, f *reveal.Finding, seed uint64,
	inputs int) error {
	r, err := sumtree.NewReplayer(f.Tree, *f.Arithmetic)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(seed, uint64(f.Key.N)))
	b := probe.NewBatch(target)
	lane := 0
	if target.Lanes() > 1 && len(f.Key.OutIndex) > 0 {
		lane = f.Key.OutIndex[0]
	}
	row := b.X[lane*f.Key.N : (lane+1)*f.Key.N]
	for _, k := range kinds {
		if k.products && b.Y == nil || k.needs != nil && k.needs(f.Traits) == "unknown" {
			continue
		}
		for range inputs {
			k.fill(rng, f.Key.DType, row, b.Y)
			if err := target.Call(ctx, b); err != nil {
				return err
			}
			want, err := r.Sum(row, b.Y)
			if err != nil {
				return err
			}
			got := b.Out[lane]
			if math.Float64bits(want) != math.Float64bits(got) && (want == want || got == got) {
				return fmt.Errorf("%s: %s inputs of seed %d: replay %x, implementation %x",
					f.Key, k.name, seed, want, got)
			}
		}
	}
	return nil
}
