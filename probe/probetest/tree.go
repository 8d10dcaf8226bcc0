package probetest

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// Options is the arithmetic of FromTree. The zero value is a float32 sum of one
// lane, rounded to nearest even.
type Options struct {
	Op       probe.Op  // default Sum; Products makes it Dot
	Products bool      // Σ x[i]·y[i] where Op is not set
	DType    fp.Format // of the inputs; default Binary32
	Acc      fp.Format // every addition rounds to it; default DType
	Prod     fp.Format // every unfused product rounds to it; default: its addition's
	Out      fp.Format // of the result; default DType
	Mode     fp.Mode   // of additions and products; the conversion to Out is to nearest even

	// FMA adds a product without rounding it first if a leaf is an operand of a
	// binary node. Of two leaves the one with the larger number stays
	// unrounded, as in a chain that goes up.
	FMA bool

	// AlignBits selects the sum of a node of more than two operands. 0 computes
	// the exact sum of the operands (unrounded products) and rounds it once. F
	// > 0 first truncates each operand towards zero to a multiple of 2^(e−F),
	// where 2^e is the power of two of the largest one. F is at most 45.
	AlignBits int

	FTZ      bool // subnormal results (of Acc) become zero
	DAZ      bool // subnormal operands (inputs, of DType, products and sums) become zero
	FromZero bool // an accumulator begins at +0: a sum of nothing but −0 is +0

	Lanes int // default 1
	Cols  int // columns of a matrix of outputs; above 0 the target is a probe.CellTarget
	Col   int // the column that the lanes are

	NodeAcc func(id int) fp.Format                 // format of one addition, where not Acc
	Key     func(probe.Key) probe.Key              // changes the key
	Each    func(lane int, result float64) float64 // changes a final result

	// Root gives the square root of the sum, rounded to Out.
	Root bool

	// Cell returns the tree of one output, nil for the default, where not all
	// outputs have the same.
	Cell func(row, col int) *sumtree.Tree
}

// multiplies reports whether the summands are products, squares among them.
func (o *Options) multiplies() bool { return o.Op.Products() || o.Op.Squares() }

func (o Options) withDefaults() Options {
	if o.Op == "" {
		o.Op = probe.Sum
		if o.Products {
			o.Op = probe.Dot
		}
	}
	if o.DType == 0 {
		o.DType = fp.Binary32
	}
	if o.Acc == 0 {
		o.Acc = o.DType
	}
	if o.Out == 0 {
		o.Out = o.DType
	}
	o.Lanes = max(o.Lanes, 1)
	return o
}

// FromTree returns an implementation that accumulates by the tree, with the
// arithmetic of o, in every lane. It is a probe.CellTarget where o.Cols > 0. It
// is for tests, and panics if the options contradict each other.
func FromTree(t *sumtree.Tree, o Options) probe.Target {
	o = o.withDefaults()
	if o.AlignBits < 0 || o.AlignBits > 45 {
		panic(fmt.Sprintf("probetest: AlignBits is 0 to 45, not %d", o.AlignBits))
	}
	if o.DType == fp.Binary64 && o.multiplies() && t.MaxArity() > 2 {
		panic("probetest: a fused node takes exact products, " +
			"and those of binary64 are not float64s")
	}
	if o.FMA && o.DType == fp.Binary64 && (o.Mode != fp.NearestEven || o.Acc != fp.Binary64) {
		panic("probetest: FMA of binary64 rounds to nearest binary64 only")
	}
	impl := &treeTarget{tree: t, o: o, value: make([]float64, t.Nodes()),
		pairs: map[*sumtree.Tree][]int32{}}
	impl.key = probe.Key{Target: "probetest:tree", Library: "probetest", Op: o.Op, DType: o.DType,
		Out: o.Out, N: t.Leaves(), Threads: 1}
	if o.Lanes > 1 || o.Cols > 0 {
		impl.key.M = o.Lanes
	}
	if o.Cols > 0 {
		impl.key.Cols, impl.key.OutIndex = o.Cols, []int{0, o.Col}
	}
	if o.Key != nil {
		impl.key = o.Key(impl.key)
	}
	if o.Cols > 0 {
		return &cellTarget{impl}
	}
	return impl
}

