package proof

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The sum of the squares of x[i] − m hardly depends on m where m is about the
// mean: an error e of m adds n·e². So most inputs hide the order of the mean.
// It shows where all inputs are equal except in the lower half of their places:
// then n·e² is not small beside the squares, although e is one last place.

// The limits of AskCentre: inputs asked, at least and at most, inputs that each
// is chosen from, summands of means in other orders, and summands that are
// added while it looks for inputs.
const (
	minCentres      = 12
	maxCentres      = 128
	centreDraws     = 24
	maxCentreOrders = 1 << 16
	maxCentreWork   = 1 << 25
)

// AskCentre asks a variance of arithmetic a for inputs that show the order of
// its mean: those which a mean in an order that differs by one exchange of two
// subtrees next to each other gives another result for. It looks for inputs for
// every such order of few summands, and for some of many. Half of the inputs
// are positive, and half negative.
func AskCentre(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) (samples []ask.Sample, err error) {
	x, err := newCentres(c, t, a)
	if err != nil {
		return nil, err
	}
	c.Expect("replay", minCentres)
	for len(samples) < maxCentres {
		s, shown := x.best(len(samples)%2 == 1)
		if shown == 0 && len(samples) >= minCentres {
			break
		}
		out, err := c.AskMain(nil, ask.Values(s.X))
		if err != nil {
			return nil, err
		}
		s.Out = out[0]
		samples = append(samples, s)
		means := x.means(&s)
		x.others = slices.DeleteFunc(x.others, means.shows)
	}
	return samples, nil
}

// centres makes the inputs of AskCentre.
type centres struct {
	c      *ask.Channel
	rng    *rand.Rand
	mean   *sumtree.Replayer
	second *sumtree.Replayer   // of the squares of differences
	others []*sumtree.Replayer // of means in other orders, that no input has shown
	diffs  []float64
	work   int // summands that may still be added
}

func newCentres(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) (*centres, error) {
	x := &centres{c: c, rng: ask.RandApart(c, "centre"), work: maxCentreWork,
		diffs: make([]float64, c.N)}
	mean := *a.Centre
	var err error
	if x.mean, err = sumtree.NewReplayer(t, mean); err != nil {
		return nil, err
	}
	a.Centre = nil
	if x.second, err = sumtree.NewReplayer(t, a); err != nil {
		return nil, err
	}
	all := exchanges(t)
	x.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, e := range all[:min(len(all), max(1, maxCentreOrders/c.N))] {
		r, err := sumtree.NewReplayer(e.of(t), mean)
		if err != nil {
			return nil, err
		}
		x.others = append(x.others, r)
	}
	return x, nil
}

// best returns the input of several that shows most of the other orders, and
// their number. It goes on until one shows some, or too many summands are
// added.
func (x *centres) best(negative bool) (best ask.Sample, shown int) {
	for k := 0; k < centreDraws || shown == 0 && len(x.others) > 0 && x.work > 0; k++ {
		s := x.draw(negative)
		means, n := x.means(&s), 0
		for _, r := range x.others {
			if means.shows(r) {
				n++
			}
		}
		if k == 0 || n > shown {
			best, shown = s, n
		}
	}
	return best, shown
}

// draw returns values of one size, which differ in about the lower half of
// their places, in a random order, an ascending or a descending one.
func (x *centres) draw(negative bool) ask.Sample {
	f := x.c.Key.DType
	p := f.Precision()
	low := math.Ldexp(1, -(p/2 - 2 + x.rng.IntN(p/4)))
	size := 1 + x.rng.Float64()
	if negative {
		size = -size
	}
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N)}
	for i := range s.X {
		s.X[i] = f.Round(size*(1+float64(low*x.rng.Float64())), fp.NearestEven)
	}
	switch x.rng.IntN(4) {
	case 0:
		slices.Sort(s.X)
	case 1:
		slices.Sort(s.X)
		slices.Reverse(s.X)
	}
	return s
}

// means holds the results of one input for the means that it may have.
type means struct {
	x       *centres
	s       *ask.Sample
	mean    float64
	results map[float64]float64
}

func (x *centres) means(s *ask.Sample) *means {
	m := &means{x: x, s: s, results: map[float64]float64{}}
	m.mean = m.of(x.mean)
	return m
}

// of returns the mean in an order, and stores the result that it leads to.
func (m *means) of(r *sumtree.Replayer) float64 {
	m.x.work -= m.x.c.N
	mean, err := r.Sum(m.s.X, nil)
	if err != nil {
		mean = m.mean
	}
	if _, ok := m.results[mean]; !ok {
		m.results[mean] = m.x.of(m.s, mean) //lastbit:ignore nankey the mean is a number
	}
	return mean
}

// shows reports whether a mean in another order changes the result.
func (m *means) shows(r *sumtree.Replayer) bool {
	return !ask.SameBits(m.results[m.of(r)], m.results[m.mean])
}

// of returns the result of an input for a mean.
func (x *centres) of(s *ask.Sample, mean float64) float64 {
	for i, v := range s.X {
		x.diffs[i] = add(x.c.Key.DType, v, -mean)
	}
	v, err := x.second.Sum(x.diffs, nil)
	if err != nil {
		return math.NaN()
	}
	return v
}

// exchange is a change of a binary tree: an operand of the inner node below
// changes places with the other operand of the node above it.
type exchange struct{ above, below, operand int }

// exchanges returns all changes of a binary tree by one exchange.
func exchanges(t *sumtree.Tree) (all []exchange) {
	for id := t.Leaves(); id < t.Nodes(); id++ {
		for _, k := range t.Children(id) {
			if !t.IsLeaf(int(k)) {
				all = append(all, exchange{id, int(k), 0}, exchange{id, int(k), 1})
			}
		}
	}
	return all
}

// of returns the changed tree.
func (e exchange) of(t *sumtree.Tree) *sumtree.Tree {
	b := sumtree.NewBuilder(t.Leaves())
	names := make([]int, t.Nodes())
	for i := range t.Leaves() {
		names[i] = i
	}
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		switch id {
		case e.below: // its operands are in place when the node above is made
		case e.above:
			other := int(kids[0])
			if other == e.below {
				other = int(kids[1])
			}
			moved := t.Children(e.below)[e.operand]
			stays := t.Children(e.below)[1-e.operand]
			names[id] = b.Node(b.Node(names[stays], names[other]), names[moved])
		default:
			names[id] = b.Node(names[kids[0]], names[kids[1]])
		}
	}
	return b.MustTree()
}
