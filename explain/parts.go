package explain

import (
	"cmp"
	"context"
	"slices"
)

// part is a rectangle of a matrix product, or of the sums over an axis,
// whose elements have one model on each side: libraries compute the last rows
// and columns in other orders.
type part struct {
	rows int
	cols int
	best pair // without causes where the two sides agree
	s    *search
	m    *models
}

// mostParts bounds the parts of a product.
const mostParts = 12

// splits reports whether a result may have parts: one of several elements,
// without a model of all of them.
func (s *search) splits(m *models) bool {
	return s.p.Elements() > mostParts && (len(m.found[0]) == 0 || len(m.found[1]) == 0)
}

// explainParts explains a result part by part. Without models of all parts it
// leaves the explanation as it is.
func (s *search) explainParts(ctx context.Context, opt Options, x *Explanation, m *models) {
	parts, ok := s.split(ctx, opt, m, mostParts)
	if !ok || ctx.Err() != nil {
		return
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Compare(b.rows*b.cols, a.rows*a.cols)
	})
	var names [2][]string
	for _, part := range parts {
		x.take(part.best)
		for k, c := range part.best.c {
			if !slices.Contains(names[k], c.name) {
				names[k] = append(names[k], c.name)
			}
		}
	}
	slices.SortFunc(x.Values, func(v, w Value) int {
		return slices.Index(Causes(), v.Cause) - slices.Index(Causes(), w.Cause)
	})
	x.Causes = x.Causes[:0]
	for _, v := range x.Values {
		x.Causes = append(x.Causes, v.Cause)
	}
	for k, side := range []*Side{x.A, x.B} {
		side.Reproduces = len(s.want[k])
		side.Model = names[k][0]
		for _, name := range names[k][1:] {
			side.Model += "; elsewhere " + name
		}
	}
}

// split cuts a result into the rectangle at its first element that plain
// models reproduce, and the rest at its right and below. It returns the parts,
// at most that many.
func (s *search) split(
	ctx context.Context, opt Options, m *models, most int,
) (parts []part, ok bool) {
	rows, cols := len(s.want[0])/s.p.cols, s.p.cols
	r, c := rows, cols
	for k, list := range m.found {
		if len(list) == 0 {
			height, width := s.corner(k, m)
			r, c = min(r, height), min(c, width)
		}
	}
	if r == 0 || c == 0 || r == rows && c == cols {
		return nil, false
	}
	for _, cut := range [][4]int{{0, r, 0, c}, {0, r, c, cols}, {r, rows, 0, cols}} {
		if cut[0] == cut[1] || cut[2] == cut[3] {
			continue
		}
		if len(parts) >= most || ctx.Err() != nil {
			return nil, false
		}
		sub := s.part(cut[0], cut[1], cut[2], cut[3])
		more, ok := sub.explained(ctx, opt, most-len(parts), parts)
		if !ok {
			return nil, false
		}
		parts = append(parts, more...)
	}
	return parts, true
}

// explained returns the parts of a part, each with its models. beside are the
// parts before it.
func (s *search) explained(
	ctx context.Context, opt Options, most int, beside []part,
) ([]part, bool) {
	m := s.models(ctx, opt)
	if len(m.found[0]) == 0 || len(m.found[1]) == 0 {
		return s.split(ctx, opt, m, most)
	}
	one := part{rows: len(s.want[0]) / s.p.cols, cols: s.p.cols, s: s, m: m}
	if s.differ == 0 {
		one.best = pair{c: [2]*candidate{m.found[0][0], m.found[1][0]}}
		return []part{one}, m.found[0][0].name == m.found[1][0].name
	}
	var reason string
	one.best, reason = s.choice(m).best(m.found)
	for i := 0; reason != "" && i < len(beside); i++ {
		if p, ok := s.alike(ctx, opt, m, beside[i]); ok {
			one.best, reason = p, ""
		}
	}
	return []part{one}, reason == ""
}

// alike returns models of the names that explain another part, if they
// reproduce this one, and differ in no other cause: a few elements fit many
// models. A library's model is in its own order here, and takes part if it
// reproduces the other part too, whatever name explains that.
func (s *search) alike(
	ctx context.Context, opt Options, m *models, other part,
) (p pair, ok bool) {
	for k, like := range other.best.c {
		list := slices.Concat(m.found[k], s.verify(ctx, k, s.libraries(ctx, opt, m)))
		names := []string{like.name}
		for _, c := range other.s.verify(ctx, k, other.s.libraries(ctx, opt, other.m)) {
			names = append(names, c.name)
		}
		i := slices.IndexFunc(list, func(c *candidate) bool {
			return slices.Contains(names, c.name)
		})
		if i < 0 {
			return p, false
		}
		p.c[k] = list[i]
	}
	p.causes = p.c[0].model.difference(p.c[1].model)
	return p, !slices.ContainsFunc(p.causes, func(c Cause) bool {
		return !slices.Contains(other.best.causes, c)
	})
}

// libraries returns the orders of this machine's libraries at the first
// element.
func (s *search) libraries(ctx context.Context, opt Options, m *models) []*candidate {
	if opt.Trees != nil && !m.all {
		m.trees, m.all = nil, true
		for t := range opt.Trees(ctx, s.at) {
			m.trees = append(m.trees, s.revealed(t))
		}
	}
	return slices.Clone(m.trees)
}

// part returns the search of a rectangle.
func (s *search) part(top, bottom, left, right int) *search {
	p := *s.p
	if s.p.products() {
		p.x, p.y = s.p.x[top*p.N:bottom*p.N], s.p.y[left*p.N:right*p.N]
	} else {
		p.x = nil
		for r := top; r < bottom; r++ {
			p.x = append(p.x, s.p.x[(r*s.p.cols+left)*p.N:(r*s.p.cols+right)*p.N]...)
		}
	}
	p.cols = right - left
	p.Shape = []int{bottom - top, right - left}
	var want [2][]float64
	for k := range want {
		for r := top; r < bottom; r++ {
			want[k] = append(want[k], s.want[k][r*s.p.cols+left:r*s.p.cols+right]...)
		}
	}
	sub := newSearch(&p, want[0], want[1], s.out)
	sub.progress = s.progress
	sub.at = [2]int{s.at[0] + top, s.at[1] + left}
	return sub
}

// corner returns the largest rectangle at the first element of a side that one
// hypothesis reproduces, a plain one or a library's.
func (s *search) corner(side int, m *models) (height, width int) {
	list := m.trees
	if best := s.nearest(m.ev, side); best != nil {
		list = append([]*candidate{best}, list...)
	}
	for _, c := range list {
		if h, w := s.cornerOf(c, side); h*w > height*width {
			height, width = h, w
		}
	}
	return height, width
}

// cornerOf returns the largest rectangle at the first element that a hypothesis
// reproduces.
func (s *search) cornerOf(c *candidate, side int) (height, width int) {
	e := s.newEvaluator(c, nil)
	if e == nil {
		return 0, 0
	}
	rows, cols := len(s.want[side])/s.p.cols, s.p.cols
	long, area := cols, 0 // elements that fit in every row so far
	for r := range rows {
		var m matcher
		n := 0
		for n < long && m.take(e.predict(r*cols+n), s.want[side][r*cols+n]) {
			n++
		}
		if long = n; long == 0 {
			break
		}
		if (r+1)*long > area {
			area, height, width = (r+1)*long, r+1, long
		}
	}
	return height, width
}
