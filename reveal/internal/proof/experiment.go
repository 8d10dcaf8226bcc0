package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// The limits of propertyMatters: inputs with a property, each with at most one
// without it, inputs with it that the tree has to miss, properties tried, and
// the chance that the tree misses no input without it if it misses both kinds
// at one rate.
const (
	experimentInputs = 96
	experimentShown  = 3
	maxExperiments   = 6
	maxChance        = 1e-3 // of a property that has nothing to do with it
)

// propertyMatters returns the fact that inputs that have a property as a whole
// are added in another order, or nil. Every sample that the closest arithmetic
// misses has the property. An experiment then asks fresh inputs: with the
// property no plain sum in the revealed order gives some of the results, in any
// accumulator; with the same summands, except for a few that spoil it, the tree
// gives all of them.
func propertyMatters(m *Mismatch, c *ask.Channel) (*verdict.Fact, error) {
	d := newPropertyDrawer(c, m.Tree, m.Closest)
	if d == nil || c.N > maxPropertyN || c.Key.Op == probe.Softmax {
		return nil, nil
	}
	missed := Missed(m)
	if len(missed) == 0 {
		return nil, nil
	}
	d.rng = ask.RandApart(c, "experim")
	tried := 0
	suspects, err := suspectsOf(m, c, d, missed)
	if err != nil {
		return nil, err
	}
	for _, p := range suspects {
		if tried == maxExperiments {
			break
		}
		tried++
		with, err := experiment(m, c, d, p)
		if err != nil {
			return nil, err
		}
		if with == nil {
			continue
		}
		name := orderOf(m, c, d, slices.Concat(with, missed))
		if name == "" && p.needsOrder {
			continue
		}
		what := p.where + ", they are added in another order"
		if name != "" {
			what += ": " + name
		}
		f := m.fact(verdict.ClassesMatter, what)
		w := with[0]
		want, _ := m.shows(w.X, w.Y, w.Out)
		f.Witness = c.Witness(what, w.Y, ask.Values(w.X), []float64{w.Out}, &want)
		f.Shows = func(x, y []float64, out float64) (want float64, shown bool) {
			want, shown = m.shows(x, y, out)
			return want, shown && p.holds(summands(&ask.Sample{X: x, Y: y})) &&
				!m.plain(c, &ask.Sample{X: x, Y: y, Out: out})
		}
		return f, nil
	}
	return nil, nil
}

// suspects returns the properties of all samples that the closest arithmetic
// misses, those that fewer of the other samples have first.
func suspectsOf(
	m *Mismatch, c *ask.Channel, d *propertyDrawer, missed []ask.Sample,
) ([]property, error) {
	list, err := boundaries(m, c, d, missed)
	if err != nil {
		return nil, err
	}
	type suspect struct {
		property
		others int // samples that have the property, and are not missed
	}
	var suspects []suspect
	for _, p := range properties(d.f) {
		list = append(list, p, lacking(p))
	}
	for _, p := range list {
		lacks := func(s ask.Sample) bool { return !p.holds(summands(&s)) }
		if slices.ContainsFunc(missed, lacks) {
			continue
		}
		has := 0
		for k := range m.Samples {
			if p.holds(summands(&m.Samples[k])) {
				has++
			}
		}
		suspects = append(suspects, suspect{p, has})
	}
	slices.SortStableFunc(suspects, func(a, b suspect) int { return a.others - b.others })
	var sorted []property
	for _, s := range suspects {
		sorted = append(sorted, s.property)
	}
	return sorted, nil
}

// summands returns the summands of a sample: its products, where there are
// second factors.
func summands(s *ask.Sample) []float64 {
	if s.Y == nil {
		return s.X
	}
	v := make([]float64, len(s.X))
	for i, x := range s.X {
		v[i] = float64(x * s.Y[i])
	}
	return v
}

