package reveal

import (
	"context"
	"errors"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// run is one call of Reveal. Its methods return the facts they find; the table
// of package verdict decides, and report makes the finding.
type run struct {
	c   *ask.Channel
	opt Options
	// A finding prints these even when a later step refuses the claim.
	algorithm string // the last one whose claim reached a certificate
	lanes     int    // of the pool that was replayed
	weighed   bool   // the target divides summands by weights, which edges do not survive

	decided       []ask.Sample // see decide
	decidedValues int
}

func newRun(ctx context.Context, t probe.Target, opt Options, spent int) *run {
	c := ask.NewChannel(ctx, t, ask.Options{
		Seed: opt.Seed, MaxCalls: opt.MaxCalls, Spent: spent, Progress: opt.Progress,
		Memory: opt.memory,
	})
	return &run{c: c, opt: opt, algorithm: opt.Algorithm}
}

// outcome holds the evidence, and the other parts that a finding prints.
type outcome struct {
	evidence   verdict.Evidence
	claim      claim
	arithmetic []sumtree.Arithmetic // that reproduce every sample; nil for none
	tried      int                  // replays
	matched    int
	method     string // see Finding.Method
}

// finding runs the steps, and turns a fact that ended them early into evidence.
func (r *run) finding() (*Finding, error) {
	steps, refute := r.steps, r.refute
	if r.c.Key.Op.Positive() {
		steps, refute = r.positive, r.refutePositive
	}
	o, err := steps()
	var fact *verdict.Fact
	if errors.As(err, &fact) {
		o, err = refute(*fact)
	}
	if err != nil {
		return nil, err
	}
	d := verdict.Decide(o.evidence)
	if Verdict(d.Verdict) == NotASum && constantOf(r.opt.memory.Samples()) != nil {
		if err := r.tryOrdinary(); err != nil {
			return nil, err
		}
	}
	for k := range o.evidence {
		if f := &o.evidence[k]; f.Witness != nil && f.Witness == d.Witness {
			if err := r.smaller(f); err != nil {
				return nil, err
			}
		}
	}
	return report(r, o, d), nil
}

// tryOrdinary asks for ordinary inputs, which the memory then holds. The inputs
// of the first questions may all be so small that every result is zero.
func (r *run) tryOrdinary() error {
	in := ask.InputsApart(r.c, "ordinary")
	for range 2 {
		s := in.Sample(ask.Normal, nil, in.SecondFactors())
		if _, err := r.c.AskMain(s.Y, ask.Values(s.X)); err != nil {
			return err
		}
	}
	return nil
}

// steps runs every step from the first call to the last fact. Its error is a
// *verdict.Fact when no one tree explains the outputs.
func (r *run) steps() (outcome, error) {
	if err := ask.RepeatFirst(r.c); err != nil {
		return outcome{}, err
	}
	if err := ask.Calibrate(r.c); err != nil {
		return outcome{}, err
	}
	o, err := r.fromOpening()
	again, failed := r.readsRemainders(err)
	switch {
	case failed != nil:
		return outcome{}, failed
	case again:
		return r.fromOpening()
	}
	return o, err
}

// readsRemainders makes the run read counts as remainders, where steps ended
// because masks were moved by what they absorb.
func (r *run) readsRemainders(ended error) (again bool, err error) {
	var no *verdict.Fact
	if !errors.As(ended, &no) || no.Reason != verdict.NoTree && no.Reason != verdict.TowardZero {
		return false, nil
	}
	return ask.ReadRemainders(r.c)
}

// fromOpening runs the steps that follow the calibration.
func (r *run) fromOpening() (outcome, error) {
	opening, pool, err := ask.Open(r.c)
	if err != nil {
		return outcome{}, err
	}
	if r.c.Lanes() == 1 {
		if err := opening.RepeatStructure(r.c, 0); err != nil {
			return outcome{}, err
		}
	}
	lost, err := proof.LosesNothing(r.c, opening)
	if err != nil {
		return outcome{}, err
	}
	if lost != nil {
		for _, step := range []func(*ask.Channel) (*verdict.Fact, error){
			proof.LargeAlone, proof.Directed,
		} {
			fact, err := step(r.c)
			if err != nil {
				return outcome{}, err
			}
			if fact != nil {
				return outcome{evidence: verdict.Evidence{*fact}}, nil
			}
		}
		return r.judgeRounding(verdict.Evidence{*lost}, max(minExactReplays, r.opt.Replays))
	}
	if !r.opt.OneLane {
		r.c.SetPool(pool)
		normal, fill := r.c.Inputs.Prepare(ask.Normal, nil, r.c.Inputs.SecondFactors())
		if len(pool) > 1 {
			fill()
		}
		if _, err := ask.Shrink(r.c, normal); err != nil {
			return outcome{}, err
		}
	}
	o, err := r.prove(opening)
	if err != nil {
		return outcome{}, err
	}
	// An early question again: a state that changed shows.
	last := len(opening.Structures) - 1
	return o, opening.RepeatStructure(r.c, last)
}

// prove claims a tree, certifies it and replays it. When lanes turn out to
// compute in another way, their answers prove nothing about the main lane, and
// prove begins again without them.
func (r *run) prove(opening ask.Opening) (outcome, error) {
	search := newSearch(r.c, opening)
	for {
		cl, err := r.claim(search)
		if err != nil {
			return outcome{}, err
		}
		if err := proof.Predicts(r.c, cl.tree, opening); err != nil {
			return outcome{}, err
		}
		o, again, err := r.replay(cl)
		if err != nil || !again {
			return o, err
		}
	}
}

// minExactReplays is the least number of ordinary inputs that an exact
// implementation has to get right, besides the hard ones.
const minExactReplays = 12

// maxRounded bounds the samples that lanes are compared on before parts of the
// tree are probed.
const maxRounded = 4

// replay looks for the arithmetic of a certified tree. again is true when lanes
// were dropped from the pool.
func (r *run) replay(cl claim) (o outcome, again bool, err error) {
	c, t := r.c, cl.tree
	if cl.family == "" {
		if f, ok := sumtree.Recognise(t); ok {
			cl.family = f.String()
		}
	}
	base, err := proof.Basics(c, t)
	if err != nil {
		return outcome{}, false, err
	}
	hypotheses, err := proof.Uniform(c, t, base)
	if err != nil {
		return outcome{}, false, err
	}
	hypotheses = proof.Sift(t, hypotheses, r.opt.memory.Samples())
	samples, dropped, err := proof.AskReplays(c, t, r.opt.Replays)
	if err != nil || dropped {
		return outcome{}, dropped, err
	}
	var edges []ask.Sample
	if !r.weighed {
		if edges, err = proof.AskEdges(c, t); err != nil {
			return outcome{}, false, err
		}
	}
	tied, err := proof.AskTied(c)
	if err != nil {
		return outcome{}, false, err
	}
	tiny, err := proof.AskTinyProducts(c, t)
	if err != nil {
		return outcome{}, false, err
	}
	zeros, err := proof.AskZeros(c, t, base)
	if err != nil {
		return outcome{}, false, err
	}
	signs, err := proof.AskSigns(c, t)
	if err != nil {
		return outcome{}, false, err
	}
	all := slices.Concat(samples, edges, tied, tiny, zeros, signs)
	left, err := r.settle(t, base, hypotheses, &all)
	if err != nil {
		return outcome{}, false, err
	}
	x := challenger{c, t, base, r.weighed, &all}
	if left, dropped, err = x.all(left); err != nil || dropped {
		return outcome{}, dropped, err
	}
	if len(left) == 0 {
		dropped, err := ask.Shrink(c, samples[:min(len(samples), maxRounded)]...)
		if err != nil || dropped {
			return outcome{}, dropped, err
		}
	}
	kahan := false
	if len(left) == 0 {
		if kahan, err = proof.IsCompensated(c, t, samples); err != nil {
			return outcome{}, false, err
		}
	}
	if len(left) == 0 && !kahan {
		if left, err = r.settleParts(t, base, &all); err != nil {
			return outcome{}, false, err
		}
		if len(left) > 0 {
			left, dropped, err = x.rivals(left)
		}
		if err != nil || dropped {
			return outcome{}, dropped, err
		}
	}
	if refuted := proof.Recall(t, &left, r.opt.memory.Samples()); refuted != nil {
		all = append(all, *refuted)
	}
	decide(r, all)
	r.lanes = len(c.Pool())
	if len(left) > 0 || !proof.Reproduces(t, hypotheses, samples) {
		all = slices.DeleteFunc(all, isEdge)
	}
	o = outcome{claim: cl, arithmetic: left, tried: len(all), matched: len(all),
		evidence: verdict.Evidence{{Reason: verdict.Certified, What: "the certificate holds"}}}
	if len(left) > 0 {
		replayed := verdict.Fact{Reason: verdict.Replayed, What: "every replay holds"}
		o.evidence = append(o.evidence, replayed)
		return o, false, nil
	}
	// Look for the reason that a certified tree cannot be replayed.
	m, err := proof.NewMismatch(c, t, base, all)
	if err != nil {
		return outcome{}, false, err
	}
	o.tried, o.matched = len(m.Samples), m.Matched
	r.decided, r.decidedValues = nil, 0
	decide(r, proof.Missed(m))
	o.evidence = append(o.evidence, *m.NotReplayed())
	directed, err := proof.Directed(c)
	if err != nil || directed != nil || !kahan && m.IsWidened(c, base) {
		return o, false, err // what depends on values may be the rounding
	}
	o.evidence, err = gather(r, o.evidence, m.LeftOut, m.KahanFits,
		m.ClassesMatter, proof.WrongSummand, m.SignsMatter, m.HugeHides, m.AnotherOrder,
		m.ZerosMatter, proof.ScaledBetween, m.RunningMean)
	return o, false, err
}

// isEdge reports whether a sample does not count as a replay.
func isEdge(s ask.Sample) bool { return s.Kind == ask.Edge }

// settle returns the arithmetics of hypotheses that reproduce the samples and
// sums of products that vanish. Where none does so, it looks for the arithmetic
// of parts.
func (r *run) settle(
	t *sumtree.Tree, base sumtree.Arithmetic, hypotheses []sumtree.Arithmetic,
	samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	left, err := proof.Settle(r.c, t, hypotheses, samples)
	if err != nil || len(left) == 0 {
		return nil, err
	}
	still, asked, err := proof.SettleStarts(r.c, t, left)
	if err == nil && len(still) == 0 {
		still, err = r.settleParts(t, base, samples)
	}
	*samples = append(*samples, asked...)
	return still, err
}

// settleParts looks for arithmetics that are not the same at all nodes.
func (r *run) settleParts(
	t *sumtree.Tree, base sumtree.Arithmetic, samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	known := proof.WithoutVanishing(r.c, *samples)
	before := len(known)
	left, err := proof.SettleParts(r.c, t, base, &known)
	*samples = append(*samples, known[before:]...)
	if len(left) > 0 || err != nil {
		left, asked, err := proof.SettleStarts(r.c, t, left)
		*samples = append(*samples, asked...)
		return left, err
	}
	return proof.SettleFactor(r.c, t, base, samples)
}

// refute looks for the reason that the outputs contradict each other.
func (r *run) refute(fact verdict.Fact) (outcome, error) {
	e := verdict.Evidence{fact}
	if verdict.IsDecided(e) {
		return outcome{evidence: e}, nil
	}
	changed, err := findChange(r.c, fact.Witness, ask.RepeatMany)
	if err != nil {
		return outcome{}, err
	}
	if changed != nil {
		return outcome{evidence: append(e, *changed)}, nil
	}
	directed, err := proof.Directed(r.c)
	if err != nil {
		return outcome{}, err
	}
	if directed != nil {
		return outcome{evidence: append(e, *directed)}, nil
	}
	wide, err := proof.WiderThanMasks(r.c)
	if err != nil {
		return outcome{}, err
	}
	if wide != nil {
		return outcome{evidence: append(e, *wide)}, nil
	}
	e[0].Warning = "no one tree gives the outputs: " + fact.What
	return r.judgeRounding(e, r.opt.Replays)
}

// findChange asks a witness again, and then other inputs. It returns the fact
// that a result changed, or nil.
func findChange(
	c *ask.Channel, w *verdict.Witness, others func(*ask.Channel) error,
) (*verdict.Fact, error) {
	err := ask.Repeat(c, w)
	if err == nil {
		err = others(c)
	}
	var changed *verdict.Fact
	if errors.As(err, &changed) {
		return changed, nil
	}
	return nil, err
}

// judgeRounding looks for exact and compensated sums, and, unless the evidence
// settles a verdict then, for summands that do not count once.
func (r *run) judgeRounding(e verdict.Evidence, replays int) (outcome, error) {
	samples, _, err := proof.AskReplays(r.c, nil, replays)
	if err != nil {
		return outcome{}, err
	}
	hard, err := proof.AskHard(r.c)
	if err != nil {
		return outcome{}, err
	}
	samples = append(samples, hard...)
	judged := proof.JudgeRounding(r.c, samples)
	o := outcome{tried: judged.Tried, matched: judged.Matched}
	if judged.Reason == verdict.NotRounded {
		o.method = proof.Method(r.c, samples)
	}
	nearlyRight := func(c *ask.Channel) (*verdict.Fact, error) {
		return proof.NearlyRight(c, samples), nil
	}
	o.evidence, err = gather(r, append(e, judged.Fact), nearlyRight, proof.WrongSummand,
		proof.ScaledBetween)
	return o, err
}

// gather adds the facts that steps find, until they settle a verdict.
func gather(
	r *run, e verdict.Evidence, steps ...func(*ask.Channel) (*verdict.Fact, error),
) (verdict.Evidence, error) {
	for _, step := range steps {
		if verdict.IsDecided(e) {
			break
		}
		fact, err := step(r.c)
		if err != nil {
			return e, err
		}
		if fact = proof.OrderShows(r.c, fact); fact != nil {
			e = append(e, *fact)
		}
	}
	return e, nil
}
