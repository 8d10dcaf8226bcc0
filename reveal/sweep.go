package reveal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// Inputs of a sweep: structures and samples that every value gets, repeats of
// the first of them, and samples for what a tree predicts.
const (
	sweepStructures = 5
	sweepRepeats    = 4
	sweepPredicted  = 32
	sweepLanes      = 8 // at most, that samples of a tree are asked in
)

// sweep is a search for the classes of a Sweep.
type sweep struct {
	Sweep
	ctx   context.Context
	opt   Options
	calls int

	keys   []probe.Key
	inputs []ask.Sample // given to every value
	outs   [][]float64  // of every value, for every input
	found  []*class
	// apart holds samples, by value, whose results a class did not predict.
	apart map[int][]ask.Sample
}

// class is a Class under construction.
type class struct {
	members   []int
	finding   *Finding // of members[revealed]
	revealed  int      // a value
	verified  bool
	predicted int
	restless  bool // results change from call to call
}

func newSweep(ctx context.Context, s Sweep, opt Options) *sweep {
	return &sweep{Sweep: s, ctx: ctx, opt: opt, apart: map[int][]ask.Sample{},
		keys: make([]probe.Key, len(s.Values)), outs: make([][]float64, len(s.Values))}
}

// with opens the target of a value for do, and counts the calls that do
// returns.
func (w *sweep) with(i int, do func(t probe.Target, opt Options) (calls int, err error)) error {
	t, err := w.Open(w.ctx, i)
	if err != nil {
		return err
	}
	defer t.Close()
	w.keys[i] = t.Key()
	opt := w.opt
	if err := opt.check(t.Key()); err != nil {
		return err
	}
	if opt.MaxCalls > 0 {
		if opt.MaxCalls -= w.calls; opt.MaxCalls < 1 {
			return &probe.Fault{ID: "call-limit", Thing: t.Key().Target,
				Cause: fmt.Sprintf("more calls are needed than --max-calls %d allows",
					w.opt.MaxCalls),
				Cure: "raise it, or take fewer values"}
		}
	}
	if w.opt.Progress != nil {
		opt.Progress = func(step string, done, expected int) {
			value := fmt.Sprintf("%s %s (%d of %d)", w.Axis, w.Values[i], i+1, len(w.Values))
			w.opt.Progress(value+": "+step, done, expected)
		}
	}
	calls, err := do(t, opt)
	w.calls += calls
	return err
}

// channel opens the target of a value for questions.
func (w *sweep) channel(i int, do func(c *ask.Channel) error) error {
	return w.with(i, func(t probe.Target, opt Options) (int, error) {
		c := newRun(w.ctx, t, opt, 0).c
		err := do(c)
		return c.Calls(), err
	})
}

// reveal reveals the target of a value.
func (w *sweep) reveal(i int) (one revealed, err error) {
	err = w.with(i, func(t probe.Target, opt Options) (int, error) {
		if one, err = reveal(w.ctx, t, opt); err != nil {
			return 0, err
		}
		return one.finding.Calls, nil
	})
	one.channel = nil // its target is closed
	return one, err
}

// classify groups values that take the same inputs.
func (w *sweep) classify() error {
	var restless []int
	for i := range w.Values {
		changes, err := w.screen(i)
		if err != nil {
			return err
		}
		if changes {
			restless = append(restless, i)
		}
	}
	groups := w.group(restless)
	for len(groups) > 0 {
		cl, others, err := w.confirm(groups[0])
		if err != nil {
			return err
		}
		if slices.Contains(restless, cl.revealed) {
			cl.restless, cl.verified = true, false
		}
		w.add(cl)
		groups = groups[1:]
		if len(others) > 0 {
			groups = append(groups, others)
		}
	}
	return nil
}

// add adds a class. Values without a fixed result belong to one class.
func (w *sweep) add(cl *class) {
	for _, other := range w.found {
		if cl.restless && other.restless {
			other.members = append(other.members, cl.members...)
			return
		}
	}
	w.found = append(w.found, cl)
}

// screen gives the common inputs to a value. changes reports that one of the
// first has several results.
func (w *sweep) screen(i int) (changes bool, err error) {
	err = w.channel(i, func(c *ask.Channel) error {
		if i == 0 {
			if w.inputs, err = sweepInputs(c); err != nil {
				return err
			}
		} else if err := sameInputs(w.keys[0], c.Key); err != nil {
			return err
		}
		c.Expect("screen", len(w.inputs)+sweepRepeats)
		if err := ask.AskSamples(c, w.inputs); err != nil {
			return err
		}
		for _, s := range w.inputs {
			w.outs[i] = append(w.outs[i], s.Out)
		}
		for k := range sweepRepeats {
			out, err := c.AskMain(w.inputs[k].Y, ask.Values(w.inputs[k].X))
			if err != nil {
				return err
			}
			changes = changes || !ask.SameBits(out[0], w.outs[i][k])
		}
		return nil
	})
	return changes, err
}

