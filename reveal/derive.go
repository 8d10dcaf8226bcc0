package reveal

import (
	"fmt"
	"math"
	"reflect"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/sumtree"
)

// Unshown holds two findings that differ although no input shows it.
type Unshown struct {
	A        int      `json:"a"` // indices of the findings
	B        int      `json:"b"`
	DifferIn []string `json:"differ_in"` // as in Difference
	Why      string   `json:"why"`       // one sentence
	// Contradicted means that the findings predict different results for an
	// input that gave the same.
	Contradicted bool `json:"contradicted"`
}

// Reasons that a difference of two findings is unshown.
const (
	whySame = "The two predict the same result for every input derived from them."
	whyOdds = "An input was derived whose predicted results differ, but the " +
		"targets gave the same: one of the findings does not hold there."
	whyVerdict = "One is %s and the other %s, although they agree on every input tried."
	whyRefused = "%s ends in an error on an input that %s gives a result for."
	whyTree    = "Masks that hide other summands in each of the two trees gave the same result."
)

// edges runs inputs at the edges of the formats, where two targets have agreed
// so far. They follow the first tree found.
func (c *comparer) edges() error {
	channel := c.channels[0]
	if channel.Key.Op.Positive() || !someAgree(c) {
		return nil
	}
	tree := sumtree.Family{Kind: sumtree.Chain}.Tree(channel.N)
	for _, f := range c.Findings {
		if f.Tree != nil {
			tree = f.Tree
			break
		}
	}
	for _, s := range proof.Edges(channel, tree) {
		if err := c.add(s); err != nil {
			return err
		}
	}
	return nil
}

// someAgree reports whether two targets gave the same bits on every input.
func someAgree(c *comparer) bool {
	for a := range c.Findings {
		for b := range a {
			if c.firstDifference(a, b) < 0 {
				return true
			}
		}
	}
	return false
}

// noteVerdicts notes the targets whose verdict differs from the verdict of the
// first in their group.
func noteVerdicts(c *comparer) {
	for _, members := range c.Groups {
		first := c.Findings[members[0]]
		for _, i := range members[1:] {
			f := c.Findings[i]
			if f.Verdict != first.Verdict {
				c.Unshown = append(c.Unshown, Unshown{A: members[0], B: i,
					DifferIn: []string{"verdict"}, Why: fmt.Sprintf(whyVerdict, first.Verdict,
						f.Verdict)})
			}
		}
	}
}

// derive looks for inputs that two targets differ on, where their findings
// differ but their results have not so far. The findings predict the results of
// both, so a search among predictions costs no call. An input found is run on
// every target.
func (c *comparer) derive() error {
	examined := map[[2]int]bool{}
	for {
		a, b, ok := unexplained(c, examined)
		if !ok {
			return nil
		}
		examined[[2]int{a, b}] = true
		s, predicted := c.apart(a, b)
		if s != nil {
			if err := c.add(*s); err != nil {
				return err
			}
			if c.firstDifference(a, b) >= 0 {
				continue
			}
		}
		u := Unshown{A: a, B: b, DifferIn: c.differIn(a, b), Why: whySame}
		switch {
		case predicted:
			u.Why, u.Contradicted = whyOdds, true
		case s != nil:
			u.Why = whyTree
		}
		c.Unshown = append(c.Unshown, u)
	}
}

// unexplained returns two targets whose findings differ, whose results do not,
// and which are not among those examined.
func unexplained(c *comparer, examined map[[2]int]bool) (a, b int, ok bool) {
	for a := range c.Findings {
		for b := a + 1; b < len(c.Findings); b++ {
			if !examined[[2]int{a, b}] && c.comparable(a, b) && c.firstDifference(a, b) < 0 &&
				len(c.differIn(a, b)) > 0 {
				return a, b, true
			}
		}
	}
	return 0, 0, false
}

// comparable reports whether both findings have a tree, and predict the results
// of any input. Results of softmax need exponentials that only the target
// knows.
func (c *comparer) comparable(a, b int) bool {
	return c.Findings[a].Tree != nil && c.Findings[b].Tree != nil &&
		c.channels[a].Key.Op != probe.Softmax
}

