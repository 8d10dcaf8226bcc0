package sumtree

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// NodeArith defines how a node adds its operands: exactly, then one rounding to
// Acc in direction Mode, then one to Store where there is one. Rounded to odd,
// a sum or a product beyond the exponents of its format is infinite.
//
// A node of more than two operands is a fused sum. With Align = 0 it is exact
// before its one rounding; with Align = F > 0 every operand is first rounded in
// direction Trunc to a multiple of 2^(e−F), e being the largest exponent of the
// operands, as matrix accelerators do. The exponent of a product is its own, or
// with Factors the sum of the exponents of its factors, which may be one less;
// subnormal factors then count as the least normal number.
type NodeArith struct {
	Acc     fp.Format `json:"accumulator"`
	Store   fp.Format `json:"stored,omitempty"`
	Mode    fp.Mode   `json:"rounding"`
	Align   int       `json:"align,omitempty"`
	Trunc   fp.Mode   `json:"trunc,omitempty"`
	Factors bool      `json:"factors,omitempty"`
	Carry   Carry     `json:"carry,omitempty"`

	// CarryFinite makes 0 of a carried error that is infinite or NaN.
	CarryFinite bool `json:"carry_finite,omitempty"`

	// KeepsSubnormals exempts the node from Arithmetic.FTZ.
	KeepsSubnormals bool `json:"keeps_subnormals,omitempty"`

	// FlushOperands makes zeros of operands that are subnormal in Acc, and
	// keeps sums: a processor's denormals-are-zero mode alone. An unrounded
	// product is not an operand. A mean, a factor or a divisor of the root
	// takes its sum in the same way.
	FlushOperands bool `json:"flush_operands,omitempty"`

	// PlusZero makes +0 of a sum that is −0, flushed or not: it is added to a
	// register that begins with +0. With FlushOperands, that addition takes a
	// subnormal sum as a zero.
	PlusZero bool `json:"plus_zero,omitempty"`
}

// Carry is the use that an addition makes of its rounding error. Additions that
// follow each other and carry are Kahan's summation: y = v − c, t = s + y,
// c = (t − s) − y for a summand v and the running sum s, which is the operand
// that carries c, or else the first operand, with c = 0.
//
// References:
//   - [Kahan1965] William Kahan. Further remarks on reducing truncation errors.
//     Communications of the ACM 8(1):40, 1965.
type Carry uint8

// The ways to carry.
const (
	CarryNone  Carry = iota // the error is lost
	CarryOn                 // the next addition takes it up; the last error is lost
	CarryAdded              // the same, and the last error is added to the sum
)

var carryNames = [...]string{"none", "on", "added"}

// String returns none, on or added.
func (c Carry) String() string { return carryNames[c] }

// MarshalText returns the name, so that a Carry is a string in JSON.
func (c Carry) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the names that String returns.
func (c *Carry) UnmarshalText(b []byte) error {
	i := slices.Index(carryNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("sumtree: no way to carry is called %q", b)
	}
	*c = Carry(i)
	return nil
}

// FMA is a rule that selects the products that enter their addition unrounded.
type FMA uint8

// The rules. A product that is not fused is rounded to the product format.
const (
	FMANone    FMA = iota // every product is rounded
	FMALater              // of two products that meet, the one of smaller index is rounded
	FMAEarlier            // of two products that meet, the one of larger index is rounded
	FMAChain              // both of two products that meet are rounded, no others
	FMAAll                // no product is rounded
	FMAMixed              // as Arithmetic.Fused lists
)

var fmaNames = [...]string{"none", "later", "earlier", "chain", "all", "mixed"}

// String returns none, later, earlier, chain, all or mixed.
func (f FMA) String() string { return fmaNames[f] }

// MarshalText returns the name of the rule, so that an FMA is a string in JSON.
func (f FMA) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the names that String returns.
func (f *FMA) UnmarshalText(b []byte) error {
	for i, s := range fmaNames {
		if s == string(b) {
			*f = FMA(i)
			return nil
		}
	}
	return fmt.Errorf("sumtree: no FMA rule is called %q", b)
}

