package proof

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// maxSettleRounds bounds the questions that separate arithmetics. The search
// for each replays at most maxSettleWork summands, in at most maxSettleTries
// inputs.
const (
	maxSettleRounds = 12
	maxSettleWork   = 1 << 19
	maxSettleTries  = 1500
)

// Settle returns the arithmetics that reproduce the samples, the likeliest
// first. While there are several, it looks for an input that they differ on,
// and asks it; samples grows by these. The arithmetics that remain give the
// same results on every input that the search tried.
func Settle(
	c *ask.Channel, t *sumtree.Tree, all []sumtree.Arithmetic, samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	left := Reproducing(t, all, *samples)
	for round := 0; len(left) > 1 && round < maxSettleRounds; round++ {
		s, ok := telling(c, t, left)
		if !ok {
			break
		}
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil {
			return nil, err
		}
		s.Out = out[0]
		*samples = append(*samples, s)
		left = Reproducing(t, left, []ask.Sample{s})
	}
	return left, nil
}

// Reproduces reports whether some arithmetic reproduces every sample.
func Reproduces(t *sumtree.Tree, all []sumtree.Arithmetic, samples []ask.Sample) bool {
	return len(Reproducing(t, all, samples)) > 0
}

// Reproducing returns the arithmetics that reproduce every sample. Of several,
// it replays the first sample in all, and the others in those that are left.
func Reproducing(
	t *sumtree.Tree, all []sumtree.Arithmetic, samples []ask.Sample,
) []sumtree.Arithmetic {
	x := newReplays(t)
	first := 0
	if len(all) > 1 {
		first = min(1, len(samples))
	}
	return x.holding(x.holding(all, samples[:first]), samples[first:])
}

// firstReproducing returns the first arithmetic that reproduces every sample,
// or none. It replays the first sample in all, and the others in one after the
// other.
func firstReproducing(
	t *sumtree.Tree, all []sumtree.Arithmetic, samples []ask.Sample,
) []sumtree.Arithmetic {
	x := newReplays(t)
	first := min(1, len(samples))
	for _, a := range x.holding(all, samples[:first]) {
		if left := x.holding([]sumtree.Arithmetic{a}, samples[first:]); len(left) > 0 {
			return left
		}
	}
	return nil
}

// replays replays a tree in several arithmetics at the same time.
type replays struct {
	t    *sumtree.Tree
	held []*sumtree.Replayer // of each worker, for its memory
}

func newReplays(t *sumtree.Tree) *replays {
	return &replays{t: t, held: make([]*sumtree.Replayer, runtime.GOMAXPROCS(0))}
}

// atOnce is the number of samples that are replayed at once: those that
// sumtree.Replayer.Sums adds in one pass over the tree.
const atOnce = 4

// holding returns the arithmetics that reproduce every sample.
func (x *replays) holding(all []sumtree.Arithmetic, samples []ask.Sample) []sumtree.Arithmetic {
	var left []sumtree.Arithmetic
	for k, fits := range x.fit(all, samples) {
		if fits {
			left = append(left, all[k])
		}
	}
	return left
}

// fit reports for each arithmetic whether it reproduces every sample.
func (x *replays) fit(all []sumtree.Arithmetic, samples []ask.Sample) []bool {
	fails := make([]atomic.Bool, len(all))
	parts := slices.Collect(slices.Chunk(samples, atOnce))
	eachBy(len(all)*len(parts), len(x.held), func(worker int) func(k int) {
		of := -1 // the arithmetic that is held
		return func(k int) {
			a, part := k/len(parts), parts[k%len(parts)]
			if fails[a].Load() {
				return
			}
			if a != of {
				r, err := replayerWith(x.held[worker], x.t, all[a])
				if err != nil || isFarFromWide(&all[a], &part[0]) {
					fails[a].Store(true)
					return
				}
				x.held[worker], of = r, a
			}
			got, err := replayAll(x.held[worker], part)
			for j, s := range part {
				if err != nil || !ask.SameBits(got[j], s.Out) {
					fails[a].Store(true)
				}
			}
		}
	})
	fit := make([]bool, len(all))
	for k := range fit {
		fit[k] = !fails[k].Load()
	}
	return fit
}

