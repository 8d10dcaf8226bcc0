package proof

import (
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// mixedWeights asks for every leaf whether its product with its weight enters
// its addition unrounded, and returns the arithmetics of that. It returns none
// where a result does not show it, or for summands that are sums of neighbours.
func mixedWeights(
	c *ask.Channel, t *sumtree.Tree, w *Weighting,
) ([]sumtree.Arithmetic, error) {
	if w.Neighbours || t.MaxArity() > 2 || w.Product != w.acc {
		return nil, nil
	}
	questions := mixedQuestions(c, t, w)
	if questions == nil {
		return nil, nil
	}
	c.ExpectQuestions("fusion", len(questions))
	if err := askTwos(c, questions); err != nil {
		return nil, err
	}
	fused := make([]bool, c.N)
	for _, q := range questions {
		r := w.results(c.Key.Out, q)
		if fused[q.i] = q.out == r[1]; !fused[q.i] && q.out != r[0] && q.out != r[2] {
			return nil, nil
		}
	}
	var all []sumtree.Arithmetic
	for _, base := range weightedBases(c, w) {
		uniform, err := Uniform(c, t, base)
		if err != nil {
			return nil, err
		}
		for _, a := range uniform {
			if a.Nodes.Acc == w.acc {
				a.FMA, a.Fused = sumtree.FMAMixed, sumtree.RangesOf(fused)
				all = append(all, a)
			}
		}
	}
	return all, nil
}

// mixedQuestions returns one question for each leaf: it and one that meets it
// in its addition nearly cancel, and the result shows whether the product of
// the first is rounded. It is nil where no such question was found for one.
func mixedQuestions(c *ask.Channel, t *sumtree.Tree, w *Weighting) []two {
	rng := ask.RandApart(c, "mixed")
	order, lo, _ := t.LeafOrder()
	all := make([]two, c.N)
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		for k, leaf := range kids {
			if !t.IsLeaf(int(leaf)) {
				continue
			}
			q, found := two{i: int(leaf), j: int(order[lo[kids[1-k]]])}, false
			for try := 0; try < maxProbeTries && !found; try++ {
				q.x = c.Key.DType.Round(1+float64(0.999*rng.Float64()), fp.NearestEven)
				q.y = c.Key.DType.Round(-q.x*w.Factors[q.i]/w.Factors[q.j], fp.NearestEven)
				r := w.results(c.Key.Out, q)
				found = r[0] != r[1] && r[1] != r[2]
			}
			if !found {
				return nil
			}
			all[leaf] = q
		}
	}
	return all
}