// Arithmetic is everything except the tree that fixes the bits of a sum.
type Arithmetic struct {
	In       fp.Format `json:"in"`                 // format of the summands or factors
	Out      fp.Format `json:"out"`                // the result is rounded to it
	Products bool      `json:"products,omitempty"` // summands are products x[i]·y[i]
	Squares  bool      `json:"squares,omitempty"`  // with Products: y is x
	Product  fp.Format `json:"product,omitempty"`  // format of products that are not fused; 0: In
	FMA      FMA       `json:"fma,omitempty"`

	// FactorFormat is the format that factors are rounded to before they are
	// multiplied, 0 for In. ProductStore is the format that a product which is
	// not fused is rounded to after Product, as a sum is to NodeArith.Store.
	FactorFormat fp.Format `json:"factor_format,omitempty"`
	ProductStore fp.Format `json:"product_stored,omitempty"`

	// Significand is the number of bits that every sum is rounded to, in
	// direction Nodes.Mode, where no Format has as many: 64 for the 80-bit
	// format of x87, 113 for binary128. Products are rounded to Product, or
	// where that is 0 to as many bits. The exponents of these formats bound
	// nothing that inputs reach. The result is rounded to Out once, or where
	// After is a root, to the format of that first. Nothing else of Nodes is
	// used. 0 is none.
	Significand int `json:"significand,omitempty"`

	// FromZero adds rounded products to +0 first, so that a product with a
	// factor 0 is never −0. Only a flushed product can be.
	FromZero bool `json:"from_zero,omitempty"`

	// Skips is a rule that skips products with a zero factor. It holds for the
	// leaves in Skipped, or for all if that is empty.
	Skips   Skip   `json:"skips,omitempty"`
	Skipped Ranges `json:"skipped,omitempty"`

	// Starts lists leaves that are added to +0 first, as an accumulator adds
	// its first summand: −0 becomes +0, and FTZ flushes a subnormal. Where some
	// products are fused, these are too, so that only products of a factor 0
	// are +0.
	Starts Ranges `json:"starts,omitempty"`

	// RoundsStarts makes the products of Starts that are not in Fused rounded
	// before they are added to +0, although others are fused: none is −0.
	RoundsStarts bool `json:"rounds_starts,omitempty"`

	Fused    Ranges      `json:"fused,omitempty"` // leaves whose products are fused, for FMAMixed
	Nodes    NodeArith   `json:"nodes"`           // of every inner node not in Except
	Except   []Exception `json:"except,omitempty"`
	DAZ      bool        `json:"daz,omitempty"`       // subnormal inputs count as zeros
	FTZ      bool        `json:"ftz,omitempty"`       // subnormal results become zeros
	Tiny     Tininess    `json:"tiny,omitempty"`      // the results that FTZ makes zeros of
	PlusZero bool        `json:"plus_zero,omitempty"` // starts at +0: a sum of −0 is +0
	Mean     bool        `json:"mean,omitempty"`      // the sum is divided by n
	After    *Epilogue   `json:"after,omitempty"`     // applied to the sum; nil for none

	// Reciprocal makes the mean the product of the sum and 1/n, both rounded to
	// the format of the root.
	Reciprocal bool `json:"reciprocal,omitempty"`

	// Quotient is the format that a mean is divided in, 0 for the root's
	// format. The quotient is rounded to Out from there.
	Quotient fp.Format `json:"quotient,omitempty"`

	// OutNearest rounds the result to Out to nearest even, where additions
	// round in another direction.
	OutNearest bool `json:"out_nearest,omitempty"`

	// OutMode is the direction that the result is rounded to Out in, where
	// additions round to nearest even: toward zero, as programs do that keep
	// the first 16 bits of a float32, or to nearest with ties away from zero.
	OutMode fp.Mode `json:"out_rounding,omitempty"`

	// FlushOut makes zero of a result that is subnormal in Out before it is
	// rounded to it. Without FTZ, partial sums keep their subnormals.
	FlushOut bool `json:"flush_out,omitempty"`

	// KeepsOut exempts from FTZ the steps after the sum: a mean, a factor or a
	// divisor, and the conversion of the result.
	KeepsOut bool `json:"keeps_out,omitempty"`

	// PlusZeroOut adds +0 in the end: no sum is −0, not even a flushed one.
	// Without FTZ it is added to the result, which may have been rounded to −0.
	PlusZeroOut bool `json:"plus_zero_out,omitempty"`

	// Neighbours makes the summand of leaf i the sum of the inputs i and i+1,
	// rounded to this format, as the trapezoidal rule does: there is one input
	// more than there are leaves. 0 is none.
	Neighbours fp.Format `json:"neighbours,omitempty"`

	// Centre subtracts the mean of the inputs from each input, as the second
	// pass of a variance does: the summands come from the differences. It is
	// the arithmetic of the mean, whose sum has the order of the same tree; the
	// differences are rounded to its output format. nil is none.
	Centre *Arithmetic `json:"centre,omitempty"`

	// Weights are the factors of summands, whose products are rounded to the
	// product format, or fused as FMA selects. The other summands have the
	// weight 1. Products have none.
	Weights []Weight `json:"weights,omitempty"`

	// Rescale multiplies every summand once more, after its weight, rounded to
	// the product format. 0 multiplies none; 1 rounds every summand.
	Rescale float64 `json:"rescale,omitempty"`

	// Factor multiplies the sum, rounded to the format of the root. 0 is 1.
	Factor float64 `json:"factor,omitempty"`

	// Divisor divides the sum, rounded to the format of the root. 0 is 1.
	Divisor float64 `json:"divisor,omitempty"`
}

