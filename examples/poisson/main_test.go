package main

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/examples/internal/demo"
)

const golden = "eaa430b8d56b8dac"

// TestGolden assembles the triangles in several orders, and solves, by several
// workers.
func TestGolden(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 7} {
		for order := range 3 {
			args := fmt.Sprintf("-n 9 -workers %d -order %d", workers, order)
			var out strings.Builder
			err := run(strings.Fields(args), &out)
			if err != nil || !strings.HasPrefix(out.String(), golden+" ") {
				t.Errorf("%s: %q (%v), want hash %s", args, out.String(), err, golden)
			}
		}
	}
}

// TestConvergence halves the sides of the triangles. Linear elements then make
// a quarter of the error, an order less would make half of it; the quarter is
// not exact because points are moved at random, other ones in each mesh.
func TestConvergence(t *testing.T) {
	before := math.NaN()
	for _, n := range []int{8, 16, 32, 64} {
		m := newMesh(n)
		u, _, err := solve(m, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		d := m.distance(u)
		if ratio := before / d; ratio < 2.8 || ratio > 5.6 {
			t.Errorf("n = %d: the error %g is %.2f times smaller, want about 4", n, d, ratio)
		}
		t.Logf("n = %d: error %g", n, d)
		before = d
	}
	if before > 1e-3 {
		t.Errorf("the error is %g", before)
	}
}

// TestStiffness holds that a linear function has no forces inside a mesh,
// except for roundings: each of the six integrals around a point is of size 1.
func TestStiffness(t *testing.T) {
	m := newMesh(6)
	force := make([]float64, len(m.points))
	var area float64
	for _, c := range m.triangles {
		part, k := stiffness([3]point{m.points[c[0]], m.points[c[1]], m.points[c[2]]})
		area += part
		for i := range c {
			for j := range c {
				p := m.points[c[j]]
				force[c[i]] += float64(k[i][j] * (3*p.x - 2*p.y + 1))
			}
		}
	}
	for i, f := range force {
		if m.unknown[i] >= 0 && math.Abs(f) > 1e-14 {
			t.Errorf("point %d: %g", i, f)
		}
	}
	if math.Abs(area-1) > 1e-14 {
		t.Errorf("the triangles have an area of %g", area)
	}
}

// TestNaive shows the need: += in the order of the triangles gives other
// matrices for each order.
func TestNaive(t *testing.T) {
	const orders = 8
	m := newMesh(9)
	hashes := map[string]bool{}
	for order := range uint64(orders) {
		a := make([]float64, m.unknowns*m.unknowns)
		for _, t := range demo.Numbering(len(m.triangles), order) {
			c := m.triangles[t]
			_, k := stiffness([3]point{m.points[c[0]], m.points[c[1]], m.points[c[2]]})
			for i := range c {
				for j := range c {
					if p, q := m.unknown[c[i]], m.unknown[c[j]]; p >= 0 && q >= 0 {
						a[p*m.unknowns+q] += k[i][j]
					}
				}
			}
		}
		hashes[demo.NewHash().Floats(a).String()] = true
	}
	t.Logf("+= by the order of triangles: %d different hashes for %d orders", len(hashes), orders)
	if len(hashes) == 1 {
		t.Error("the order makes no difference: the mesh proves nothing")
	}
}

func TestFlags(t *testing.T) {
	const want = "poisson: -n 1: it must be from 2 to 1000; poisson -h lists the flags"
	if err := run([]string{"-n", "1"}, t.Output()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
