package reveal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// unknown is the value of a trait that could not be found out.
const unknown = "unknown"

// Traits describe the arithmetic of an implementation, in words. A trait that
// could not be found out is "unknown".
type Traits struct {
	Accumulator string `json:"accumulator"` // "f32", or "mixed: f32, f64"
	FMA         Fusion `json:"fma"`         // of products with the additions they enter
	Rounding    string `json:"rounding"`    // rne, rz, ru, rd, ro, rna
	// Subnormals is kept, flushed, or flushed of inputs, operands or results.
	Subnormals string `json:"subnormals"`
	Initial    string `json:"initial"`         // "+0" when a sum of −0 is +0, else "-0"
	Width      int    `json:"width,omitempty"` // operands of a fused sum
	Align      int    `json:"align,omitempty"` // fraction bits that a fused sum keeps
	// Carries counts the additions that carry their rounding error along, as
	// Kahan's summation does.
	Carries int `json:"carries,omitempty"`
	// Mean is "times 1/n" for a mean that multiplies by the rounded 1/n,
	// "divided in f64" for one that divides in that format, and empty for one
	// that divides in the format of its sum.
	Mean string `json:"mean,omitempty"`
	// Summands is the function of the inputs that summands are, in words; empty
	// where they are the inputs, or products of them.
	Summands string `json:"summands,omitempty"`
	// Weights are the factors of summands, or of the sum, in words; empty where
	// all are 1.
	Weights string `json:"weights,omitempty"`
	// Result is the function of the sum that results are, or the direction that
	// results are rounded in where it is not the additions'. It is empty for
	// the sum.
	Result string `json:"result,omitempty"`
	// NaN is what the result makes of a NaN summand: NaNKept, NaNSkipped,
	// NaNOther, or "unknown". A replay keeps NaN, as IEEE 754 does.
	NaN string `json:"nan"`
	// Special has the results that IEEE 754 does not give, in words: of a NaN
	// summand, and of infinities of both signs. It is empty where none was
	// seen.
	Special string `json:"special,omitempty"`
}

// Fusion records whether products enter their additions unrounded. In JSON,
// Fused is true and NotFused is false; the others are strings.
type Fusion string

// The values of Fusion.
const (
	Fused         Fusion = "true"    // every product that can be
	NotFused      Fusion = "false"   // none, or the operation has no products
	PartlyFused   Fusion = "mixed"   // some
	ExactProducts Fusion = "exact"   // products need no rounding in the accumulator's format
	UnknownFusion Fusion = "unknown" //
)

// MarshalJSON writes Fused and NotFused as booleans, no value as null, and the
// others as strings.
func (f Fusion) MarshalJSON() ([]byte, error) {
	switch f {
	case Fused, NotFused:
		return []byte(f), nil
	case "":
		return []byte("null"), nil
	}
	return json.Marshal(string(f))
}

// UnmarshalJSON reads the JSON of MarshalJSON.
func (f *Fusion) UnmarshalJSON(b []byte) error {
	switch s := string(b); s {
	case "null":
		return nil
	case string(Fused), string(NotFused):
		*f = Fusion(s)
		return nil
	}
	return json.Unmarshal(b, (*string)(f))
}

// Unknown returns the traits of an unknown implementation.
func Unknown() Traits {
	return Traits{
		Accumulator: unknown,
		FMA:         UnknownFusion,
		Rounding:    unknown,
		Subnormals:  unknown,
		Initial:     unknown,
		NaN:         unknown,
	}
}

// String returns the traits on one line.
func (t Traits) String() string {
	s := fmt.Sprintf("accumulator %s, FMA %s, rounding %s, subnormals %s, initial %s",
		t.Accumulator, t.FMA, t.Rounding, t.Subnormals, t.Initial)
	if t.Width > 0 {
		s += fmt.Sprintf(", fused sums of %d operands", t.Width)
		if t.Align > 0 {
			s += fmt.Sprintf(" aligned to %d bits", t.Align)
		}
	}
	if t.Carries > 0 {
		s += fmt.Sprintf(", %d additions carry their rounding error along", t.Carries)
	}
	if t.Mean != "" {
		s += ", mean " + t.Mean
	}
	if t.Summands != "" {
		s += ", summands " + t.Summands
	}
	if t.Weights != "" {
		s += ", weights " + t.Weights
	}
	if t.Result != "" {
		s += ", result " + t.Result
	}
	if t.NaN == NaNSkipped || t.NaN == NaNOther {
		s += ", NaN " + t.NaN
	}
	if t.Special != "" {
		s += ", " + t.Special
	}
	return s
}

