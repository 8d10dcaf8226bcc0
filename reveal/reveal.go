package reveal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// Algorithms lists the names that Options.Algorithm takes.
var Algorithms = []string{"auto", "naive", "basic", "fprev-binary", "fprev", "scaled", "packed", "family"}

// Options of a revelation. The zero value is the default of each.
type Options struct {
	Algorithm string // one of Algorithms; "" is auto
	Seed      uint64 // of the random inputs; the same seed asks the same questions
	Replays   int    // inputs replayed; 0 is 40
	MaxCalls  int    // more end in an error; 0 is no limit
	OneLane   bool   // asks one lane only, as the paper's tool does
	// Progress is told after every call what is being done, how many calls were
	// made, and how many are expected by the end of this step.
	Progress func(step string, done, expected int)
}

// Reveal finds out how t accumulates. The error is a *probe.Fault when the
// target could not be run, and the context's when it was cancelled; that the
// implementation is not one fixed tree is no error but a verdict.
//
// Promise of a verified finding of verdict tree: the certificate held, and
// replaying tree and arithmetic gave the implementation's own bits on every
// input tried.
//
// References: Xie2025
func Reveal(ctx context.Context, t probe.Target, opt Options) (*Finding, error) {
	f, _, err := reveal(ctx, t, opt)
	return f, err
}

// reveal is Reveal, and returns the prober for further questions.
func reveal(ctx context.Context, t probe.Target, opt Options) (*Finding, *prober, error) {
	if err := opt.check(t.Key()); err != nil {
		return nil, nil, err
	}
	p := newProber(ctx, t, opt)
	f := &Finding{Algorithm: opt.Algorithm, Key: t.Key(), Traits: Unknown()}
	err := p.reveal(f)
	var no *inconsistent
	if errors.As(err, &no) {
		err = p.refuse(f, no)
	}
	f.Calls = p.calls
	if err != nil {
		return nil, nil, err
	}
	if r, ok := t.(interface{ Restarts() int }); ok && r.Restarts() > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("the target died and was started again %d times", r.Restarts()))
	}
	return f, p, nil
}

// check fills in defaults and refuses what makes no sense.
func (o *Options) check(k probe.Key) error {
	if o.Algorithm == "" {
		o.Algorithm = "auto"
	}
	if o.Replays <= 0 {
		o.Replays = 40
	}
	switch {
	case !slices.Contains(Algorithms, o.Algorithm):
		return &probe.Fault{ID: "bad-algorithm", Thing: fmt.Sprintf("algorithm %q", o.Algorithm), Cause: "there is none of that name", Cure: fmt.Sprintf("use one of %v", Algorithms)}
	case k.N < 1:
		return &probe.Fault{ID: "no-summands", Thing: k.Target, Cause: "a sum of no summands has no order", Cure: "take n of at least 1"}
	}
	return nil
}

// reveal fills in f. An *inconsistent error says that no one tree explains the
// outputs.
func (p *prober) reveal(f *Finding) error {
	if err := p.calibrate(); err != nil {
		return err
	}
	bank, counts, pool, err := p.firstStructures()
	if err != nil {
		return err
	}
	if p.t.Lanes() == 1 {
		if err := p.askAgain(bank[0], counts[0]); err != nil {
			return err
		}
	}
	if exact, err := p.seemsExact(bank, counts); err != nil || exact {
		if err != nil {
			return err
		}
		return p.judgeExact(f, nil)
	}
	if !p.opt.OneLane {
		p.pool = pool
		y := p.secondFactors()
		if _, err := p.shrinkPool(sample{x: p.sampleOf("normal", nil, y), y: y}); err != nil {
			return err
		}
	}
	f.Evidence.Lanes = len(pool)
	tree, tests, err := p.claim(f, bank, counts)
	if err != nil {
		return err
	}
	f.Tree = tree
	f.Evidence.CertificateTests = tests
	if err := p.foretold(tree, bank, counts); err != nil {
		return err
	}
	if err := p.judgeTree(f); err != nil {
		return err
	}
	// An early question again: a state that changed shows.
	return p.askAgain(bank[len(bank)-1], counts[len(bank)-1])
}

