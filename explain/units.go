package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
	"github.com/lastbit/lastbit/sumtree"
)

// unitGroup is the units of package mma that compute alike with inputs of one
// format.
type unitGroup struct {
	in    fp.Format
	arith mma.Arithmetic
	names []string
}

// unitGroups returns the units for a format that no order of additions
// describes: the others have one, which orderName names. Where no result is
// near the subnormal numbers of binary32, units that differ there only are one
// group. subnormal tells that some input is a subnormal number of the format.
func unitGroups(in fp.Format, tiny, subnormal bool) []unitGroup {
	var all []unitGroup
	for _, u := range mma.Units() {
		if u.In != in || u.Block > 0 || hasOrder(&u, subnormal) {
			continue
		}
		alike := func(g unitGroup) bool {
			a, b := g.arith, u.Arithmetic
			if !tiny {
				a.Zero, b.Zero = 0, 0
			}
			return a == b
		}
		if i := slices.IndexFunc(all, alike); i >= 0 {
			all[i].names = append(all[i].names, u.Name)
			continue
		}
		all = append(all, unitGroup{in, u.Arithmetic, []string{u.Name}})
	}
	return all
}

// hasOrder reports whether a unit's sums are additions to nearest even of two
// numbers, in an order. Of subnormal inputs in binary16 a unit that flushes
// makes zeros, though they are ordinary numbers in its sums.
func hasOrder(u *mma.Unit, subnormal bool) bool {
	a := u.Arithmetic
	if subnormal && a.Flush && u.In == fp.Binary16 {
		return false
	}
	ordered := []mma.Structure{mma.Pairwise, mma.PairChain, mma.TwoChains, mma.FusedPairs}
	return slices.Contains(ordered, a.Structure) && a.Round == fp.NearestEven
}

// value describes the units: their arithmetic, and their names.
func (g unitGroup) value() string {
	var s string
	switch g.arith.Structure {
	case mma.Fused:
		s = fmt.Sprintf("fused(%d+1), %d bits", g.arith.Terms, g.arith.Bits)
	default:
		s = fmt.Sprintf("%s, groups of %d", g.arith.Structure, g.arith.Terms)
		if g.arith.Bits > 0 {
			s += fmt.Sprintf(", %d bits", g.arith.Bits)
		}
	}
	if g.arith.Precision < fp.Binary32.Precision() {
		s += fmt.Sprintf(", sums of %d bits", g.arith.Precision)
	}
	return s + " (" + strings.Join(g.names, ", ") + ")"
}

// units returns the arithmetics of units for inputs of a format, which input
// rounds them to.
func (p *Problem) units(in fp.Format, input int) []arithmetic {
	var all []arithmetic
	for _, g := range unitGroups(in, p.mayUnderflow(fp.Binary32), p.hasSubnormal(in)) {
		all = append(all, arithmetic{
			model: p.fusedModel(g.value(), input), input: input, width: g.arith.Terms, unit: &g,
		})
	}
	return all
}

// fusedModel returns the model of a matrix unit. Inputs that a format holds are
// given in it, whatever format they were stored in.
func (p *Problem) fusedModel(value string, input int) Model {
	m := plainModel("chain", "f32").with(Fused, value).with(Rounding, "").with(FMA, "")
	if input > 0 && !p.holds(inputRoundings[input].format) {
		m[Inputs] = inputRoundings[input].name
	}
	return m
}

// stored returns the indices in inputRoundings of formats that hold all inputs
// and are shorter than the arrays' format: what was computed may have had
// inputs of one of them.
func (p *Problem) stored() []int {
	var all []int
	seen := map[fp.Format]bool{p.In: true, fp.Binary32: true}
	for i, r := range inputRoundings {
		if !seen[r.format] && r.format.Precision() < p.In.Precision() && p.holds(r.format) {
			all = append(all, i)
		}
		seen[r.format] = true
	}
	return all
}

// holds reports whether a format holds all inputs.
func (p *Problem) holds(f fp.Format) bool { return holdsAll(f, p.x) && holdsAll(f, p.y) }

// hasSubnormal reports whether some input is a subnormal number of a format.
func (p *Problem) hasSubnormal(f fp.Format) bool {
	for _, values := range [][]float64{p.x, p.y} {
		for _, v := range values {
			if size := math.Abs(v); size > 0 && size < f.MinNormal() {
				return true
			}
		}
	}
	return false
}

// sum returns the unit's sum of products.
func (g *unitGroup) sum(x, y []float64) float64 {
	return g.arith.Sum(mma.Decode(x, g.in), mma.Decode(y, g.in), 0)
}

// orderName returns the name of an order, and the units that add in it.
func (s *search) orderName(o order, t *sumtree.Tree) string {
	for _, u := range s.units {
		if u.tree.Equal(t) {
			return o.String() + " (" + u.names + ")"
		}
	}
	return o.String()
}

// unitTree is the tree of a unitOrder.
type unitTree struct {
	tree  *sumtree.Tree
	names string
}

// unitTrees returns the orders of the units that add inputs of one of the
// formats, for n summands.
func unitTrees(n int, in []fp.Format) []unitTree {
	var all []unitTree
	for _, u := range unitOrders() {
		if !slices.ContainsFunc(u.in, func(g fp.Format) bool { return slices.Contains(in, g) }) {
			continue
		}
		if f, err := sumtree.ParseFamily(u.family); err == nil {
			all = append(all, unitTree{f.Tree(n), u.names})
		}
	}
	return all
}

// unitOrder is an order of additions to nearest even, and the units that add in
// it.
type unitOrder struct {
	family string
	in     []fp.Format
	names  string
}

func unitOrders() []unitOrder {
	return []unitOrder{
		{fourByPairs, []fp.Format{fp.Binary16}, "cdna1, cdna2"},
		{fourByPairs, []fp.Format{fp.BFloat16}, "cdna2"},
		{onePair, []fp.Format{fp.BFloat16}, "cdna1, bfdot-ebf"},
		{laterFirst, []fp.Format{fp.BFloat16}, "avx512bf16"},
		{amxOrder().String(), []fp.Format{fp.BFloat16}, "amx"},
	}
}

// Orders of groups of AMD's matrix units, and of AVX512-BF16.
const (
	laterFirst  = "loop 2 as ((s 1) 0), rest onto"
	fourByPairs = "loop 4 as (s ((0 1) (2 3))), rest onto"
	onePair     = "loop 2 as (s (0 1)), rest onto"
)

// amxOrder is the order of Intel's AMX, which adds the products of 16 pairs to
// two sums, and these two to the accumulator.
func amxOrder() sumtree.Family {
	pairs := sumtree.Family{Kind: sumtree.Strided, Lanes: 2, Unroll: 1}
	return sumtree.Family{Kind: sumtree.Chunks, Block: 32, Of: &pairs}
}
