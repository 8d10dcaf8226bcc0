package reveal

import (
	"errors"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/accel"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Accelerator is the arithmetic of a matrix unit, inferred from its results.
type Accelerator struct {
	// Known names the units of package mma that give every result asked, which
	// are several where their arithmetic is the same. It is empty for a unit
	// that is not in the table.
	Known []string `json:"known"`
	// Arithmetic gives every result. So does every other that differs from it
	// in the fields named Undetermined only, as far as inputs were found.
	Arithmetic   mma.Arithmetic `json:"arithmetic"`
	Undetermined []string       `json:"undetermined,omitempty"`
	// Subnormals tells what a subnormal factor counts for: "kept", "flushed" or
	// "unknown".
	Subnormals string `json:"subnormal_factors"`
	// Verified reports whether Arithmetic gave the bits of all Replayed random
	// products, which were asked after it was inferred.
	Verified bool `json:"verified"`
	Replayed int  `json:"replayed"`
	Matched  int  `json:"matched"`
	Calls    int  `json:"calls"` // part of Finding.Calls
}

const (
	maxAcceleratorN     = 2048 // more summands show no more, and take long
	maxAcceleratorLanes = 64
	// maxAcceleratorCalls bounds the calls of an inference: one for a question
	// and a replay, in one lane.
	maxAcceleratorCalls = 320
)

// mayFuse reports whether a finding may come from a matrix unit: sums in
// binary32 of products of short formats, which either add several summands at
// once or are not reproduced by additions of two.
func mayFuse(f *Finding) bool {
	k := f.Key
	if !k.Op.Products() || k.Out != fp.Binary32 || k.Acc != 0 || k.N < 2 || k.N > maxAcceleratorN ||
		k.DType.Precision() > fp.Binary16.Precision() {
		return false
	}
	switch f.Verdict {
	case TreeVerdict:
		return !f.Verified || f.Tree.MaxArity() > 2
	case ValueDependent, Unsupported:
		return true
	}
	return false
}

// fusedTerms returns the number of summands of a group, where the tree of a
// finding adds groups of one size and the sum so far at once, and else 0.
func fusedTerms(f *Finding) int {
	if f.Tree == nil {
		return 0
	}
	family, ok := sumtree.Recognise(f.Tree)
	if !ok || family.Kind != sumtree.Fused {
		return 0
	}
	return family.Block
}

// describeAccelerator infers the arithmetic of a matrix unit, and takes back a
// finding that its results contradict.
func describeAccelerator(r *run, f *Finding) error {
	if !mayFuse(f) || r.opt.MaxCalls > 0 && r.opt.MaxCalls-r.c.Calls() < maxAcceleratorCalls {
		return nil
	}
	before := r.c.Calls()
	lanes := r.c.Pool()
	lanes = lanes[:min(len(lanes), maxAcceleratorLanes)]
	target := accel.Target{Regular: f.Verified, In: f.Key.DType, N: f.Key.N, Lanes: len(lanes),
		Ask: func(rows [][]float64, y []float64) ([]float64, error) {
			fills := make([]ask.Fill, len(rows))
			for i, x := range rows {
				fills[i] = ask.Values(x)
			}
			return r.c.AskIn(lanes, y, fills...)
		}}
	if terms := fusedTerms(f); terms < f.Key.N {
		target.Terms = terms
	}
	m, samples, err := accel.Infer(target, ask.RandApart(r.c, "accel"))
	var fault *probe.Fault
	if errors.As(err, &fault) && r.c.Err() == nil {
		return nil // what the order showed stays
	}
	if err != nil {
		return err
	}
	calls := r.c.Calls() - before
	f.Calls += calls
	contradict(f, samples)
	if m != nil {
		f.Accelerator = &Accelerator{Known: m.Known, Arithmetic: m.Arithmetic,
			Undetermined: m.Undetermined, Subnormals: string(m.Subnormals),
			Verified: m.Verified(), Replayed: m.Replayed, Matched: m.Matched, Calls: calls}
	}
	return nil
}

// contradict takes back the proof of a finding whose arithmetic does not give
// the results of samples.
func contradict(f *Finding, samples []accel.Sample) {
	if !f.Verified || f.Arithmetic == nil {
		return
	}
	tiny := false
	for _, s := range samples {
		want, err := f.Tree.Replay(*f.Arithmetic, s.X, s.Y)
		if err != nil || ask.SameBits(want, s.Out) || want == s.Out {
			continue
		}
		if s.Tiny {
			tiny = true
			continue
		}
		traits := Unknown()
		traits.NaN, traits.Special = f.Traits.NaN, f.Traits.Special
		f.Verified, f.Arithmetic, f.Traits = false, nil, traits
		f.Evidence.ReplayTried++
		f.Witness = &Witness{What: "replaying the tree gives another result",
			X: slices.Clone(s.X), Y: slices.Clone(s.Y), Seen: Numbers{s.Out}, Want: &Numbers{want}}
		f.Warnings = append(f.Warnings,
			"the certificate holds, but products of many sizes contradict the arithmetic that "+
				"ordinary ones allow: the tree is unverified")
		return
	}
	if tiny {
		f.Warnings = append(f.Warnings, "sums near the subnormal numbers of f32 differ from a "+
			"replay of the tree, where the unit counts the exponent of a term of zero")
	}
}
