package reveal

import (
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/sumtree"
)

// scatteredTries is the number of inputs with each number of summands in
// scatteredCounts that may take the place of a witness with more.
const scatteredTries = 24

var scatteredCounts = [...]int{3, 8, ask.FewSummands}

// smallest looks for the smallest input that two results differ on.
type smallest struct {
	c       *ask.Channel
	in      *ask.Inputs
	rng     *rand.Rand
	differs func(ask.Sample) (bool, error)
	trees   []*sumtree.Tree // that differ, where trees give both results
	apart   *apart          // of the trees
}

func newSmallest(c *ask.Channel, differs func(ask.Sample) (bool, error)) *smallest {
	return &smallest{c: c, in: ask.InputsApart(c, "smallest"), rng: ask.RandApart(c, "smaller"),
		differs: differs}
}

// of makes an input smaller. Where the results hide most roundings, as the root
// of a sum of squares does, a part of an input seldom shows alone what all of
// it shows. If many summands are left, inputs of few scattered ones are tried.
func (m *smallest) of(start ask.Sample) (ask.Sample, error) {
	s, err := m.shrunk(start)
	if err != nil {
		return s, err
	}
	few, err := m.ofFew(ask.Count(s.X))
	if few != nil {
		s = *few
	}
	return s, err
}

// ofFew looks for an input of fewer summands than a number. It returns nil
// where none is found.
func (m *smallest) ofFew(fewer int) (*ask.Sample, error) {
	for _, count := range scatteredCounts {
		if fewer <= max(count, fewSummands) {
			break
		}
		for range scatteredTries {
			try := m.scattered(count)
			differ, err := m.differs(try)
			if err != nil {
				return nil, err
			}
			if differ {
				try, err = m.shrunk(try)
				return &try, err
			}
		}
	}
	return nil, nil
}

// shrunk makes an input smaller by parts.
func (m *smallest) shrunk(s ask.Sample) (ask.Sample, error) {
	x, _, err := ddmin(s.X, maxShrinkCalls, func(x []float64) (bool, error) {
		return m.differs(ask.Sample{X: x, Y: s.Y})
	})
	return ask.Sample{X: x, Y: s.Y}, err
}

// scattered returns an input of few summands.
func (m *smallest) scattered(count int) ask.Sample {
	if m.trees != nil && m.apart == nil {
		m.apart = newApart(m.trees[0], m.trees[1])
	}
	var p ask.Patch
	if m.apart != nil {
		p = ask.ScatteredAt(m.in, m.apart.places(m.rng, count))
	} else {
		p = ask.Scattered(m.in, count)
	}
	s := ask.Sample{X: make([]float64, m.c.N)}
	p.Fill()(s.X)
	if m.c.Key.Op.Products() {
		s.Y = ask.Ones(m.c.N)
	}
	return s
}

// apart holds leaves that two trees add in different orders: those under the
// lowest common ancestor of a pair, in one tree or the other.
type apart struct {
	pair ask.Pair
	one  []int // under one ancestor only, so the orders differ with one of these
	both []int // under both, except the pair
}

func newApart(t, u *sumtree.Tree) *apart {
	a := &apart{pair: order.Apart(t, u)}
	times := make([]uint8, t.Leaves())
	for _, tree := range []*sumtree.Tree{t, u} {
		leaves, lo, hi := tree.LeafOrder()
		v := meet(tree, a.pair)
		for _, leaf := range leaves[lo[v]:hi[v]] {
			times[leaf]++
		}
	}
	for leaf, k := range times {
		switch {
		case k == 0 || leaf == a.pair.A || leaf == a.pair.B:
		case k == 1:
			a.one = append(a.one, leaf)
		default:
			a.both = append(a.both, leaf)
		}
	}
	return a
}

// places returns at most count places: the pair, one leaf that it does not meet
// in the same order in both trees, and others.
func (a *apart) places(rng *rand.Rand, count int) []int {
	first := rng.IntN(len(a.one))
	others := slices.Concat(a.one[:first], a.one[first+1:], a.both)
	rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	at := append([]int{a.pair.A, a.pair.B, a.one[first]}, others...)
	return at[:min(count, len(at))]
}