// foretold holds a certified tree against the first questions: an order that
// changed since then shows.
func (p *prober) foretold(t *sumtree.Tree, bank []structure, counts []float64) error {
	r, err := sumtree.NewReplayer(t, maskedArithmetic(t))
	if err != nil {
		return err
	}
	for k, s := range bank {
		if c, err := r.Sum(s.logical(), nil); err != nil || c != counts[k] {
			fill := s.fill(s.exp, p.sc.unit)
			if err := p.askAgain(s, counts[k]); err != nil {
				return err
			}
			want := c * p.sc.unit
			return &inconsistent{what: "the certified tree does not give an earlier result",
				witness: p.witness("the certified tree gives another result than the implementation", nil, fill, []float64{counts[k] * p.sc.unit}, &want)}
		}
	}
	return nil
}

// maskedArithmetic is an arithmetic in which the logical form of a structure
// gives its count: masks of 2^200 absorb every count, in fused sums too.
func maskedArithmetic(t *sumtree.Tree) sumtree.Arithmetic {
	a := sumtree.Plain(fp.Binary64)
	if t.MaxArity() > 2 {
		a.Nodes.Align = 50
	}
	return a
}

// askAgain asks a structure once more.
func (p *prober) askAgain(s structure, count float64) error {
	fill := s.fill(s.exp, p.sc.unit)
	out, err := p.askIn(p.pool[:1], nil, fill)
	if err != nil {
		return err
	}
	if c, ok := p.count(out[0]); !ok || c != count {
		before := count * p.sc.unit
		if p.key.Mean {
			before /= float64(p.n)
		}
		return p.changed(nil, fill, before, out[0])
	}
	return nil
}

// bankSize is how many structures are asked: enough for about 40 bits of
// evidence for or against a family.
func (p *prober) bankSize() int {
	if p.sc.bits < 20 || p.n < 16 {
		return 5
	}
	return 3
}

