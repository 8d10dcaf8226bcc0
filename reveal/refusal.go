package reveal

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// restlessInputs is how many inputs restless repeats.
const restlessInputs = 6

// restless asks several inputs again and again, and returns an inconsistency when
// a result changes.
func (p *prober) restless() (*inconsistent, error) {
	p.expect("repeat", restlessInputs*repeats)
	for k := range restlessInputs {
		y := p.secondFactors()
		fill := copied(p.sampleOf("normal", nil, y))
		if k%2 == 0 && p.n > 1 {
			s := p.structure(true)
			y, fill = nil, s.fill(s.exp, p.sc.unit)
		}
		first, err := p.askIn(p.pool[:1], y, fill)
		if err != nil {
			return nil, err
		}
		for range repeats {
			out, err := p.askIn(p.pool[:1], y, fill)
			if err != nil {
				return nil, err
			}
			if !sameBits(out[0], first[0]) {
				return p.changed(y, fill, first[0], out[0]), nil
			}
		}
	}
	return nil, nil
}

// explainMismatch judges a tree whose structure is certified and whose replays
// fail whatever the arithmetic.
func (p *prober) explainMismatch(f *Finding, base sumtree.Arithmetic, bank []sample) error {
	best, at := p.closest(f.Tree, base, bank)
	if err := p.askMissed(f.Tree, best, bank); err != nil {
		return err
	}
	f.Evidence.ReplayMatched, _ = matches(f.Tree, best, bank, false)
	s := bank[at]
	want, err := f.Tree.Replay(best, s.x, s.y)
	if err != nil {
		return err
	}
	f.Witness = p.witness("replaying the tree gives another result", s.y, copied(s.x), []float64{s.out}, &want)
	if p.compensates(f.Tree, bank) {
		f.Verdict = Compensated
		f.Witness.What = "rounding errors are carried along: Kahan's summation in the revealed order gives this result, and no plain sum does"
		f.Tree, f.Family = nil, ""
		return nil
	}
	if leaf, err := p.scaledLeaf(); err != nil || leaf != nil {
		if err != nil {
			return err
		}
		f.Verdict, f.Witness, f.Tree, f.Family = NotASum, leaf, nil, ""
		return nil
	}
	if w, err := p.depends(f.Tree); err != nil || w != nil {
		if err != nil {
			return err
		}
		f.Verdict, f.Witness, f.Tree, f.Family = ValueDependent, w, nil, ""
		return nil
	}
	if w := f.Tree.MaxArity(); w > widestFused || w > 2 && !p.key.Op.Products() {
		f.Verdict = ValueDependent
		f.Witness.What = fmt.Sprintf("a huge summand hides all others, as if %d of them were added at once, but ordinary numbers are not added so", w)
		f.Tree, f.Family = nil, ""
		return nil
	}
	if what := p.anotherOrder(f.Tree, best, bank); what != "" {
		f.Verdict, f.Witness.What = ValueDependent, what
		f.Tree, f.Family = nil, ""
		return nil
	}
	f.Warnings = append(f.Warnings, "the certificate holds, but no arithmetic known here reproduces the results: the tree is unverified")
	return nil
}

// widestFused is the largest number of operands of a fused sum that is taken for
// hardware: the instructions known have 32 products and the accumulator.
const widestFused = 33

// askMissed asks the samples again that the best arithmetic misses: one result
// that does not come again is no matter of arithmetic.
func (p *prober) askMissed(t *sumtree.Tree, best sumtree.Arithmetic, bank []sample) error {
	asked := 0
	for k := range bank {
		s := &bank[k]
		if n, _ := matches(t, best, bank[k:k+1], true); n == 1 || asked == missedSamples {
			continue
		}
		asked++
		for range repeats {
			out, err := p.askIn(p.pool[:1], s.y, copied(s.x))
			if err != nil {
				return err
			}
			if !sameBits(out[0], s.out) {
				return p.changed(s.y, copied(s.x), s.out, out[0])
			}
		}
	}
	return nil
}

// missedSamples bounds the samples that are asked again.
const missedSamples = 6

// variations is how many inputs depends tries.
const variations = 24

// depends looks for masks and counts of other signs and sizes of which the tree
// does not foretell the result: then the order depends on the values. Rounding
// plays no part in it.
func (p *prober) depends(t *sumtree.Tree) (*Witness, error) {
	if p.n < 3 {
		return nil, nil
	}
	r, err := sumtree.NewReplayer(t, maskedArithmetic(t))
	if err != nil {
		return nil, err
	}
	p.expect("variations", variations)
	for k := range variations {
		s := p.structure(k%2 == 1)
		for i := range s.w {
			if p.rng.IntN(2) == 0 {
				s.w[i] = -s.w[i]
			}
		}
		if k%3 == 0 {
			s.plus, s.minus = s.minus, s.plus
		}
		fill := s.fill(s.exp-p.rng.IntN(1+max(0, s.exp-90)/2), p.sc.unit)
		out, err := p.askIn(p.pool[:1], nil, fill)
		if err != nil {
			return nil, err
		}
		want, err := r.Sum(s.logical(), nil)
		if err != nil {
			return nil, err
		}
		want *= p.sc.unit
		if p.key.Mean {
			continue // the quotient of a negative count is not read back
		}
		if out[0] != want {
			return p.witness("counts of other signs, or masks of another size, are added in another order", nil, fill, out, &want), nil
		}
	}
	return nil, nil
}

