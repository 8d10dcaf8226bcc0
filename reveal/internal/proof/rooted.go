package proof

import (
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// CertifyRooted proves the structure of a binary tree where a call counts few
// units, as in a float16 mean: there the tests of Certify see few of the
// leaves. It asks one rooted triple for every node except for the root: masks
// on a leaf under each of its children, and one unit on a leaf under its
// sibling, which is lost unless the masks cancel first. It does nothing where a
// call counts every leaf, or counts more than a mean does. The error is a Fact,
// NoTree, when an output contradicts the claim. It adds to done.
//
// A node is represented by the leaf that represents its first child. Then no
// tree but the claimed one gives all n−2 answers. For, take two leaves a, b
// with one parent, a first. Of the triples, only ab|c of their parent has b,
// where c represents its sibling. Without b the other triples fix a tree of n−1
// leaves (by induction). There a meets c at the parent of a. So b meets a
// before that: on the edge above a.
func CertifyRooted(c *ask.Channel, t *sumtree.Tree, done *Certificate) error {
	if c.Scale.CountsAll() || !c.Key.Mean || c.Key.DType != fp.Binary16 || t.MaxArity() > 2 {
		return nil
	}
	asked := rootedTriples(t, int(c.Scale.Limit())-1) //lastbit:ignore floatconv a count of summands
	start := c.Calls()
	c.ExpectQuestions("certificate", len(asked))
	for len(asked) > 0 {
		now := asked[:min(len(asked), len(c.Pool()))]
		asked = asked[len(now):]
		patches := make([]ask.Patch, len(now))
		for k, triples := range now {
			pairs := make([]ask.Pair, len(triples))
			for i, q := range triples {
				pairs[i] = ask.Pair{A: q.A, B: q.B}
				patches[k].Set(q.Apart, c.Scale.Unit)
			}
			c.Inputs.Masks(&patches[k], pairs)
		}
		out, err := c.AskPatched(c.Pool(), patches...)
		done.Calls += c.Calls() - start
		start = c.Calls()
		if err != nil {
			return err
		}
		for k, o := range out {
			want := float64(len(now[k]))
			if n, ok := c.Scale.Count(o); !ok || n != want {
				return contradicted(c, patches[k].Fill(), o, want)
			}
			done.Tests++
		}
	}
	return nil
}

// rootedTriples returns the triples of CertifyRooted, at most size at a time.
// Those asked at a time have disjoint leaves: the parents of their nodes are of
// one height.
func rootedTriples(t *sumtree.Tree, size int) [][]ask.Triple {
	leaf := make([]int, t.Nodes())
	for id := range leaf {
		leaf[id] = id
		if !t.IsLeaf(id) {
			leaf[id] = leaf[t.Children(id)[0]]
		}
	}
	heights := t.Heights()
	levels := make([][2][]ask.Triple, heights[t.Root()]+1)
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		for k, v := range kids {
			if t.IsLeaf(int(v)) {
				continue
			}
			below := t.Children(int(v))
			same := &levels[heights[id]][k]
			*same = append(*same, ask.Triple{
				A: leaf[below[0]], B: leaf[below[1]], Apart: leaf[kids[1-k]]})
		}
	}
	var all [][]ask.Triple
	for _, level := range levels {
		for _, triples := range level {
			for len(triples) > 0 {
				now := min(size, len(triples))
				all = append(all, triples[:now])
				triples = triples[now:]
			}
		}
	}
	return all
}
