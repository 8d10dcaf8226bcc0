package proof

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// A property belongs to all summands together. A program that looks at them
// first, and chooses its order by what it finds, adds the inputs with the
// property in another order.
type property struct {
	where string // "where all summands are positive"
	holds func(v []float64) bool
	// shape gives magnitudes the property, by their signs, places or values.
	shape func(d *propertyDrawer, v []float64)
	// spoil changes few summands, so that the property is lost.
	spoil func(d *propertyDrawer, v []float64)
	// needsOrder means that one known order has to give the results: most
	// inputs have the property, so those that are missed may have it by chance.
	needsOrder bool
	// hides means that one input shows few orders, even among many summands.
	hides bool
}

// every returns a condition that holds where it does for each summand.
func every(holds func(v float64) bool) func(v []float64) bool {
	return func(v []float64) bool {
		return !slices.ContainsFunc(v, func(x float64) bool { return !holds(x) })
	}
}

// properties returns the properties that are looked for.
func properties(f fp.Format) []property {
	bySize := func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }
	descending := func(a, b float64) int { return cmp.Compare(b, a) }
	smaller := func(a, b float64) int { return bySize(b, a) }
	sorted := func(by func(a, b float64) int) func(v []float64) bool {
		return func(v []float64) bool { return slices.IsSortedFunc(v, by) }
	}
	ascend := func(d *propertyDrawer, v []float64) {
		d.signs(v)
		slices.Sort(v)
	}
	descend := func(d *propertyDrawer, v []float64) {
		ascend(d, v)
		slices.Reverse(v)
	}
	ascendInSize := func(d *propertyDrawer, v []float64) {
		for i, x := range v {
			v[i] = math.Abs(x)
		}
		slices.Sort(v)
		d.signs(v)
	}
	descendInSize := func(d *propertyDrawer, v []float64) {
		ascendInSize(d, v)
		slices.Reverse(v)
	}
	swap := func(d *propertyDrawer, v []float64) {
		i := d.rng.IntN(len(v) - 1)
		v[i], v[i+1] = v[i+1], v[i]
	}
	largest := func(v []float64) int {
		at := 0
		for i, x := range v {
			if math.Abs(x) > math.Abs(v[at]) {
				at = i
			}
		}
		return at
	}
	largestAt := func(where string, place func(n int) int) property {
		return property{where: where,
			holds: func(v []float64) bool {
				return math.Abs(v[place(len(v))]) == math.Abs(v[largest(v)])
			},
			shape: func(d *propertyDrawer, v []float64) {
				d.signs(v)
				i, j := largest(v), place(len(v))
				v[i], v[j] = v[j], v[i]
			},
			spoil: func(d *propertyDrawer, v []float64) {
				i, j := place(len(v)), d.rng.IntN(len(v)-1)
				if j >= i {
					j++
				}
				v[i], v[j] = v[j], v[i]
			}}
	}
	negate := func(d *propertyDrawer, v []float64) {
		i := d.rng.IntN(len(v))
		v[i] = -v[i]
	}
	return append([]property{
		{where: "where all summands are positive",
			holds: every(func(x float64) bool { return !math.Signbit(x) }),
			shape: func(*propertyDrawer, []float64) {}, spoil: negate},
		{where: "where all summands are negative",
			holds: every(func(x float64) bool { return x <= 0 }),
			shape: func(_ *propertyDrawer, v []float64) {
				for i := range v {
					v[i] = -v[i]
				}
			}, spoil: negate},
		{where: "where all summands are equal",
			holds: func(v []float64) bool { return len(slices.Compact(slices.Clone(v))) == 1 },
			shape: func(d *propertyDrawer, v []float64) {
				s := v[0]
				if d.rng.IntN(2) == 0 {
					s = -s
				}
				for i := range v {
					v[i] = s
				}
			},
			spoil: func(d *propertyDrawer, v []float64) {
				i := d.rng.IntN(len(v))
				v[i] = d.f.NextUp(v[i])
			}},
		{where: "where the summands ascend", holds: sorted(cmp.Compare[float64]),
			shape: ascend, spoil: swap},
		{where: "where the summands descend", holds: sorted(descending),
			shape: descend, spoil: swap},
		{where: "where the summands ascend in size", holds: sorted(bySize),
			shape: ascendInSize, spoil: swap},
		{where: "where the summands descend in size", holds: sorted(smaller),
			shape: descendInSize, spoil: swap},
		{where: "where all summands are integers",
			holds: every(func(x float64) bool { return x == math.Trunc(x) }),
			shape: func(d *propertyDrawer, v []float64) {
				d.signs(v)
				d.integers(v)
			},
			spoil: func(d *propertyDrawer, v []float64) { v[d.rng.IntN(len(v))] = 1.5 }},
		oneDecimal(f),
		halfZero(),
		nearlyZero(),
		largestAt("where the largest summand is the first", func(int) int { return 0 }),
		largestAt("where the largest summand is the last", func(n int) int { return n - 1 }),
	}, shortFormats(f)...)
}