// differIn names the parts that two findings with trees differ in.
func (c *comparer) differIn(a, b int) []string {
	f, g := c.Findings[a], c.Findings[b]
	if !c.comparable(a, b) {
		return nil
	}
	var parts []string
	if !f.Tree.Equal(g.Tree) {
		parts = append(parts, "tree")
	}
	if f.Arithmetic == nil || g.Arithmetic == nil || reflect.DeepEqual(f.Arithmetic, g.Arithmetic) {
		return parts
	}
	named := len(parts)
	if f.IsMean() != g.IsMean() && f.Traits.Mean == g.Traits.Mean {
		parts = append(parts, "mean")
	}
	s, t := reflect.ValueOf(f.Traits), reflect.ValueOf(g.Traits)
	for i := range s.NumField() {
		if !s.Field(i).Equal(t.Field(i)) {
			parts = append(parts, traitName(i))
		}
	}
	if len(parts) == named {
		parts = append(parts, "arithmetic of single additions")
	}
	return parts
}

// traitName returns the JSON name of a field of Traits.
func traitName(i int) string {
	tag := reflect.TypeFor[Traits]().Field(i).Tag.Get("json")
	for k, r := range tag {
		if r == ',' {
			return tag[:k]
		}
	}
	return tag
}

// add runs one more input on every target. A target may end in an error on an
// input at the edges of the formats.
func (c *comparer) add(s ask.Sample) error {
	for i, channel := range c.channels {
		out, fault, err := askSpecial(channel, s)
		if err == nil && fault != nil && !isSpecial(s) {
			err = fault
		}
		if err != nil {
			return err
		}
		if fault != nil {
			refuse(c, i, len(c.inputs))
		}
		c.outs[i] = append(c.outs[i], out)
	}
	c.inputs = append(c.inputs, s)
	return nil
}

// apart returns an input whose predicted results differ between two findings,
// or nil. Where one of them has no arithmetic it returns masks on the two
// leaves that meet elsewhere, without a prediction.
func (c *comparer) apart(a, b int) (s *ask.Sample, predicted bool) {
	f, g := c.Findings[a], c.Findings[b]
	if f.Arithmetic == nil || g.Arithmetic == nil {
		if f.Tree.Equal(g.Tree) || f.Tree.Leaves() != g.Tree.Leaves() {
			return nil, false
		}
		masked := c.masked(order.Apart(f.Tree, g.Tree))
		return &masked, false
	}
	p, err := sumtree.NewReplayer(f.Tree, *f.Arithmetic)
	if err != nil {
		return nil, false
	}
	q, err := sumtree.NewReplayer(g.Tree, *g.Arithmetic)
	if err != nil {
		return nil, false
	}
	ones := ask.Ones(c.channels[a].N)
	differs := func(s ask.Sample) bool {
		y := s.Y
		if y == nil && f.Arithmetic.Products {
			y = ones
		}
		u, err := p.Sum(s.X, y)
		v, no := q.Sum(s.X, y)
		return err == nil && no == nil && !ask.SameBits(u, v)
	}
	for _, s := range c.crafted(f.Tree, g.Tree) {
		if differs(s) {
			return &s, true
		}
	}
	in := &c.channels[a].Inputs
	shapes := []*ask.Shape{ask.NewShape(f.Tree), ask.NewShape(g.Tree)}
	for k := range maxDerived(c.channels[a].N) {
		kinds := ask.ReplayKinds()
		s := in.Sample(kinds[k%len(kinds)], shapes[k/len(kinds)%2], in.SecondFactors())
		if differs(s) {
			return &s, true
		}
	}
	return nil, false
}

// maxDerived bounds the random inputs that are predicted, some seconds of work.
func maxDerived(n int) int { return max(32, min(512, 1<<26/n)) }

// masked returns ±2^k on two leaves, and numbers far below on the others.
func (c *comparer) masked(q ask.Pair) ask.Sample {
	f := c.channels[0].Key.DType
	x := make([]float64, c.channels[0].N)
	for i := range x {
		x[i] = math.Ldexp(1, -min(f.Precision(), 12))
	}
	big := math.Ldexp(1, min(f.MaxExp()-2, 2*f.Precision()))
	x[q.A], x[q.B] = big, -big
	return ask.Sample{X: x}
}