// replayerWith returns a replayer in the memory of another one, which may be
// nil.
func replayerWith(
	other *sumtree.Replayer, t *sumtree.Tree, a sumtree.Arithmetic,
) (*sumtree.Replayer, error) {
	if other == nil {
		return sumtree.NewReplayer(t, a)
	}
	return other.With(a)
}

// telling looks for an input that not all arithmetics give the same result on.
func telling(c *ask.Channel, t *sumtree.Tree, all []sumtree.Arithmetic) (ask.Sample, bool) {
	var last *sumtree.Replayer
	var replayers []*sumtree.Replayer
	for _, a := range all {
		if r, err := replayerWith(last, t, a); err == nil {
			last, replayers = r, append(replayers, r)
		}
	}
	shape := ask.NewShape(t)
	kinds := ask.ReplayKinds()
	var fused *fusedInputs
	if c.Key.DType != fp.Binary64 { // no arithmetic rounds its sums twice
		fused = newFusedInputs(c, t)
	}
	for k := range max(4, min(maxSettleTries, maxSettleWork/(c.N*len(replayers)))) {
		y := c.Inputs.SecondFactors()
		s := c.Inputs.Sample(kinds[k%len(kinds)], shape, y)
		if c.Key.Mean && k%2 == 1 {
			s = tiedMean(c, c.Rand)
		}
		if k%2 == 1 && ask.IsShort(c) && c.Key.Op.Squares() {
			s = ask.NearBoundary(c)
		}
		if differ(replayers, &s) {
			return s, true
		}
		if k%4 != 3 || fused == nil {
			continue
		}
		if s = fused.sample(); differ(replayers, &s) {
			return s, true
		}
	}
	return ask.Sample{}, false
}

// differ reports whether not all replays of a sample have the same result.
func differ(replayers []*sumtree.Replayer, s *ask.Sample) bool {
	var first float64
	for i, r := range replayers {
		v, err := r.Sum(s.X, s.Y)
		if err == nil && i > 0 && !ask.SameBits(v, first) {
			return true
		}
		first = v
	}
	return false
}

// tiedMean returns an input whose mean is halfway between two results, or as
// close to that as a float32 sum comes: a product by the rounded 1/n is then
// often rounded to another result than the quotient. Few summands are not zero,
// and no order rounds their sum. The means of short formats also get sums next
// to such a one, where a float32 quotient differs from a wider one, and sums
// that a float32 rounds.
func tiedMean(c *ask.Channel, rng *rand.Rand) ask.Sample {
	s := ask.Sample{Kind: ask.Halfway, X: make([]float64, c.N), Y: ones(c)}
	p := c.Key.Out.Precision()
	tie := 1 + float64(1+2*rng.Uint64N(1<<(p-1)))/float64(uint64(1)<<p)
	rest := fp.Binary32.Round(tie*float64(c.N), fp.NearestEven)
	if p < fp.Binary32.Precision() {
		switch rng.IntN(5) {
		case 0:
			rest = fp.Binary32.NextUp(rest)
		case 1:
			rest = fp.Binary32.NextDown(rest)
		case 2:
			rest = float64(tie*float64(c.N)) + 0x1p-24
		case 3:
			rest = float64(tie*float64(c.N)) - 0x1p-24
		}
	}
	for _, i := range rng.Perm(c.N) {
		s.X[i] = c.Key.DType.Round(rest, fp.TowardZero)
		if rest -= s.X[i]; rest == 0 {
			break
		}
	}
	return s
}

// tiedMeans is the number of samples that AskTied asks.
const tiedMeans = 32

// AskTied asks for means in short formats that are next to a tie of results,
// where a factor that is a little off 1/n shows. There are none of fewer than
// four summands, which do not hold such sums, nor of long ones, which could
// overflow.
func AskTied(c *ask.Channel) ([]ask.Sample, error) {
	if !c.Key.Mean || c.Key.Out.Precision() >= fp.Binary32.Precision() ||
		c.N < minFactorSummands || c.N > maxFactorSummands {
		return nil, nil
	}
	rng := ask.RandApart(c, "tied")
	var samples []ask.Sample
	var fills []ask.Fill
	for range tiedMeans {
		s := tiedMean(c, rng)
		s.Kind = ask.Edge
		samples, fills = append(samples, s), append(fills, ask.Values(s.X))
	}
	c.Expect("replay", len(fills))
	out, err := c.AskMain(nil, fills...)
	for k := range out {
		samples[k].Out = out[k]
	}
	return samples, err
}
