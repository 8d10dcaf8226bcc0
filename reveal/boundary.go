package reveal

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/sumtree"
)

// boundaries finds the places where neighbouring values belong to different
// classes, and a witness for each two classes that meet.
func (w *sweep) boundaries(inv *Invariance) error {
	classOf := make([]int, len(w.Values))
	for k, c := range inv.Classes {
		for _, i := range c.Indices {
			classOf[i] = k
		}
	}
	seen := map[[2]int]bool{}
	for i := range len(w.Values) - 1 {
		a, b := classOf[i], classOf[i+1]
		if a == b {
			continue
		}
		edge := Boundary{From: w.Values[i], To: w.Values[i+1], Classes: [2]int{a, b}}
		if pair := [2]int{min(a, b), max(a, b)}; !seen[pair] {
			seen[pair] = true
			if err := w.witness(&edge, i, w.found[a], w.found[b]); err != nil {
				return err
			}
		}
		inv.Boundaries = append(inv.Boundaries, edge)
	}
	return nil
}

// witness completes the boundary between value i, of class a, and the next one,
// of class b.
func (w *sweep) witness(edge *Boundary, i int, a, b *class) error {
	if a.restless || b.restless {
		return nil
	}
	if w.Axis == AxisN {
		return w.ruleWitness(edge, i+1, a, b)
	}
	f, g := a.finding, b.finding
	if f.Verified && g.Verified && f.Tree != nil && g.Tree != nil && !f.Tree.Equal(g.Tree) {
		edge.FirstNode = describeFirstNode(f.Tree, g.Tree)
	}
	return w.channel(i, func(one *ask.Channel) error {
		return w.channel(i+1, func(other *ask.Channel) error {
			c := &comparer{channels: []*ask.Channel{one, other}, outs: make([][]float64, 2)}
			c.Findings = []*Finding{f, g}
			c.inputs = append(append(append(c.inputs, w.inputs...), w.apart[i]...),
				w.apart[i+1]...)
			for k, channel := range c.channels {
				channel.Expect("witness", len(c.inputs)+maxShrinkCalls)
				if err := ask.AskSamples(channel, c.inputs); err != nil {
					return err
				}
				for _, s := range c.inputs {
					c.outs[k] = append(c.outs[k], s.Out)
				}
			}
			var err error
			edge.Witness, err = c.shrink(0, 1)
			return err
		})
	})
}

// ruleWitness finds an input of value i, of class b, whose result the rule of
// class a does not predict.
func (w *sweep) ruleWitness(edge *Boundary, i int, a, b *class) error {
	r, ok := ruleOf(a.finding)
	if !ok {
		return nil
	}
	return w.channel(i, func(c *ask.Channel) error {
		t := r.family.Tree(c.N)
		if own, ok := ruleOf(b.finding); ok && !own.family.Tree(c.N).Equal(t) {
			edge.FirstNode = describeFirstNode(t, own.family.Tree(c.N))
		}
		samples, err := sweepInputs(c)
		if err != nil {
			return err
		}
		if err := ask.AskSamples(c, samples); err != nil {
			return err
		}
		own, _, err := proof.AskReplays(c, t, sweepPredicted)
		if err != nil {
			return err
		}
		missed := unpredicted(t, r.arithmetic, append(samples, own...))
		if len(missed) == 0 {
			return nil
		}
		edge.Witness, err = shrinkMissed(c, t, r.arithmetic, missed[0])
		return err
	})
}

// shrinkMissed makes a sample smaller whose output tree and arithmetic do not
// give. The results of the witness are the predicted one and the output.
func shrinkMissed(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic, s ask.Sample,
) (*PairWitness, error) {
	replayer, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return nil, nil // the arithmetic has no meaning for this tree
	}
	var outs [2]float64
	differs := func(s ask.Sample) (bool, error) {
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil {
			return false, err
		}
		want, err := replayer.Sum(s.X, s.Y)
		if err != nil || ask.SameBits(want, out[0]) {
			return false, err
		}
		outs = [2]float64{want, out[0]}
		return true, nil
	}
	if still, err := differs(s); err != nil || !still {
		return nil, err
	}
	if s, err = newSmallest(c, differs).of(s); err != nil {
		return nil, err
	}
	same := &comparer{channels: []*ask.Channel{c, c}}
	return same.witness(0, 1, s.X, s.Y, outs), nil
}
