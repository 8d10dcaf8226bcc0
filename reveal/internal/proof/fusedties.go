package proof

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// A fused multiply-add of binary16 rounds once. One that is computed in
// binary32 and rounded again gives another result where the exact sum lies next
// to a tie of binary16 and binary32 makes the tie of it: for one addition of
// ordinary numbers in some 2^14. Sums of rounded products have no such case,
// and neither do bfloat16's fused ones: binary32 holds all sums near a tie.

// fusedInputs makes inputs that show which products of a short format enter
// their additions unrounded, and how often these are rounded. All summands are
// zero, except for two or three.
type fusedInputs struct {
	t       *sumtree.Tree
	up      []int32 // the parents of nodes
	rng     *rand.Rand
	in      fp.Format
	squares bool
	ties    bool // binary32 may round to a tie
}

// newFusedInputs returns nil for targets that are not sums of such products.
func newFusedInputs(c *ask.Channel, t *sumtree.Tree) *fusedInputs {
	k := c.Key
	if c.N < 2 || !k.Op.Products() && k.Op != probe.SumSq || k.Out != k.DType ||
		k.Out.Precision() >= fp.Binary32.Precision() {
		return nil
	}
	return &fusedInputs{t: t, up: t.Parents(), rng: ask.RandApart(c, "fused"), in: k.DType,
		squares: k.Op.Squares(), ties: k.DType == fp.Binary16}
}

// fusedSamples is the number of inputs that FusedTies returns.
const fusedSamples = 64

// FusedTies returns inputs that show how often the fused products of a short
// format are rounded, and which products are fused, in the order of t. There
// are none for other targets.
func FusedTies(c *ask.Channel, t *sumtree.Tree) (all []ask.Sample) {
	f := newFusedInputs(c, t)
	for range fusedSamples {
		if f != nil {
			all = append(all, f.sample())
		}
	}
	return all
}

// sample returns an input: one next to a tie, or two products that meet.
func (f *fusedInputs) sample() ask.Sample {
	n := f.t.Leaves()
	s := ask.Sample{Kind: ask.Halfway, X: make([]float64, n)}
	if !f.squares {
		s.Y = slices.Repeat([]float64{1}, n)
	}
	i, j := f.leafAndOther()
	switch {
	case !f.ties || f.rng.IntN(3) == 0:
		f.pair(&s, f.leafPair())
	case f.squares:
		f.squareTie(&s, i, j)
	default:
		f.tie(&s, i, j)
	}
	return s
}

// tie makes the product at j an odd number of last places, and the one at i
// nearly half of one.
func (f *fusedInputs) tie(s *ask.Sample, i, j int) {
	v := f.in.Round(1+float64(f.rng.Float64()/2), fp.TowardZero)
	if math.Mod(v/f.in.ULP(v), 2) == 0 {
		v = f.in.NextUp(v)
	}
	x, y := nearOne(f.in)
	size := math.Ldexp(f.sign(), f.rng.IntN(8))
	s.X[j], s.Y[i] = size*v, y
	s.X[i] = size * x * f.in.ULP(v) / 2 * f.sign()
}

// squareTie makes the square at i a tie of binary16 whose lower neighbour is
// even, as (o/32)² for every odd o from 47 to 63, and the one at j less than
// half of the last place of binary32. A third number may show in a root what
// that decides.
func (f *fusedInputs) squareTie(s *ask.Sample, i, j int) {
	size := 5 + f.rng.IntN(2)
	if k := f.rng.IntN(len(s.X)); f.rng.IntN(2) == 0 {
		s.X[k] = f.in.Round(math.Ldexp(1+float64(f.rng.Float64()), size), fp.TowardZero)
	}
	s.X[i] = math.Ldexp(float64(47+2*f.rng.IntN(9)), size-5)
	s.X[j] = math.Ldexp(1, size-12)
}

// pair makes two products of random sizes.
func (f *fusedInputs) pair(s *ask.Sample, at [2]int) {
	least := (f.in.MinExp() - f.in.Precision()) / 2
	e := f.rng.IntN(4)
	if f.rng.IntN(2) == 0 { // the products are subnormal
		e = max(least, -20) + f.rng.IntN(f.in.Precision())
	}
	for _, i := range at {
		v := math.Ldexp(1+float64(f.rng.Float64()), e-f.rng.IntN(6))
		s.X[i] = f.in.Round(v*f.sign(), fp.TowardZero)
		if !f.squares {
			s.Y[i] = f.in.Round(math.Ldexp(1+float64(f.rng.Float64()), e), fp.TowardZero)
		}
	}
}

// sign returns 1 or −1.
func (f *fusedInputs) sign() float64 { return float64(1 - 2*f.rng.IntN(2)) }

// leafAndOther returns a leaf, and a leaf of the sum that it is added to.
func (f *fusedInputs) leafAndOther() (leaf, other int) {
	leaf = f.rng.IntN(f.t.Leaves())
	up := int(f.up[leaf])
	for other = up; !f.t.IsLeaf(other); {
		kids := f.t.Children(other)
		if other = int(kids[f.rng.IntN(len(kids))]); other == leaf {
			other = up
		}
	}
	return leaf, other
}

// leafPair returns two leaves that meet first.
func (f *fusedInputs) leafPair() [2]int {
	id := f.t.Root()
	for {
		kids := f.t.Children(id)
		from := f.rng.IntN(len(kids))
		next := -1
		for k := range kids {
			if kid := int(kids[(from+k)%len(kids)]); !f.t.IsLeaf(kid) {
				next = kid
				break
			}
		}
		if next < 0 {
			return [2]int{int(kids[from]), int(kids[(from+1)%len(kids)])}
		}
		id = next
	}
}

// nearOne returns factors whose product is 1 − q², for a small q.
func nearOne(in fp.Format) (x, y float64) {
	q := math.Ldexp(1, -min((in.Precision()+3)/2, in.Precision()-1))
	return 1 + q, 1 - q
}
