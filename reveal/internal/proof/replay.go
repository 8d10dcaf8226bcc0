package proof

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// minReplayCalls bounds the calls from below: no finding rests on one vector of
// second factors, or on few inputs of the main lane.
const minReplayCalls = 8

// AskReplays asks for size samples, of every kind in turn; t is the tree that
// aware inputs are built from, and may be nil. Lanes of one call share their
// second factors.
//
// Lanes that are left over get the main lane's input. Those with another result
// are dropped from the pool, and their earlier answers prove nothing.
func AskReplays(
	c *ask.Channel, t *sumtree.Tree, size int,
) (samples []ask.Sample, dropped bool, err error) {
	calls := max((size+len(c.Pool())-1)/len(c.Pool()), minReplayCalls)
	calls = min(calls, size)
	c.Expect("replay", calls)
	for _, r := range prepareReplays(c, t, size, calls) {
		if len(r.samples) == 1 && len(r.lanes) == 1 {
			s := &r.samples[0]
			if s.Out, err = c.AskSample(s); err != nil {
				return nil, false, err
			}
			samples = append(samples, *s)
			continue
		}
		fills := make([]ask.Fill, max(len(r.samples), len(r.lanes)))
		for i := range fills {
			fills[i] = ask.Values(r.samples[0].X)
			if i < len(r.samples) {
				fills[i] = ask.Values(r.samples[i].X)
			}
		}
		out, err := c.AskIn(r.lanes, r.y, fills...)
		if err != nil {
			return nil, false, err
		}
		for i, o := range out {
			if i < len(r.samples) {
				r.samples[i].Out = o
			} else if !ask.SameBits(o, out[0]) {
				c.Drop(r.lanes[i])
				dropped = true
			}
		}
		samples = append(samples, r.samples...)
	}
	return samples, dropped, nil
}

// replayCall is a call of AskReplays: samples for the first of the lanes.
type replayCall struct {
	y       []float64
	lanes   []int
	samples []ask.Sample
}

// prepareReplays makes size samples for a number of calls.
func prepareReplays(c *ask.Channel, t *sumtree.Tree, size, calls int) []replayCall {
	shape := ask.NewShape(t)
	kinds := ask.ReplayKinds()
	all := make([]replayCall, calls)
	var fills []func()
	for k := range all {
		r := &all[k]
		r.y = c.Inputs.SecondFactors()
		r.lanes = slices.Clone(c.Pool())
		others := r.lanes[1:]
		c.Rand.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
		for range (size - len(fills) + calls - k - 1) / (calls - k) {
			s, fill := c.Inputs.Prepare(kinds[len(fills)%len(kinds)], shape, r.y)
			punch(s, len(fills), len(kinds))
			r.samples = append(r.samples, s)
			fills = append(fills, fill)
		}
	}
	each(len(fills), func(k int) { fills[k]() })
	rng := ask.RandApart(c, "replay")
	for k := range all {
		all[k].turn(k)
		if k%2 == 1 && c.N <= maxShifted {
			all[k].scale(c.Key.DType, rng)
			all[k].sign(k%4 == 1)
		}
	}
	return all
}

// mainPlaces are the places that the main lane's sample is taken from, in turn:
// where each call has eight, all kinds of inputs have theirs among them.
var mainPlaces = []int{1, 3, 6, 1, 0, 4, 5, 2}

// turn gives the main lane a sample of another kind than in the calls before,
// and marks the samples of other lanes.
func (r *replayCall) turn(k int) {
	s := r.samples
	if at := mainPlaces[k%len(mainPlaces)]; at < len(s) {
		s[0], s[at] = s[at], s[0]
	}
	for i := 1; i < len(s); i++ {
		s[i].Elsewhere = true
	}
}

// The second factors of every other call are multiplied by powers of two up to
// 2^maxShift, and the first factors divided, which changes no product, up to
// maxShifted summands.
const (
	maxShift   = 5
	maxShifted = 1 << 16
)

