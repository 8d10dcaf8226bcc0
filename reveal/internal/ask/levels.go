package ask

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// Levels are the summands that rooted triples are asked with, as inputs, and
// the two outputs that answer. With u the last place of the summand B in the
// accumulator, B + 0.35u is B and B + 0.7u is B + u, by rounding to nearest.
type Levels struct {
	Acc    fp.Format // the accumulator that the levels are for
	Wide   int       // its bits, where no Format has as many; or 0
	Big    float64   // B
	Small  float64   // 0.35u
	Double float64   // 0.7u
	Speck  float64   // n of them stay below 2^-10 u
	None   float64   // 0

	Low, High float64 // outputs for the sums B and B + u

	// Next to a rounding boundary of the results, leaves outside of a triple
	// hold the inputs Rest. Where atBoundary, B and the tiny summands have
	// whole numbers of u besides.
	Rest       []float64
	atBoundary bool

	answers []Answer
	signs   *rand.Rand

	// Masks makes Small the size of masks and Big a unit: the triples are then
	// asked with Small on one leaf, its opposite on the other, and the unit
	// apart, which is lost unless the masks meet first.
	Masks bool
}

// MaskLevels returns the levels of triples that are asked with masks. They
// suit any accumulator and rounding to nearest.
func MaskLevels(c *Channel) *Levels {
	return &Levels{Acc: c.Key.Out, Big: c.Scale.Unit, Small: math.Ldexp(1, c.Scale.Lo), Low: 0,
		High: c.Scale.Output(1), Masks: true}
}

// An Answer is a triple, and whether its first two leaves meet first.
type Answer struct {
	Triple
	First bool
}

// Answers returns the main lane's answers so far.
func (l *Levels) Answers() []Answer { return l.answers }

// A Triple asks whether leaves A and B meet before either meets Apart.
type Triple struct{ A, B, Apart int }

// fill returns the input of a triple. Leaves outside of it have the inputs of
// background, or are zero where that is nil.
func (l *Levels) fill(q Triple, background []float64) Fill {
	return func(row []float64) {
		l.clear(row, background)
		row[q.A], row[q.B], row[q.Apart] = l.Small, l.Small, l.Big
		if l.Masks {
			row[q.B] = -l.Small
		}
	}
}

// signed returns the same input with random signs where summands are squares: a
// program may choose the order by the sign of an input.
func (l *Levels) signed(c *Channel, fill Fill) Fill {
	if c.Key.Op != probe.SumSq {
		return fill
	}
	if l.signs == nil {
		l.signs = RandApart(c, "signs")
	}
	seed := l.signs.Uint64()
	return func(row []float64) {
		fill(row)
		rng := rand.New(rand.NewPCG(seed, 0))
		for i := range row {
			if rng.IntN(2) == 0 {
				row[i] = -row[i]
			}
		}
	}
}

// clear writes zeros or the background.
func (l *Levels) clear(row, background []float64) {
	if copy(row, background) > 0 {
		return
	}
	for i := range row {
		row[i] = l.None
	}
}

// Ask answers triples in the given lanes, the main lane first. With specks, a
// random half of the other leaves has one. Any output except the two that the
// levels know is a fact, NoTree.
func (l *Levels) Ask(c *Channel, lanes []int, specks bool, triples ...Triple) ([]bool, error) {
	fills := make([]Fill, len(triples))
	for k, q := range triples {
		fills[k] = l.signed(c, l.fill(q, l.background(c, q, specks)))
	}
	out, err := c.AskIn(lanes, nil, fills...)
	if err != nil {
		return nil, err
	}
	first := make([]bool, len(triples))
	for k, o := range out {
		switch {
		case SameBits(o, l.High):
			first[k] = true
		case !SameBits(o, l.Low):
			const what = "the sum of one large and two tiny summands is neither of the two " +
				"that an order gives"
			return nil, &verdict.Fact{Reason: verdict.NoTree, What: what,
				Witness: c.Witness(what, nil, fills[k], out[k:k+1], &l.Low)}
		}
		if k%len(lanes) == 0 {
			l.answers = append(l.answers, Answer{triples[k], first[k]})
		}
	}
	return first, nil
}

// inputFor returns the input whose summand is nearest to v.
func inputFor(c *Channel, v float64) float64 {
	switch {
	case c.Key.Op == probe.Softmax:
		v = math.Log(v) //lastbit:ignore libm inputs need no last bit
	case c.Key.Op.Squares():
		v = math.Sqrt(v)
	}
	return c.Key.DType.Round(v, fp.NearestEven)
}

