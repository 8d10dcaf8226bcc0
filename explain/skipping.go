package explain

import "slices"

// nanAsZero names sums that count NaN as zeros, as NumPy's nansum and the sums
// of pandas do.
const nanAsZero = "NaN as zeros"

// skippingNaN returns the problem with zeros in the place of NaN, and true, if
// it is a sum and neither result is NaN where a summand is.
func (p *Problem) skippingNaN(a, b []float64) (*Problem, bool) {
	if p.Op != Sum {
		return p, false
	}
	isNaN := func(v float64) bool { return v != v }
	found := false
	for e := range p.Elements() {
		if x, _ := p.Element(e); slices.ContainsFunc(x, isNaN) {
			if isNaN(a[e]) || isNaN(b[e]) {
				return p, false
			}
			found = true
		}
	}
	if !found {
		return p, false
	}
	q := *p
	q.x = slices.Clone(p.x)
	for i, v := range q.x {
		if isNaN(v) {
			q.x[i] = 0
		}
	}
	return &q, true
}