// lacking returns the property of inputs that lack another one, and get it
// where that is lost.
func lacking(p property) property {
	return property{where: strings.Replace(p.where, "where", "except where", 1),
		holds: func(v []float64) bool { return !p.holds(v) },
		shape: func(d *propertyDrawer, v []float64) {
			p.shape(d, v)
			p.spoil(d, v)
		},
		spoil: p.shape, needsOrder: true}
}

// sized returns the property that all summands are at most inside, or, where
// that is larger than outside, at least. Between them lies the threshold.
//
// All summands are scaled to spoil it, by a power of two, which leaves every
// rounding as it is. Of sizes where sums may be subnormal, all summands get one
// sign, and none is subnormal: then no sum is, whatever is flushed.
func sized(d *propertyDrawer, inside, outside float64) property {
	small := inside < outside
	p := property{where: "where all summands are small",
		holds: every(func(x float64) bool { return math.Abs(x) <= inside })}
	if !small {
		p.where = "where all summands are large"
		p.holds = every(func(x float64) bool { return math.Abs(x) >= inside })
	}
	extreme := math.Ilogb(inside) < d.f.MinExp()+2*d.f.Precision()
	p.shape = func(d *propertyDrawer, v []float64) {
		if d.signs(v); extreme {
			for i, x := range v {
				v[i] = math.Copysign(x, v[0])
			}
		}
		smallest, largest := sizes(v)
		by := math.Ilogb(inside) - 1 - math.Ilogb(largest)
		if !small {
			by = math.Ilogb(inside) + 1 - math.Ilogb(smallest)
		}
		for i, x := range v {
			x = d.f.Round(math.Ldexp(x, by), fp.TowardZero)
			if extreme {
				x = math.Copysign(max(math.Abs(x), min(d.f.MinNormal(), inside)), x)
			}
			v[i] = x
		}
	}
	p.spoil = func(_ *propertyDrawer, v []float64) {
		smallest, largest := sizes(v)
		by := math.Ilogb(outside) - math.Ilogb(largest) + 1
		if !small {
			by = math.Ilogb(outside) - math.Ilogb(smallest) - 1
		}
		for i := range v {
			v[i] = math.Ldexp(v[i], by)
		}
	}
	return p
}

// sizes returns the smallest and the largest magnitude.
func sizes(v []float64) (smallest, largest float64) {
	smallest = math.Inf(1)
	for _, x := range v {
		smallest, largest = min(smallest, math.Abs(x)), max(largest, math.Abs(x))
	}
	return smallest, largest
}

// propertyDrawer draws inputs that have a property.
type propertyDrawer struct {
	c   *ask.Channel
	f   fp.Format
	rng *rand.Rand
	top int // exponent of the largest magnitudes of the next input

	spread int          // binades of its magnitudes
	most   int          // of them, where sums of fewer are exact; 0 where they are not
	factor float64      // the second factor, where products have the property
	ties   *classDrawer // nil where results have the places of sums
	r      *sumtree.Replayer
	others []*sumtree.Replayer // the same arithmetic in other orders
}

// newPropertyDrawer returns nil where no input can be predicted.
func newPropertyDrawer(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) *propertyDrawer {
	r, err := sumtree.NewReplayer(t, a)
	if err != nil || c.N < 3 {
		return nil
	}
	d := &propertyDrawer{c: c, f: c.Key.DType, r: r,
		rng: ask.RandApart(c, "property"), factor: oddFactor(c, a)}
	d.most = max(0, accumulatorBits(a)-d.f.Precision())
	if c.N > maxPropertyN {
		return d
	}
	if ties := newClassDrawer(c, t, a); ties != nil && ties.sums != nil {
		d.ties = ties
	}
	for _, f := range commonFamilies(c.N) {
		other := f.Tree(c.N)
		if other.Equal(t) {
			continue
		}
		if o, err := sumtree.NewReplayer(other, a); err == nil {
			d.others = append(d.others, o)
		}
	}
	return d
}