// FindLevels returns levels at the narrowest accumulator that loses summands to
// a large one, and adds up two of them in some order. They are nil where
// nothing is lost in any. It needs three leaves. Its error is a Fault, or a
// Fact: Hidden or NoTree.
func FindLevels(c *Channel) (*Levels, error) {
	found := false
	var never *Levels // the first that no two summands reach
	for _, acc := range accumulators(c) {
		if acc.Precision() < min(c.Key.DType.Precision(), c.Key.Out.Precision()) {
			continue
		}
		levels, err := levelsAt(c, acc)
		if err != nil {
			return nil, err
		}
		if levels == nil {
			continue
		}
		found = true
		some, all, err := levels.loses(c)
		if err != nil || some && !all {
			return levels, err
		}
		if all && never == nil {
			never = levels
		}
	}
	if !found {
		return nil, HiddenSum(c)
	}
	return never, nil
}

// levelsAt returns levels at an accumulator whose two outputs differ, nil where
// there are none.
func levelsAt(c *Channel, acc accumulator) (*Levels, error) {
	candidates := plainLevels(c, acc)
	if c.Key.Op == probe.Softmax {
		candidates = softmaxLevels(c, acc)
	}
	if acc.wide != 0 {
		candidates = append(candidates, tiedLevels(c, acc)...)
	}
	c.Expect("levels", len(candidates))
	for _, l := range candidates {
		if ok, err := l.calibrate(c); err != nil || ok {
			return &l, err
		}
	}
	if acc.wide == 0 && hasBoundaryLevels(c, acc.Format) {
		return calibrateBoundary(c, boundaryLevels(c, acc.Format))
	}
	return nil, nil
}

// newLevels returns the levels of a large summand.
func newLevels(c *Channel, acc accumulator, large float64) Levels {
	u := acc.ULP(large)
	return Levels{
		Acc: acc.Format, Wide: acc.wide, Big: inputFor(c, large),
		Small: inputFor(c, 0.35*u), Double: inputFor(c, 0.7*u),
		Speck: inputFor(c, math.Ldexp(u/float64(c.N), -12)), None: noneOf(c),
	}
}

// maxLevels bounds the large summands that are tried.
const maxLevels = 24

// plainLevels returns levels of summands and squares, whose large summand m² is
// exact. Where results are narrower than the accumulator, m² is halfway between
// two of them: m is odd, so m² is 1 modulo 8 and the tie goes down. Otherwise
// m² has an odd exponent, such that even its root shows a unit in the last
// place: m + u/(2m) is more than half of the last place of m above m.
func plainLevels(c *Channel, acc accumulator) []Levels {
	out, p := c.Key.Out.Precision(), c.Key.DType.Precision()
	var all []Levels
	if out < acc.Precision() {
		//lastbit:ignore floatconv a level below 2^53
		lo := int(math.Ceil(math.Sqrt(math.Ldexp(1, out)))) | 1
		hi := int(math.Sqrt(math.Ldexp(1, out+1))) //lastbit:ignore floatconv a level below 2^53
		for m := lo; m <= hi && holdsLarge(c, m); m += max(2, (hi-lo)/8&^1) {
			all = append(all, newLevels(c, acc, float64(m*m)))
		}
	}
	half := min(p, acc.Precision()/2)
	if !c.Key.Op.Squares() {
		half = min(p, acc.Precision()) / 2
	}
	top := 1 << half
	least := int(float64(top) * math.Sqrt2 / 2)
	for m := top - 1; m > least && len(all) < maxLevels; m -= max(1, (top-least)/maxLevels) {
		all = append(all, newLevels(c, acc, float64(m*m)))
	}
	return all
}

// holdsLarge reports whether the input format holds the input of a summand m².
func holdsLarge(c *Channel, m int) bool {
	x := float64(m)
	if !c.Key.Op.Squares() {
		x *= x
	}
	return c.Key.DType.Contains(x)
}

// softmaxLevels returns the levels whose large summand is exp(0) = 1, the only
// one that is exact. A result shows one unit in the last place of the sum only
// where it has the accumulator's precision, and a fourth leaf to be observed.
func softmaxLevels(c *Channel, acc accumulator) []Levels {
	if c.Key.Out.Precision() < acc.Precision() || c.N < 4 {
		return nil
	}
	return []Levels{newLevels(c, acc, 1)}
}

// calibrate asks for the two outputs, and reports whether they differ and
// rounding is as the levels expect it. Two leaves take turns.
func (l *Levels) calibrate(c *Channel) (ok bool, err error) {
	i, j := 0, c.N-1
	background := slices.Repeat([]float64{l.None}, c.N)
	for k, x := range l.Rest {
		background[c.N/2+k] = x
	}
	if c.Key.Op == probe.Softmax { // the result is the speck's
		background[c.N/2] = l.Speck
	}
	fill := func(at, other int, v float64) Fill {
		return func(row []float64) {
			l.clear(row, background)
			row[at], row[other] = l.Big, v
		}
	}
	out, err := c.AskMain(nil,
		fill(i, j, l.None), fill(i, j, l.Small), fill(i, j, l.Double),
		fill(j, i, l.None), fill(j, i, l.Small), fill(j, i, l.Double))
	if err != nil {
		return false, err
	}
	l.Low, l.High = out[0], out[2]
	for k, o := range out[3:] {
		if !SameBits(o, out[k]) {
			return false, nil
		}
	}
	return SameBits(out[0], out[1]) && !SameBits(l.Low, l.High) && l.High == l.High, nil
}