// commonTraits returns the traits common to all of the arithmetics. The others
// are unknown.
func commonTraits(t *sumtree.Tree, all []sumtree.Arithmetic) Traits {
	tr := traitsOf(t, all[0])
	for _, a := range all[1:] {
		o := traitsOf(t, a)
		if all[0].Significand != a.Significand ||
			!slices.Equal(heldFormats(all[0]), heldFormats(a)) {
			tr.Accumulator = unknown
		}
		if o.FMA != tr.FMA {
			tr.FMA = UnknownFusion
		}
		if o.Rounding != tr.Rounding {
			tr.Rounding = unknown
		}
		if o.Subnormals != tr.Subnormals {
			tr.Subnormals = unknown
		}
		if o.Mean != tr.Mean {
			tr.Mean = unknown
		}
		if o.Summands != tr.Summands {
			tr.Summands = unknown
		}
		if o.Weights != tr.Weights {
			tr.Weights = unknown
		}
		if o.Result != tr.Result {
			tr.Result = unknown
		}
		if o.Align != tr.Align {
			tr.Align = 0
		}
	}
	return tr
}

// nodeKinds returns the arithmetics that nodes have: the rule, then the
// exceptions.
func nodeKinds(a sumtree.Arithmetic) []sumtree.NodeArith {
	all := []sumtree.NodeArith{a.Nodes}
	for _, e := range a.Except {
		all = append(all, e.Arith)
	}
	return all
}

