package main

import "github.com/lastbit/lastbit/examples/internal/demo"

// point is a point of the plane.
type point struct{ x, y float64 }

// mesh covers the unit square with triangles.
type mesh struct {
	points    []point
	triangles [][3]int
	unknown   []int // the number of a point's unknown, −1 on the boundary
	unknowns  int
}

// newMesh cuts each of n×n squares in two. Points inside are moved by up to a
// fifth of a square's side, so that no two triangles are alike.
func newMesh(n int) *mesh {
	m := &mesh{}
	random := demo.Random(1)
	h := 1 / float64(n)
	for j := range n + 1 {
		for i := range n + 1 {
			p, number := point{float64(i) / float64(n), float64(j) / float64(n)}, -1
			if i > 0 && i < n && j > 0 && j < n {
				p.x += float64(h * float64(demo.Uniform(random)/5))
				p.y += float64(h * float64(demo.Uniform(random)/5))
				number = m.unknowns
				m.unknowns++
			}
			m.points, m.unknown = append(m.points, p), append(m.unknown, number)
		}
	}
	for j := range n {
		for i := range n {
			a := j*(n+1) + i
			b, c, d := a+1, a+n+1, a+n+2
			m.triangles = append(m.triangles, [3]int{a, b, d}, [3]int{a, d, c})
		}
	}
	return m
}

// stiffness returns the area of a triangle, and the integrals over it of the
// products ∇φ[i]·∇φ[j] of the linear functions that are 1 at one corner and 0
// at the others: the product of the two opposite edges, over four areas.
func stiffness(p [3]point) (area float64, k [3][3]float64) {
	var edge [3]point
	for i := range edge {
		from, to := p[(i+1)%3], p[(i+2)%3]
		edge[i] = point{to.x - from.x, to.y - from.y}
	}
	twice := float64(edge[0].x*edge[1].y) - float64(edge[0].y*edge[1].x)
	for i := range k {
		for j := range k[i] {
			product := float64(edge[i].x*edge[j].x) + float64(edge[i].y*edge[j].y)
			k[i][j] = product / (2 * twice)
		}
	}
	return twice / 2, k
}

// load returns the integrals of f·φ[i] by the values of f in the middle of the
// edges, where two of the three functions are 1/2 and the third is 0.
func load(p [3]point, area float64, f func(point) float64) (v [3]float64) {
	var middle [3]float64 // of the edge opposite to a corner
	for i := range middle {
		a, b := p[(i+1)%3], p[(i+2)%3]
		middle[i] = f(point{(a.x + b.x) / 2, (a.y + b.y) / 2})
	}
	for i := range v {
		v[i] = area / 6 * (middle[(i+1)%3] + middle[(i+2)%3])
	}
	return v
}