// AtBoundary reports whether the answers are results on both sides of a
// rounding boundary, which other roundings than the sum's may cross too.
func (l *Levels) AtBoundary() bool { return l != nil && l.atBoundary }

// Others returns levels of other sizes: those given times powers of two, and a
// large summand whose exponent has the other parity. Softmax has none, nor have
// levels next to a boundary.
func (l *Levels) Others(c *Channel) ([]Levels, error) {
	if c.Key.Op == probe.Softmax || l.atBoundary {
		return nil, nil
	}
	acc := accumulator{l.Acc, l.Wide}
	m := float64(int(1)<<(min(c.Key.DType.Precision(), acc.Precision()/2)-1) + 1)
	all := []Levels{newLevels(c, acc, float64(m*m))}
	for _, exp := range []int{1, -1, 4, -5} {
		s := *l
		s.answers = nil
		for _, v := range []*float64{&s.Big, &s.Small, &s.Double, &s.Speck} {
			*v = c.Key.DType.Round(math.Ldexp(*v, exp), fp.NearestEven)
		}
		all = append(all, s)
	}
	var fit []Levels
	for _, s := range all {
		ok, err := s.calibrate(c)
		if err != nil {
			return nil, err
		}
		if ok {
			fit = append(fit, s)
		}
	}
	return fit, nil
}

// samplesLost is the number of triples that show whether any summand is lost.
const samplesLost = 24

// loses reports whether some of random triples is not answered by yes: a sum
// that loses nothing, or that is wider than the levels, answers all so. all
// reports whether a triple is answered by no in each of its three turns, which
// no order does: the sum of the two tiny summands is not large enough to show,
// as where the result crosses a rounding boundary between that and Double.
func (l *Levels) loses(c *Channel) (some, all bool, err error) {
	for range samplesLost {
		p := c.Rand.Perm(c.N)
		q := []Triple{{p[0], p[1], p[2]}, {p[1], p[2], p[0]}, {p[2], p[0], p[1]}}
		yes, err := l.Ask(c, c.Pool()[:1], false, q...)
		if err != nil {
			return false, false, err
		}
		if slices.Contains(yes, false) {
			return true, !slices.Contains(yes, true), nil
		}
	}
	return false, false, nil
}

// background returns the inputs of the leaves outside of a triple: specks at
// random, and the rest in random places; nil for zeros. Where the smallest
// summand gives the result, some leaf outside of the triple always has a speck,
// so that the same summand is observed in all questions.
func (l *Levels) background(c *Channel, q Triple, specks bool) []float64 {
	observed := c.Key.Op == probe.Softmax && !l.atBoundary
	if !specks && !observed && len(l.Rest) == 0 {
		return nil
	}
	some := make([]float64, c.N)
	var random uint64 // a bit for each leaf
	for i := range some {
		if i%64 == 0 && specks {
			random = c.Rand.Uint64()
		}
		if some[i] = l.None; random&1 == 1 {
			some[i] = l.Speck
		}
		random >>= 1
	}
	if !observed && len(l.Rest) == 0 {
		return some
	}
	outside := make([]int, 0, c.N)
	for i := range some {
		if i != q.A && i != q.B && i != q.Apart {
			outside = append(outside, i)
		}
	}
	if observed {
		some[outside[0]] = l.Speck
	}
	for k, x := range l.Rest {
		at := k + c.Rand.IntN(len(outside)-k)
		outside[k], outside[at] = outside[at], outside[k]
		some[outside[k]] = x
	}
	return some
}

// HiddenSum returns the fact that no levels were found.
func HiddenSum(c *Channel) *verdict.Fact {
	what := fmt.Sprintf("no result in %s shows one unit in the last place of the sum", c.Key.Out)
	if c.N < 3+maxRest && c.Key.Out.Precision() <= fp.Binary32.Precision() {
		summands := fmt.Sprintf("%d summands", c.N)
		if c.N == 1 {
			summands = "1 summand"
		}
		what = fmt.Sprintf("with %s no input was found whose result in %s shows one unit in the "+
			"last place of the sum", summands, c.Key.Out)
	}
	return &verdict.Fact{Reason: verdict.Hidden, What: what, Witness: c.Witness(
		what+", so the order does not show either", nil, Values(make([]float64, c.N)), nil, nil)}
}

// Witness asks a triple, and returns its input and output as a witness.
func (l *Levels) Witness(c *Channel, q Triple, what string) (*verdict.Witness, error) {
	fill := l.fill(q, l.background(c, q, false))
	out, err := c.AskMain(nil, fill)
	if err != nil {
		return nil, err
	}
	return c.Witness(what, nil, fill, out, nil), nil
}
