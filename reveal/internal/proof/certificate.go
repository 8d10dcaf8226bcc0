package proof

import (
	"fmt"
	"slices"
	"sync"

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
// lanes agree with it. The pool shares larger certificates, and certificates
// with siblingGroups.
const maxOwnTests = 64

// minCertificateBits is the least number of bits of counts that each group is
// tested with where counts are remainders, which have few bits.
const minCertificateBits = 16

// maxAlwaysRenewed is the number of leaves beyond which weights are renewed now
// and then only, since making them takes longer than a call: at every sixteenth
// call, or at every 64th where the proof needs no random weights.
const maxAlwaysRenewed = 4096

// isRenewed reports whether the weights of n leaves are renewed at call k.
func isRenewed(n, k int, isLarge bool) bool {
	switch {
	case n <= maxAlwaysRenewed:
		return true
	case isLarge:
		return k%64 == 0
	}
	return k%16 == 0
}

// minAhead is the number of nodes whose test takes longer to make than another
// thread to wake.
const minAhead = 256

// maxSeparated is the number of leaves up to which the certificate of a binary
// tree separates any two nodes of one height. Beyond, siblings are enough: more
// tests take longer than all other steps.
const maxSeparated = 4096

// Certify proves the structure of a claimed tree, or finds an output that
// contradicts it: a Fact, NoTree.
//
// A test masks a chosen group of nodes, none below another: ±M with a random
// significand on one leaf under each of two children of every chosen node,
// random weights on all other leaves. T(v) is the subtree that the
// implementation cancels the masks of v in. If the claim is right, T(v) has
// the leaves of v, and the output is the weight outside the chosen nodes. The
// masked subtrees have weights inside, too: zeros there would let an exact sum
// pass any tree.
//
// # Heights
//
// The nodes of one height are disjoint. An output equal to the predicted one
// shows that the subtrees T(v) of a group together cover the same leaves as the
// group, except for a coincidence of random weights. The groups of one height
// are such that for any two of its nodes some group holds the first and not the
// second (see separate). So T(v) lies in the intersection of the groups of v,
// and that is v itself: each claimed subtree is one of the implementation. A
// tree is fixed by its subtrees. For a node of more than two operands every
// pair of operands takes its turn, so that no finer subtree can hide in it.
//
// Tests: Σ over heights of min{t : C(t, ⌊t/2⌋) ≥ nodes}, times pairs of
// operands.
//
// # Depths
//
// Beyond maxSeparated leaves, the groups of a binary tree whose leaves all have
// a weight are of one depth, and separate siblings only (see siblingGroups).
// Two inductions show that this is enough. They need no random weights: only
// masks of several nodes that add up to zero could pass a wrong tree.
//
// Upward: T(v) contains v, and lies in every group of v. Let this hold for the
// operands a and b of p, where they are not leaves. T(a) contains the mask of p
// under a. It does not contain the one under b, since some group of a has no
// leaf of b. Subtrees are nested or disjoint, so T(p) contains T(a), and a. It
// contains b for the same reason. This holds for all nodes of one depth, so the
// subtrees T of a group cover its leaves. Any other leaf that they cover would
// take its weight from the output. Every weight is at least 1, so there is
// none, and T(p) lies in its groups.
//
// Downward: the root is a subtree of the implementation. If p is one, and a an
// operand of p, then T(a) lies in p, since both masks do, and in the groups of
// a, which have no leaf of p outside a in common. So T(a) is a.
//
// Tests: two for each depth, at most.
//
// # Links
//
// A tree of many leaves that are added one by one is so deep that two tests for
// each depth take minutes. There the nodes of two sums are certified by heights
// and the others by rounding: see certifyLinks.
func Certify(c *ask.Channel, t *sumtree.Tree) (Certificate, error) {
	isLarge := c.N > maxSeparated && c.Scale.CountsAll() && t.MaxArity() <= 2
	x := certifier{c: c, t: t, isLarge: isLarge}
	var ordering sync.WaitGroup
	ordering.Go(func() { x.order, x.lo, x.hi = t.LeafOrder() })
	groups := certificateGroups(t, isLarge)
	if c.Scale.Step != 0 {
		groups = slices.Repeat(groups, (minCertificateBits+c.Scale.Bits-1)/c.Scale.Bits)
	}
	ordering.Wait()
	pool := c.Pool()
	if len(groups) <= maxOwnTests && !isLarge {
		pool = pool[:1]
	}
	if c.N > maxSeparated && t.MaxArity() <= 2 && c.Scale.Step == 0 {
		done, ok, err := certifyLinks(x, (len(groups)+len(pool)-1)/len(pool))
		if ok || err != nil {
			return done, err
		}
	}
	return x.certify(groups, pool)
}

// certify asks the tests of all groups.
func (x *certifier) certify(groups [][]tested, pool []int) (done Certificate, err error) {
	c := x.c
	calls := (len(groups) + len(pool) - 1) / len(pool)
	c.Expect("certificate", calls)
	start := c.Calls()
	tests := func(k int) []test {
		return x.tests(k, groups[k*len(pool):min((k+1)*len(pool), len(groups))])
	}
	isLong := func(k int) bool {
		return c.N > maxAlwaysRenewed &&
			(isRenewed(c.N, k, x.isLarge) || len(pool)*len(groups[k*len(pool)]) > minAhead)
	}
	err = inTurn(calls, isLong, tests, func(now []test) error {
		patches := make([]ask.Patch, len(now))
		for k := range now {
			patches[k] = now[k].patch
		}
		out, err := c.AskPatched(pool, patches...)
		done.Calls = c.Calls() - start
		if err != nil {
			return err
		}
		for k, o := range out {
			if n, ok := c.Scale.Count(o); !ok || n != now[k].want {
				return contradicted(c, patches[k].Fill(), o, now[k].want)
			}
			done.Tests++
		}
		return nil
	})
	return done, err
}

// contradicted returns the fact that a masked input gave another output than
// the count that the claimed tree predicts.
func contradicted(c *ask.Channel, fill ask.Fill, out, count float64) *verdict.Fact {
	return &verdict.Fact{Reason: verdict.NoTree,
		What: fmt.Sprintf("a masked input gave %v where the claimed tree predicts %v", out,
			c.Scale.Output(count)),
		Witness: c.Witness("the revealed tree gives another result than the implementation",
			nil, fill, []float64{out}, c.Scale.Wanted(count))}
}

// Predicts holds a certified tree against the opening: an order that changed
// since then shows. The error is a Fact, Changed or NoTree.
func Predicts(c *ask.Channel, t *sumtree.Tree, o ask.Opening) error {
	inputs := make([][]float64, len(o.Structures))
	each(len(inputs), func(k int) { inputs[k] = o.Structures[k].Logical() })
	r, err := sumtree.NewReplayer(t, maskedArithmetic(t))
	if err != nil {
		return err
	}
	counts, err := r.Sums(inputs, nil)
	if err != nil {
		return err
	}
	for k, s := range o.Structures {
		if counts[k] == o.Counts[k] {
			continue
		}
		if err := o.RepeatStructure(c, k); err != nil {
			return err
		}
		return &verdict.Fact{Reason: verdict.NoTree,
			What: "the certified tree does not give an earlier result",
			Witness: c.Witness("the certified tree gives another result than the implementation",
				nil, s.Input(c), o.Outputs[k:k+1], c.Scale.Wanted(counts[k]))}
	}
	return nil
}
