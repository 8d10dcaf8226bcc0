package binned

import "math"

// tally counts the values without contributions: infinities and NaN. Counting
// does not depend on the order, as adding them would.
type tally struct {
	count int64 // of all values
	nan   int64
	inf   [2]int64 // +Inf, −Inf
}

func (t *tally) add(u tally) {
	t.count += u.count
	t.nan += u.nan
	t.inf[0] += u.inf[0]
	t.inf[1] += u.inf[1]
}

// special returns the sum if infinities or NaN decide it.
func special[T Float](t tally) (T, bool) {
	switch {
	case t.nan > 0 || t.inf[0] > 0 && t.inf[1] > 0:
		return notANumber[T](), true
	case t.inf[0] > 0:
		return T(math.Inf(1)), true
	case t.inf[1] > 0:
		return T(math.Inf(-1)), true
	}
	return 0, false
}

// notANumber returns the NaN of every result: one bit pattern.
func notANumber[T Float]() T {
	if formatOf[T]().p == 24 {
		return T(math.Float32frombits(0x7fc00000)) // converting one may change its bits
	}
	return T(math.NaN())
}

// screen counts the values and moves the finite ones to the front. It returns
// them, and the largest of m and their absolute values.
func screen[T Float](x []T, m T, t *tally) ([]T, T) {
	t.count += int64(len(x))
	top, finite := largest(x, m)
	if finite {
		return x, top
	}
	kept := x[:0]
	for _, v := range x {
		switch {
		case v != v:
			t.nan++
		case T(v-v) == 0:
			kept = append(kept, v)
		case v > 0:
			t.inf[0]++
		default:
			t.inf[1]++
		}
	}
	top, _ = largest(kept, m)
	return kept, top
}

// largest returns the largest of m ≥ 0 and all |x_i|, and whether these are
// finite. If they rarely exceed m, the processor predicts every jump.
func largest[T Float](x []T, m T) (top T, finite bool) {
	hi, lo := m, -m
	var z, z2 T // 0, or NaN when a summand is not finite
	for len(x) >= 4 {
		a, b, c, d := x[0], x[1], x[2], x[3]
		z += T(T(a-a) + T(b-b))
		z2 += T(T(c-c) + T(d-d))
		if a > hi {
			hi = a
		}
		if a < lo {
			lo = a
		}
		if b > hi {
			hi = b
		}
		if b < lo {
			lo = b
		}
		if c > hi {
			hi = c
		}
		if c < lo {
			lo = c
		}
		if d > hi {
			hi = d
		}
		if d < lo {
			lo = d
		}
		x = x[4:]
	}
	for _, v := range x {
		z += T(v - v)
		hi = max(hi, v)
		lo = min(lo, v)
	}
	return max(hi, -lo), T(z+z2) == 0
}

// MaxAbs returns max |x_i| over the finite elements of x, +0 if there are none:
// step 1 of Algorithms 3 and 4 of Demmel2013 and of Algorithm 3 of Arteaga2014.
// The maximum of several parts is the largest of theirs (MPI_MAX).
func MaxAbs[T Float](x []T) T {
	m, finite := largest(x, 0)
	if finite {
		return m
	}
	m = 0
	for _, v := range x {
		if a := max(v, -v); T(v-v) == 0 && a > m {
			m = a
		}
	}
	return m
}
