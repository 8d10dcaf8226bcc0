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

// A fused multiply-add rounds once. One that is computed in a wider format and
// rounded again, as binary16's in binary32 or binary32's in binary64, gives
// another result where the exact sum lies next to a tie and the wider format
// makes the tie of it: of binary16, for one addition of ordinary numbers in
// some 2^14. Sums of rounded products have no such case, and neither do
// bfloat16's fused ones: binary32 holds all sums near a tie.

// widerPrecisions returns the significands of formats that fused sums may be
// rounded to before they are rounded to f, where that shows: of binary32,
// binary64, x87's 80 bits, and binary128.
func widerPrecisions(f fp.Format) []int {
	switch f {
	case fp.Binary16:
		return []int{24}
	case fp.Binary32:
		return []int{53, 64}
	case fp.Binary64:
		return []int{113}
	}
	return nil
}

// fusedInputs makes inputs that show which products of a short format enter
// their additions unrounded, and how often these are rounded. All summands are
// zero, except for two or three.
type fusedInputs struct {
	t       *sumtree.Tree
	up      []int32 // the parents of nodes
	rng     *rand.Rand
	in      fp.Format
	squares bool
	wider   []int // significands of formats that may round to a tie
}

// newFusedInputs returns nil for targets that are not sums of such products.
func newFusedInputs(c *ask.Channel, t *sumtree.Tree) *fusedInputs {
	k := c.Key
	if c.N < 2 || !k.Op.Products() && k.Op != probe.SumSq || k.Out != k.DType {
		return nil
	}
	return &fusedInputs{t: t, up: t.Parents(), rng: ask.RandApart(c, "fused"), in: k.DType,
		squares: k.Op.Squares(), wider: widerPrecisions(k.DType)}
}

// fusedSamples is the number of inputs that FusedTies returns.
const fusedSamples = 64

// FusedTies returns inputs that show how often fused products are rounded, and
// which products are fused, in the order of t. There are none where results
// have another format than the factors.
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
	if len(f.wider) == 0 || f.rng.IntN(3) == 0 {
		f.pair(&s, f.leafPair())
	} else {
		f.nearTie(&s, f.wider[f.rng.IntN(len(f.wider))], f.rng.IntN(n))
	}
	return s
}

// nearTie makes a sum that a format of some bits rounds to a tie, of a leaf and
// another one.
func (f *fusedInputs) nearTie(s *ask.Sample, wider, i int) {
	j := f.otherThan(i)
	if f.squares {
		f.squareTie(s, i, j, wider)
	} else {
		f.tie(s, i, j, wider)
	}
}

// tie makes the product at j an odd number of last places, and the one at i
// nearly half of one.
func (f *fusedInputs) tie(s *ask.Sample, i, j, wider int) {
	v := f.in.Round(1+float64(f.rng.Float64()/2), fp.TowardZero)
	if math.Mod(v/f.in.ULP(v), 2) == 0 {
		v = f.in.NextUp(v)
	}
	x, y := nearOne(f.in, wider)
	size := math.Ldexp(f.sign(), f.rng.IntN(8))
	s.X[j], s.Y[i] = size*v, y
	s.X[i] = size * x * f.in.ULP(v) / 2 * f.sign()
}

