package reveal

import (
	"context"
	"errors"
	"math"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// centred reveals a variance of two passes, or its root: the tree of the
// squares of the inputs less their mean. Without a verified tree the finding is
// nil. refusal tells why there is none, and is empty for another function.
//
// Questions of four inputs decide the tree without its root: let the last leaf
// be the root of all others. The answers also orient each inner edge of that
// tree, towards the root or away from it, so that one edge is left, or the few
// that end in leaves beside each other. Replays decide between those.
func (x *weigher) centred() (f *Finding, refusal string, err error) {
	r := x.run(x.t)
	const differences = "the squares of differences from the mean are added, but "
	q, err := proof.FindQuartets(r.c)
	x.calls = r.c.Calls()
	var no *verdict.Fact
	if errors.As(err, &no) {
		return nil, differences + no.What, nil
	}
	if err != nil || q == nil {
		return nil, "", err
	}
	t := &quartets{Target: x.t, q: q, batch: probe.NewBatch(x.t)}
	inner := x.run(t)
	cl, err := inner.claimByTriples(ask.MaskLevels(inner.c))
	x.calls = inner.c.Calls() + t.more
	if errors.As(err, &no) {
		return nil, differences + "no order of a second pass could be verified: " + no.What, nil
	}
	if err != nil {
		return nil, "", err
	}
	r = x.run(asSquares{x.t})
	r.algorithm, r.lanes = order.TriplesName, 1
	trees, err := rootings(r.c, q, cl.tree)
	x.calls = r.c.Calls()
	if errors.As(err, &no) {
		return nil, differences + "no order of a second pass could be verified: " + no.What, nil
	}
	if err != nil {
		return nil, "", err
	}
	samples, _, err := proof.AskReplays(r.c, nil, 2*r.opt.Replays)
	if err != nil {
		return nil, "", err
	}
	for _, tree := range trees {
		cl.tree = tree
		f, err := x.verifyCentred(r, cl, q, samples)
		x.calls = r.c.Calls()
		if f != nil || err != nil {
			return f, "", err
		}
	}
	return nil, differences + "no arithmetic that lastbit knows, with the mean in the same " +
		"order, gives the results of the order found", nil
}

// verifyCentred looks for the arithmetic of a variance along a tree, and
// returns its finding, or nil.
func (x *weigher) verifyCentred(
	r *run, cl claim, q *proof.Quartets, samples []ask.Sample,
) (*Finding, error) {
	own, _, err := proof.AskReplays(r.c, cl.tree, r.opt.Replays)
	if err != nil {
		return nil, err
	}
	samples = append(samples[:len(samples):len(samples)], own...)
	all, err := q.CentredArithmetics(r.c, cl.tree)
	if err != nil {
		return nil, err
	}
	left, err := proof.Settle(r.c, cl.tree, all, &samples)
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		asked, err := proof.AskCentre(r.c, cl.tree, left[0])
		if err != nil {
			return nil, err
		}
		samples = append(samples, asked...)
		left = proof.Reproducing(cl.tree, left, asked)
	}
	if left, err = x.hold(r, cl.tree, left, &samples); err != nil || len(left) == 0 {
		return nil, err
	}
	if f, ok := sumtree.Recognise(cl.tree); ok {
		cl.family = f.String()
	}
	f := verifiedBy(r, cl, left, len(samples))
	f.Key = x.t.Key()
	return f, nil
}

// asSquares is a target with the inputs of a sum of squares.
type asSquares struct{ probe.Target }

// Key returns the key of the target with its operation replaced.
func (t asSquares) Key() probe.Key {
	k := t.Target.Key()
	k.Op = probe.SumSq
	return k
}

// quartets is a target as a tree that has the last leaf for its root and
// answers rooted triples of the others. A triple and the root are the four
// leaves of a quartet.
type quartets struct {
	probe.Target
	q     *proof.Quartets
	batch *probe.Batch
	more  int // calls of the target beyond those that were made of this one
}

// Key returns the key of a sum of all inputs except for the last.
func (t *quartets) Key() probe.Key {
	k := t.Target.Key()
	k.N--
	return k
}

// Call answers triples: 1 where the two masks and the unit and the root are two
// sides of an edge, and 0 otherwise.
func (t *quartets) Call(ctx context.Context, b *probe.Batch) error {
	n := t.Key().N
	asked := make([]*quartet, t.Lanes())
	for lane := range asked {
		if at := readTriple(b.X[lane*n : (lane+1)*n]); at != nil {
			asked[lane] = &quartet{leaves: [4]int{at[0], at[1], at[2], n}}
		}
	}
	for turn := range quartetTurns {
		open := false
		clear(t.batch.X)
		for lane, q := range asked {
			if q != nil && !q.done {
				open = true
				q.fill(t.q, turn, t.batch.X[lane*(n+1):(lane+1)*(n+1)])
			}
		}
		if !open {
			break
		}
		t.more += min(turn, 1)
		if err := t.Target.Call(ctx, t.batch); err != nil {
			return err
		}
		for lane, q := range asked {
			if q == nil || q.done {
				continue
			}
			if err := q.take(t.q, turn, t.batch.Out[lane]); err != nil {
				return err
			}
		}
	}
	clear(b.Out)
	for lane, q := range asked {
		if q != nil && q.yes {
			b.Out[lane] = 1
		}
	}
	return nil
}

// quartet is four leaves of a tree, and the answer to a question about them:
// whether some edge of the tree has the first two on one side and the other two
// on the other side.
type quartet struct {
	leaves    [4]int
	yes, done bool
}

// Turns of a quartet: whether the first two leaves meet first, or the others;
// whether they are pairs; and whether any other two leaves meet first.
const (
	pairsTurn    = 2
	quartetTurns = 7
)

// firstToMeet lists the leaves that may meet first, in each turn.
var firstToMeet = [quartetTurns][2]int{{0, 1}, {2, 3}, {}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}

// fill writes the question of a turn.
func (q *quartet) fill(numbers *proof.Quartets, turn int, row []float64) {
	at := q.leaves
	if turn == pairsTurn {
		numbers.FillPairs(row, at[0], at[1], at[2], at[3])
		return
	}
	i, j := firstToMeet[turn][0], firstToMeet[turn][1]
	var rest []int
	for k, leaf := range at {
		if k != i && k != j {
			rest = append(rest, leaf)
		}
	}
	numbers.Fill(row, at[i], at[j], rest[0], rest[1])
}

// take takes the answer of a turn in. Two pairs are left where no two leaves
// meet first.
func (q *quartet) take(numbers *proof.Quartets, turn int, out float64) error {
	if turn == pairsTurn {
		q.done = !numbers.ArePairs(out)
		return nil
	}
	first, ok := numbers.Answer(out)
	switch {
	case !ok:
		return &verdict.Fact{Reason: verdict.NoTree, What: "the sum of two large and two tiny " +
			"squares is neither of the two that an order gives"}
	case first:
		q.done, q.yes = true, turn < pairsTurn
	case turn == quartetTurns-1:
		q.done, q.yes = true, true
	}
	return nil
}

// readTriple returns the leaves of the two masks of a row and of its unit, nil
// for a row of zeros.
func readTriple(row []float64) []int {
	var masks []int
	unit := -1
	for i, v := range row {
		switch {
		case math.Abs(v) > 1:
			masks = append(masks, i)
		case v != 0:
			unit = i
		}
	}
	if len(masks) != 2 || unit < 0 {
		return nil
	}
	return append(masks, unit)
}