// sweepInputs returns inputs for every value of a sweep, or for one number of
// summands: a sample of each kind, which show the arithmetic, and structures,
// which show the tree. A target that is not a sum gets no structures.
func sweepInputs(c *ask.Channel) (inputs []ask.Sample, err error) {
	err = ask.Calibrate(c)
	var fact *verdict.Fact
	if err != nil && !errors.As(err, &fact) {
		return nil, err
	}
	for _, kind := range ask.ReplayKinds() {
		inputs = append(inputs, c.Inputs.Sample(kind, nil, c.Inputs.SecondFactors()))
	}
	var ones []float64
	if c.Key.Op.Products() {
		ones = ask.Ones(c.N)
	}
	inputs = append(inputs, sweepEdges(c, ones)...)
	if err == nil && c.N > 1 {
		for _, s := range c.Inputs.Structures(sweepStructures) {
			x := make([]float64, c.N)
			s.Input(c)(x)
			inputs = append(inputs, ask.Sample{X: x, Y: ones})
		}
	}
	return inputs, nil
}

// sweepEdges returns the inputs of sums that random ones do not reach: all −0,
// sums that overflow, and infinity. Squares and
// exponentials have none of these.
func sweepEdges(c *ask.Channel, ones []float64) (inputs []ask.Sample) {
	if c.Key.Op.Positive() || c.Key.Op == probe.Attention {
		return nil
	}
	zeros := slices.Repeat([]float64{math.Copysign(0, -1)}, c.N)
	inputs = append(inputs, ask.Sample{Kind: ask.Edge, X: zeros, Y: ones})
	largest, infinity := c.Key.DType.Max(), math.Inf(1)
	for _, ends := range [][2]float64{
		{largest, largest}, {-largest, -largest}, {infinity, 1},
	} {
		x := make([]float64, c.N)
		x[0], x[c.N-1] = ends[0], ends[1]
		inputs = append(inputs, ask.Sample{Kind: ask.Edge, X: x, Y: ones})
	}
	return inputs
}

// group groups values by their results. Values whose results change from call
// to call are one group.
func (w *sweep) group(restless []int) (groups [][]int) {
next:
	for i := range w.Values {
		if slices.Contains(restless, i) {
			continue
		}
		for g, members := range groups {
			if slices.EqualFunc(w.outs[members[0]], w.outs[i], ask.SameBits) {
				groups[g] = append(members, i)
				continue next
			}
		}
		groups = append(groups, []int{i})
	}
	if len(restless) > 0 {
		groups = append(groups, restless)
	}
	return groups
}

// confirm reveals the first value of a group, and holds the others against the
// finding. others are those that it does not predict.
func (w *sweep) confirm(group []int) (cl *class, others []int, err error) {
	first := group[0]
	one, err := w.reveal(first)
	if err != nil {
		return nil, nil, err
	}
	f := one.finding
	cl = &class{members: []int{first}, revealed: first, finding: f, verified: f.Verified,
		restless: f.Verdict == Nondeterministic}
	if f.Verified && f.Tree != nil && !w.predictsScreen(first, f) {
		cl.verified = false
	}
	for _, i := range group[1:] {
		alike, tried, err := w.isPredicted(i, one)
		if err != nil {
			return nil, nil, err
		}
		if !alike {
			others = append(others, i)
			continue
		}
		if cl.predicted == 0 || tried < cl.predicted {
			cl.predicted = tried
		}
		cl.members = append(cl.members, i)
	}
	return cl, others, nil
}

// predictsScreen reports whether a verified tree gives the results of the
// common inputs. It does not where the order depends on values in a way that no
// replay has shown. Inputs of a softmax are not summands, and predict nothing.
func (w *sweep) predictsScreen(i int, f *Finding) bool {
	if f.Key.Op == probe.Softmax {
		return true
	}
	asked := slices.Clone(w.inputs)
	for k := range asked {
		asked[k].Out = w.outs[i][k]
	}
	return len(unpredicted(f.Tree, *f.Arithmetic, asked)) == 0
}

// unpredicted returns the samples whose outputs tree and arithmetic do not
// give.
func unpredicted(t *sumtree.Tree, a sumtree.Arithmetic, samples []ask.Sample) []ask.Sample {
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return samples // the arithmetic has no meaning for this tree
	}
	var missed []ask.Sample
	for _, s := range samples {
		if want, err := r.Sum(s.X, s.Y); err != nil || !ask.SameBits(want, s.Out) {
			missed = append(missed, s)
		}
	}
	return missed
}

