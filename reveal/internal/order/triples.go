package order

import (
	"errors"
	"math"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// TriplesName names the algorithm Triples in a finding.
const TriplesName = "triples"

// Triples claims the binary tree of a sum whose summands cannot be negative.
// There masks ±M do not exist, but rooted triples do: with a large summand on
// leaf k and two tiny ones on i and j, the sum exceeds the large one exactly
// when i and j meet before either meets k. See ask.Levels.
//
// Leaf after leaf is inserted into a growing tree. A leaf has a region of
// places, the edges above nodes, where it can still belong. One question asks
// whether that is at or below the edge above a node a: whether the leaf meets a
// leaf of a before either meets one of a's sibling. The node is the one that
// splits the region best, a third to two thirds at worst, as in a search for
// the centroid. As many leaves as the pool has lanes are on their way at once.
//
// Questions: about n·log2(n), and log2(3/2)⁻¹ = 1.7 times that at worst; one
// answer has one bit, and log2((2n−3)!!) of them are needed.
func Triples(c *ask.Channel, l *ask.Levels) (*sumtree.Tree, error) {
	if c.N < 3 {
		return sumtree.Family{Kind: sumtree.Chain}.Tree(c.N), nil
	}
	return triplesAmong(c, l, c.Rand.Perm(c.N), sequence(c.N))
}

// triplesAmong is Triples for some leaves: leaf i of the tree is leaf at[i] of
// the channel. They are inserted in an order.
func triplesAmong(c *ask.Channel, l *ask.Levels, order, at []int) (*sumtree.Tree, error) {
	n := len(at)
	g := newTripleGrower(order)
	//lastbit:ignore floatconv,libm an estimate of the work
	c.ExpectQuestions("triples", int(float64(n)*math.Log2(float64(n))))
	for {
		questions := g.questions(len(c.Pool()))
		if len(questions) == 0 {
			break
		}
		for k, q := range questions {
			questions[k] = ask.Triple{A: at[q.A], B: at[q.B], Apart: at[q.Apart]}
		}
		yes, err := l.Ask(c, c.Pool(), false, questions...)
		if err != nil {
			return nil, err
		}
		g.take(yes)
	}
	return build(n, g.root, func(id int) []int { return g.kids[id-n][:] })
}

// FromTriples returns the trees of families that the triples of a few summands
// allow, the likeliest first. It returns none where there are so few summands
// that the whole tree takes hardly more calls.
func FromTriples(c *ask.Channel, l *ask.Levels) ([]*sumtree.Tree, error) {
	if c.N < minSampled {
		return nil, nil
	}
	s := sumtree.Sample{N: c.N, At: telltale(c.N)}
	order := ask.RandApart(c, "sampled").Perm(len(s.At))
	var err error
	s.Tree, err = triplesAmong(c, l, order, s.At)
	var fact *verdict.Fact
	if errors.As(err, &fact) {
		return nil, nil // the triples of all summands show the reason
	}
	if err != nil {
		return nil, err
	}
	var all []*sumtree.Tree
	for _, f := range s.Guess() {
		all = append(all, f.Tree(c.N))
	}
	return all, nil
}

// triples claims a tree by Triples where summands may be negative too.
func triples(c *ask.Channel) (*sumtree.Tree, error) {
	var l *ask.Levels
	if c.N > 2 {
		var err error
		if l, err = ask.FindLevels(c); err != nil {
			return nil, err
		}
		if l == nil {
			return nil, &verdict.Fact{Reason: verdict.NoTree,
				What: "no tiny summand is lost to a large one"}
		}
	}
	return Triples(c, l)
}

// tripleGrower is the growing tree of Triples, and the leaves on their way into
// it.
type tripleGrower struct {
	n       int
	waiting []int // leaves not yet looked at
	pending []*sought

	root   int
	parent []int    // of leaves and inner nodes; noNode for the root
	kids   [][2]int // of inner nodes
	rep    []int    // a leaf under a node
	size   []int    // scratch of split
	region []int    // scratch of split
}

// sought is a leaf that belongs at or below the edge above top, but not at or
// below the edge above a node of out.
type sought struct {
	leaf int
	top  int
	out  map[int]bool
	asks int // the node that is asked about
}

func newTripleGrower(order []int) *tripleGrower {
	n := len(order)
	g := &tripleGrower{n: n, waiting: order[2:], parent: make([]int, n, 2*n), rep: sequence(n)}
	g.parent[order[0]] = noNode
	g.root = order[0]
	g.insertAbove(order[0], order[1])
	return g
}

// insertAbove puts a leaf on the edge above v. Leaves on their way that belong
// at or below that edge may now belong above the new node's other operand.
func (g *tripleGrower) insertAbove(v, leaf int) {
	up, w := g.parent[v], g.n+len(g.kids)
	g.kids = append(g.kids, [2]int{v, leaf})
	g.parent = append(g.parent, up)
	g.rep = append(g.rep, g.rep[v])
	g.parent[v], g.parent[leaf] = w, w
	if up == noNode {
		g.root = w
	} else if k := &g.kids[up-g.n]; k[0] == v {
		k[0] = w
	} else {
		k[1] = w
	}
	for _, s := range g.pending {
		if s.top == v {
			s.top = w
		}
		if s.asks == v {
			s.asks = w
		}
		if s.out[v] {
			delete(s.out, v)
			s.out[w] = true
		}
	}
}

// sibling returns the other operand of the addition that v enters.
func (g *tripleGrower) sibling(v int) int {
	k := g.kids[g.parent[v]-g.n]
	return k[0] + k[1] - v
}

// questions returns one triple for each leaf on its way, after it has inserted
// those whose place is found and taken up others.
func (g *tripleGrower) questions(lanes int) []ask.Triple {
	var questions []ask.Triple
	for at := 0; at < lanes; at++ {
		for {
			if at == len(g.pending) {
				if len(g.waiting) == 0 {
					return questions
				}
				s := &sought{leaf: g.waiting[0], top: g.root, out: map[int]bool{}}
				g.waiting, g.pending = g.waiting[1:], append(g.pending, s)
			}
			s := g.pending[at]
			if s.asks = g.split(s); s.asks != noNode {
				break
			}
			g.pending = append(g.pending[:at], g.pending[at+1:]...)
			g.insertAbove(s.top, s.leaf)
		}
		s := g.pending[at]
		questions = append(questions,
			ask.Triple{A: s.leaf, B: g.rep[s.asks], Apart: g.rep[g.sibling(s.asks)]})
	}
	return questions
}

// take takes the answers to questions in.
func (g *tripleGrower) take(yes []bool) {
	for k, y := range yes {
		s := g.pending[k]
		if y {
			s.top = s.asks
		} else {
			s.out[s.asks] = true
		}
	}
}

// split returns the node that splits the region of s best, or noNode when the
// edge above top is the only place left.
func (g *tripleGrower) split(s *sought) int {
	region := append(g.region[:0], s.top) // parents first
	for at := 0; at < len(region); at++ {
		if v := region[at]; v >= g.n {
			for _, k := range g.kids[v-g.n] {
				if !s.out[k] {
					region = append(region, k)
				}
			}
		}
	}
	g.region = region
	if len(g.size) < len(g.parent) {
		g.size = make([]int, 2*len(g.parent))
	}
	for _, v := range region {
		g.size[v] = 1 // the edge above v
	}
	best, least := noNode, len(region)
	for at := len(region) - 1; at > 0; at-- {
		v := region[at]
		g.size[g.parent[v]] += g.size[v]
		if worse := max(g.size[v], len(region)-g.size[v]); worse < least {
			best, least = v, worse
		}
	}
	return best
}