type treeTarget struct {
	tree   *sumtree.Tree
	o      Options
	key    probe.Key
	value  []float64 // of every node; leaves hold summands or rounded products
	terms  []float64 // operands of a fused node
	pairs  map[*sumtree.Tree][]int32
	closed bool
}

func (t *treeTarget) Key() probe.Key { return t.key }
func (t *treeTarget) Lanes() int     { return t.o.Lanes }

// OtherThreads returns 0: one goroutine computes.
func (t *treeTarget) OtherThreads() (time.Duration, bool) { return 0, true }

func (t *treeTarget) Close() error {
	t.closed = true
	return nil
}

func (t *treeTarget) Call(ctx context.Context, b *probe.Batch) error {
	for r := range b.Out {
		if err := t.ready(ctx); err != nil {
			return err
		}
		b.Out[r] = t.output(r, t.o.Col, b)
	}
	return nil
}

func (t *treeTarget) ready(ctx context.Context) error {
	if t.closed {
		return closedFault(t.key)
	}
	if err := ctx.Err(); err != nil {
		return &probe.Fault{ID: "target-cancelled", Thing: t.key.Target,
			Cause: "the call was cancelled", Err: err}
	}
	return nil
}

func closedFault(k probe.Key) error {
	return &probe.Fault{ID: "target-closed", Thing: k.Target, Cause: "it has been closed",
		Cure: "open it again"}
}

type cellTarget struct{ *treeTarget }

func (t *cellTarget) Cells() (rows, cols int) { return t.o.Lanes, t.o.Cols }

func (t *cellTarget) CallCells(ctx context.Context, b *probe.Batch, all []float64) error {
	if err := t.Call(ctx, b); err != nil {
		return err
	}
	for r := range b.Out {
		for c := range t.o.Cols {
			all[r*t.o.Cols+c] = t.output(r, c, b)
		}
	}
	return nil
}

// output computes one output from its row.
func (t *treeTarget) output(row, col int, b *probe.Batch) float64 {
	tree := t.tree
	if t.o.Cell != nil {
		if u := t.o.Cell(row, col); u != nil {
			tree = u
		}
	}
	n := tree.Leaves()
	x := b.X[row*n : (row+1)*n]
	if len(t.value) < tree.Nodes() {
		t.value = make([]float64, tree.Nodes())
	}
	var s float64
	if pairs := t.pairsOf(tree); pairs != nil && t.plain() {
		s = t.sumPlain(pairs, x)
	} else if t.o.Op.Squares() {
		s = t.sum(tree, x, x)
	} else {
		s = t.sum(tree, x, b.Y)
	}
	if t.o.Root {
		s = t.o.Acc.Round(math.Sqrt(s), fp.NearestEven)
	}
	s = t.o.Out.Round(s, fp.NearestEven)
	if t.o.Each != nil {
		s = t.o.Each(row, s)
	}
	return s
}

// plain reports whether every operation is an unadorned float32 or float64
// addition.
func (t *treeTarget) plain() bool {
	o := &t.o
	return !o.multiplies() && o.Mode == fp.NearestEven && !o.FTZ && !o.DAZ && !o.FromZero &&
		o.NodeAcc == nil &&
		(o.Acc == fp.Binary64 || o.Acc == fp.Binary32 && o.DType != fp.Binary64)
}

// pairsOf returns the operands of all nodes of a binary tree in a row, nil for
// any other tree.
func (t *treeTarget) pairsOf(tree *sumtree.Tree) []int32 {
	pairs, known := t.pairs[tree]
	if !known {
		if tree.MaxArity() <= 2 {
			pairs = make([]int32, 0, 2*tree.Inner())
			for id := tree.Leaves(); id < tree.Nodes(); id++ {
				pairs = append(pairs, tree.Children(id)...)
			}
		}
		t.pairs[tree] = pairs
	}
	return pairs
}

