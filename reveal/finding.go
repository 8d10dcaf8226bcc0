package reveal

import (
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// Verdict is the outcome of Reveal. The table in
// reveal/internal/verdict/table.go lists the evidence that makes each.
type Verdict string

// The verdicts.
const (
	// TreeVerdict is one fixed order.
	TreeVerdict Verdict = Verdict(verdict.Tree)
	// Exact is a correctly rounded sum, or one of integers that wraps or is cut
	// off: see Finding.Integers. No order shows in it.
	Exact Verdict = Verdict(verdict.Exact)
	// Compensated is a sum that carries its rounding errors along.
	Compensated Verdict = Verdict(verdict.Compensated)
	// Nondeterministic is a target that gave different results for one input.
	Nondeterministic Verdict = Verdict(verdict.Nondeterministic)
	// ValueDependent is an order or a scaling that depends on the values.
	ValueDependent Verdict = Verdict(verdict.ValueDependent)
	// NotASum is a function that drops, doubles or scales a summand, and whose
	// summands have no weights that explain it.
	NotASum Verdict = Verdict(verdict.NotASum)
	// Unsupported is a target with too little range or precision to reveal an
	// order.
	Unsupported Verdict = Verdict(verdict.Unsupported)
)

// Finding is the result of Reveal.
type Finding struct {
	Verdict  Verdict       `json:"verdict"`
	Verified bool          `json:"verified"` // certificate and replay passed, or exactness
	Tree     *sumtree.Tree `json:"-"`        // see MarshalJSON
	Family   string        `json:"family"`   // "" when no family is recognised
	// Method names the compensated summation that gives the results, one of
	// "Kahan", "Neumaier" and "double-double", or is "" where none is known to.
	Method string `json:"method,omitempty"`
	// Constant is the one result that all inputs tried gave, where the verdict
	// is NotASum; nil for several results.
	Constant *Numbers `json:"constant,omitempty"`
	// Except names the inputs that an unverified tree does not reproduce, in a
	// clause that begins with "where", and is "" where it is not known.
	Except     string              `json:"except,omitempty"`
	Algorithm  string              `json:"algorithm"`
	Calls      int                 `json:"calls"`
	Key        probe.Key           `json:"key"`
	Traits     Traits              `json:"traits"`
	Arithmetic *sumtree.Arithmetic `json:"arithmetic"` // nil when it is unknown
	Evidence   Evidence            `json:"evidence"`
	Witness    *Witness            `json:"witness"` // nil when verified
	Warnings   []string            `json:"warnings"`
	// Addresses is nil where no other addresses were tried: the target does not
	// place its operands itself, or has no fixed result.
	Addresses *Addresses `json:"addresses,omitempty"`
	// Accelerator is nil where no arithmetic of a matrix unit was found.
	Accelerator *Accelerator `json:"accelerator,omitempty"`
	// Integers is nil for a target that takes no integers.
	Integers *Integers `json:"integers,omitempty"`

	undecided bool // other arithmetics than this one give every result, too
}

// Evidence counts the calls and replays that support a finding.
type Evidence struct {
	CertificateCalls int `json:"certificate_calls"` // calls whose output the claimed tree predicted
	CertificateTests int `json:"certificate_tests"` // tests in them: one a lane
	ReplayTried      int `json:"replay_tried"`
	ReplayMatched    int `json:"replay_matched"`
	Lanes            int `json:"lanes"` // lanes that share the tree and were probed together
	// Repeated counts calls that repeated an input in other schedules of
	// threads: 0 where one thread alone is known to compute.
	Repeated int `json:"repeated,omitempty"`
}

// Witness is an input that shows why a finding has its verdict. It can be
// checked without this package.
type Witness struct {
	What string   `json:"what"`        // the fact it shows
	X    Numbers  `json:"x"`           // all n summands, or first factors
	Y    Numbers  `json:"y,omitempty"` // second factors; none for sums, and where all are 1
	Seen Numbers  `json:"seen"`        // outputs of the implementation
	Want *Numbers `json:"want,omitempty"`
}

// report turns an outcome and its verdict into a finding.
func report(r *run, o outcome, d verdict.Decision) *Finding {
	f := &Finding{
		Verdict: Verdict(d.Verdict), Verified: d.Proof == verdict.Verified,
		Algorithm: r.algorithm, Calls: r.c.Calls(), Key: r.c.Key, Traits: Unknown(),
		Evidence: Evidence{
			CertificateCalls: o.claim.certificate.Calls,
			CertificateTests: o.claim.certificate.Tests,
			ReplayTried:      o.tried, ReplayMatched: o.matched, Lanes: r.lanes,
		},
		Witness: newWitness(d.Witness), Warnings: d.Warnings,
	}
	switch {
	case f.Verdict == Compensated:
		f.Method = methodOf(o)
	case f.Verdict == NotASum:
		f.Constant = constantOf(r.opt.memory.Samples())
	case f.Verdict == TreeVerdict:
		f.Tree, f.Family = o.claim.tree, o.claim.family
		for _, fact := range o.evidence {
			if fact.Reason == verdict.NotReplayed {
				f.Except = fact.Where
			}
		}
		if f.Verified {
			f.Arithmetic = &o.arithmetic[0]
			f.undecided = len(o.arithmetic) > 1 && f.Key.N > proof.MaxRivalSummands
			f.Traits = commonTraits(f.Tree, o.arithmetic)
		}
	case f.Verdict == Exact:
		f.Traits.Accumulator, f.Traits.Rounding = "exact", fp.NearestEven.String()
		f.Traits.FMA = NotFused
		if f.Key.Op.Products() {
			f.Traits.FMA = ExactProducts
		}
	}
	return f
}

// methodOf names the compensated summation of an outcome.
func methodOf(o outcome) string {
	isKahan := func(f verdict.Fact) bool { return f.Reason == verdict.KahanFits }
	if slices.ContainsFunc(o.evidence, isKahan) {
		return proof.KahanMethod
	}
	return o.method
}

// minConstant is the least number of inputs that show a constant.
const minConstant = 8

// constantOf returns the result that all samples gave, or nil.
func constantOf(samples []ask.Sample) *Numbers {
	if len(samples) < minConstant {
		return nil
	}
	first := samples[0].Out
	for k := range samples {
		if !ask.SameBits(samples[k].Out, first) {
			return nil
		}
	}
	return &Numbers{first}
}

func newWitness(w *verdict.Witness) *Witness {
	if w == nil {
		return nil
	}
	public := &Witness{What: w.What, X: w.X, Y: w.Y, Seen: w.Seen}
	if w.Want != nil {
		public.Want = &Numbers{*w.Want}
	}
	return public
}