// Weight is the factor of some leaves.
type Weight struct {
	Leaves Ranges  `json:"leaves"`
	Factor float64 `json:"factor"`
}

// Exception is the arithmetic of some inner nodes, which are counted from 0 in
// post-order.
type Exception struct {
	Inner Ranges    `json:"inner"`
	Arith NodeArith `json:"arith"`
}

// Plain returns the arithmetic of a sum that rounds every operation to f.
func Plain(f fp.Format) Arithmetic {
	return Arithmetic{In: f, Out: f, Nodes: NodeArith{Acc: f}}
}

// Ranges is a sorted list of disjoint half-open intervals [lo, hi) of integers.
// Its text is "0-7,9": inclusive ends.
type Ranges [][2]int

// RangesOf returns the ranges of the indices i with in[i].
func RangesOf(in []bool) Ranges {
	var r Ranges
	for i, b := range in {
		switch {
		case !b:
		case len(r) > 0 && r[len(r)-1][1] == i:
			r[len(r)-1][1]++
		default:
			r = append(r, [2]int{i, i + 1})
		}
	}
	return r
}

// String returns the text form.
func (r Ranges) String() string {
	var b strings.Builder
	for i, p := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(p[0]))
		if p[1]-p[0] > 1 {
			fmt.Fprintf(&b, "-%d", p[1]-1)
		}
	}
	return b.String()
}

// MarshalJSON returns the text form as a string.
func (r Ranges) MarshalJSON() ([]byte, error) { return json.Marshal(r.String()) }

// UnmarshalJSON reads the text form.
func (r *Ranges) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*r = nil
	for part := range strings.SplitSeq(s, ",") {
		if part == "" {
			continue
		}
		from, to, two := strings.Cut(part, "-")
		lo, err := strconv.Atoi(from)
		hi := lo
		if err == nil && two {
			hi, err = strconv.Atoi(to)
		}
		if err != nil || lo < 0 || hi < lo || len(*r) > 0 && lo < (*r)[len(*r)-1][1] {
			return fmt.Errorf("sumtree: %q is not a list of ranges such as 0-7,9", s)
		}
		*r = append(*r, [2]int{lo, hi + 1})
	}
	return nil
}

// Contains reports whether i lies in one of the ranges.
func (r Ranges) Contains(i int) bool {
	for _, p := range r {
		if i < p[1] {
			return i >= p[0]
		}
	}
	return false
}

// max returns the end of the last interval.
func (r Ranges) max() int {
	if len(r) == 0 {
		return 0
	}
	return r[len(r)-1][1]
}

// FusedLeaves returns for every leaf of t whether its product enters its
// addition unrounded.
func (a Arithmetic) FusedLeaves(t *Tree) []bool {
	fused := make([]bool, t.Leaves())
	if !a.Products && len(a.Weights) == 0 || a.FMA == FMANone {
		return fused
	}
	if a.FMA == FMAMixed {
		for _, p := range a.Fused {
			for i := p[0]; i < p[1]; i++ {
				fused[i] = true
			}
		}
		return fused
	}
	if a.FMA == FMAAll {
		for i := range fused {
			fused[i] = true
		}
		return fused
	}
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		if len(kids) > 2 {
			for _, c := range kids {
				if t.IsLeaf(int(c)) {
					fused[c] = true
				}
			}
			continue
		}
		x, y := int(kids[0]), int(kids[1])
		xl, yl := t.IsLeaf(x), t.IsLeaf(y)
		switch {
		case xl && yl: // canonical: x < y
			if a.FMA == FMALater {
				fused[y] = true
			} else if a.FMA == FMAEarlier {
				fused[x] = true
			}
		case xl:
			fused[x] = true
		case yl:
			fused[y] = true
		}
	}
	return fused
}

// Inputs returns the number of inputs that a sum in the order of t takes.
func (a Arithmetic) Inputs(t *Tree) int {
	if a.Neighbours != 0 {
		return t.Leaves() + 1
	}
	return t.Leaves()
}

