package proof

import (
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// No finding rests on one vector of second factors, or on one input of the main
// lane. Short results show less, and need more calls.
const (
	minReplayCalls      = 2
	minReplayCallsShort = 8
)

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
	if c.Key.Out.Precision() <= fp.Binary16.Precision() {
		calls = max(calls, minReplayCallsShort)
	}
	calls = min(calls, size)
	c.Expect("replay", calls)
	for _, r := range prepareReplays(c, t, size, calls) {
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
	return all
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

// countMatches returns the number of samples that tree and arithmetic
// reproduce, and the index of the first other one, −1 where there is none.
func countMatches(t *sumtree.Tree, a sumtree.Arithmetic, samples []ask.Sample) (n, miss int) {
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return 0, 0
	}
	miss = -1
	for k, s := range samples {
		if got, err := r.Sum(s.X, s.Y); err == nil && ask.SameBits(got, s.Out) {
			n++
		} else if miss < 0 {
			miss = k
		}
	}
	return n, miss
}
