package reveal

import (
	"errors"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// rule is a verified family and arithmetic. It predicts sums of any number of
// summands.
type rule struct {
	family     sumtree.Family
	arithmetic sumtree.Arithmetic
}

// ruleOf returns the rule of a finding; ok is false where it holds for one
// number of summands only: the family is not known, or some additions have an
// arithmetic of their own.
func ruleOf(f *Finding) (r rule, ok bool) {
	if !f.Verified || f.Tree == nil {
		return rule{}, false
	}
	family, err := sumtree.ParseFamily(f.Family)
	a := *f.Arithmetic
	return rule{family, a}, err == nil && len(a.Except) == 0 && len(a.Fused) == 0 &&
		a.Inputs(f.Tree) == f.Tree.Leaves()
}

// classifyRules groups numbers of summands by their rules, the last one first:
// where there are many summands, a family has fewer rivals.
func (w *sweep) classifyRules() error {
	for i := range slices.Backward(w.Values) {
		joined, err := w.tryRules(i)
		if err != nil {
			return err
		}
		if joined {
			continue
		}
		one, err := w.reveal(i)
		if err != nil {
			return err
		}
		f := one.finding
		if cl := w.sameWords(f); cl != nil {
			cl.members = append(cl.members, i)
			continue
		}
		w.found = append(w.found, &class{members: []int{i}, revealed: i, finding: f,
			verified: f.Verified, restless: f.Verdict == Nondeterministic})
	}
	return nil
}

// tryRules adds a value to the first class whose rule predicts its results.
func (w *sweep) tryRules(i int) (joined bool, err error) {
	if !slices.ContainsFunc(w.found, predicts) {
		return false, nil
	}
	err = w.channel(i, func(c *ask.Channel) error {
		samples, err := sweepInputs(c)
		if err != nil {
			return err
		}
		c.Expect("screen", len(samples))
		if err := ask.AskSamples(c, samples); err != nil {
			return err
		}
		for _, cl := range w.found {
			tried, ok, err := predictsRule(c, cl, samples)
			if err != nil {
				return err
			}
			if ok {
				cl.members, joined = append(cl.members, i), true
				if cl.predicted == 0 || tried < cl.predicted {
					cl.predicted = tried
				}
				return nil
			}
		}
		return nil
	})
	return joined, err
}

// predicts reports whether the finding of a class predicts sums of any number
// of summands.
func predicts(cl *class) bool {
	_, ok := ruleOf(cl.finding)
	return ok || cl.isExact()
}

// isExact reports whether a class rounds all sums correctly.
func (cl *class) isExact() bool { return cl.verified && cl.finding.Verdict == Exact }

// predictsRule reports whether the rule of a class predicts samples that have
// been asked, and others that are made from its tree.
func predictsRule(c *ask.Channel, cl *class, samples []ask.Sample) (tried int, ok bool, err error) {
	if cl.isExact() {
		return isExact(c)
	}
	r, ok := ruleOf(cl.finding)
	if !ok {
		return 0, false, nil
	}
	t := r.family.Tree(c.N)
	if len(unpredicted(t, r.arithmetic, samples)) > 0 {
		return 0, false, nil
	}
	own, _, err := proof.AskReplays(c, t, sweepPredicted)
	if err != nil {
		return 0, false, err
	}
	tried = len(samples) + len(own)
	if len(unpredicted(t, r.arithmetic, own)) > 0 {
		return tried, false, nil
	}
	missed, asked, err := unproven(c, t, r.arithmetic)
	if len(missed) > 0 || err != nil {
		return tried, false, err
	}
	other, err := specialTraits(c, cl.finding)
	return tried + asked, other == nil, err
}

// sameWords returns the class of a finding that no rule predicts, or nil: one
// whose finding has the same verdict and, for a tree, a known family and the
// same traits.
func (w *sweep) sameWords(f *Finding) *class {
	for _, cl := range w.found {
		g := cl.finding
		if predicts(cl) || g.Verdict != f.Verdict || g.Verified != f.Verified {
			continue
		}
		if f.Tree == nil || f.Verified && f.Family != "" && f.Family == g.Family &&
			f.Traits == g.Traits {
			return cl
		}
	}
	return nil
}

// unproven certifies a tree and challenges its arithmetic. It returns samples
// that they do not predict: one without an output for a contradiction. It has
// no certificate where the inputs, which are counts, are not the summands, and
// no challenge for squares of differences from a centre.
func unproven(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) (missed []ask.Sample, tried int, err error) {
	if !c.Key.Op.Positive() && addsInputs(c.Key, a) {
		_, err := proof.Certify(c, t)
		var no *verdict.Fact
		if errors.As(err, &no) {
			s := ask.Sample{X: make([]float64, c.N)}
			if no.Witness != nil {
				s.X, s.Y = no.Witness.X, no.Witness.Y
			}
			return []ask.Sample{s}, 0, nil
		}
		if err != nil {
			return nil, 0, err
		}
	}
	if a.Centre != nil {
		return nil, 0, nil
	}
	asked, err := proof.Challenge(c, t, a, nil)
	if err != nil {
		return nil, 0, err
	}
	return unpredicted(t, a, asked), len(asked), nil
}

// addsInputs reports whether the summands of a plain sum are its inputs. A mean
// whose key does not name it has weights of 1/n.
func addsInputs(k probe.Key, a sumtree.Arithmetic) bool {
	return a.Mean == k.Mean && len(a.Weights) == 0 && a.Neighbours == 0 && a.Centre == nil &&
		a.Rescale == 0 && a.Factor == 0 && a.Divisor == 0
}
