package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// The limits of propertyMatters: inputs with a property and without it, those
// of the first kind that the tree has to miss, and properties tried.
const (
	experimentInputs = 16
	experimentShown  = 3
	maxExperiments   = 4
)

// propertyMatters returns the fact that inputs that have a property as a whole
// are added in another order, or nil. Every sample that the closest arithmetic
// misses has the property. An experiment then asks fresh inputs: with the
// property no plain sum in the revealed order gives some of the results, in any
// accumulator; with the same summands, except for a few that spoil it, the tree
// gives all of them.
//
// Where sums are subnormal, the arithmetic may depend on sizes, and the order
// not: one known order then has to give all results.
func (m *Mismatch) propertyMatters(c *ask.Channel) (*verdict.Fact, error) {
	d := newPropertyDrawer(c, m.Tree, m.Closest)
	if d == nil || c.N > maxPropertyN || c.Key.Op == probe.Softmax {
		return nil, nil
	}
	missed := m.Missed()
	if len(missed) == 0 {
		return nil, nil
	}
	d.rng = ask.RandApart(c, 0x6578706572696D)
	tried := 0
	for _, p := range m.suspects(d, missed) {
		if tried == maxExperiments {
			break
		}
		tried++
		with, err := m.experiment(c, d, p)
		if err != nil {
			return nil, err
		}
		if with == nil {
			continue
		}
		name := m.orderOf(c, d, append(with, missed...))
		if name == "" && p.extreme {
			continue
		}
		what := p.where + ", they are added in another order"
		if name != "" {
			what += ": " + name
		}
		f := m.fact(verdict.ClassesMatter, what)
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
func (m *Mismatch) suspects(d *propertyDrawer, missed []ask.Sample) []property {
	list := properties(d.f)
	if !d.c.Key.Op.Squares() {
		most, least := math.Inf(-1), math.Inf(1)
		for k := range missed {
			smallest, largest := sizes(summands(&missed[k]))
			most, least = max(most, largest), min(least, smallest)
		}
		if exp := math.Ilogb(most) + 1; most > 0 && exp < d.highest() {
			list = append(list, sized(d, exp, true))
		}
		if least > 0 && math.Ilogb(least)+d.room() < d.highest() {
			list = append(list, sized(d, math.Ilogb(least), false))
		}
	}
	type suspect struct {
		property
		others int // samples that have the property, and are not missed
	}
	var suspects []suspect
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
	return sorted
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

// sizes returns the smallest and the largest magnitude.
func sizes(v []float64) (smallest, largest float64) {
	smallest = math.Inf(1)
	for _, x := range v {
		smallest, largest = min(smallest, math.Abs(x)), max(largest, math.Abs(x))
	}
	return smallest, largest
}

// experiment asks inputs with a property and without it. It returns those with
// it, or nil where the results do not depend on it.
func (m *Mismatch) experiment(c *ask.Channel, d *propertyDrawer, p property) ([]ask.Sample, error) {
	var with []ask.Sample
	changed := 0
	c.Expect("experiment", 2*experimentInputs)
	for range experimentInputs {
		s := d.telling(p, 2)
		if !p.holds(summands(&s)) {
			continue
		}
		spoilt := ask.Sample{Kind: ask.Edge, X: slices.Clone(s.X), Y: s.Y}
		p.spoil(d, spoilt.X)
		if !p.holds(summands(&spoilt)) {
			if err := askOne(c, &spoilt); err != nil {
				return nil, err
			}
			if !matches(m.Tree, m.Closest, []ask.Sample{spoilt}) {
				return nil, nil
			}
		}
		if err := askOne(c, &s); err != nil {
			return nil, err
		}
		with = append(with, s)
		if _, shown := m.shows(s.X, s.Y, s.Out); shown && !m.plain(c, &s) {
			changed++
		}
	}
	if changed < experimentShown {
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
func (m *Mismatch) orderOf(c *ask.Channel, d *propertyDrawer, samples []ask.Sample) string {
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