// closest returns the uniform arithmetic that reproduces most of the bank, and
// the first sample it misses.
func (p *prober) closest(t *sumtree.Tree, base sumtree.Arithmetic, bank []sample) (sumtree.Arithmetic, int) {
	best := base
	best.Nodes = sumtree.NodeArith{Acc: p.key.Out}
	most, at := -1, 0
	for _, acc := range accumulators(p.key) {
		for _, a := range p.products(base, acc) {
			a.Nodes = sumtree.NodeArith{Acc: acc}
			if n, miss := matches(t, a, bank, false); n > most && miss >= 0 {
				best, most, at = a, n, miss
			}
		}
	}
	return best, at
}

// plainKinds are the inputs of moderate size.
var plainKinds = []string{"normal", "aware", "drift", "negative", "sparse"}

// anotherOrder says which other order that is known reproduces all inputs of
// moderate size, where the revealed one does not; "" when there is none.
func (p *prober) anotherOrder(t *sumtree.Tree, a sumtree.Arithmetic, bank []sample) string {
	var plain []sample
	for _, s := range bank {
		if slices.Contains(plainKinds, s.kind) {
			plain = append(plain, s)
		}
	}
	if n, _ := matches(t, a, plain, false); 2*n > len(plain) || len(plain) < 8 || p.n > scaledLeafLimit {
		return ""
	}
	for _, f := range sumtree.Candidates(p.n) {
		if n, _ := matches(f.Tree(p.n), a, plain, true); n == len(plain) {
			return fmt.Sprintf("numbers of moderate size are added in another order than huge ones: %s", f)
		}
	}
	return ""
}

// scaledLeafLimit is the largest n for which every summand is tried alone.
const scaledLeafLimit = 4096

// scaledLeaf looks for a summand that, alone among zeros, is not returned.
func (p *prober) scaledLeaf() (*Witness, error) {
	if p.n > scaledLeafLimit || p.key.Mean {
		return nil, nil
	}
	v := 1.5 // two bits, which no node on the way rounds off
	p.expect("summands", p.n/len(p.pool))
	for at := 0; at < p.n; at += len(p.pool) {
		var fills []func([]float64)
		for i := at; i < min(at+len(p.pool), p.n); i++ {
			fills = append(fills, func(row []float64) { row[i] = v })
		}
		out, err := p.ask(nil, fills...)
		if err != nil {
			return nil, err
		}
		for k, o := range out {
			if o != p.key.Out.Round(v, fp.NearestEven) {
				return p.witness(fmt.Sprintf("summand %d alone is not returned as it is", at+k), nil, fills[k], []float64{o}, &v), nil
			}
		}
	}
	return nil, nil
}

// notASum finds a summand that does not count once, by halving a wrong total.
func (p *prober) notASum(w weights, fill func([]float64), seen float64) error {
	want := p.expected(w.total())
	no := &inconsistent{what: "a total of small counts is wrong", witness: p.witness("a sum of small whole numbers is wrong", nil, fill, []float64{seen}, &want)}
	if changed, err := p.changes(no); err != nil || changed != nil {
		if err != nil {
			return err
		}
		return changed
	}
	lo, hi := 0, p.n
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		part := func(row []float64) {
			for i := lo; i < mid; i++ {
				row[i] = p.sc.unit
			}
		}
		if float64(mid-lo) >= math.Ldexp(1, p.sc.bits) {
			break
		}
		out, err := p.askIn(p.pool[:1], nil, part)
		if err != nil {
			return err
		}
		if c, ok := p.count(out[0]); !ok || int(c) != mid-lo {
			hi = mid
		} else {
			lo = mid
		}
	}
	if hi-lo == 1 {
		one := func(row []float64) { row[lo] = p.sc.unit }
		out, err := p.askIn(p.pool[:1], nil, one)
		if err != nil {
			return err
		}
		if c, ok := p.count(out[0]); !ok || c != 1 {
			want := p.expected(1)
			no.witness = p.witness(fmt.Sprintf("summand %d alone does not count once", lo), nil, one, out, &want)
		}
	}
	no.verdict = NotASum
	return no
}

// refuse turns an inconsistency into a verdict with a witness.
func (p *prober) refuse(f *Finding, no *inconsistent) error {
	f.Tree, f.Family, f.Verified, f.Arithmetic, f.Traits = nil, "", false, nil, Unknown()
	f.Evidence = Evidence{Lanes: f.Evidence.Lanes}
	f.Verdict, f.Witness = no.verdict, no.witness
	if no.verdict != "" {
		return nil
	}
	changed, err := p.changes(no)
	if err == nil && changed == nil {
		changed, err = p.restless()
	}
	if err != nil {
		return err
	}
	if changed != nil {
		f.Verdict, f.Witness = changed.verdict, changed.witness
		return nil
	}
	bank, _, err := p.fillBank(nil, p.opt.Replays)
	if err != nil {
		return err
	}
	if bank, err = p.addCancelling(bank); err != nil {
		return err
	}
	if err := p.judgeExact(f, bank); err != nil || f.Verified {
		return err
	}
	chain := sumtree.Family{Kind: sumtree.Chain}.Tree(p.n)
	base := p.common(true, false, false)
	if p.accurate(chain, base, bank) {
		return nil // compensated, with the witness that judgeExact found
	}
	leaf, err := p.scaledLeaf()
	if err != nil {
		return err
	}
	if leaf != nil {
		f.Verdict, f.Witness = NotASum, leaf
		return nil
	}
	f.Verdict = ValueDependent
	if no.witness != nil {
		f.Witness = no.witness
	}
	f.Warnings = append(f.Warnings, "no one tree gives the outputs: "+no.what)
	return nil
}
