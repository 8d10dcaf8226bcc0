package reveal

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
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

// seemsExact reports whether no count was ever lost to a mask: three leaves
// suffice to tell, since in any tree at least two of their three pairs meet
// above the third leaf.
func (p *prober) seemsExact(bank []structure, counts []float64) (bool, error) {
	for k, s := range bank {
		if counts[k] != s.unmasked() {
			return false, nil
		}
	}
	if p.n < 3 {
		return false, nil
	}
	a, b, c := 0, p.n/2, p.n-1
	for _, q := range [][3]int{{a, b, c}, {a, c, b}, {b, c, a}} {
		out, err := p.ask(nil, func(row []float64) {
			m := p.mask()
			row[q[0]], row[q[1]], row[q[2]] = m, -m, p.sc.unit
		})
		if err != nil {
			return false, err
		}
		if n, ok := p.count(out[0]); !ok || n != 1 {
			return false, nil
		}
	}
	return true, nil
}

// exactReplays is how many hard inputs an exact implementation must get right.
const exactReplays = 12

// judgeExact tells exact from compensated: sums that lose no count to a mask are
// one or the other.
func (p *prober) judgeExact(f *Finding, bank []sample) error {
	if bank == nil {
		var err error
		if bank, err = p.fillBank(nil, max(exactReplays, p.opt.Replays)); err != nil {
			return err
		}
		if bank, err = p.addCancelling(bank); err != nil {
			return err
		}
	}
	var wrong *sample
	var want float64
	matched, overflowed := 0, 0
	for k := range bank {
		s := &bank[k]
		e := exactSum(p.key.Out, p.key.Mean, s.x, s.y)
		switch {
		case sameBits(e, s.out) || e == 0 && s.out == 0:
			matched++
		case s.out-s.out != 0 && absoluteSum(s.x, s.y) > p.key.Out.Max():
			overflowed++ // of a partial sum: not a question of order or of rounding
		case wrong == nil:
			wrong, want = s, e
		}
	}
	f.Evidence.ReplayTried, f.Evidence.ReplayMatched = len(bank), matched
	switch {
	case wrong != nil:
		f.Verdict = Compensated
		f.Witness = p.witness("no summand is lost to a huge one, yet this sum is not correctly rounded", wrong.y, copied(wrong.x), []float64{wrong.out}, &want)
		return nil
	case !p.tellsExact(bank):
		f.Verdict = Unsupported
		f.Witness = p.witness("every result was correctly rounded, but in this format no input tells that from a plain sum in a wider one", bank[0].y, copied(bank[0].x), []float64{bank[0].out}, nil)
		return nil
	}
	if overflowed > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%d inputs whose partial sums may overflow gave no finite result", overflowed))
	}
	f.Verdict, f.Verified, f.Witness = Exact, true, nil
	f.Traits.Accumulator, f.Traits.FMA, f.Traits.Rounding = "exact", p.key.Op.Products(), fp.NearestEven.String()
	if f.Traits.FMA == true {
		f.Traits.FMA = "exact"
	}
	return nil
}

// tellsExact reports whether the bank has inputs on which every plain sum that
// can go wrong does go wrong: a chain in each possible accumulator. (Sums of
// float16 values cannot, in float64: they are exact.)
func (p *prober) tellsExact(bank []sample) bool {
	chain := sumtree.Family{Kind: sumtree.Chain}.Tree(p.n)
	for _, acc := range accumulators(p.key) {
		if p.key.DType == fp.Binary16 && acc == fp.Binary64 && !p.key.Op.Products() {
			continue
		}
		a := p.common(true, false, false)
		a.Nodes.Acc = acc
		if p.key.Op.Products() {
			a.FMA = sumtree.FMAAll
		}
		differ := 0
		for _, s := range bank {
			plain, err := chain.Replay(a, s.x, s.y)
			if err == nil && !sameBits(plain, exactSum(p.key.Out, p.key.Mean, s.x, s.y)) {
				differ++
			}
		}
		if differ < 2 {
			return false
		}
	}
	return true
}

// absoluteSum returns Σ |x| or Σ |x·y|, in float64.
func absoluteSum(x, y []float64) float64 {
	var s float64
	for i, v := range x {
		if y != nil {
			v = float64(v * y[i])
		}
		s += math.Abs(v)
	}
	return s
}