// boundaries returns the properties of sizes that missed samples may have. The
// largest of them is scaled until the tree gives its result, and the smallest
// the other way.
func boundaries(
	m *Mismatch, c *ask.Channel, d *propertyDrawer, missed []ask.Sample,
) (list []property, err error) {
	if c.Key.Op.Squares() {
		return nil, nil
	}
	var high, low *ask.Sample
	var most, least float64
	for k := range missed {
		s := &missed[k]
		smallest, largest := sizes(summands(s))
		if smallest-smallest != 0 || largest-largest != 0 {
			continue
		}
		if high == nil || largest > most {
			high, most = s, largest
		}
		if smallest > 0 && (low == nil || smallest < least) {
			low, least = s, smallest
		}
	}
	if high != nil {
		p, err := boundaryOf(m, c, d, high, 1, d.highest()-math.Ilogb(most))
		if p != nil {
			list = append(list, *p)
		}
		if err != nil {
			return nil, err
		}
	}
	if low != nil {
		p, err := boundaryOf(m, c, d, low, -1,
			math.Ilogb(least)-d.f.MinExp()-2*d.f.Precision())
		if p != nil {
			list = append(list, *p)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// boundary returns the property of sizes that a missed sample has and loses
// where it is scaled by at most the given number of binades, or nil.
func boundaryOf(
	m *Mismatch, c *ask.Channel, d *propertyDrawer, s *ask.Sample, sign, binades int,
) (*property, error) {
	if binades < 1 {
		return nil, nil
	}
	scaled := func(by int) ask.Sample {
		x := make([]float64, len(s.X))
		for i, v := range s.X {
			x[i] = math.Ldexp(v, sign*by)
		}
		return ask.Sample{Kind: ask.Edge, X: x, Y: s.Y}
	}
	misses := func(by int) (bool, error) {
		t := scaled(by)
		err := askOne(c, &t)
		return !matches(m.Tree, m.Closest, []ask.Sample{t}), err
	}
	low, high := 0, binades
	for at := high; high-low > 1; at = (low + high) / 2 {
		missed, err := misses(at)
		if err != nil || missed && at == high {
			return nil, err
		}
		if missed {
			low = at
		} else {
			high = at
		}
	}
	inside, outside := scaled(low), scaled(high)
	smallest, largest := sizes(summands(&inside))
	least, most := sizes(summands(&outside))
	p := sized(d, smallest, math.Ldexp(least, -spoiltBinades))
	if sign > 0 {
		p = sized(d, largest, math.Ldexp(most, min(spoiltBinades, binades-high)))
	}
	return &p, nil
}

// spoiltBinades is the number of binades beyond a threshold that a summand is
// moved by: the results next to it may be the same by chance.
const spoiltBinades = 8

// experiment asks inputs with a property and without it, until enough of the
// first are missed, one of them by a plain sum in every accumulator. It returns
// those, this one first, or nil where the results do not depend on the
// property.
func experiment(
	m *Mismatch, c *ask.Channel, d *propertyDrawer, p property,
) (with []ask.Sample, err error) {
	changed, kept, proven := 0, 0, false
	isShown := func() bool {
		rate := float64(changed) / float64(max(1, len(with)))
		//lastbit:ignore libm a chance needs no last bit
		return changed >= experimentShown && proven && math.Pow(1-rate, float64(kept)) < maxChance
	}
	c.Expect("experiment", 2*experimentInputs)
	for k := 0; k < experimentInputs && !isShown(); k++ {
		s := d.telling(p, 4, nil)
		if !p.holds(summands(&s)) {
			continue
		}
		spoilt := ask.Sample{Kind: ask.Edge, X: slices.Clone(s.X), Y: s.Y}
		if p.spoil(d, spoilt.X); !p.holds(summands(&spoilt)) {
			if err := askOne(c, &spoilt); err != nil {
				return nil, err
			}
			if !matches(m.Tree, m.Closest, []ask.Sample{spoilt}) {
				return nil, nil
			}
			kept++
		}
		if err := askOne(c, &s); err != nil {
			return nil, err
		}
		with = append(with, s)
		if _, shown := m.shows(s.X, s.Y, s.Out); !shown {
			continue
		}
		if changed++; !proven && !m.plain(c, &s) {
			proven = true
			with[0], with[len(with)-1] = with[len(with)-1], with[0]
		}
	}
	if !isShown() {
		return nil, nil
	}
	return with, nil
}

// askOne asks the main lane a sample.
func askOne(c *ask.Channel, s *ask.Sample) error {
	out, err := c.AskMain(s.Y, ask.Values(s.X))
	if err == nil {
		s.Out = out[0]
	}
	return err
}

// orderOf names an order of additions that gives all results of samples, "" for
// none that is known.
func orderOf(m *Mismatch, c *ask.Channel, d *propertyDrawer, samples []ask.Sample) string {
	fits := ascendingOrder(len(changedNames()))
	for k := range samples {
		s := &samples[k]
		orders := changedOrders(s)
		fits = slices.DeleteFunc(fits, func(o int) bool {
			if o >= len(orders) {
				return true
			}
			got, err := d.r.Sum(picked(s.X, orders[o]), picked(s.Y, orders[o]))
			return err != nil || !ask.SameBits(got, s.Out)
		})
		if len(fits) == 0 {
			break
		}
	}
	if len(fits) > 0 {
		return changedNames()[fits[0]]
	}
	for _, f := range sumtree.Candidates(c.N) {
		if matches(f.Tree(c.N), m.Closest, samples) {
			return f.String()
		}
	}
	return ""
}
