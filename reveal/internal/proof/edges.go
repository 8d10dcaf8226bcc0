package proof

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// maxEdges is the largest n that Edges makes inputs for.
const maxEdges = 1 << 17

// AskEdges asks the main lane for the inputs of Edges, which share their second
// factors. A target may refuse infinities: these are asked last, and those that
// end in a fault are left out.
func AskEdges(c *ask.Channel, t *sumtree.Tree) ([]ask.Sample, error) {
	samples := Edges(c, t)
	c.Expect("edges", len(samples))
	for k := range samples {
		s := &samples[k]
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil && c.Err() == nil && slices.ContainsFunc(s.X, isInfinite) {
			var fault *probe.Fault
			if errors.As(err, &fault) && fault.ID != "call-limit" {
				return samples[:k], nil
			}
		}
		if err != nil {
			return nil, err
		}
		s.Out = out[0]
	}
	return samples, nil
}

// isInfinite reports whether v is an infinity.
func isInfinite(v float64) bool { return math.IsInf(v, 0) }

// Edges returns inputs at the edges of the formats, where random ones seldom
// lie: zeros of both signs, sums that overflow, at once or on the way, sums of
// exactly zero, results that are subnormal in the output format, with odd last
// bits, and infinities. Second factors are powers of two of various sizes. It
// returns none for fused sums, whose overflow is not modelled, and beyond 2^17.
// It draws no number from c.Rand.
func Edges(c *ask.Channel, t *sumtree.Tree) []ask.Sample {
	if c.N > maxEdges || t.MaxArity() > 2 {
		return nil
	}
	rng := ask.RandApart(c, "edges")
	var y []float64
	if c.Key.Op.Products() {
		y = make([]float64, c.N)
		for i := range y {
			y[i] = math.Ldexp(1, rng.IntN(7)-3)
		}
	}
	var samples []ask.Sample
	for _, x := range edgeInputs(c, t, rng) {
		for i, v := range x {
			if y != nil && c.Key.DType.Contains(v/y[i]) {
				x[i] = v / y[i]
			}
		}
		samples = append(samples, ask.Sample{Kind: ask.Edge, X: x, Y: y})
	}
	return samples
}

// edgeInputs returns sums at the edges of the formats: of few summands that
// meet first, and of many.
func edgeInputs(c *ask.Channel, t *sumtree.Tree, rng *rand.Rand) [][]float64 {
	in, out := c.Key.DType, c.Key.Out
	if out.Precision() > in.Precision() {
		out = in
	}
	most, least := math.Ldexp(1.5, min(in.MaxExp(), out.MaxExp())), out.MinNormal()
	odd := func(v float64) float64 { return in.Round(v, fp.NearestEven) }
	at := firstToMeet(t)
	var all [][]float64
	few := func(values ...float64) {
		if len(values) > len(at) {
			return
		}
		x := make([]float64, c.N)
		for k, v := range values {
			x[at[k]] = v
		}
		all = append(all, x)
	}
	zeros := make([]float64, c.N)
	for i := range zeros {
		zeros[i] = math.Copysign(0, float64(i%2)-0.5)
	}
	all = append(all, zeros)
	few(odd(3 * out.Smallest()))
	few(odd(least * (0.5 + float64(rng.Float64()/2))))
	few(1, -1)
	few(most, most)
	few(-most, -most, most)
	if out.MaxExp() == fp.Binary32.MaxExp() { // not infinite yet in float32
		few(out.Max(), out.ULP(out.Max())/2)
	}
	few(odd(least*1.5), -least)
	for _, exp := range []int{min(in.MaxExp(), out.MaxExp()), out.MinExp() + 1} {
		x := make([]float64, c.N)
		for i := range x {
			x[i] = odd(math.Ldexp(2*rng.Float64()-1, exp))
		}
		all = append(all, x)
	}
	few(math.Inf(1))
	if c.N == 2 {
		few(math.Inf(1), math.Inf(-1))
	}
	return all
}

// firstToMeet returns up to three leaves: two that are added to each other, and
// one that meets them later.
func firstToMeet(t *sumtree.Tree) []int {
	i, j, ok := siblings(t)
	if !ok {
		return []int{0}
	}
	at := []int{i, j}
	for k := range t.Leaves() {
		if k != i && k != j {
			return append(at, k)
		}
	}
	return at
}
