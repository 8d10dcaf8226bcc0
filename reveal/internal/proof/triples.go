package proof

import (
	"errors"
	"fmt"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// CertifyTriples proves the structure of a claimed binary tree by rooted
// triples, or finds an answer that contradicts it: a Fact, NoTree or
// Unresolved.
//
// For every inner node v except the root it asks whether a random leaf a under
// one operand of v and b under the other meet before either meets a random leaf
// c under v's sibling: yes; and whether a and c meet before b: no. Together the
// answers are that some node M(v) of the implementation, where a and b meet,
// does not have c under it. That proves the tree:
//
//   - Let M(v) be the leaf v where v is a leaf. For operands x and y of a node,
//     M(x) does not hold some leaf of y, and M(y) not some leaf of x. So
//     neither holds the other: they are disjoint, and every leaf under x in the
//     claim meets every one under y at the same node. By induction from the
//     leaves, M(v) depends on v only, not on the choice of a and b, and holds
//     every leaf under v.
//   - The root's M holds all leaves. If M(v) holds exactly the leaves under v,
//     then M(x) and M(y), which are disjoint and hold at least the leaves under
//     x and under y, hold exactly these. By induction from the root, every
//     claimed subtree is one of the implementation.
//
// All other leaves hold specks or nothing, at random. Then as many triples of
// random leaves are asked, which the tree predicts: the proof above takes for
// granted that there is one tree. Both kinds together are 3(n−2) questions. All
// answers that the main lane gave before are held against the claim, too.
//
// From minSplit leaves on, certifySplits takes the place of the triples of
// nodes where it proves the tree.
func CertifyTriples(c *ask.Channel, l *ask.Levels, t *sumtree.Tree) (Certificate, error) {
	var done Certificate
	x := &tripleProof{}
	split := false
	if c.N >= minSplit && t.MaxArity() <= 2 {
		var err error
		if split, err = certifySplits(c, l, t, &done); err != nil {
			return done, err
		}
	}
	if split {
		x.addRandom(c, t, min(c.N, maxRandomTriples))
	} else {
		done, x = Certificate{}, newTripleProof(c, t)
	}
	lanes := c.Pool()
	if len(x.triples) <= maxOwnTests {
		lanes = lanes[:1]
	}
	c.Expect("certificate", (len(x.triples)+len(lanes)-1)/len(lanes))
	start := c.Calls() - done.Calls
	for at := 0; at < len(x.triples); at += len(lanes) {
		to := min(at+len(lanes), len(x.triples))
		yes, err := l.Ask(c, lanes, true, x.triples[at:to]...)
		done.Calls = c.Calls() - start
		if err != nil {
			return done, err
		}
		for k, y := range yes {
			if q := x.triples[at+k]; y != x.want[at+k] {
				return done, unresolved(c, l, q)
			}
			done.Tests++
		}
	}
	meets := meetFirst(t)
	answers := l.Answers()
	for _, a := range answers[:min(len(answers), maxRecalled/c.N)] {
		if meets(a.Triple) != a.First {
			return done, unresolved(c, l, a.Triple)
		}
	}
	return done, nil
}

// maxRecalled bounds the steps towards the root that earlier answers take.
const maxRecalled = 1 << 26

// tripleProof is the questions of a certificate, and the answers that the claim
// predicts.
type tripleProof struct {
	triples []ask.Triple
	want    []bool
}

func newTripleProof(c *ask.Channel, t *sumtree.Tree) *tripleProof {
	x := &tripleProof{}
	order, lo, hi := t.LeafOrder()
	under := func(v int32) int { return int(order[lo[v]+int32(c.Rand.IntN(int(hi[v]-lo[v])))]) }
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		for k, v := range kids {
			if t.IsLeaf(int(v)) {
				continue
			}
			below := t.Children(int(v))
			a, b, apart := under(below[0]), under(below[1]), under(kids[1-k])
			x.add(ask.Triple{A: a, B: b, Apart: apart}, true)
			x.add(ask.Triple{A: a, B: apart, Apart: b}, false)
		}
	}
	x.addRandom(c, t, c.N-2)
	return x
}

