package main

import "math"

// lattice holds the points (i, b·i modulo 2^64) as a basis: the first
// coordinates of two vectors that make all points. The slope b gives the
// second.
//
// The arguments of a line that come close to 0 are the points of its lattice in
// a box. A reduced basis, whose vectors are about as short and as far from
// parallel as can be, leaves one or two points to look at. The slope of the
// next line differs so little that its basis is the same, or takes a step of
// Gauss' reduction, where the first hit of each line by itself needs all of
// Euclid's algorithm.
type lattice struct{ u, v int64 }

// second returns the second coordinate of a vector.
func second(b uint64, i int64) float64 { return float64(int64(b * uint64(i))) }

// begin sets l to a basis for the slope b; false if b is next to 0.
func (l *lattice) begin(b uint64) bool {
	s := int64(b)
	if -4 < s && s < 4 {
		return false
	}
	*l = lattice{1, int64(math.RoundToEven(0x1p64 / float64(s)))}
	return true
}

// reduce makes the basis short where second coordinates count by a scale, by
// Gauss' algorithm, and returns its determinant: a multiple of 2^64, rounded.
// For a basis of another slope it may be a wrong one.
func (l *lattice) reduce(b uint64, scale float64) float64 {
	ux, uy := float64(l.u), float64(second(b, l.u)*scale)
	vx, vy := float64(l.v), float64(second(b, l.v)*scale)
	for last := math.Inf(1); ; {
		uu, vv := float64(ux*ux)+float64(uy*uy), float64(vx*vx)+float64(vy*vy)
		uv := float64(ux*vx) + float64(uy*vy)
		// The second condition ends a step that is lost in rounding.
		if math.Abs(uv) <= 0.50001*min(uu, vv) || uu+vv >= last {
			break
		}
		last = uu + vv
		if uu > vv {
			l.u, ux, uy, uu, l.v, vx, vy = l.v, vx, vy, vv, l.u, ux, uy
		}
		k := math.RoundToEven(uv / uu)
		if math.Abs(vy-float64(k*uy)) > 0x1p62*scale {
			break // too far up to be a number modulo 2^64
		}
		l.v -= l.u * int64(k)
		vx, vy = float64(l.v), float64(second(b, l.v)*scale)
	}
	return (float64(ux*vy) - float64(vx*uy)) / scale
}

// hits appends to list all i < n with -below ≤ a + b·i ≤ above modulo 2^64, up
// to maxHits of them. It changes the basis to one that suits b and the box.
func (l *lattice) hits(list []uint64, a, b, below, above, n uint64) []uint64 {
	width, height := float64(n), float64(below)+float64(above)+1
	// Half the scale of the box: the basis then serves more lines.
	scale := 0.5 * width / height
	area := l.reduce(b, scale)
	if math.Abs(math.Abs(area)-0x1p64) > 0x1p63 { // the slope differs by too much
		if !l.begin(b) { // all points are next to a
			for i := uint64(0); i < min(n, maxHits); i++ {
				if a+b*i+below <= below+above {
					list = append(list, i)
				}
			}
			return list
		}
		area = l.reduce(b, scale)
	}
	uy, vy := second(b, l.u), second(b, l.v)
	ux, vx := float64(l.u), float64(l.v)
	// The box's centre and half its size, in coordinates of the basis: its
	// determinant is 2^64 or -2^64.
	x, y := 0.5*(width-1), float64(int64(-a))+float64(0.5*(float64(above)-float64(below)))
	sign := math.Copysign(0x1p-64, area)
	p := (float64(x*vy) - float64(y*vx)) * sign
	q := (float64(y*ux) - float64(x*uy)) * sign
	const slack = 0x1p-20
	dp := float64((float64(width*math.Abs(vy))+float64(height*math.Abs(vx)))*0x1p-65) + slack
	dq := float64((float64(width*math.Abs(uy))+float64(height*math.Abs(ux)))*0x1p-65) + slack
	firstP, lastP := math.Ceil(float64(p)-dp), math.Floor(float64(p)+dp)
	if firstP > lastP {
		return list
	}
	firstQ, lastQ := math.Ceil(float64(q)-dq), math.Floor(float64(q)+dq)
	for q := firstQ; q <= lastQ; q++ {
		first, last := firstP, lastP
		if last > first+4 { // the vector u is so short that its line of points leaves the box
			first, last = within(first, last, ux, float64(q*vx), width)
		}
		i := int64(first)*l.u + int64(q)*l.v
		for range int64(last-first) + 1 {
			if uint64(i) < n && a+b*uint64(i)+below <= below+above {
				if list = append(list, uint64(i)); len(list) == maxHits {
					return list
				}
			}
			i += l.u
		}
	}
	return list
}

// within returns the first and the last p, of those given, with p·u + v in
// [0, n), or some more.
func within(first, last, u, v, n float64) (float64, float64) {
	if u == 0 {
		return first, last
	}
	a, b := -v/u, (n-v)/u
	return max(first, math.Floor(min(a, b))), min(last, math.Ceil(max(a, b)))
}
