package proof

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// tinySamples is the number of inputs with subnormal sums that are asked before
// parts of a tree are found to flush and others to keep them.
const tinySamples = 48

// askTiny adds samples with subnormal sums.
func askTiny(c *ask.Channel, t *sumtree.Tree, samples *[]ask.Sample) error {
	c.Expect("subnormals", tinySamples)
	shape := ask.NewShape(t)
	for range tinySamples {
		s := c.Inputs.Sample(ask.Tiny, shape, c.Inputs.SecondFactors())
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil {
			return err
		}
		s.Out = out[0]
		*samples = append(*samples, s)
	}
	return nil
}

// The numbers of samples that AskTinyProducts asks: random ones, and additions
// of two products.
const (
	tinyProducts = 16
	tinyPairs    = 12
)

// AskTinyProducts asks for products of bfloat16 numbers that are subnormal in
// float32: at random, in pairs that meet first, and such that every sum is
// flushed to −0. They show products that are rounded and flushed alone, and
// sums that begin with +0. Other formats have none.
func AskTinyProducts(c *ask.Channel, t *sumtree.Tree) ([]ask.Sample, error) {
	if !c.Key.Op.Products() || c.Key.DType != fp.BFloat16 || c.N > maxEdges || t.MaxArity() > 2 {
		return nil, nil
	}
	rng := ask.RandApart(c, "tiny")
	var samples []ask.Sample
	for range tinyProducts {
		samples = append(samples, manyTiny(c, rng))
	}
	pairs := leafPairs(t)
	for k := range min(tinyPairs, len(pairs)) {
		p := pairs[k*len(pairs)/min(tinyPairs, len(pairs))]
		for turn := range p {
			s := zeroProducts(c, rng)
			s.X[p[turn]], s.Y[p[turn]] = 1.5*fp.BFloat16.MinNormal(), 0.5
			s.X[p[1-turn]], s.Y[p[1-turn]] = fp.BFloat16.MinNormal(), 1
			samples = append(samples, s)
		}
	}
	for _, factor := range []float64{-fp.BFloat16.MinNormal(), math.Copysign(0, -1)} {
		samples = append(samples, vanishing(c, pairs, factor))
	}
	c.Expect("subnormals", len(samples))
	return samples, ask.AskSamples(c, samples)
}

// maxTinyEach is the number of products that askTinyEach asks.
const maxTinyEach = 1 << 5

// askTinyEach asks, where sums are flushed, for single subnormal products
// beside a normal one: of all products, some alone may keep subnormals.
func askTinyEach(c *ask.Channel, a sumtree.Arithmetic) ([]ask.Sample, error) {
	least := c.Key.DType.MinNormal()
	if !c.Key.Op.Products() || !makesZeros(a) || c.N < 2 || c.N > maxEdges {
		return nil, nil
	}
	var samples []ask.Sample
	for _, i := range someOf(ascendingOrder(c.N), maxTinyEach) {
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ask.Ones(c.N)}
		s.X[i], s.Y[i] = 1.5*least, 0.5
		s.X[(i+1)%c.N] = 2 * least
		samples = append(samples, s)
	}
	c.Expect("subnormals", len(samples))
	return samples, ask.AskSamples(c, samples)
}

// leafPairs returns the pairs of leaves that are added to each other.
func leafPairs(t *sumtree.Tree) [][2]int {
	var all [][2]int
	for id := t.Leaves(); id < t.Nodes(); id++ {
		if kids := t.Children(id); t.IsLeaf(int(kids[0])) && t.IsLeaf(int(kids[1])) {
			all = append(all, [2]int{int(kids[0]), int(kids[1])})
		}
	}
	return all
}

// manyTiny returns random products, some of them subnormal in float32.
func manyTiny(c *ask.Channel, rng *rand.Rand) ask.Sample {
	s := zeroProducts(c, rng)
	p := c.Key.DType.Precision()
	least := (fp.Binary32.MinExp() - p) / 2
	few := rng.IntN(2) == 0
	for i := range s.X {
		s.Y[i] = c.Key.DType.Round(math.Ldexp(s.Y[i]*(1+rng.Float64()), least+rng.IntN(p)),
			fp.TowardZero)
		if v := math.Ldexp(1+rng.Float64(), least+rng.IntN(p)); !few || rng.IntN(c.N) < 3 {
			s.X[i] = c.Key.DType.Round(math.Copysign(v, s.X[i]), fp.TowardZero)
		}
	}
	return s
}

// zeroProducts returns products that are zeros of random signs.
func zeroProducts(c *ask.Channel, rng *rand.Rand) ask.Sample {
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ask.Ones(c.N)}
	for i := range s.X {
		if rng.IntN(2) == 0 {
			s.X[i] = math.Copysign(0, -1)
		}
		if rng.IntN(2) == 0 {
			s.Y[i] = -1
		}
	}
	return s
}

// vanishing returns products whose sums are flushed to −0: of pairs −1.5 and
// 1.25 times the least normal number, and of other leaves half of a factor.
func vanishing(c *ask.Channel, pairs [][2]int, factor float64) ask.Sample {
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ask.Ones(c.N)}
	for i := range s.X {
		s.X[i], s.Y[i] = factor, 0.5
	}
	least := c.Key.DType.MinNormal()
	for _, p := range pairs {
		s.X[p[0]], s.Y[p[0]] = -1.5*least, 1
		s.X[p[1]], s.Y[p[1]] = 1.25*least, 1
	}
	return s
}

// probeSubnormals finds the nodes that keep subnormal sums.
func (x *partProber) probeSubnormals(nodes []int) error {
	least := x.c.Key.DType.MinNormal()
	below := belowRoot(x, nodes)
	// The sum reaches the addition above a node: 1.5 − 1 + 2 times the least
	// normal number is 2.5 times it, or 2.
	keeps, err := x.has(below, nodeTest{step: "subnormals", first: 1.5 * least, second: -least,
		sibling: 2 * least, base: 2 * least, more: 0.5 * least})
	if err != nil {
		return err
	}
	for k, v := range below {
		x.part(v).keeps = keeps[k]
	}
	return nil
}

// overflowsLate reports whether a product that float32 has no room for reaches
// its addition: 2.5·2^127, added to −1.5·2^127.
func overflowsLate(x *partProber, leaf, other int) (bool, error) {
	y := ask.Ones(x.c.N)
	y[leaf] = 2
	out, err := x.c.Ask(y, func(row []float64) {
		row[leaf], row[other] = 0x1.4p127, -0x1.8p127
	})
	if err != nil {
		return false, err
	}
	return out[0] == 0x1p127, nil
}

// keepsProduct reports whether a subnormal product reaches its addition: 0.75
// times the least normal number, added to it.
func keepsProduct(x *partProber, leaf, other int) (bool, error) {
	least := x.c.Key.DType.MinNormal()
	y := ask.Ones(x.c.N)
	y[leaf] = 0.5
	out, err := x.c.Ask(y, func(row []float64) {
		row[leaf], row[other] = 1.5*least, least
	})
	if err != nil {
		return false, err
	}
	return out[0] == 1.75*least, nil
}