// squareTie makes the square at i a tie whose lower neighbour is even: of an
// odd number whose square has one bit more than the format. The square at j is
// less than half of the wider format's last place. A third number may show in a
// root what that decides.
func (f *fusedInputs) squareTie(s *ask.Sample, i, j, wider int) {
	size := 5 + f.rng.IntN(2)
	if k := f.rng.IntN(len(s.X)); f.rng.IntN(2) == 0 {
		s.X[k] = f.in.Round(math.Ldexp(1+float64(f.rng.Float64()), size), fp.TowardZero)
	}
	p := f.in.Precision()
	least, most := math.Sqrt(math.Ldexp(1, p)), math.Sqrt(math.Ldexp(1, p+1))
	//lastbit:ignore floatconv below 2^27
	odd := 2*f.rng.Int64N(int64(most-least)/2) + int64(least)/2*2 + 1
	if float64(odd) < least {
		odd += 2
	}
	s.X[i] = math.Ldexp(float64(odd), size-p/2)
	s.X[j] = math.Ldexp(1, size-p/2-(wider+2-p)/2)
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

// otherThan returns a leaf of the sum that a leaf is added to.
func (f *fusedInputs) otherThan(leaf int) (other int) {
	up := int(f.up[leaf])
	for other = up; !f.t.IsLeaf(other); {
		kids := f.t.Children(other)
		if other = int(kids[f.rng.IntN(len(kids))]); other == leaf {
			other = up
		}
	}
	return other
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

// nearOne returns factors whose product is 1 − q², for a q so small that half
// of the last place of 1 times that product, added to 1, is a tie in a format
// of some bits; or the least q of the format.
func nearOne(in fp.Format, wider int) (x, y float64) {
	q := math.Ldexp(1, -min((wider-in.Precision())/2+1, in.Precision()-1))
	return 1 + q, 1 - q
}

// The inputs that AskFusedTies asks for each wider format, and the draws that
// each is chosen from.
const (
	fusedTies     = 5
	fusedTieDraws = 24
)

// AskFusedTies asks the main lane for sums next to ties, which show whether a
// fused sum is rounded to a wider format first. Where products are rounded
// before they are added, it asks for products next to ties, which show whether
// they are rounded twice.
func AskFusedTies(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) (asked []ask.Sample, err error) {
	f := newFusedInputs(c, t)
	if f == nil || a.Nodes.Mode != fp.NearestEven {
		return nil, nil
	}
	var all []ask.Sample
	if a.FMA == sumtree.FMANone {
		all = f.productTies()
	} else {
		all = f.sumTies(a)
	}
	for _, s := range all {
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil {
			return nil, err
		}
		s.Out = out[0]
		asked = append(asked, s)
	}
	return asked, nil
}

// sumTies returns inputs whose sums lie next to a tie and hold a fused product.
func (f *fusedInputs) sumTies(a sumtree.Arithmetic) (all []ask.Sample) {
	a.Nodes.Acc, a.Nodes.Store = a.Out, 0 // fused sums that are rounded once
	fused, err := sumtree.NewReplayer(f.t, a)
	if err != nil {
		return nil
	}
	a.FMA, a.Product, a.Fused = sumtree.FMANone, 0, nil
	rounded, err := sumtree.NewReplayer(f.t, a)
	if err != nil {
		return nil
	}
	for _, wider := range f.wider {
		for k := range fusedTies {
			leaf := -1
			if k == 0 { // a loop over what is left at the end may add otherwise
				leaf = f.t.Leaves() - 1
			}
			if s, ok := f.shown(fused, rounded, wider, leaf); ok {
				all = append(all, s)
			}
		}
	}
	return all
}

// shown returns a sum next to a tie that rounded products change: of a leaf, if
// it can, or of any for −1.
func (f *fusedInputs) shown(
	fused, rounded *sumtree.Replayer, wider, leaf int,
) (ask.Sample, bool) {
	for k := range fusedTieDraws {
		at := leaf
		if at < 0 || 2*k >= fusedTieDraws {
			at = f.rng.IntN(f.t.Leaves())
		}
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, f.t.Leaves())}
		if !f.squares {
			s.Y = ask.Ones(len(s.X))
		}
		f.nearTie(&s, wider, at)
		want, err := fused.Sum(s.X, s.Y)
		if err != nil {
			return s, false
		}
		if got, err := rounded.Sum(s.X, s.Y); err == nil && !ask.SameBits(got, want) {
			return s, true
		}
	}
	return ask.Sample{}, false
}

// productTieDraws is the number of products that one next to a tie is looked
// for among: one of some 2^12 is.
const productTieDraws = 1 << 15

// productTies returns products of binary64, each alone in its sum, that the 80
// bits of x87 round to a tie, and binary64 then to another number than the
// next.
func (f *fusedInputs) productTies() (all []ask.Sample) {
	if f.in != fp.Binary64 {
		return nil
	}
	for range productTieDraws {
		x, y := 1+f.rng.Float64(), 1+f.rng.Float64()
		if f.squares {
			y = x
		}
		p := float64(x * y)
		far := float64(f.in.ULP(p)/2) - math.Abs(math.FMA(x, y, -p))
		isTie := far > 0 && far < f.in.ULP(p)*0x1p-12
		if !isTie || math.Float64bits(p)&1 == 0 {
			continue
		}
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, f.t.Leaves())}
		i := f.rng.IntN(len(s.X))
		s.X[i] = x
		if !f.squares {
			s.Y = ask.Ones(len(s.X))
			s.Y[i] = y
		}
		if all = append(all, s); len(all) == fusedTies {
			break
		}
	}
	return all
}
