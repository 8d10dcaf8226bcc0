package reveal

import (
	"errors"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// positive is steps for operations whose summands cannot be negative. Masks ±M
// do not exist there; rooted triples take their place.
func (r *run) positive() (outcome, error) {
	r.algorithm = order.TriplesName
	opening, err := ask.OpenPositive(r.c, r.opt.OneLane)
	if err != nil {
		return outcome{}, err
	}
	var levels *ask.Levels
	if r.c.N > 2 {
		if levels, err = ask.FindLevels(r.c); err != nil {
			return outcome{}, err
		}
		if levels == nil {
			return r.judgePositive(opening)
		}
	}
	for redrawn := 0; ; {
		o, again, err := r.provePositive(levels, opening)
		var no *verdict.Fact
		if errors.As(err, &no) && no.Reason == verdict.NoTree && levels.AtBoundary() &&
			redrawn < maxRedrawn {
			redrawn++
			var hidden *verdict.Fact
			levels, err = ask.FindLevels(r.c)
			if err != nil && !errors.As(err, &hidden) {
				return outcome{}, err
			}
			if levels == nil {
				return outcome{}, no
			}
			continue
		}
		if err != nil {
			return outcome{}, err
		}
		if !again {
			return o, opening.Repeat(r.c) // a state that changed shows
		}
	}
}

// maxRedrawn bounds the levels next to a rounding boundary that are drawn again
// where answers contradict a tree: the exponentials, or the function of the
// sum, may be rounded across the boundary in some places.
const maxRedrawn = 3

// provePositive claims a tree, certifies it and replays it. again is true when
// lanes were dropped from the pool.
func (r *run) provePositive(
	l *ask.Levels, opening ask.PositiveOpening,
) (o outcome, again bool, err error) {
	cl, err := r.claimByTriples(l)
	var no *verdict.Fact
	if errors.As(err, &no) {
		dropped, failed := r.examine(no)
		if failed != nil || dropped {
			return outcome{}, dropped, failed
		}
	}
	if err != nil {
		return outcome{}, false, err
	}
	return r.replayPositive(cl, l, opening)
}

// claimByTriples claims a tree and certifies it: one of a family, where the
// triples of a few summands allow that, or else the tree of all triples.
func (r *run) claimByTriples(l *ask.Levels) (claim, error) {
	if l != nil {
		if cl, err := claimSampled(r.c, l); err != nil || cl.tree != nil {
			return cl, err
		}
	}
	t, err := order.Triples(r.c, l)
	if err != nil {
		return claim{}, err
	}
	cl := claim{tree: t}
	if r.c.N > 2 {
		cl.certificate, err = proof.CertifyTriples(r.c, l, t)
	}
	if f, ok := sumtree.Recognise(t); ok {
		cl.family = f.String()
	}
	return cl, err
}

// claimSampled claims the tree of a family whose certificate holds, if any.
func claimSampled(c *ask.Channel, l *ask.Levels) (claim, error) {
	all, err := order.FromTriples(c, l)
	if err != nil {
		return claim{}, err
	}
	for _, t := range all {
		done, err := proof.CertifyTriples(c, l, t)
		var no *verdict.Fact
		if err != nil && !errors.As(err, &no) {
			return claim{}, err
		}
		if err != nil {
			continue
		}
		cl := claim{tree: t, certificate: done}
		if f, ok := sumtree.Recognise(t); ok {
			cl.family = f.String()
		}
		return cl, nil
	}
	return claim{}, nil
}

// replayPositive looks for the arithmetic of a certified tree. again is true
// when lanes were dropped from the pool.
func (r *run) replayPositive(
	cl claim, l *ask.Levels, opening ask.PositiveOpening,
) (o outcome, again bool, err error) {
	c, t := r.c, cl.tree
	hypotheses, err := proof.PositiveArithmetics(c, t, opening.Steps, opening.Epilogue, l)
	if err != nil {
		return outcome{}, false, err
	}
	if c.Key.Op == probe.Softmax {
		return r.replaySoftmax(cl, hypotheses)
	}
	samples, dropped, err := proof.AskReplays(c, t, r.opt.Replays)
	if err != nil || dropped {
		return outcome{}, dropped, err
	}
	extremes, err := proof.AskExtremes(c)
	if err != nil {
		return outcome{}, false, err
	}
	near, err := proof.AskNear(c)
	if err != nil {
		return outcome{}, false, err
	}
	first := samples[:min(len(samples), maxRounded)]
	samples = slices.Concat(samples, near, extremes)
	left, err := proof.Settle(c, t, hypotheses, &samples)
	if err != nil {
		return outcome{}, false, err
	}
	if left, dropped, err = challenge(c, t, left, &samples); err != nil || dropped {
		return outcome{}, dropped, err
	}
	if len(left) == 0 {
		dropped, err := ask.Shrink(c, first...)
		if err != nil || dropped {
			return outcome{}, dropped, err
		}
		mixed, err := proof.MixedSquares(c, t, hypotheses)
		if err != nil {
			return outcome{}, false, err
		}
		if left, err = proof.Settle(c, t, mixed, &samples); err != nil {
			return outcome{}, false, err
		}
		if left, dropped, err = challenge(c, t, left, &samples); err != nil || dropped {
			return outcome{}, dropped, err
		}
	}
	if refuted := proof.Recall(t, &left, r.opt.memory.Samples()); refuted != nil {
		samples = append(samples, *refuted)
	}
	decide(r, samples)
	if len(left) > 0 {
		return replayed(r, cl, left, len(slices.DeleteFunc(samples, isEdge))), false, nil
	}
	o = replayed(r, cl, left, len(samples))
	m, err := proof.NewMismatch(c, t, hypotheses[0], samples)
	if err != nil {
		return outcome{}, false, err
	}
	o.matched = m.Matched
	r.decided, r.decidedValues = nil, 0
	decide(r, proof.Missed(m))
	sizes := func(c *ask.Channel) (*verdict.Fact, error) {
		if l == nil {
			return nil, nil
		}
		return proof.SizesMatter(c, l, t)
	}
	o.evidence, err = gather(r, append(o.evidence, *m.NotReplayed()), sizes, m.ClassesMatter,
		m.SizesMatter, m.OneZeroMatters)
	return o, false, err
}

// replayed returns the outcome of a certified tree, and of its replay where an
// arithmetic is left.
func replayed(r *run, cl claim, left []sumtree.Arithmetic, tried int) outcome {
	r.lanes = len(r.c.Pool())
	o := outcome{claim: cl, arithmetic: left, tried: tried, matched: tried,
		evidence: verdict.Evidence{{Reason: verdict.Certified, What: "the certificate holds"}}}
	if len(left) > 0 {
		replayed := verdict.Fact{Reason: verdict.Replayed, What: "every replay holds"}
		o.evidence = append(o.evidence, replayed)
	}
	return o
}

// replaySoftmax is replayPositive for exponentials.
func (r *run) replaySoftmax(
	cl claim, hypotheses []sumtree.Arithmetic,
) (o outcome, again bool, err error) {
	if r.c.N < 2 {
		return outcome{}, false, ask.HiddenSum(r.c)
	}
	left, m, err := proof.SettleSoftmax(r.c, cl.tree, hypotheses, r.opt.Replays)
	if err != nil {
		return outcome{}, false, err
	}
	o = replayed(r, cl, left, len(m.Samples))
	if len(left) > 0 {
		o.tried = len(slices.DeleteFunc(m.Samples, isEdge))
		o.matched = o.tried
		return o, false, nil
	}
	dropped, err := ask.Shrink(r.c, m.Samples[:min(len(m.Samples), maxRounded)]...)
	o.matched = m.Matched
	o.evidence = append(o.evidence, *m.NotReplayed())
	return o, dropped, err
}

// judgePositive looks for exact and compensated sums: nothing was lost.
func (r *run) judgePositive(opening ask.PositiveOpening) (outcome, error) {
	if r.c.Key.Op == probe.Softmax {
		return outcome{evidence: verdict.Evidence{
			{Reason: verdict.NothingLost, What: "no summand is lost beside a large one"},
			{Reason: verdict.Indistinct, What: "the exponentials of ordinary inputs are not " +
				"known, so an exact sum looks like a compensated one"},
		}}, nil
	}
	if opening.Steps != nil {
		return outcome{evidence: verdict.Evidence{
			{Reason: verdict.NothingLost, What: "no summand is lost beside a large one"},
			{Reason: verdict.Indistinct, What: "the sum is scaled in the end, which hides " +
				"whether it is exact"},
		}}, nil
	}
	samples, _, err := proof.AskReplays(r.c, nil, max(minExactReplays, r.opt.Replays))
	if err != nil {
		return outcome{}, err
	}
	e, tried, matched, err := proof.JudgePositive(r.c, opening.Epilogue, samples)
	return outcome{evidence: e, tried: tried, matched: matched}, err
}

// refutePositive looks for the reason that the outputs contradict each other:
// results that change, or Kahan's summation, whose rooted triples no tree has.
func (r *run) refutePositive(fact verdict.Fact) (outcome, error) {
	e := verdict.Evidence{fact}
	if verdict.IsDecided(e) && fact.Reason != verdict.Unresolved {
		return outcome{evidence: e}, nil
	}
	var opening ask.PositiveOpening
	changed, err := findChange(r.c, fact.Witness, opening.Repeat)
	if err != nil {
		return outcome{}, err
	}
	if changed != nil {
		return outcome{evidence: append(e, *changed)}, nil
	}
	if r.c.Key.Op == probe.Softmax {
		e[0].Warning = "no one tree gives the outputs: " + fact.What
		return outcome{evidence: e}, nil
	}
	up, err := proof.DirectedSquares(r.c)
	if err != nil {
		return outcome{}, err
	}
	if up != nil {
		return outcome{evidence: append(e, *up)}, nil
	}
	samples, _, err := proof.AskReplays(r.c, nil, r.opt.Replays)
	if err != nil {
		return outcome{}, err
	}
	if kahan := proof.CompensatesSquares(r.c, samples); kahan != nil {
		return outcome{evidence: kahan, tried: len(samples)}, nil
	}
	e[0].Warning = "no one tree gives the outputs: " + fact.What
	return outcome{evidence: e, tried: len(samples)}, nil
}
