package binned

import "math"

// rule is the way a level rounds a value to a multiple of its unit. The
// multiple is the contribution q; the value less q is the remainder for the
// next level.
type rule uint8

const (
	// toExtractor is Algorithm 2 of Demmel2013 with M = 2^e: q = (M ⊕ x) ⊖ M.
	// A negative x leads into the binade below M, where the grid is twice as
	// fine; the unit is that finer one, u·M = 2^(e−p).
	toExtractor rule = iota

	// toNearest is toExtractor with 1.5·2^e in the place of M = 2^e. As long as
	// |x| ≤ M/2, M + x stays in one binade for both signs, and q is x rounded
	// to the nearest multiple of ε·M = 2^(e+1−p), ties to even.
	toNearest

	// downward is Algorithm 5 of Demmel2013 with M = 3·2^j = 1.5·2^e, rounded
	// toward −∞: q is the largest multiple of ulp(M) = 2^(e+1−p) up to x, and
	// the remainder x − q is rounded toward −∞ too.
	downward
)

// unit returns the exponent of the unit of a level with an extractor of
// exponent e.
func (r rule) unit(f format, e int) int {
	if r == toExtractor {
		return e - f.p
	}
	return e + 1 - f.p
}

// extract replaces the values by their remainders at one level, and returns the
// sum of their contributions in units of the level. Every partial sum of
// contributions must be at most 2^p units.
//
// If the extractor or a sum with it could overflow, the values are scaled by
// 2^−s. A value that loses bits by that is far too small to contribute.
func extract[T Float](x []T, r rule, e int) int64 {
	f := formatOf[T]()
	s := max(0, e-f.emax+1)
	m := T(1.5)
	if r == toExtractor {
		m = 1
	}
	m = ldexp(m, e-s)
	unit := r.unit(f, e) - s
	var t T
	switch {
	case r == downward && s > 0:
		t = takeDownScaled(x, m, ldexp(T(1), unit), s)
	case r == downward:
		t = takeDown(x, m, ldexp(T(1), unit))
	case s > 0:
		t = takeScaled(x, m, s)
	default:
		t = take(x, m)
	}
	//lastbit:ignore floatconv the scaled number is below 2^63
	return int64(math.Ldexp(float64(t), -unit))
}

// take splits x into contributions and remainders by Algorithm 2 of Demmel2013
// and returns the sum of the contributions. Everything except S is exact, sums
// included, so four chains give the same bits as one.
func take[T Float](x []T, m T) T {
	var t, t2 T
	for len(x) >= 4 {
		q0 := T(T(m+x[0]) - m) // S := M + x; q := S − M
		q1 := T(T(m+x[1]) - m)
		q2 := T(T(m+x[2]) - m)
		q3 := T(T(m+x[3]) - m)
		x[0] -= q0 // r := x − q
		x[1] -= q1
		x[2] -= q2
		x[3] -= q3
		t += T(q0 + q1)
		t2 += T(q2 + q3)
		x = x[4:]
	}
	for i, v := range x {
		q := T(T(m+v) - m)
		x[i] = v - q
		t += q
	}
	return t + t2
}

// takeScaled is take for an extractor m·2^s. The caller scales the sum by 2^s.
func takeScaled[T Float](x []T, m T, s int) T {
	down, up := ldexp(T(1), -s), ldexp(T(1), s)
	var t T
	for i, v := range x {
		v = T(v * down)
		if q := T(T(m+v) - m); q != 0 {
			x[i] = T(T(v-q) * up)
			t += q
		}
	}
	return t
}

// takeDown splits x by Algorithm 5 of Demmel2013 as if every operation rounded
// toward −∞, and returns the sum of the contributions; g is the unit.
//
// Rounding to nearest gives q with the exact remainder x − q in [−g/2, g/2];
// where that is negative, the result of rounding downward is q − g. The
// remainder then is in [0, g), and inexact at most where q = −g and it lies in
// (g/2, g]. There neighbours are g·u apart, and so the next number down is that
// much less.
func takeDown[T Float](x []T, m, g T) T {
	grid := [2]T{0, g}
	next := [2]T{0, ldexp(g, -formatOf[T]().p)}
	var t T
	for i, v := range x {
		q := T(T(m+v) - m)
		q -= grid[negative(v-q)]
		r := T(v - q)
		x[i] = r - next[negative(v-T(r+q))]
		t += q
	}
	return t
}

// takeDownScaled is takeDown for m·2^s and g·2^s. The caller scales the sum by
// 2^s.
func takeDownScaled[T Float](x []T, m, g T, s int) T {
	f := formatOf[T]()
	down, up := ldexp(T(1), -s), ldexp(T(1), s)
	next := [2]T{0, ldexp(g, s-f.p)}
	var t T
	for i, v := range x {
		w := T(v * down)
		q := T(T(m+w) - m)
		if T(w-q) < 0 || q == 0 && v < 0 {
			q -= g
		}
		t += q
		switch {
		case q == 0:
		case q == -g: // v may have lost bits in w, and g·2^s does not overflow
			g := T(g * up)
			r := T(v + g)
			x[i] = r - next[negative(v-T(r-g))]
		default:
			x[i] = T(T(w-q) * up)
		}
	}
	return t
}

// negative returns 1 for x < 0 and 0 otherwise, without a jump that random data
// would mispredict, and without a comparison, whose result goes to a part of a
// register on amd64 and would make each value wait for the one before.
func negative[T Float](x T) uint64 {
	return math.Float64bits(float64(x)+0) >> 63 // −0 + 0 is +0
}
