package blas

import (
	"math/bits"

	"github.com/lastbit/lastbit/internal/kernel"
)

// rounder rounds elements of a product.
type rounder[F float32 | float64] struct {
	*exactProduct[F]
	e expression

	// Of rows that are alone.
	to, values []float64
	open       []byte
}

// position is a part of an element: of row i of C and column j of the right
// factors, in a row of the parts of terms.
type position struct{ i, j, row int }

// of returns the position of another part of the element.
func (p position) of(part, other int) position {
	return position{p.i, p.j + other - part, p.row}
}

// row rounds row i. The first row of the parts is base.
func (r *rounder[F]) row(base, i int) {
	from, to := columns(r.part, i, r.n)
	for j := from; j < to; j++ {
		first := r.c.offset + i*r.c.row + j*r.c.col
		element := r.c.data[first : first+r.parts]
		var old [2]float64
		if r.beta != (scalar{}) {
			for part, v := range element {
				old[part] = float64(v)
			}
		}
		for part := range element {
			col := j*r.parts + part
			at := position{i, col, i - base}
			element[part] = r.rounded(at, part, old)
		}
	}
}

// alone returns the only term, if C ← A·B for its factors and residues compute
// it, or nil.
func (p *exactProduct[F]) alone() *term {
	g := &p.groups[0]
	if len(p.groups) > 1 || len(g.terms) > 1 || g.alpha != (scalar{re: 1}) || p.parts > 1 ||
		p.beta != (scalar{}) || g.terms[0].residues == nil {
		return nil
	}
	return &g.terms[0]
}

// rowAlone rounds row i of a term that is alone.
func (r *rounder[F]) rowAlone(t *term, base, i int) {
	if r.values == nil {
		r.values, r.open = make([]float64, t.stride), make([]byte, t.stride/8)
		r.to = partsOf[float64](r.c.data)
	}
	at := (i - base) * t.stride
	t.residues.Round(i, r.values, r.open, t.parts[0][at:], t.parts[1][at:])
	from, to := columns(r.part, i, r.n)
	first := r.c.offset + i*r.c.row
	if r.c.col == 1 {
		copy(r.to[first+from:first+to], r.values[from:to])
	} else {
		for j := from; j < to; j++ {
			r.to[first+j*r.c.col] = r.values[j]
		}
	}
	for group, open := range r.open {
		for ; open != 0; open &= open - 1 {
			if j := 8*group + bits.TrailingZeros8(open); j >= from && j < to {
				at := position{i, j, i - base}
				r.c.data[first+j*r.c.col] = r.rounded(at, 0, [2]float64{})
			}
		}
	}
}

// rounded returns a part of an element.
func (r *rounder[F]) rounded(at position, part int, old [2]float64) F {
	sum := r.combined(at, part, old, false)
	if v, ok := settled[F](sum); ok {
		return v
	}
	if r.beta == (scalar{}) && sum.isZero() {
		return 0
	}
	if v, ok := settled[F](r.combined(at, part, old, true)); ok {
		return v
	}
	return r.exactly(at, part, old)
}

// combined returns a part of an element nearly, by compensated sums or by the
// parts of the terms.
func (r *rounder[F]) combined(at position, part int, old [2]float64, compensated bool) near {
	g := &r.groups[0]
	sum := r.near(g, at, compensated).scaled(g.alpha.re)
	for i := range r.groups[1:] {
		g := &r.groups[i+1]
		sum = sum.plus(r.near(g, at, compensated).scaled(g.alpha.re))
	}
	if r.parts > 1 {
		for i := range r.groups {
			if g := &r.groups[i]; g.alpha.im != 0 {
				other := r.near(g, at.of(part, 1-part), compensated)
				sum = sum.plus(other.scaled(g.alpha.crossed(part)))
			}
		}
	}
	if r.beta.re != 0 || r.beta.im != 0 {
		sum = sum.plus(times(r.beta.re, old[part]))
	}
	if r.beta.im != 0 {
		sum = sum.plus(times(r.beta.crossed(part), old[1-part]))
	}
	return sum
}

// near returns the sum of the terms nearly.
func (r *rounder[F]) near(g *group, at position, compensated bool) near {
	var sum near
	for i := range g.terms {
		t := &g.terms[i]
		var part near
		if compensated {
			part = t.compensated(r.setting.Best(), at.i, at.j)
		} else {
			part = t.near(at)
		}
		if i == 0 {
			sum = part
		} else {
			sum = sum.plus(part)
		}
	}
	return sum
}

// compensated returns the element of row i and column j by Algorithm 5.3 of
// Ogita2005, Dot2: x·y = s + Σ (t + e) exactly, and only the last sum, of less
// than n + 16 terms that are at most n·u·Σ |x·y| together, is rounded.
func (t *term) compensated(level kernel.Level, i, j int) near {
	depth := t.left.depth
	s, c := level.CompensatedDot(t.left.row(i, 0, depth), t.right.row(j, 0, depth))
	n := float64(depth + 16)
	var w float64
	if t.residues != nil {
		w = bound(float64(depth) * t.residues.Norms(i, j))
	} else {
		w = bound(t.left.weights[i].whole * t.right.weights[j].whole)
	}
	return near{s, c, float64(n*n*roundoff*w) + tiny}.normal()
}

// exactly computes a part of an element by package exact.
func (r *rounder[F]) exactly(at position, part int, old [2]float64) F {
	r.e.begin(r.beta == scalar{}, 1)
	for i := range r.groups {
		r.addTerms(&r.groups[i], at, r.groups[i].alpha.re)
	}
	for i := range r.groups {
		if g := &r.groups[i]; g.alpha.im != 0 {
			r.addTerms(g, at.of(part, 1-part), g.alpha.crossed(part))
		}
	}
	r.e.addOld(r.beta, part, old)
	return rounded[F](&r.e)
}

// addTerms adds the terms of a group, times a scale, to the expression.
func (r *rounder[F]) addTerms(g *group, at position, scale float64) {
	begin := 0
	for _, t := range g.terms {
		end := t.left.depth
		if r.triangular {
			limit := (at.i + 1) * r.parts
			if r.unit {
				limit = at.i*r.parts + 1 // the factor is 1, without a part 0
			}
			end = max(0, min(end, limit-begin))
		}
		r.e.add(scale, t.left.row(at.i, 0, end), t.right.row(at.j, 0, end))
		begin += t.left.depth
	}
}