// heldFormats returns the formats that partial sums are held in, whether or not
// they were rounded to another one before.
func heldFormats(a sumtree.Arithmetic) []fp.Format {
	var all []fp.Format
	for _, n := range nodeKinds(a) {
		f := n.Acc
		if n.Store != 0 {
			f = n.Store
		}
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// traitsOf puts an arithmetic into words.
func traitsOf(t *sumtree.Tree, a sumtree.Arithmetic) Traits {
	var formats []string
	for _, n := range nodeKinds(a) {
		s := n.Acc.String()
		if n.Store != 0 {
			s += " stored as " + n.Store.String()
		}
		if !slices.Contains(formats, s) {
			formats = append(formats, s)
		}
	}
	tr := Traits{Accumulator: formats[0], FMA: fusionOf(t, a), Rounding: a.Nodes.Mode.String(),
		Subnormals: "kept", Initial: "-0", NaN: unknown}
	switch a.Significand {
	case 0:
	case 64:
		tr.Accumulator = "x87 (64 bits)"
	case 113:
		tr.Accumulator = "binary128 (113 bits)"
	}
	if len(formats) > 1 {
		tr.Accumulator = "mixed: " + strings.Join(formats, ", ")
	}
	if a.PlusZero {
		tr.Initial = "+0"
	}
	switch {
	case a.DAZ && a.FTZ:
		tr.Subnormals = "flushed"
	case a.Nodes.FlushOperands:
		tr.Subnormals = "operands flushed"
	case a.DAZ:
		tr.Subnormals = "inputs flushed"
	case a.FTZ:
		tr.Subnormals = "results flushed"
	case a.FlushOut:
		tr.Subnormals = "flushed when the result is rounded"
	}
	keeps := func(n sumtree.NodeArith) bool { return n.KeepsSubnormals }
	if a.FTZ && (a.KeepsOut || slices.ContainsFunc(nodeKinds(a), keeps)) {
		tr.Subnormals += " in part"
	}
	if w := t.MaxArity(); w > 2 {
		tr.Width, tr.Align = w, a.Nodes.Align
	}
	switch {
	case a.Reciprocal:
		tr.Mean = "times 1/n"
	case a.Quotient != 0:
		tr.Mean = "divided in " + a.Quotient.String()
	}
	switch {
	case a.OutNearest:
		tr.Result = "rounded to nearest even"
	case a.OutMode == fp.TowardZero:
		tr.Result = "rounded toward zero"
	case a.OutMode == fp.NearestAway:
		tr.Result = "rounded to nearest, ties away from zero"
	}
	if a.After != nil {
		tr.Result = a.After.String()
	}
	tr.Carries, tr.Weights = carries(t, a), weights(a)
	if a.Centre != nil {
		tr.Summands = "(x[i] − mean)², the mean "
		if a.Centre.Reciprocal {
			tr.Summands += "times 1/n "
		}
		tr.Summands += "in the same order"
	}
	if a.Neighbours != 0 {
		tr.Summands = fmt.Sprintf("x[i] + x[i+1] in %s", a.Neighbours)
	}
	switch {
	case a.Rescale == 1:
		tr.Summands = "rounded to " + a.Product.String()
	case a.FactorFormat != 0:
		tr.Summands = "the product of factors rounded to " + a.FactorFormat.String()
	case a.ProductStore != 0:
		tr.Summands = "rounded to " + a.ProductStore.String()
	}
	return tr
}

// The weights that words list: all up to maxListed, and of more the first and
// the last ones.
const (
	maxListed  = 8
	firstShown = 3
	lastShown  = 2
)

// weights puts the factors of summands and of the sum, and its divisor, into
// words.
func weights(a sumtree.Arithmetic) string {
	var all []string
	for k, w := range a.Weights {
		switch rest := len(a.Weights) - firstShown - lastShown; {
		case len(a.Weights) <= maxListed || k < firstShown || k >= firstShown+rest:
			all = append(all, weightWords(a.In, w))
		case k == firstShown:
			all = append(all, fmt.Sprintf("%d others", rest))
		}
	}
	if a.Rescale != 0 && a.Rescale != 1 {
		all = append(all, "then "+shortest(a.In, a.Rescale)+" for each")
	}
	if a.Factor != 0 {
		all = append(all, shortest(a.In, a.Factor)+" for the sum")
	}
	if a.Divisor != 0 {
		all = append(all, fmt.Sprintf("1/%s for the sum", shortest(a.In, a.Divisor)))
	}
	return strings.Join(all, ", ")
}

// weightWords returns a weight and its leaves in words.
func weightWords(f fp.Format, w sumtree.Weight) string {
	leaves := "the summands " + w.Leaves.String()
	if len(w.Leaves) == 1 && w.Leaves[0][1]-w.Leaves[0][0] == 1 {
		leaves = "summand " + w.Leaves.String()
	}
	return shortest(f, w.Factor) + " for " + leaves
}

// shortest returns the shortest decimal number that is read as v in float32,
// or as a float64 where that does not hold v, or f is float64.
func shortest(f fp.Format, v float64) string {
	if f != fp.Binary64 && fp.Binary32.Contains(v) {
		return strconv.FormatFloat(v, 'g', -1, 32)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// carries counts the additions that carry their rounding error along.
func carries(t *sumtree.Tree, a sumtree.Arithmetic) int {
	rest, count := t.Inner(), 0
	for _, e := range a.Except {
		size := 0
		for _, p := range e.Inner {
			size += p[1] - p[0]
		}
		rest -= size
		if e.Arith.Carry != sumtree.CarryNone {
			count += size
		}
	}
	if a.Nodes.Carry != sumtree.CarryNone {
		count += rest
	}
	return count
}

// holdsProducts reports whether the format of products holds all of them,
// except at its ends.
func holdsProducts(a sumtree.Arithmetic) bool {
	return a.Product.Precision() >= 2*a.In.Precision()
}

// fusionOf counts the additions that could fuse a product, and those that do.
// An addition of two products could, except where only a chain's additions
// fuse.
func fusionOf(t *sumtree.Tree, a sumtree.Arithmetic) Fusion {
	switch {
	case !a.Products && (len(a.Weights) == 0 || a.FMA == sumtree.FMANone):
		return NotFused
	case a.FMA == sumtree.FMAAll, !a.FTZ && a.Product.Valid() && holdsProducts(a):
		return ExactProducts
	}
	fused := a.FusedLeaves(t)
	var yes, no int
	for id := t.Leaves(); id < t.Nodes(); id++ {
		leaves, fuses := 0, false
		for _, c := range t.Children(id) {
			if t.IsLeaf(int(c)) {
				leaves++
				fuses = fuses || fused[c]
			}
		}
		switch {
		case fuses:
			yes++
		case leaves == 1, leaves > 1 && a.FMA != sumtree.FMAChain:
			no++
		}
	}
	switch {
	case yes == 0:
		return NotFused
	case no == 0 || a.FMA != sumtree.FMAMixed:
		return Fused
	}
	return PartlyFused
}
