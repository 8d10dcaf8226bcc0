package kernel

// MaxDotOfFew is the most products of DotOfFew.
const MaxDotOfFew = 16

// DotOfFew returns the sum of at most MaxDotOfFew products by the lanes of
// [Chain.Dots]. A product that is not fused with +0 differs from one that is in
// the sign of a zero, which only a sum of zeros shows.
func DotOfFew[T float32 | float64](row, x []T) T {
	x = x[:len(row)]
	switch len(row) {
	case 0:
		return 0
	case 1:
		return T(row[0]*x[0]) + 0
	case 2:
		return T(row[0]*x[0]) + T(row[1]*x[1]) + 0
	case 3:
		return T(row[0]*x[0]) + T(row[2]*x[2]) + T(row[1]*x[1]) + 0
	case 4:
		return (T(row[0]*x[0]) + T(row[2]*x[2])) + (T(row[1]*x[1]) + T(row[3]*x[3])) + 0
	case 5, 6, 7:
		a, b, c := T(row[0]*x[0])+T(row[4]*x[4]), T(row[1]*x[1]), T(row[2]*x[2])
		if len(row) > 5 {
			b += T(row[5] * x[5])
		}
		if len(row) > 6 {
			c += T(row[6] * x[6])
		}
		return (a + c) + (b + T(row[3]*x[3])) + 0
	}
	return dotOfSome(row, x)
}

// dotOfSome is DotOfFew for 8 products and more.
func dotOfSome[T float32 | float64](row, x []T) T {
	var lanes [8]T
	head, by := (*[8]T)(row), (*[8]T)(x)
	for l := range lanes {
		lanes[l] = T(head[l] * by[l])
	}
	for l, v := range row[8:] {
		if ChainLanes[T]() == 8 {
			lanes[l] = FMA(v, x[8+l], lanes[l])
		} else {
			lanes[l] += T(v * x[8+l])
		}
	}
	if s := Halved(lanes[:]); s != 0 {
		return s
	}
	var all [MaxDotOfFew]T
	for l, v := range row {
		p := &all[l%ChainLanes[T]()]
		*p = FMA(v, x[l], *p)
	}
	return Halved(all[:ChainLanes[T]()])
}
