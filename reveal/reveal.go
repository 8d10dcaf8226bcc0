package reveal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	Replays   int    // inputs replayed; 0 is 64, 128 for results of 16 bits, and fewer beyond 2^20 summands
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
	f, err := p.finding()
	if len(p.pool) > 1 && err == nil && !f.Verified {
		// What speaks against one tree may come from other lanes than the main one.
		alone := newProber(ctx, t, opt)
		alone.opt.OneLane, alone.calls = true, p.calls
		p = alone
		f, err = p.finding()
	}
	if err != nil {
		return nil, nil, err
	}
	f.Calls = p.calls
	if r, ok := t.(interface{ Restarts() int }); ok && r.Restarts() > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("the target died and was started again %d times", r.Restarts()))
	}
	return f, p, nil
}

// finding reveals, and turns what no tree explains into a verdict.
func (p *prober) finding() (*Finding, error) {
	f := &Finding{Algorithm: p.opt.Algorithm, Key: p.key, Traits: Unknown()}
	err := p.reveal(f)
	var no *inconsistent
	if errors.As(err, &no) {
		err = p.refuse(f, no)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// manySummands is the n from which on fewer inputs are replayed.
const manySummands = 1 << 20

// check fills in defaults and refuses what makes no sense.
func (o *Options) check(k probe.Key) error {
	if o.Algorithm == "" {
		o.Algorithm = "auto"
	}
	if o.Replays <= 0 {
		o.Replays = 64
		if k.Out.Valid() && k.Out.Precision() <= fp.Binary16.Precision() {
			o.Replays = 128 // short results show fewer of the roundings
		}
		if k.N > manySummands { // inputs are kept in memory
			o.Replays = max(12, o.Replays*manySummands/k.N)
		}
	}
	switch {
	case !slices.Contains(Algorithms, o.Algorithm):
		return &probe.Fault{ID: "bad-algorithm", Thing: fmt.Sprintf("algorithm %q", o.Algorithm), Cause: "there is none of that name", Cure: "use one of " + strings.Join(Algorithms, ", ")}
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
	for again := true; again; {
		f.Tree, err = p.claim(f, bank, counts)
		if err != nil {
			return err
		}
		if err := p.foretold(f.Tree, bank, counts); err != nil {
			return err
		}
		if again, err = p.judgeTree(f); err != nil {
			return err
		}
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
			want := p.expected(c)
			return &inconsistent{what: "the certified tree does not give an earlier result",
				witness: p.witness("the certified tree gives another result than the implementation", nil, fill, []float64{p.expected(counts[k])}, &want)}
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
		return p.changed(nil, fill, p.expected(count), out[0])
	}
	return nil
}

// judgeTree replays a certified tree and fills in the rest of the finding. It
// reports that all has to be done again when lanes turned out to compute in
// another way: what they have answered proves nothing about the main lane.
func (p *prober) judgeTree(f *Finding) (again bool, err error) {
	if f.Family == "" {
		if r, ok := sumtree.Recognise(f.Tree); ok {
			f.Family = r.String()
		}
	}
	base, err := p.basics(f.Tree)
	if err != nil {
		return false, err
	}
	hypotheses, err := p.uniform(f.Tree, base)
	if err != nil {
		return false, err
	}
	bank, dropped, err := p.fillBank(f.Tree, p.opt.Replays)
	if err != nil || dropped {
		return dropped, err
	}
	left, err := p.settle(f.Tree, hypotheses, &bank)
	if err == nil && len(left) == 0 {
		if dropped, err := p.shrinkPool(bank[:min(len(bank), poolSamples)]...); err != nil || dropped {
			return dropped, err
		}
		if !p.compensates(f.Tree, bank) {
			left, err = p.partwise(f.Tree, base, &bank)
		}
	}
	if err != nil {
		return false, err
	}
	f.Evidence.Lanes = len(p.pool)
	f.Verdict = TreeVerdict
	f.Evidence.ReplayTried = len(bank)
	if len(left) > 0 {
		f.Verified = true
		f.Arithmetic = &left[0]
		f.Traits = agreed(f.Tree, left)
		f.Evidence.ReplayMatched = len(bank)
		return false, nil
	}
	return false, p.explainMismatch(f, base, bank)
}

// poolSamples is how many inputs tell lanes apart that round differently.
const poolSamples = 4

func errPrecision(p *prober) error {
	return &probe.Fault{ID: "low-precision", Thing: p.key.String(), Cause: fmt.Sprintf("sums of %d ones are not exact in %d bits", p.n, p.sc.bits), Cure: "use --algorithm scaled, packed or auto"}
}

func naiveTooLarge(n int) error {
	return &probe.Fault{ID: "naive-too-large", Thing: fmt.Sprintf("algorithm naive at n = %d", n), Cause: fmt.Sprintf("it tries every order, and there are too many beyond n = %d", naiveMax), Cure: "use another algorithm"}
}
