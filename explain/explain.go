package explain

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// Options are the choices of a caller.
type Options struct {
	// Progress is called as the work goes on; nil for none.
	Progress func(step string, done, total int)
	// Trees returns the orders of this machine's libraries for an element of a
	// matrix product, or of a sum over an axis ({i, 0} for the i-th). They are
	// tried where the catalogue explains nothing. It may be nil.
	Trees func(ctx context.Context, element [2]int) iter.Seq[Tree]
}

// Side is the explanation of one of the two results.
type Side struct {
	Model      string `json:"model"`
	Reproduces int    `json:"reproduces"` // elements, bit for bit

	// Errors, in ULPs from the correctly rounded result, over the elements that
	// differ.
	MaxError    uint64  `json:"max_error_ulps"`
	MedianError float64 `json:"median_error_ulps"`

	complete bool // it reproduces all elements, on enough evidence
}

// Explanation is the reason of a difference.
type Explanation struct {
	Explained bool    `json:"explained"`
	A         *Side   `json:"a"` // the model of the first result, nil for none
	B         *Side   `json:"b"`
	Causes    []Cause `json:"causes"` // that the models differ in
	// Reason is why nothing explains the difference, "" where something does.
	Reason string `json:"reason,omitempty"`
	// Closer is "a" or "b", the result that is nearer to the true one in more
	// elements, or "" for neither.
	Closer string `json:"closer"`
	// Condition is the median condition number Σ|x|/|Σx| of the elements that
	// differ, 0 where it is not known.
	Condition float64 `json:"condition,omitempty"`
	// Allowed reports whether the condition allows every difference: n
	// additions in the format of the results can have both errors.
	Allowed bool `json:"allowed"`
	// Values are the two models' values of each cause.
	Values []Value `json:"values,omitempty"`
}

// Value is the difference of two models in one cause.
type Value struct {
	Cause Cause  `json:"cause"`
	A     string `json:"a"`
	B     string `json:"b"`
	// Advice is how to make the two agree.
	Advice string `json:"advice"`
}

// Explain finds models of two results of a problem, and the causes of their
// difference.
func Explain(ctx context.Context, p *Problem, a, b Array, opt Options) (*Explanation, error) {
	if err := p.checkResults(a, b); err != nil {
		return nil, err
	}
	p, skips := p.skippingNaN(a.Values, b.Values)
	s := newSearch(p, a.Values, b.Values, a.Format)
	s.progress = opt.Progress
	if s.differ == 0 {
		return &Explanation{Causes: []Cause{}, Reason: "nothing differs"}, ctx.Err()
	}
	x := s.explain(ctx, opt)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.judge(ctx, x)
	if skips {
		for _, side := range []*Side{x.A, x.B} {
			if side != nil && side.Model != "" {
				side.Model += ", " + nanAsZero
			}
		}
	}
	return x, ctx.Err()
}

// checkResults refuses results that do not fit the problem's shape, and two
// results of different formats.
func (p *Problem) checkResults(a, b Array) error {
	for _, r := range []Array{a, b} {
		if !p.Fits(r.Shape) {
			return &Error{
				Cause: fmt.Sprintf("a result has the shape %v, and %s of these inputs has %v",
					r.Shape, p.Op, p.Shape),
				Cure: "give the inputs of this result, and the axis of a sum",
			}
		}
	}
	if a.Format != b.Format {
		return &Error{
			Cause: fmt.Sprintf("the results are %s and %s", a.Format, b.Format),
			Cure:  "compare results of one format",
		}
	}
	return nil
}

// models are the hypotheses that reproduce the two sides.
type models struct {
	found [2][]*candidate
	ev    *evidence
	trees []*candidate // of this machine's libraries, whatever they reproduce
	all   bool         // all libraries were asked
}