// isPredicted reports whether a value computes as the finding of another one
// predicts: it gives the answers to all questions that verified the finding, as
// far as they are remembered. Where the finding predicts nothing, the common
// inputs decide.
func (w *sweep) isPredicted(i int, one revealed) (alike bool, tried int, err error) {
	f := one.finding
	switch {
	case !f.Verified:
		return true, 0, nil
	case f.Tree == nil: // exact
		err = w.channel(i, func(c *ask.Channel) (err error) {
			if tried, alike, err = isExact(c); !alike || err != nil {
				return err
			}
			var asked int
			asked, alike, err = w.answersAlike(i, c, one)
			tried += asked
			return err
		})
		return alike, tried, err
	}
	err = w.channel(i, func(c *ask.Channel) error {
		if c.Key.Op.Positive() {
			no, err := contradiction(c, f.Tree, w.opt.OneLane)
			if err != nil || no != nil {
				if no != nil && no.Witness != nil {
					w.apart[i] = append(w.apart[i], ask.Sample{X: no.Witness.X})
				}
				return err
			}
		}
		if c.Key.Op == probe.Softmax {
			alike, tried = true, len(w.inputs)
			return nil
		}
		c.SetPool(c.Pool()[:min(len(c.Pool()), sweepLanes)])
		samples, _, err := proof.AskReplays(c, f.Tree, sweepPredicted)
		if err != nil {
			return err
		}
		missed := unpredicted(f.Tree, *f.Arithmetic, samples)
		w.apart[i] = append(w.apart[i], missed...)
		tried = len(samples) + len(w.inputs)
		if len(missed) > 0 {
			return nil
		}
		var asked int
		asked, alike, err = w.answersAlike(i, c, one)
		tried += asked
		return err
	})
	return alike, tried, err
}

// answersAlike asks a value what another one was asked while it was revealed,
// and reports whether it gives the same answers, and the same for NaN and
// infinities. Of targets with many lanes, where most questions went to other
// lanes, it proves the tree anew.
func (w *sweep) answersAlike(
	i int, c *ask.Channel, one revealed,
) (tried int, alike bool, err error) {
	f := one.finding
	questions := slices.Concat(one.asked.decided, one.asked.all)
	most := max(minExchanged, min(maxExchanged, maxExchangedWork/c.N))
	questions = questions[:min(len(questions), most)]
	c.Expect("answers", len(questions))
	for _, s := range questions {
		out, fault, err := askSpecial(c, s)
		if err == nil && fault != nil {
			err = fault
		}
		if err != nil {
			return tried, false, err
		}
		if tried++; !ask.SameBits(out, s.Out) {
			w.apart[i] = append(w.apart[i], s)
			return tried, false, nil
		}
	}
	if c.Lanes() > 1 && f.Tree != nil {
		missed, asked, err := unproven(c, f.Tree, *f.Arithmetic)
		if tried += asked; len(missed) > 0 || err != nil {
			w.apart[i] = append(w.apart[i], missed...)
			return tried, false, err
		}
	}
	other, err := specialTraits(c, f)
	if err != nil {
		return tried, false, err
	}
	if other != nil {
		w.apart[i] = append(w.apart[i], *other)
	}
	return tried, other == nil, nil
}

// contradiction certifies a tree of summands that cannot be negative, and
// returns the fact that contradicts it, nil for none. Ordinary inputs seldom
// show a few summands in other places: the function of the sum hides it.
func contradiction(c *ask.Channel, t *sumtree.Tree, oneLane bool) (*verdict.Fact, error) {
	var err error
	if c.Key.Op == probe.Softmax { // no results of its inputs are predicted
		_, err = ask.OpenPositive(c, oneLane)
	} else {
		err = ask.OpenPredicted(c, oneLane)
	}
	if err == nil && c.N > 2 {
		var levels *ask.Levels
		if levels, err = ask.FindLevels(c); err == nil {
			if levels == nil {
				return &verdict.Fact{Reason: verdict.NothingLost,
					What: "no summand is lost to a large one"}, nil
			}
			_, err = proof.CertifyTriples(c, levels, t)
		}
	}
	var no *verdict.Fact
	if errors.As(err, &no) {
		return no, nil
	}
	return nil, err
}

// isExact reports whether a target rounds every sum correctly, hard ones among
// them.
func isExact(c *ask.Channel) (tried int, ok bool, err error) {
	samples, _, err := proof.AskReplays(c, nil, sweepPredicted)
	if err != nil {
		return 0, false, err
	}
	hard, err := proof.AskHard(c)
	if err != nil {
		return 0, false, err
	}
	judged := proof.JudgeRounding(c, append(samples, hard...))
	return judged.Tried, judged.Matched == judged.Tried, nil
}

// invariance returns the classes in the order of their first members.
func (w *sweep) invariance() *Invariance {
	slices.SortFunc(w.found, func(a, b *class) int {
		return slices.Min(a.members) - slices.Min(b.members)
	})
	inv := &Invariance{Axis: w.Axis, Values: w.Values, Key: w.keys[0], Inputs: len(w.inputs),
		Boundaries: []Boundary{}}
	for _, cl := range w.found {
		slices.Sort(cl.members)
		c := Class{Indices: cl.members, Verdict: cl.finding.Verdict, Family: cl.finding.Family,
			Verified: cl.verified, Predicted: cl.predicted, Representative: cl.finding,
			Revealed: w.Values[cl.revealed]}
		for _, i := range cl.members {
			c.Members = append(c.Members, w.Values[i])
		}
		inv.Classes = append(inv.Classes, c)
	}
	inv.Invariant = len(inv.Classes) == 1 && inv.Classes[0].Verified
	return inv
}
