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

// isRenewed reports whether the weights of more leaves are renewed at call k.
func isRenewed(k int) bool { return k%16 == 0 }

// minAhead is the number of nodes whose test takes longer to make than another
// thread to wake.
const minAhead = 256

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
	calls := (len(groups) + len(pool) - 1) / len(pool)
	c.Expect("certificate", calls)
	x := newCertifier(c, t)
	start := c.Calls()
	tests := func(k int) []test {
		return x.tests(k, groups[k*len(pool):min((k+1)*len(pool), len(groups))])
	}
	isLong := func(k int) bool {
		return c.N > maxAlwaysRenewed &&
			(isRenewed(k) || len(pool)*len(groups[k*len(pool)]) > minAhead)
	}
	err := inTurn(calls, isLong, tests, func(now []test) error {
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
				return contradicted(c, patches[k].Fill(), o, c.Scale.Output(now[k].want))
			}
			done.Tests++
		}
		return nil
	})
	return done, err
}

// contradicted returns the fact that a masked input gave another output than
// the claimed tree predicts.
func contradicted(c *ask.Channel, fill ask.Fill, out, want float64) *verdict.Fact {
	return &verdict.Fact{Reason: verdict.NoTree,
		What: fmt.Sprintf("a masked input gave %v where the claimed tree predicts %v", out, want),
		Witness: c.Witness("the revealed tree gives another result than the implementation",
			nil, fill, []float64{out}, &want)}
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