// addCancelling adds inputs whose large summands cancel, in pairs ±v at random
// places, and which leave so little that neither two words of precision nor a
// float64 hold both.
func (p *prober) addCancelling(bank []sample) ([]sample, error) {
	f := p.key.DType
	top := f.MaxExp() - 3 - bits.Len(uint(p.n))/2
	rest := max(top-max(2*f.Precision(), fp.Binary64.Precision())-6, f.MinExp()-f.Precision()/2)
	for range cancelling {
		x := make([]float64, p.n)
		order := p.rng.Perm(p.n)
		for k := 0; k+1 < p.n; k += 2 {
			v := f.Round(math.Ldexp(1+p.rng.Float64(), top-p.rng.IntN(f.Precision())), fp.TowardZero)
			x[order[k]], x[order[k+1]] = v, -v
			if k > 0 && p.rng.IntN(4) == 0 {
				x[order[k]] = f.Round(math.Ldexp(p.rng.NormFloat64(), rest), fp.NearestEven)
				x[order[k+1]] = f.Round(math.Ldexp(p.rng.NormFloat64(), rest), fp.NearestEven)
			}
		}
		if p.n%2 == 1 {
			x[order[p.n-1]] = math.Ldexp(1, rest)
		}
		out, err := p.ask(nil, copied(x))
		if err != nil {
			return nil, err
		}
		bank = append(bank, sample{kind: "cancelling", x: x, out: out[0]})
	}
	return bank, nil
}

// cancelling is how many inputs addCancelling adds.
const cancelling = 8

func copied(x []float64) func([]float64) { return func(row []float64) { copy(row, x) } }

// exactSum returns the correctly rounded sum, or mean, of x or x·y.
func exactSum(out fp.Format, mean bool, x, y []float64) float64 {
	const bits = 4400
	sum := new(big.Float).SetPrec(bits)
	for i := range x {
		if x[i]-x[i] != 0 || y != nil && y[i]-y[i] != 0 {
			return math.NaN()
		}
		t := new(big.Float).SetPrec(bits).SetFloat64(x[i])
		if y != nil {
			t.Mul(t, new(big.Float).SetPrec(bits).SetFloat64(y[i]))
		}
		sum.Add(sum, t)
	}
	if mean {
		sum.Quo(sum, new(big.Float).SetPrec(bits).SetInt64(int64(len(x))))
	}
	head, _ := sum.Float64()
	if math.IsInf(head, 0) {
		return head
	}
	rest, _ := new(big.Float).SetPrec(bits).Sub(sum, new(big.Float).SetPrec(bits).SetFloat64(head)).Float64()
	return out.Add(head, rest, fp.NearestEven)
}

