package binned

import "math"

// tally counts what has no contributions: infinities and NaN. Counting, unlike
// adding them, does not depend on the order.
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

// special returns the sum if infinities or NaN alone settle it.
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

// notANumber returns the one NaN that is ever returned.
func notANumber[T Float]() T {
	if formatOf[T]().p == 24 {
		return T(math.Float32frombits(0x7fc00000)) // converting one may change its bits
	}
	return T(math.NaN())
}

// screen counts the values, moves the finite ones to the front, and returns them
// with the largest of their absolute values.
func screen[T Float](x []T, t *tally) ([]T, T) {
	t.count += int64(len(x))
	m, finite := largest(x)
	if finite {
		return x, m
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
	m, _ = largest(kept)
	return kept, m
}

// largest returns max |x_i| if all values are finite.
func largest[T Float](x []T) (m T, finite bool) {
	var hi, lo, z, z2 T // z is 0, or NaN for what is not finite
	for len(x) >= 4 {
		z += T(T(x[0]-x[0]) + T(x[1]-x[1]))
		z2 += T(T(x[2]-x[2]) + T(x[3]-x[3]))
		for _, v := range x[:4] {
			if v > hi {
				hi = v
			}
			if v < lo {
				lo = v
			}
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
	m, finite := largest(x)
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