// explain finds models of both sides, and chooses a pair.
func (s *search) explain(ctx context.Context, opt Options) *Explanation {
	m := s.models(ctx, opt)
	x := &Explanation{Causes: []Cause{}}
	sides := [2]**Side{&x.A, &x.B}
	for k, list := range m.found {
		s.describe(ctx, sides[k], list, k, m.ev)
	}
	if s.choice(m).explain(x, m.found); !x.Explained && s.splits(m) {
		s.explainParts(ctx, opt, x, m)
	}
	return x
}

// models finds the hypotheses that reproduce each side.
func (s *search) models(ctx context.Context, opt Options) *models {
	usual, unusual := s.p.arithmetics(s.out)
	found := s.candidates(ctx, usual, [2]bool{true, true})
	exact := &candidate{name: "exact", model: Model{Exact: correct, Inputs: asGiven,
		Flush: keeps}}
	for k := range found {
		list := s.verify(ctx, k, []*candidate{exact})
		found[k] = append(found[k], list...)
	}
	if open := [2]bool{len(found[0]) == 0, len(found[1]) == 0}; open[0] || open[1] {
		more := s.candidates(ctx, unusual, open)
		found[0], found[1] = append(found[0], more[0]...), append(found[1], more[1]...)
	}
	s.addShort(ctx, &found, slices.Concat(usual, unusual))
	var asked []*candidate
	if (len(found[0]) == 0 || len(found[1]) == 0) && opt.Trees != nil {
		asked = s.addTrees(ctx, &found, opt.Trees(ctx, s.at))
	}
	s.exchange(ctx, &found)
	return &models{found: found, ev: s.gather(usual), trees: asked}
}

// candidates returns the hypotheses that reproduce every element of a side.
func (s *search) candidates(
	ctx context.Context, all []arithmetic, sides [2]bool,
) (found [2][]*candidate) {
	if len(all) == 0 {
		return found
	}
	found = s.try(ctx, all, sides)
	for k := range found {
		found[k] = s.verify(ctx, k, found[k])
	}
	return found
}

// addTrees adds revealed trees that reproduce a side, and returns all it tried.
func (s *search) addTrees(
	ctx context.Context, found *[2][]*candidate, trees iter.Seq[Tree],
) (asked []*candidate) {
	for t := range trees {
		if len(found[0]) > 0 && len(found[1]) > 0 {
			break
		}
		c := s.revealed(t)
		asked = append(asked, c)
		for _, list := range found {
			for _, other := range list {
				if other.order == c.order { // one order, whatever its names
					c.model = c.model.with(Order, other.model[Order])
				}
			}
		}
		for k := range found {
			if len(found[k]) == 0 || found[k][0].tree == t.Tree {
				found[k] = append(found[k], s.verify(ctx, k, []*candidate{c})...)
			}
		}
		s.tried++
	}
	return asked
}

// describe fills in the likeliest model of one side, or the nearest.
func (s *search) describe(
	ctx context.Context, side **Side, list []*candidate, k int, ev *evidence,
) {
	if len(list) > 0 {
		*side = &Side{Model: list[0].name, Reproduces: len(s.want[k]), complete: true}
		return
	}
	if c := s.nearest(ev, k); c != nil {
		*side = &Side{Model: c.name, Reproduces: s.reproduces(ctx, c, k)}
	}
}

// choice returns the rule that picks causes by the evidence in the elements.
func (s *search) choice(m *models) choice {
	return choice{wide: s.out.Precision() > 24 && !m.areSingle(),
		bits:  func(side int) float64 { return s.bits(m.ev, side) },
		plain: func(side int) bool { return s.isPlain(m.ev, side) }}
}

// areSingle reports whether a side's sums were accumulated in binary32, so that
// the other's need not have a wide accumulator.
func (m *models) areSingle() bool {
	return slices.ContainsFunc(slices.Concat(m.found[:]...), func(c *candidate) bool {
		return c.arith != nil && c.arith.arith.Nodes.Acc == fp.Binary32
	})
}
