package proof

import (
	"math/bits"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// certifier makes the tests of one certificate.
type certifier struct {
	c             *ask.Channel
	t             *sumtree.Tree
	isLarge       bool // siblingGroups made the groups
	order, lo, hi []int32
	w             weighing
	pairs         []ask.Pair
	made          [2][]test // in turn, so that one is used while the other is made
}

// test is a masked input, and the count that the claimed tree predicts.
type test struct {
	patch ask.Patch
	want  float64
}

// tests returns the tests of call k, one for each group. They are valid until
// the tests of call k+2 are made.
func (x *certifier) tests(k int, groups [][]tested) []test {
	all := &x.made[k%2]
	for len(*all) < len(groups) {
		*all = append(*all, test{})
	}
	now := (*all)[:len(groups)]
	for i, g := range groups {
		switch {
		case !x.c.Scale.CountsAll():
			x.w = newSparse(x, x.near(g))
		case i == 0 && isRenewed(x.c.N, k, x.isLarge):
			x.w = newDense(x)
		}
		x.test(&now[i], g)
	}
	return now
}

// test makes the test of a group.
func (x *certifier) test(made *test, g []tested) {
	made.want = x.w.between(0, int32(x.c.N))
	x.pairs = x.pairs[:0]
	for _, v := range g {
		kids := x.t.Children(int(v.node))
		a := x.leafUnder(int(kids[v.a]))
		x.pairs = append(x.pairs, ask.Pair{A: a, B: x.leafUnder(int(kids[v.b]))})
		made.want -= x.w.between(x.lo[v.node], x.hi[v.node])
	}
	p := &made.patch
	p.At, p.Values = p.At[:0], p.Values[:0]
	x.w.write(p)
	x.c.Inputs.Masks(p, x.pairs)
}

// leafUnder returns a random leaf under a node.
func (x *certifier) leafUnder(node int) int {
	if x.isLarge && x.t.IsLeaf(node) {
		return node
	}
	return int(x.order[int(x.lo[node])+x.c.Rand.IntN(int(x.hi[node]-x.lo[node]))])
}

// near returns leaves that should have a weight where not all can: some inside
// and some just outside of the nodes under test.
func (x *certifier) near(g []tested) []int {
	var first []int
	share := int(x.c.Scale.Limit()/2) / (4 * len(g)) //lastbit:ignore floatconv a count of summands
	for _, v := range g {
		for range max(1, share) {
			first = append(first, x.leafUnder(int(v.node)))
			before := int(x.lo[v.node]) - 1 - x.c.Rand.IntN(4)
			after := int(x.hi[v.node]) + x.c.Rand.IntN(4)
			for _, at := range []int{before, after} {
				if at >= 0 && at < len(x.order) {
					first = append(first, int(x.order[at]))
				}
			}
		}
	}
	x.c.Rand.Shuffle(len(first), func(i, j int) { first[i], first[j] = first[j], first[i] })
	return first
}

// weighing is a choice of weights for the leaves.
type weighing interface {
	// between returns the weight of the leaves lo … hi−1 in leaf order.
	between(lo, hi int32) float64
	// write makes the weights, in units, the input of an empty patch.
	write(p *ask.Patch)
}

// dense gives every leaf a weight.
type dense struct {
	units  []float64
	prefix []float64 // sums of the weights in leaf order
}

func newDense(x *certifier) *dense {
	w := x.c.Inputs.Weights(nil)
	d := &dense{units: w, prefix: make([]float64, x.c.N+1)}
	for k, leaf := range x.order {
		d.prefix[k+1] = d.prefix[k] + w[leaf]
	}
	for i := range w {
		w[i] *= x.c.Scale.Unit
	}
	return d
}

func (d *dense) between(lo, hi int32) float64 { return d.prefix[hi] - d.prefix[lo] }

func (d *dense) write(p *ask.Patch) { p.Base = d.units }

// sparse gives some leaves the weight 1, and the others none.
type sparse struct {
	leaves []int
	unit   float64
	words  []uint64 // bit i of word k: the leaf at 64·k + i has a weight
	before []int32  // leaves with a weight before every word
}

func newSparse(x *certifier, first []int) *sparse {
	s := &sparse{leaves: x.c.Inputs.Chosen(first), unit: x.c.Scale.Unit}
	s.words = make([]uint64, x.c.N/64+1)
	s.before = make([]int32, len(s.words))
	for _, leaf := range s.leaves {
		at := x.lo[leaf]
		s.words[at/64] |= 1 << (at % 64)
	}
	for k := 1; k < len(s.words); k++ {
		s.before[k] = s.before[k-1] + int32(bits.OnesCount64(s.words[k-1]))
	}
	return s
}

func (s *sparse) between(lo, hi int32) float64 { return float64(s.rank(hi) - s.rank(lo)) }

// rank returns the number of leaves with a weight before a place.
func (s *sparse) rank(at int32) int32 {
	return s.before[at/64] + int32(bits.OnesCount64(s.words[at/64]&(1<<(at%64)-1)))
}

func (s *sparse) write(p *ask.Patch) {
	p.Base = nil
	for _, leaf := range s.leaves {
		p.Set(leaf, s.unit)
	}
}