// commonFamilies returns a few orders that programs change to.
func commonFamilies(n int) []sumtree.Family {
	all := []sumtree.Family{{Kind: sumtree.Chain}, {Kind: sumtree.ReverseChain},
		{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}}
	for _, f := range sumtree.Candidates(n) {
		if f.Kind == sumtree.Strided && len(all) < maxCommon {
			all = append(all, f)
		}
	}
	return all
}

const maxCommon = 8

// highest returns the largest exponent of summands whose sums are finite.
func (d *propertyDrawer) highest() int {
	most := min(d.f.MaxExp(), d.c.Key.Out.MaxExp())
	if d.c.Key.Op.Squares() {
		most /= 2
	}
	return most - bits.Len(uint(d.c.N-1)) - 2
}

// magnitude draws a positive summand.
func (d *propertyDrawer) magnitude() float64 {
	u := d.rng.Uint64() // 52 bits of a significand, and 12 that choose the binade
	e := d.top - int(u&0xfff*uint64(d.spread+1)>>12)
	return d.f.Round(math.Float64frombits(uint64(1023+e)<<52|u>>12), fp.TowardZero)
}

// signs gives random signs.
func (d *propertyDrawer) signs(v []float64) {
	var u uint64
	for i := range v {
		if i%64 == 0 {
			u = d.rng.Uint64()
		}
		if u>>(i%64)&1 == 0 {
			v[i] = -v[i]
		}
	}
}

// integers makes integers whose sums are rounded, where the format has them.
func (d *propertyDrawer) integers(v []float64) {
	top := min(d.f.Precision()-1, d.highest())
	for i, x := range v {
		size := math.Ldexp(1+d.rng.Float64(), top-d.rng.IntN(max(0, min(d.spread, top))+1))
		v[i] = math.Copysign(math.Trunc(size), x)
		v[i] = d.f.Round(v[i], fp.TowardZero)
	}
}

// roundedBits is the number of places of a summand that sums in a wider format
// lose, so that some of them show an order.
const roundedBits = 4

// draw returns an input that has a property.
func (d *propertyDrawer) draw(p property) ask.Sample {
	d.spread = []int{0, 2, 6, d.f.Precision() / 2}[d.rng.IntN(4)]
	d.top = min(d.highest(), d.rng.IntN(9)-4)
	if d.most > 0 && d.rng.IntN(2) == 0 {
		d.spread = max(0, min(d.most+roundedBits, d.highest()-d.f.MinExp()))
		d.top = max(d.top, d.f.MinExp()+d.spread)
	}
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, d.c.N)}
	for i := range s.X {
		s.X[i] = d.magnitude()
	}
	p.shape(d, s.X)
	s.Y = equalFactors(d.c, d.factor)
	if d.factor != 1 && !p.holds(summands(&s)) {
		s.Y = ask.Ones(d.c.N)
	}
	if d.ties == nil {
		return s
	}
	tied := ask.Sample{Kind: s.Kind, X: slices.Clone(s.X), Y: s.Y}
	if d.ties.nearTie(&tied); p.holds(summands(&tied)) {
		return tied
	}
	return s
}

// telling draws an input that has a property, and whose result most of the
// other orders do not give, among a number of them. Orders that are not among
// those shown count for more, and are noted there.
func (d *propertyDrawer) telling(p property, draws int, shown []bool) ask.Sample {
	var best ask.Sample
	weights := slices.Repeat([]int{1}, d.orders())
	for k := range weights {
		if shown != nil && !shown[k] {
			weights[k] += len(weights)
		}
	}
	trials := newContest(weights)
	for range draws {
		if s := d.draw(p); trials.enter(d.shows(&s)) {
			best = s
		}
		if trials.isOver() {
			break
		}
	}
	for k, differs := range trials.won {
		if shown != nil && differs {
			shown[k] = true
		}
	}
	return best
}

