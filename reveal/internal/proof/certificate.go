package proof

import (
	"fmt"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// Certificate counts the calls and tests of a proof of structure.
type Certificate struct {
	Tests int // masked inputs, one a lane
	Calls int // calls that they shared
}

// maxOwnTests bounds the tests that the main lane takes alone, even when other
// lanes agree with it. Larger certificates are shared among the pool.
const maxOwnTests = 64

// maxAlwaysRenewed is the number of leaves beyond which weights are renewed
// every sixteenth call only: making them takes longer than the call.
const maxAlwaysRenewed = 4096

// Certify proves the structure of a claimed tree, or finds an output that
// contradicts it: a Fact, NoTree.
//
// The nodes of one height are disjoint. A test masks a chosen group of them: ±M
// with a random significand on one leaf under each of two children of every
// chosen node, random weights on all other leaves. If the claim is right the
// output is the weight outside the chosen nodes. Conversely, an output equal to
// it shows that the subtrees that the implementation cancels the masks in cover
// the same leaves as the chosen nodes do, except for a coincidence of random
// weights.
//
// The groups of one height are such that for any two of its nodes some group
// holds the first and not the second (see separate). Then the masks of a node
// cancel in the intersection of its groups, and that is the node itself. So
// each claimed subtree is one of the implementation. A tree is fixed by its
// subtrees. For a node of more than two operands every pair of operands takes
// its turn, so that no finer subtree can hide in it.
//
// The masked subtrees have weights inside, too: zeros there would let an exact
// sum pass any tree.
//
// Tests: Σ over heights of min{t : C(t, ⌊t/2⌋) ≥ nodes}, times pairs of
// operands.
func Certify(c *ask.Channel, t *sumtree.Tree) (Certificate, error) {
	var done Certificate
	groups := certificateGroups(t)
	pool := c.Pool()
	if len(groups) <= maxOwnTests {
		pool = pool[:1]
	}
	c.Expect("certificate", (len(groups)+len(pool)-1)/len(pool))
	x := newCertifier(c, t)
	sparse := !c.Scale.CountsAll()
	start := c.Calls()
	for at := 0; at < len(groups); at += len(pool) {
		now := groups[at:min(at+len(pool), len(groups))]
		fills := make([]ask.Fill, len(now))
		want := make([]float64, len(now))
		for k, g := range now {
			if sparse || k == 0 && (at/len(pool)%16 == 0 || c.N <= maxAlwaysRenewed) {
				x.renew(g)
			}
			fills[k], want[k] = x.test(g)
		}
		out, err := c.AskIn(pool, nil, fills...)
		done.Calls = c.Calls() - start
		if err != nil {
			return done, err
		}
		for k, o := range out {
			if n, ok := c.Scale.Count(o); !ok || n != want[k] {
				return done, contradicted(c, fills[k], o, c.Scale.Output(want[k]))
			}
			done.Tests++
		}
	}
	return done, nil
}

// contradicted returns the fact that a masked input gave another output than
// the claimed tree predicts.
func contradicted(c *ask.Channel, fill ask.Fill, out, want float64) *verdict.Fact {
	return &verdict.Fact{Reason: verdict.NoTree,
		What: fmt.Sprintf("a masked input gave %v where the claimed tree says %v", out, want),
		Witness: c.Witness("the revealed tree gives another result than the implementation",
			nil, fill, []float64{out}, &want)}
}

// certifier makes the tests of one certificate.
type certifier struct {
	c             *ask.Channel
	t             *sumtree.Tree
	order, lo, hi []int32
	w             ask.Weights
	prefix        []float64 // sums of w in leaf order
}

func newCertifier(c *ask.Channel, t *sumtree.Tree) *certifier {
	x := &certifier{c: c, t: t}
	x.order, x.lo, x.hi = t.LeafOrder()
	return x
}

// renew makes new weights. Where not all leaves can have one, leaves in and
// near the nodes of g are served first.
func (x *certifier) renew(g []tested) {
	x.w = x.c.Inputs.Weights(x.near(g))
	x.prefix = make([]float64, x.c.N+1)
	for k, leaf := range x.order {
		x.prefix[k+1] = x.prefix[k] + x.w[leaf]
	}
}

// test returns the masked input of a group, and the count that t predicts.
func (x *certifier) test(g []tested) (fill ask.Fill, want float64) {
	want = x.prefix[x.c.N]
	pairs := make([]ask.Pair, len(g))
	for m, v := range g {
		kids := x.t.Children(int(v.node))
		a := x.leafUnder(int(kids[v.a]))
		pairs[m] = ask.Pair{A: a, B: x.leafUnder(int(kids[v.b]))}
		want -= x.prefix[x.hi[v.node]] - x.prefix[x.lo[v.node]]
	}
	return x.c.Inputs.Masked(x.w, pairs), want
}

// leafUnder returns a random leaf under a node.
func (x *certifier) leafUnder(node int) int {
	return int(x.order[int(x.lo[node])+x.c.Rand.IntN(int(x.hi[node]-x.lo[node]))])
}

// near returns leaves that should have a weight where not all can: some inside
// and some just outside of the nodes under test.
func (x *certifier) near(g []tested) []int {
	if x.c.Scale.CountsAll() {
		return nil
	}
	var first []int
	share := int(x.c.Scale.Limit()/2) / (4 * len(g))
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

// Predicts holds a certified tree against the opening: an order that changed
// since then shows. The error is a Fact, Changed or NoTree.
func Predicts(c *ask.Channel, t *sumtree.Tree, o ask.Opening) error {
	r, err := sumtree.NewReplayer(t, maskedArithmetic(t))
	if err != nil {
		return err
	}
	for k, s := range o.Structures {
		count, err := r.Sum(s.Logical(), nil)
		if err == nil && count == o.Counts[k] {
			continue
		}
		if err := ask.RepeatStructure(c, s, o.Counts[k]); err != nil {
			return err
		}
		want := c.Scale.Output(count)
		return &verdict.Fact{Reason: verdict.NoTree,
			What: "the certified tree does not give an earlier result",
			Witness: c.Witness("the certified tree gives another result than the implementation",
				nil, s.Input(c), []float64{c.Scale.Output(o.Counts[k])}, &want)}
	}
	return nil
}