// claim runs the algorithm and the certificate. auto takes the cheapest
// algorithm, and the next one where the certificate contradicts the claim.
func (p *prober) claim(f *Finding, bank []structure, counts []float64) (*sumtree.Tree, int, error) {
	var refusal error
	for todo := p.algorithms(); len(todo) > 0; todo = todo[1:] {
		name := todo[0]
		f.Family = ""
		tree, err := p.run(name, f, bank, counts)
		var before int
		if err == nil && tree != nil {
			f.Algorithm = name
			before = p.calls
			var tests int
			if tests, err = p.certify(tree); err == nil {
				f.Evidence.CertificateCalls = p.calls - before
				return tree, tests, nil
			}
		}
		var no *inconsistent
		if err != nil && !errors.As(err, &no) {
			return nil, 0, err
		}
		if err != nil {
			if err := p.attest(no); err != nil {
				return nil, 0, err
			}
		}
		if err != nil && no.witness != nil {
			if dropped, err := p.shrinkPool(sample{x: no.witness.X, y: no.witness.Y}); err != nil {
				return nil, 0, err
			} else if dropped {
				todo = append([]string{""}, p.algorithms()...) // again, with fewer lanes
				continue
			}
		}
		if err != nil && (refusal == nil || no.witness != nil) {
			refusal = err
		}
		if name == "family" && tree != nil && len(p.excluded) < familyTries {
			p.excluded = append(p.excluded, f.Family)
			todo = append([]string{""}, todo...) // the next family
		}
		if changed, err := p.changes(no); err != nil || changed != nil {
			if err != nil {
				return nil, 0, err
			}
			return nil, 0, changed
		}
	}
	if refusal == nil {
		refusal = &inconsistent{what: "none of the families tried gives the outputs"}
	}
	return nil, 0, refusal
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

// judgeTree replays a certified tree and fills in the rest of the finding.
func (p *prober) judgeTree(f *Finding) error {
	if f.Family == "" {
		if r, ok := sumtree.Recognise(f.Tree); ok {
			f.Family = r.String()
		}
	}
	base, err := p.basics(f.Tree)
	if err != nil {
		return err
	}
	var bank []sample
	var left []sumtree.Arithmetic
	hypotheses, err := p.uniform(f.Tree, base)
	if err != nil {
		return err
	}
	for again := true; again && len(left) == 0; {
		if bank, err = p.fillBank(f.Tree, p.opt.Replays); err != nil {
			return err
		}
		if left, err = p.settle(f.Tree, hypotheses, &bank); len(left) > 0 || err != nil {
			break
		}
		// Lanes may share the tree and not the arithmetic.
		if again, err = p.shrinkPool(bank[:min(len(bank), poolSamples)]...); err != nil {
			return err
		}
	}
	if len(left) == 0 && err == nil {
		left, err = p.partwise(f.Tree, base, &bank)
	}
	if err != nil {
		return err
	}
	f.Evidence.Lanes = len(p.pool)
	f.Verdict = TreeVerdict
	f.Evidence.ReplayTried = len(bank)
	if len(left) > 0 {
		f.Verified = true
		f.Arithmetic = &left[0]
		f.Traits = agreed(f.Tree, left)
		f.Evidence.ReplayMatched = len(bank)
		return nil
	}
	return p.explainMismatch(f, base, bank)
}

// poolSamples is how many inputs tell lanes apart that round differently.
const poolSamples = 4

// calibrate finds the units, masks and precision that the target allows, and
// checks that every summand counts once.
func (p *prober) calibrate() error {
	p.expect("calibrate", 2)
	flushed := false
	if p.sc.bits < 2 {
		return &inconsistent{verdict: Unsupported, what: "the format has not the range for masks and counts",
			witness: p.witness("of this many summands the mean of one unit is below the format, or a mask does not absorb it", nil, p.fill(nil, nil), nil, nil)}
	}
	for bits := p.sc.bits; ; {
		p.sc.bits = bits
		w := p.randomWeights(nil)
		fill := p.fill(w, nil)
		out, err := p.askIn(p.pool[:1], nil, fill)
		if err != nil {
			return err
		}
		c, ok := p.count(out[0])
		switch {
		case ok && c == w.total():
			return nil
		case out[0] != out[0]:
			return &probe.Fault{ID: "returns-nan", Thing: p.key.String(), Cause: "the sum of small positive numbers came out as NaN", Cure: "check the function's signature, --dtype and --op"}
		case out[0] == 0 && p.sc.unit < p.key.DType.MinNormal() && !flushed:
			// Subnormal units were flushed: a larger unit, and fewer of them below a mask.
			flushed = true
			p.sc.unit = p.key.DType.MinNormal()
			bits = min(bits, 4)
		case bits > p.key.DType.Precision() && !p.key.Mean:
			bits = p.key.DType.Precision() // accumulated in the input format
		case bits > fp.BFloat16.Precision():
			bits = fp.BFloat16.Precision()
		default:
			return p.notASum(w, fill, out[0])
		}
	}
}

// firstStructures asks the first structures. Where sums are rounded up, −M plus
// a count is not −M; negative counts do not have that.
func (p *prober) firstStructures() (bank []structure, counts []float64, pool []int, err error) {
	for {
		bank = p.structures(p.bankSize())
		counts, pool, err = p.askStructures(bank)
		var no *inconsistent
		if !errors.As(err, &no) || p.n < 2 || no.verdict != "" {
			return bank, counts, pool, err
		}
		mode, other := p.roundingMode()
		switch {
		case other != nil:
			return nil, nil, nil, other
		case mode == fp.Up && p.sc.unit > 0:
			p.sc.unit = -p.sc.unit
			continue
		case mode == fp.TowardZero:
			no.verdict, no.what = Unsupported, "sums are rounded toward zero"
			no.witness.What = "additions are rounded toward zero, where no mask absorbs what is added to it"
		}
		return nil, nil, nil, err
	}
}

// roundingMode finds the direction in which the sum of two summands is rounded:
// 1 + 3h and −1 − 3h, h being a quarter of the spacing above 1.
func (p *prober) roundingMode() (fp.Mode, error) {
	h := math.Ldexp(1, -p.key.Out.Precision()-1)
	sum := func(a, b float64) (float64, error) {
		out, err := p.askIn(p.pool[:1], nil, func(row []float64) { row[0], row[p.n-1] = a, b })
		if err != nil {
			return 0, err
		}
		return out[0], nil
	}
	above, err := sum(1, 3*h)
	if err != nil {
		return 0, err
	}
	below, err := sum(-1, -3*h)
	if err != nil {
		return 0, err
	}
	slight, err := sum(1, h)
	switch {
	case above == 1 && below == -1:
		return fp.TowardZero, err
	case above == 1:
		return fp.Down, err
	case slight > 1:
		return fp.Up, err
	}
	return fp.NearestEven, err
}

func errPrecision(p *prober) error {
	return &probe.Fault{ID: "low-precision", Thing: p.key.String(), Cause: fmt.Sprintf("sums of %d ones are not exact in %d bits", p.n, p.sc.bits), Cure: "use --algorithm scaled, packed or auto"}
}

func naiveTooLarge(n int) error {
	return &probe.Fault{ID: "naive-too-large", Thing: fmt.Sprintf("algorithm naive at n = %d", n), Cause: fmt.Sprintf("it tries every order, and there are too many beyond n = %d", naiveMax), Cure: "use another algorithm"}
}