// explainMismatch judges a tree whose structure is certified and whose replays
// fail whatever the arithmetic.
func (p *prober) explainMismatch(f *Finding, base sumtree.Arithmetic, bank []sample) error {
	for k := range bank[:min(len(bank), 4)] {
		s := &bank[k]
		out, err := p.askIn(p.pool[:1], s.y, copied(s.x))
		if err != nil {
			return err
		}
		if !sameBits(out[0], s.out) {
			return p.changed(s.y, copied(s.x), s.out, out[0])
		}
	}
	best, at := p.closest(f.Tree, base, bank)
	f.Evidence.ReplayMatched, _ = matches(f.Tree, best, bank, false)
	s := bank[at]
	want, err := f.Tree.Replay(best, s.x, s.y)
	if err != nil {
		return err
	}
	f.Witness = p.witness("replaying the tree gives another result", s.y, copied(s.x), []float64{s.out}, &want)
	if p.compensates(f.Tree, bank) || p.accurate(f.Tree, best, bank) {
		f.Verdict = Compensated
		f.Witness.What = "the result is more accurate than the revealed order allows: rounding errors are carried along"
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
	if kinds := p.kindsMatched(f.Tree, best, bank); len(kinds) > 0 {
		f.Verdict = ValueDependent
		f.Witness.What = fmt.Sprintf("replaying the revealed order reproduces the inputs of kind %v only, and not this one", kinds)
		f.Tree, f.Family = nil, ""
		return nil
	}
	f.Warnings = append(f.Warnings, "the certificate holds, but no arithmetic known here reproduces the results: the tree is unverified")
	return nil
}

// widestFused is the largest number of operands of a fused sum that is taken for
// hardware: the instructions known have 32 products and the accumulator.
const widestFused = 33

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

// compensates reports whether Kahan's summation in the order of the tree, a
// chain, gives the results of the bank.
func (p *prober) compensates(t *sumtree.Tree, bank []sample) bool {
	order, ok := chainOrder(t)
	if !ok {
		return false
	}
	for _, acc := range accumulators(p.key) {
		matched, tried := 0, 0
		for _, s := range bank {
			if s.out-s.out != 0 {
				continue
			}
			tried++
			if sameBits(p.key.Out.Round(kahan(acc, p.key.DType, order, s.x, s.y), fp.NearestEven), s.out) {
				matched++
			}
		}
		if tried > 0 && 10*matched >= 9*tried {
			return true
		}
	}
	return false
}

// chainOrder returns the leaves of a chain in the order in which they are added.
func chainOrder(t *sumtree.Tree) ([]int, bool) {
	order := make([]int, 0, t.Leaves())
	id := t.Root()
	for !t.IsLeaf(id) {
		kids := t.Children(id)
		a, b := int(kids[0]), int(kids[1])
		if len(kids) != 2 || !t.IsLeaf(a) && !t.IsLeaf(b) {
			return nil, false
		}
		if !t.IsLeaf(b) {
			a, b = b, a
		}
		order = append(order, b)
		id = a
	}
	order = append(order, id)
	slices.Reverse(order)
	return order, true
}

// kahan sums in the format acc and carries the rounding errors along.
//
// References: Kahan1965
func kahan(acc, in fp.Format, order []int, x, y []float64) float64 {
	sub := func(a, b float64) float64 { return acc.Add(a, -b, fp.NearestEven) }
	var s, c float64
	for _, i := range order {
		v := x[i]
		if y != nil {
			v = in.Mul(v, y[i], fp.NearestEven)
		}
		v = sub(v, c)
		t := acc.Add(s, v, fp.NearestEven)
		c = sub(sub(t, s), v)
		s = t
	}
	return s
}

// accurate reports whether the implementation is right, but for the last place or
// two, on most samples on which the order t is far off.
func (p *prober) accurate(t *sumtree.Tree, a sumtree.Arithmetic, bank []sample) bool {
	a.Nodes = sumtree.NodeArith{Acc: p.key.Out}
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return false
	}
	near, tried := 0, 0
	for _, s := range bank {
		exact := exactSum(p.key.Out, p.key.Mean, s.x, s.y)
		plain, err := r.Sum(s.x, s.y)
		if err != nil || exact-exact != 0 || plain-plain != 0 || s.out-s.out != 0 || s.kind == "small" {
			continue
		}
		if math.Abs(plain-exact) < 16*p.key.Out.ULP(exact) {
			continue
		}
		tried++
		if math.Abs(s.out-exact) <= 2*p.key.Out.ULP(exact) {
			near++
		}
	}
	return tried >= 4 && 10*near >= 7*tried
}

// kindsMatched returns the kinds of input of which every sample is reproduced.
func (p *prober) kindsMatched(t *sumtree.Tree, a sumtree.Arithmetic, bank []sample) []string {
	var all []string
	for _, kind := range []string{"normal", "drift", "aware", "wide", "large", "small"} {
		var of []sample
		for _, s := range bank {
			if s.kind == kind {
				of = append(of, s)
			}
		}
		if n, _ := matches(t, a, of, true); len(of) > 1 && n == len(of) {
			all = append(all, kind)
		}
	}
	return all
}

// scaledLeafLimit is the largest n for which every summand is tried alone.
const scaledLeafLimit = 4096

// scaledLeaf looks for a summand that, alone among zeros, is not returned.
func (p *prober) scaledLeaf() (*Witness, error) {
	if p.n > scaledLeafLimit || p.key.Mean {
		return nil, nil
	}
	f := p.key.DType
	v := f.Round(1+1/3.0, fp.NearestEven)
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
	want := w.total() * p.sc.unit
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
		if out[0] != p.sc.unit {
			no.witness = p.witness(fmt.Sprintf("summand %d alone does not count once", lo), nil, one, out, &p.sc.unit)
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
	bank, err := p.fillBank(nil, p.opt.Replays)
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