// drawEach draws an input of each property, on all processors.
func (d *propertyDrawer) drawEach(list []property) []ask.Sample {
	drawers, samples := make([]propertyDrawer, len(list)), make([]ask.Sample, len(list))
	for k := range drawers {
		drawers[k] = *d
		drawers[k].rng = rand.New(rand.NewPCG(d.rng.Uint64(), d.rng.Uint64()))
	}
	each(len(list), func(k int) { samples[k] = drawers[k].draw(list[k]) })
	return samples
}

// orders returns the number of other orders that shows looks at.
func (d *propertyDrawer) orders() int { return len(d.others) + len(changedNames()) }

// shows returns a function that reports whether one of the other orders gives
// another result.
func (d *propertyDrawer) shows(s *ask.Sample) func(order int) bool {
	want, err := d.r.Sum(s.X, s.Y)
	if err != nil {
		return func(int) bool { return false }
	}
	return func(at int) bool {
		r, x, y := d.r, s.X, s.Y
		if k := at - len(d.others); k < 0 {
			r = d.others[at]
		} else if k < countChanged(len(s.X)) {
			order := nthChanged(s, k)
			x, y = picked(x, order), picked(y, order)
		} else {
			return false // of long inputs some orders are not tried
		}
		got, err := r.Sum(x, y)
		return err == nil && !ask.SameBits(got, want)
	}
}

// The limits of AskProperties: inputs of each property, drawn inputs that each
// is chosen from, and the largest n that has several.
const (
	propertyInputs  = 3
	propertyDraws   = 12
	hiddenDraws     = 3      // at least, where one input shows few orders
	maxPropertyWork = 1 << 7 // summands
	fewProperty     = 8
	manyDraws       = 1 << 15 // summands of the inputs that one of many is chosen from

	maxPropertyN = maxAlone // summands of an experiment
)

// AskProperties asks inputs that have a property as a whole (see properties):
// an order that depends on it shows there only.
//
// The main lane takes the samples, or, where a call has many lanes, the pool
// does. It draws no number from c.Rand.
func AskProperties(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) ([]ask.Sample, error) {
	if c.Key.Op.Positive() && !c.Key.Op.Squares() {
		return nil, nil
	}
	d := newPropertyDrawer(c, t, a)
	if d == nil {
		return nil, nil
	}
	count, draws := propertyInputs, propertyDraws
	switch {
	case c.N > maxPropertyWork:
		count, draws = 1, 2
	case c.N <= fewProperty:
		count *= 2 // of a few orders, each shows seldom
	}
	list := d.all()
	if c.N > maxPropertyN {
		list = list[:min(len(list), max(fewestClasses, maxClassWork/c.N))]
	}
	var samples []ask.Sample
	if c.N >= manyDraws {
		samples, list = d.drawEach(list), nil
	}
	for _, p := range list {
		if c.N > maxPropertyN {
			samples = append(samples, d.telling(p, manyDraws/c.N, nil))
			continue
		}
		shown := make([]bool, d.orders())
		count, draws := count, draws
		if p.hides {
			count, draws = 2*propertyInputs, max(draws, hiddenDraws)
		}
		for range count {
			samples = append(samples, d.telling(p, draws, shown))
		}
	}
	isScaled := func(s ask.Sample) bool { return s.Y != nil && s.Y[0] != 1 }
	plain := slices.DeleteFunc(slices.Clone(samples), isScaled)
	if err := askTogether(c, "properties", plain); err != nil {
		return nil, err
	}
	scaled := slices.DeleteFunc(samples, func(s ask.Sample) bool { return !isScaled(s) })
	err := askTogether(c, "properties", scaled)
	return append(plain, scaled...), err
}

// all returns the properties, with a few sizes.
func (d *propertyDrawer) all() []property {
	list := properties(d.f)
	if d.c.Key.Op.Squares() {
		return list
	}
	for _, exp := range []int{d.f.MinExp() + 4, -10, 10} {
		inside, outside := math.Ldexp(1, exp), math.Ldexp(1, exp+1)
		if exp > 0 {
			inside, outside = outside, inside
		}
		if exp > d.f.MinExp() && exp+d.spread+2 < d.highest() {
			list = append(list, sized(d, inside, outside))
		}
	}
	return list
}