func (t *treeTarget) sumPlain(pairs []int32, x []float64) float64 {
	v := t.value
	id := copy(v, x)
	if t.o.Acc == fp.Binary64 {
		for i := 0; i+1 < len(pairs); i += 2 {
			v[id] = v[pairs[i]] + v[pairs[i+1]]
			id++
		}
	} else {
		for i := 0; i+1 < len(pairs); i += 2 {
			v[id] = float64(float32(v[pairs[i]]) + float32(v[pairs[i+1]]))
			id++
		}
	}
	return v[id-1]
}

// sum computes with every option.
func (t *treeTarget) sum(tree *sumtree.Tree, x, y []float64) float64 {
	n := tree.Leaves()
	in := func(v []float64, i int) float64 {
		return flush(t.o.DAZ, t.o.DType, v[i])
	}
	for id := n; id < tree.Nodes(); id++ {
		acc := t.acc(id)
		kids := tree.Children(id)
		if len(kids) > 2 {
			t.value[id] = flush(t.o.FTZ, acc, t.fused(tree, kids, acc, in, x, y))
			continue
		}
		t.value[id] = flush(t.o.FTZ, acc, t.add(tree, kids[0], kids[1], acc, in, x, y))
	}
	if n == 1 {
		return t.operand(tree, 0, t.o.Acc, in, x, y)
	}
	return t.value[tree.Root()]
}

func (t *treeTarget) acc(id int) fp.Format {
	if t.o.NodeAcc != nil {
		if f := t.o.NodeAcc(id); f != 0 {
			return f
		}
	}
	return t.o.Acc
}

type input func(v []float64, i int) float64

// add computes a binary node.
func (t *treeTarget) add(tree *sumtree.Tree, a, b int32, acc fp.Format, in input, x,
	y []float64) float64 {
	if t.o.FMA && t.o.multiplies() {
		if !tree.IsLeaf(int(b)) || tree.IsLeaf(int(a)) && a > b {
			a, b = b, a
		}
		if tree.IsLeaf(int(b)) {
			s := t.operand(tree, a, acc, in, x, y)
			return acc.FMA(in(x, int(b)), in(y, int(b)), s, t.o.Mode)
		}
	}
	return acc.Add(t.operand(tree, a, acc, in, x, y), t.operand(tree, b, acc, in, x, y), t.o.Mode)
}

// operand returns a sum, a summand, or a rounded product.
func (t *treeTarget) operand(tree *sumtree.Tree, id int32, acc fp.Format, in input, x,
	y []float64) float64 {
	if !tree.IsLeaf(int(id)) {
		return flush(t.o.DAZ, t.acc(int(id)), t.value[id])
	}
	v := in(x, int(id))
	if t.o.multiplies() {
		f := acc
		if t.o.Prod != 0 {
			f = t.o.Prod
		}
		v = flush(t.o.FTZ || t.o.DAZ, f, f.Mul(v, in(y, int(id)), t.o.Mode))
	}
	if t.o.FromZero && t.o.FMA && t.o.multiplies() {
		return flush(t.o.FTZ, acc, acc.FMA(in(x, int(id)), in(y, int(id)), 0, t.o.Mode))
	}
	if t.o.FromZero {
		return flush(t.o.FTZ, acc, acc.Add(0, v, t.o.Mode))
	}
	return v
}