// sign moves signs from first to second factors until the main lane's first
// factors are all positive, or all negative. That changes no product.
func (r *replayCall) sign(negative bool) {
	for i := range r.y {
		if x := r.samples[0].X[i]; x == 0 || math.Signbit(x) == negative {
			continue
		}
		r.y[i] = -r.y[i]
		for _, s := range r.samples {
			s.X[i] = -s.X[i]
		}
	}
}

// scale moves powers of two from first to second factors, where neither becomes
// subnormal or infinite.
func (r *replayCall) scale(f fp.Format, rng *rand.Rand) {
	fits := func(v float64) bool {
		return v == 0 || math.Abs(v) >= f.MinNormal() && f.Contains(v)
	}
	for i, y := range r.y {
		k := rng.IntN(2*maxShift+1) - maxShift
		up, down := math.Ldexp(1, k), math.Ldexp(1, -k)
		ok := fits(y * up)
		for _, s := range r.samples {
			ok = ok && fits(s.X[i]) && fits(s.X[i]*down)
		}
		if !ok {
			continue
		}
		r.y[i] = y * up
		for _, s := range r.samples {
			s.X[i] *= down
		}
	}
}

// maxPunched is the largest n whose replays have holes. Longer inputs of kind
// Sparse show an order that depends on zeros without them.
const maxPunched = 64

// punch sets summands of some Aware and Normal samples of a short input to
// zero: one of them, or every second to fourth from there on. It draws no
// random number, so the other samples are the same without it.
func punch(s ask.Sample, at, cycle int) {
	n := len(s.X)
	if n > maxPunched || s.Kind != ask.Aware && s.Kind != ask.Normal || at%cycle < 4 {
		return
	}
	for i := (at/2 + at/cycle) % n; i < n; i += 2 + at/2%3 {
		s.X[i] = 0
		if n < 8 || at%4 == 0 {
			return
		}
	}
}

// matches reports whether tree and arithmetic reproduce every sample.
func matches(t *sumtree.Tree, a sumtree.Arithmetic, samples []ask.Sample) bool {
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return false
	}
	for _, s := range samples {
		if got, err := r.Sum(s.X, s.Y); err != nil || !ask.SameBits(got, s.Out) {
			return false
		}
	}
	return true
}

// minSifted is the least number of summands that Sift is for: a replay of all
// takes milliseconds then, and the first questions have few that are not zero.
const minSifted = 1 << 16

// Sift returns the arithmetics that reproduce the first answer that the target
// gave. Where none does, or there are few summands, it returns all.
func Sift(
	t *sumtree.Tree, all []sumtree.Arithmetic, answered []ask.Sample,
) []sumtree.Arithmetic {
	if t.Leaves() < minSifted || len(answered) == 0 {
		return all
	}
	if left := Reproducing(t, all, answered[:1]); len(left) > 0 {
		return left
	}
	return all
}

// Recall drops the arithmetics that contradict an answer that the target gave
// earlier, about whatever claim. Where it drops the last one, it returns the
// question.
func Recall(
	t *sumtree.Tree, left *[]sumtree.Arithmetic, answered []ask.Sample,
) (refuted *ask.Sample) {
	all := *left
	*left = Reproducing(t, all, answered)
	if len(*left) > 0 || len(all) == 0 {
		return nil
	}
	_, miss := countMatches(t, all[0], answered)
	return &answered[miss]
}

// countMatches returns the number of samples that tree and arithmetic
// reproduce, and the index of the first other one, −1 where there is none.
func countMatches(t *sumtree.Tree, a sumtree.Arithmetic, samples []ask.Sample) (n, miss int) {
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return 0, 0
	}
	miss = -1
	got, err := replayAll(r, samples)
	for k, s := range samples {
		if err == nil && ask.SameBits(got[k], s.Out) {
			n++
		} else if miss < 0 {
			miss = k
		}
	}
	return n, miss
}

// replayAll replays the inputs of samples.
func replayAll(r *sumtree.Replayer, samples []ask.Sample) ([]float64, error) {
	x, y := make([][]float64, len(samples)), make([][]float64, len(samples))
	for k, s := range samples {
		x[k], y[k] = s.X, s.Y
	}
	return r.Sums(x, y)
}
