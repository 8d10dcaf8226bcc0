package reveal

import (
	"errors"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// claim is a certified tree, and how it was found.
type claim struct {
	tree        *sumtree.Tree
	family      string // "" when no family is recognised
	certificate proof.Certificate
}

// maxFamilies bounds the families whose certificate is tried.
const maxFamilies = 20

// claim runs the planned algorithms until a certificate holds. When a
// contradiction comes from lanes that compute in another way, it begins again
// without them.
func (r *run) claim(s *order.Search) (claim, error) {
	var refusal *verdict.Fact
	for plan := order.Plan(r.opt.Algorithm, r.c, order.MeasuredCosts(r.c)); len(plan) > 0; {
		cl, err := r.attempt(plan[0], s)
		if err == nil && cl.tree != nil {
			return cl, nil
		}
		var no *verdict.Fact
		if err != nil && !errors.As(err, &no) {
			return claim{}, err
		}
		dropped, err := r.examine(no)
		switch {
		case err != nil:
			return claim{}, err
		case dropped:
			plan = order.Plan(r.opt.Algorithm, r.c, order.MeasuredCosts(r.c))
			continue
		case cl.family != "" && len(s.Excluded) < maxFamilies:
			s.Excluded = append(s.Excluded, cl.family) // the next family
			continue
		}
		if no != nil && (refusal == nil || no.Witness != nil) {
			refusal = no
		}
		plan = plan[1:]
	}
	if refusal == nil {
		refusal = unknownFamily(s)
	}
	return claim{}, refusal
}

// attempt runs one algorithm and certifies its claim. On a contradiction the
// claim has the family only.
func (r *run) attempt(a order.Algorithm, s *order.Search) (claim, error) {
	found, err := a.Finder.Find(s)
	cl := claim{family: found.Family}
	if err != nil || found.Tree == nil {
		return cl, err
	}
	r.algorithm = a.Name
	if cl.certificate, err = proof.Certify(r.c, found.Tree); err != nil {
		return cl, err
	}
	if err := proof.CertifyRooted(r.c, found.Tree, &cl.certificate); err != nil {
		return cl, err
	}
	cl.tree = found.Tree
	return cl, nil
}

// examine gives a contradiction a witness, and drops the lanes whose result for
// it differs from the main lane's. Its error is a fact, Changed, when the
// result is no longer the same.
func (r *run) examine(no *verdict.Fact) (dropped bool, err error) {
	if no == nil {
		return false, nil
	}
	if err := attest(r.c, no); err != nil {
		return false, err
	}
	if no.Witness != nil {
		dropped, err := ask.Shrink(r.c, ask.Sample{X: no.Witness.X, Y: no.Witness.Y})
		if err != nil || dropped {
			return dropped, err
		}
	}
	return false, ask.Repeat(r.c, no.Witness)
}

// attest gives a contradiction between probes a witness: one of the probes.
func attest(c *ask.Channel, no *verdict.Fact) error {
	if no.Witness != nil || no.Meet == [2]int{} {
		return nil
	}
	meet := ask.Pair{A: no.Meet[0], B: no.Meet[1]}
	fill := c.Inputs.Masked(ask.Ones(c.N), []ask.Pair{meet})
	out, err := c.AskMain(nil, fill)
	if err == nil {
		what := "the count that comes out contradicts that of other masks: " + no.What
		no.Witness = c.Witness(what, nil, fill, out, nil)
	}
	return err
}

// newSearch returns a search that excludes no family yet.
func newSearch(c *ask.Channel, opening ask.Opening) *order.Search {
	holds := func(t *sumtree.Tree) bool {
		_, err := proof.Certify(c, t)
		return err == nil
	}
	return &order.Search{Channel: c, Opening: opening, Holds: holds}
}

// unknownFamily returns the fact that no algorithm of the plan found a tree.
func unknownFamily(s *order.Search) *verdict.Fact {
	const what = "no family that is known gives this result; another algorithm finds the tree"
	first, seen := s.Opening.Structures[0], s.Opening.Outputs[:1]
	return &verdict.Fact{Reason: verdict.UnknownFamily, What: "no known family gives the outputs",
		Witness: s.Witness(what, nil, first.Input(s.Channel), seen, nil)}
}