func (x *tripleProof) add(q ask.Triple, want bool) {
	x.triples, x.want = append(x.triples, q), append(x.want, want)
}

// addRandom adds triples of random leaves.
func (x *tripleProof) addRandom(c *ask.Channel, t *sumtree.Tree, count int) {
	meets := meetFirst(t)
	for range count {
		q := ask.Triple{A: c.Rand.IntN(c.N), B: c.Rand.IntN(c.N), Apart: c.Rand.IntN(c.N)}
		if q.A != q.B && q.B != q.Apart && q.A != q.Apart {
			x.add(q, meets(q))
		}
	}
}

// meetFirst returns whether the first two leaves of a triple meet before either
// meets the third, in a tree.
func meetFirst(t *sumtree.Tree) func(q ask.Triple) bool {
	parents, depth := t.Parents(), t.Depths()
	meet := func(a, b int) int32 { // the depth of the node where two leaves meet
		u, v := int32(a), int32(b)
		for u != v {
			if depth[u] < depth[v] {
				u, v = v, u
			}
			u = parents[u]
		}
		return depth[u]
	}
	return func(q ask.Triple) bool { return meet(q.A, q.B) > meet(q.A, q.Apart) }
}

// unresolved looks into a triple that contradicts the claim: where two of its
// leaves meet before the third in more than one way, they are added as if at
// once.
func unresolved(c *ask.Channel, l *ask.Levels, q ask.Triple) error {
	turns := []ask.Triple{q, {A: q.B, B: q.Apart, Apart: q.A}, {A: q.Apart, B: q.A, Apart: q.B}}
	yes, err := l.Ask(c, c.Pool()[:1], false, turns...)
	if err != nil {
		return err
	}
	count := 0
	for _, y := range yes {
		if y {
			count++
		}
	}
	no := &verdict.Fact{Reason: verdict.NoTree,
		What: fmt.Sprintf("summands %d, %d and %d do not meet in the order of the claimed tree",
			q.A, q.B, q.Apart)}
	if count > 1 {
		no.Reason = verdict.Unresolved
		no.What = fmt.Sprintf("summands %d, %d and %d are added as if at once: by a fused sum, "+
			"or in a wider format than others", q.A, q.B, q.Apart)
		wide, err := addedWider(c, l, q)
		var fact *verdict.Fact
		if err != nil && !errors.As(err, &fact) {
			return err
		}
		if err == nil && wide != nil {
			no.What = widerWords(l, wide)
		}
	}
	no.Witness, err = l.Witness(c, q, no.What)
	if err != nil {
		return err
	}
	return no
}

// maxScaled is the number of triples that SizesMatter asks at each size.
const maxScaled = 24

// SizesMatter asks triples with summands of other sizes. It returns a fact,
// SizesMatter, when the tree does not predict an answer.
func SizesMatter(c *ask.Channel, l *ask.Levels, t *sumtree.Tree) (*verdict.Fact, error) {
	c.Expect("sizes", 5*(maxScaled+6))
	others, err := l.Others(c)
	for _, other := range others {
		x := &tripleProof{}
		x.addRandom(c, t, maxScaled)
		for k, q := range x.triples {
			yes, err := other.Ask(c, c.Pool()[:1], false, q)
			if err == nil && yes[0] == x.want[k] {
				continue
			}
			const what = "summands of another size are added in another order"
			no := &verdict.Fact{Reason: verdict.SizesMatter, What: what}
			var fact *verdict.Fact
			if err != nil && !errors.As(err, &fact) {
				return nil, err
			}
			no.Witness, err = other.Witness(c, q, what)
			return no, err
		}
	}
	return nil, err
}