// Check returns nil when the arithmetic makes sense for t, and otherwise an
// error that names the fault.
func (a Arithmetic) Check(t *Tree) error {
	switch {
	case !a.In.Valid() || !a.Out.Valid() || !a.Nodes.Acc.Valid():
		return fmt.Errorf("sumtree: an arithmetic names its input, output and accumulator formats")
	case a.Significand < 0 || a.Significand != 0 && (a.Nodes.Mode == fp.ToOdd || a.FMA != FMANone ||
		a.Mean || a.After != nil && a.After.Kind != Root || a.Neighbours != 0 ||
		a.Centre != nil || len(a.Weights) > 0 || a.Rescale != 0 || a.Factor != 0 ||
		a.Divisor != 0 || a.DAZ || a.FTZ || a.FlushOut || len(a.Except) > 0 || t.MaxArity() > 2):
		return fmt.Errorf("sumtree: a wide accumulator takes plain sums, dot products and " +
			"norms only")
	case a.OutMode != 0 && a.OutNearest:
		return fmt.Errorf("sumtree: a result that is rounded in two directions")
	case (a.FactorFormat != 0 || a.ProductStore != 0) &&
		(!a.Products || a.Squares || a.Significand != 0 || t.MaxArity() > 2):
		return fmt.Errorf("sumtree: formats of factors and products without such products")
	case a.Reciprocal && !a.Mean:
		return fmt.Errorf("sumtree: a reciprocal without a mean")
	case a.Products && (a.Neighbours != 0 || a.Rescale != 0):
		return fmt.Errorf("sumtree: products of sums of neighbours, or scaled ones")
	case a.Skips != SkipNone && (!a.Products || a.Squares || a.Significand != 0 ||
		len(a.Starts) > 0 || t.MaxArity() > 2 || a.Skipped.max() > t.Leaves()):
		return fmt.Errorf("sumtree: only plain sums of products skip zeros, of their leaves")
	case a.Centre != nil && (a.Neighbours != 0 || a.Products && !a.Squares ||
		a.Centre.Products || a.Centre.Centre != nil || a.Centre.Neighbours != 0):
		return fmt.Errorf("sumtree: a mean of products or of neighbours")
	case a.Rescale != 0 && a.FMA != FMANone:
		return fmt.Errorf("sumtree: summands that are scaled again, and products that are fused")
	case a.Fused.max() > t.Leaves():
		return fmt.Errorf("sumtree: fused leaf %d in a tree of %d leaves",
			a.Fused.max()-1, t.Leaves())
	case a.Starts.max() > t.Leaves():
		return fmt.Errorf("sumtree: leaf %d begins with +0 in a tree of %d leaves",
			a.Starts.max()-1, t.Leaves())
	}
	for _, w := range a.Weights {
		if w.Leaves.max() > t.Leaves() || a.Products {
			return fmt.Errorf("sumtree: weights of the summands %s in a tree of %d leaves",
				w.Leaves, t.Leaves())
		}
	}
	if len(a.Weights) > 0 && a.FMA != FMANone && t.MaxArity() > 2 {
		return fmt.Errorf("sumtree: weights in a fused sum of more than two operands")
	}
	for _, e := range a.Except {
		if e.Inner.max() > t.Inner() {
			return fmt.Errorf("sumtree: arithmetic of inner node %d in a tree that has %d",
				e.Inner.max()-1, t.Inner())
		}
		if !e.Arith.Acc.Valid() {
			return fmt.Errorf("sumtree: an exception without an accumulator format")
		}
		if err := a.checkCarry(t, e.Arith, e.Inner); err != nil {
			return err
		}
	}
	return a.checkCarry(t, a.Nodes, Ranges{{0, t.Inner()}})
}

// checkCarry returns an error if nodes that carry are not additions of two
// operands that are rounded once.
func (a Arithmetic) checkCarry(t *Tree, n NodeArith, inner Ranges) error {
	if n.Carry == CarryNone {
		return nil
	}
	if n.Align != 0 || n.Store != 0 || n.PlusZero || n.FlushOperands ||
		a.Products && a.FMA != FMANone {
		return fmt.Errorf("sumtree: an addition that carries its error rounds once, " +
			"and takes no unrounded products")
	}
	for _, p := range inner {
		for k := p[0]; k < p[1]; k++ {
			if len(t.Children(t.Leaves()+k)) > 2 {
				return fmt.Errorf("sumtree: inner node %d carries, and is no addition of two", k)
			}
		}
	}
	return nil
}
