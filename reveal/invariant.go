package reveal

import (
	"context"
	"slices"

	"github.com/lastbit/lastbit/probe"
)

// AxisN names the axis of a Sweep over the number of summands. Its targets have
// no inputs in common, so their rules are compared.
const AxisN = "n"

// Sweep is a list of targets that differ in one thing: the number of rows, of
// threads or of summands, or the implementation.
type Sweep struct {
	Axis   string   // of the difference: "m", "threads", AxisN
	Values []string // along the axis, one for each target
	// Open opens the target of Values[i]. It is called several times for one i.
	// At most two targets are open at the same time, and all are closed.
	Open func(ctx context.Context, i int) (probe.Target, error)
}

// Invariance groups the values of a sweep by tree and arithmetic.
type Invariance struct {
	// Conclusion is Same where there is one class, and it is verified;
	// Different where results change from call to call, or where a witness, or
	// two verified rules, show that two adjacent classes differ; and otherwise
	// Open.
	Conclusion Conclusion `json:"conclusion"`
	// Invariant reports that the conclusion is Same.
	Invariant  bool       `json:"invariant"`
	Axis       string     `json:"axis"`
	Values     []string   `json:"values"`
	Key        probe.Key  `json:"key"`     // of the first value
	Classes    []Class    `json:"classes"` // in the order of their first members
	Boundaries []Boundary `json:"boundaries"`
	Inputs     int        `json:"inputs"` // given to every value; 0 for AxisN
	Calls      int        `json:"calls"`
}

// Class is the values of a sweep that compute alike.
type Class struct {
	Members []string `json:"members"`
	Indices []int    `json:"indices"` // of the members in Values
	Verdict Verdict  `json:"verdict"` // of the representative
	Family  string   `json:"family"`
	// Verified reports that the representative is a verified tree, which
	// predicted every result of all other members, or that every member is
	// verified to be exact.
	Verified bool `json:"verified"`
	// Predicted is the least number of results that any other member was
	// compared with a prediction on.
	Predicted      int      `json:"predicted"`
	Representative *Finding `json:"representative"`
	Revealed       string   `json:"revealed"` // the member that Representative is of
}

// Boundary is a place between two neighbouring values of different classes.
type Boundary struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Classes are the indices of the classes of From and To.
	Classes [2]int `json:"classes"`
	// Witness is an input with two results: of From and of To. For AxisN the
	// first is the result that the rule of From predicts for To. It is nil
	// where an earlier boundary separates the same classes, where no input is
	// known, and where a result changes from call to call.
	Witness *PairWitness `json:"witness"`
	// FirstNode names a place where the trees part; "" when unknown.
	FirstNode string `json:"first_node"`
}

// Invariant groups the values of a sweep by the tree and the arithmetic of the
// asked output. It gives all values the same inputs and groups them by their
// results, reveals the first value of each group, and asks the others for what
// tree and arithmetic predict: random inputs, some of them built from the tree.
// A value with another result goes to another class. For AxisN a class is a
// family of trees and an arithmetic, tried at each number of summands.
//
// Promise: values of different classes differ, and all values of a verified
// class gave the bits that its tree and arithmetic predict, on every input
// tried.
//
// A member of a verified class also gave the answers that verified it: to all
// that the representative was asked, or, for AxisN and where calls have many
// lanes, to a certificate and inputs derived from the rule; and it does with
// NaN and infinities what the representative does.
//
// Calls: about 60 for each value and as many as verified its class, and a
// Reveal for each class. Witnesses take up to 900 calls for each two classes
// that meet.
//
// The error is a *probe.Fault when a target could not be run, or when targets
// do not take the same inputs.
func Invariant(ctx context.Context, s Sweep, opt Options) (*Invariance, error) {
	w := newSweep(ctx, s, opt)
	classify := w.classify
	if s.Axis == AxisN {
		classify = w.classifyRules
	}
	if err := classify(); err != nil {
		return nil, err
	}
	inv := w.invariance()
	err := w.boundaries(inv)
	inv.Calls = w.calls
	inv.Conclusion = inv.conclude()
	return inv, err
}

// conclude returns the conclusion of classes and boundaries.
func (v *Invariance) conclude() Conclusion {
	if v.Invariant {
		return Same
	}
	changes := func(c Class) bool { return c.Verdict == Nondeterministic }
	differ := func(b Boundary) bool {
		return b.Witness != nil || v.Axis == AxisN && b.FirstNode != ""
	}
	if slices.ContainsFunc(v.Classes, changes) || slices.ContainsFunc(v.Boundaries, differ) {
		return Different
	}
	return Open
}
