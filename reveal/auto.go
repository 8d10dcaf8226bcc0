package reveal

import (
	"errors"
	"math"
	"slices"

	"github.com/lastbit/lastbit/sumtree"
)

// bankSize is how many structures are asked: enough for about 40 bits of
// evidence for or against a family.
func (p *prober) bankSize() int {
	if p.sc.bits < 20 || p.n < 16 {
		return 5
	}
	return 3
}

// claim runs the algorithm and the certificate. auto takes the cheapest
// algorithm, and the next one where the certificate contradicts the claim; when
// the contradiction comes from lanes that compute in another way, it begins again
// without them.
func (p *prober) claim(f *Finding, bank []structure, counts []float64) (*sumtree.Tree, error) {
	var refusal *inconsistent
	for todo := p.algorithms(); len(todo) > 0; {
		name := todo[0]
		f.Family = ""
		tree, err := p.attempt(name, f, bank, counts)
		if err == nil && tree != nil {
			return tree, nil
		}
		var no *inconsistent
		if err != nil && !errors.As(err, &no) {
			return nil, err
		}
		dropped, err := p.examine(no)
		switch {
		case err != nil:
			return nil, err
		case dropped:
			todo = p.algorithms()
			continue
		case name == "family" && f.Family != "" && len(p.excluded) < familyTries:
			p.excluded = append(p.excluded, f.Family) // the next family
			continue
		}
		if no != nil && (refusal == nil || no.witness != nil) {
			refusal = no
		}
		todo = todo[1:]
	}
	if refusal == nil {
		s := bank[0]
		refusal = &inconsistent{verdict: Unsupported, what: "no known family gives the outputs",
			witness: p.witness("no family that is known gives this result; another algorithm finds the tree", nil, s.fill(s.exp, p.sc.unit), []float64{p.expected(counts[0])}, nil)}
	}
	return nil, refusal
}

// attempt runs one algorithm and puts what it claims to the certificate.
func (p *prober) attempt(name string, f *Finding, bank []structure, counts []float64) (*sumtree.Tree, error) {
	tree, err := p.run(name, f, bank, counts)
	if err != nil || tree == nil {
		return nil, err
	}
	f.Algorithm = name
	before := p.calls
	f.Evidence.CertificateTests, err = p.certify(tree)
	f.Evidence.CertificateCalls = p.calls - before
	if err != nil {
		return nil, err
	}
	return tree, nil
}

// examine looks into a contradiction: it gives it a witness, drops the lanes that
// do not give the main lane's result on it, and returns another error when the
// result is not the same any more.
func (p *prober) examine(no *inconsistent) (dropped bool, err error) {
	if no == nil {
		return false, nil
	}
	if err := p.attest(no); err != nil {
		return false, err
	}
	if no.witness != nil {
		dropped, err := p.shrinkPool(sample{x: no.witness.X, y: no.witness.Y})
		if err != nil || dropped {
			return dropped, err
		}
	}
	changed, err := p.changes(no)
	if err == nil && changed != nil {
		err = changed
	}
	return false, err
}

// shrinkPool runs samples in all lanes and drops those from the pool whose
// result is not that of the main lane: they are computed in another way.
func (p *prober) shrinkPool(samples ...sample) (dropped bool, err error) {
	for _, s := range samples {
		if len(p.pool) == 1 {
			break
		}
		out, err := p.askAll(s.y, copied(s.x))
		if err != nil {
			return dropped, err
		}
		main := p.pool[0]
		before := len(p.pool)
		p.pool = slices.DeleteFunc(p.pool, func(lane int) bool { return !sameBits(out[lane], out[main]) })
		dropped = dropped || len(p.pool) < before
	}
	return dropped, nil
}

// attest gives a contradiction between probes a witness: one of the probes.
func (p *prober) attest(no *inconsistent) error {
	if no.witness != nil || no.meet == (pair{}) {
		return nil
	}
	ones := make(weights, p.n)
	for i := range ones {
		ones[i] = 1
	}
	fill := p.fill(ones, []pair{no.meet})
	out, err := p.askIn(p.pool[:1], nil, fill)
	if err == nil {
		no.witness = p.witness("the count that comes out contradicts that of other masks: "+no.what, nil, fill, out, nil)
	}
	return err
}

// repeats is how often an input is asked again before it counts as settled that
// its result does not change.
const repeats = 8

// changes asks the witness of an inconsistency again and returns another one if
// the result is not the same any more.
func (p *prober) changes(no *inconsistent) (*inconsistent, error) {
	if no == nil || no.witness == nil || len(no.witness.Seen) == 0 {
		return nil, nil
	}
	fill := func(row []float64) { copy(row, no.witness.X) }
	for range repeats {
		out, err := p.askIn(p.pool[:1], no.witness.Y, fill)
		if err != nil {
			return nil, err
		}
		if !sameBits(out[0], no.witness.Seen[0]) {
			return p.changed(no.witness.Y, fill, no.witness.Seen[0], out[0]), nil
		}
	}
	return nil, nil
}

// algorithms returns what to try, in order.
func (p *prober) algorithms() []string {
	if p.opt.Algorithm != "auto" {
		return []string{p.opt.Algorithm}
	}
	enough := float64(p.n) < math.Ldexp(1, p.sc.bits)
	switch {
	case p.n < 3:
		return []string{"family"}
	case len(p.pool) > 8 && enough:
		return []string{"family", "fprev"}
	case len(p.pool) > 8:
		return []string{"family", "scaled", "packed-multiway"}
	case p.n <= 16 && enough:
		return []string{"family", "fprev"}
	}
	return []string{"family", "packed", "packed-multiway"}
}

// run runs one algorithm; a nil tree without an error is a family not found.
func (p *prober) run(name string, f *Finding, bank []structure, counts []float64) (*sumtree.Tree, error) {
	switch name {
	case "family":
		tree, family, err := p.family(bank, counts)
		f.Family = family
		return tree, err
	case "naive":
		return p.naive()
	case "basic":
		return p.basic()
	case "fprev-binary":
		return p.fprev(false)
	case "fprev":
		return p.fprev(true)
	case "scaled":
		return p.scaled()
	case "packed-multiway":
		return p.packed(true)
	}
	tree, err := p.packed(false)
	if err == nil && p.opt.Algorithm == "packed" {
		if _, no := p.certify(tree); no != nil { // some sums may be fused
			return p.packed(true)
		}
	}
	return tree, err
}