// fused computes a node of more than two operands.
func (t *treeTarget) fused(tree *sumtree.Tree, kids []int32, acc fp.Format, in input, x,
	y []float64) float64 {
	t.terms = t.terms[:0]
	for _, c := range kids {
		v := t.value[c]
		switch {
		case !tree.IsLeaf(int(c)):
			v = flush(t.o.DAZ, t.acc(int(c)), v)
		case t.o.multiplies():
			v = float64(in(x, int(c)) * in(y, int(c)))
		default:
			v = in(x, int(c))
		}
		t.terms = append(t.terms, v)
	}
	if t.o.FromZero {
		t.terms = append(t.terms, 0)
	}
	special := 0.0
	for _, v := range t.terms {
		special += v
	}
	if math.IsInf(special, 0) || special != special {
		return t.fusedSpecial(acc)
	}
	if t.o.AlignBits > 0 {
		return fuseAligned(t.terms, t.o.AlignBits, acc, t.o.Mode)
	}
	return fuseExactly(t.terms, acc, t.o.Mode)
}

// fusedSpecial is for sums that meet an infinity, a NaN, or the end of
// binary64.
func (t *treeTarget) fusedSpecial(acc fp.Format) float64 {
	special, inf := 0.0, false
	for _, v := range t.terms {
		if math.IsInf(v, 0) || v != v {
			special, inf = special+v, true
		}
	}
	if inf {
		return special
	}
	return fuseExactly(t.terms, acc, t.o.Mode)
}

// zeroSum is the sign of a sum that is zero.
func zeroSum(terms []float64, m fp.Mode) float64 {
	minus, plus := false, false
	for _, v := range terms {
		minus = minus || v != 0 || math.Signbit(v)
		plus = plus || v != 0 || !math.Signbit(v)
	}
	if minus && (!plus || m == fp.Down) {
		return math.Copysign(0, -1)
	}
	return 0
}

// fuseExactly returns the exact sum of the terms, rounded once.
func fuseExactly(terms []float64, acc fp.Format, m fp.Mode) float64 {
	hi, lo := exactSum(terms)
	switch {
	case hi == 0:
		return zeroSum(terms, m)
	case acc == fp.Binary64 && m == fp.NearestEven || math.IsInf(hi, 0) && m == fp.NearestEven:
		return acc.Round(hi, m)
	case math.IsInf(hi, 0):
		big := math.Copysign(math.MaxFloat64, hi)
		return acc.Add(big, big, m)
	}
	// lo is the nearest binary64 to the error of hi: no boundary between two
	// values of a format lies between hi+lo and the exact sum, for it would be
	// hi itself.
	return acc.Add(hi, lo, m)
}

// exactSum returns the binary64 nearest to the exact sum of the terms, and the
// one nearest to the remainder.
func exactSum(terms []float64) (hi, lo float64) {
	sum := new(big.Float).SetPrec(4096) // binary64 spans 2098 bits
	var v big.Float
	for _, x := range terms {
		sum.Add(sum, v.SetFloat64(x))
	}
	hi, _ = sum.Float64()
	if math.IsInf(hi, 0) {
		return hi, 0
	}
	sum.Sub(sum, v.SetFloat64(hi))
	lo, _ = sum.Float64()
	return hi, lo
}

// fuseAligned truncates every term towards zero to a multiple of 2^(e−bits),
// 2^e being the power of two of the largest, and rounds the exact sum of those.
func fuseAligned(terms []float64, bits int, acc fp.Format, m fp.Mode) float64 {
	e, any := 0, false
	for _, v := range terms {
		if v != 0 && (!any || math.Ilogb(v) > e) {
			e, any = math.Ilogb(v), true
		}
	}
	if !any {
		return zeroSum(terms, m)
	}
	var sum int64
	for _, v := range terms {
		if v != 0 && math.Ilogb(v) >= e-bits {
			//lastbit:ignore floatconv below 2^63 after scaling
			sum += int64(math.Ldexp(v, bits-e)) // the conversion truncates
		}
	}
	if sum == 0 {
		return zeroSum([]float64{1, -1}, m)
	}
	return acc.Round(math.Ldexp(float64(sum), e-bits), m)
}

func flush(on bool, f fp.Format, x float64) float64 {
	if on && x != 0 && math.Abs(x) < f.MinNormal() {
		return math.Copysign(0, x)
	}
	return x
}
