package kernel

import (
	"math"
	"math/bits"
	"unsafe"
)

// orderedBlockGeneric is the portable body of OrderedBlock.
func orderedBlockGeneric[T float32 | float64](
	op uint64, px, py *T, n int, stack *T, levels uint64, dst *T,
) T {
	var frame [OrderedRowBytes / 8]uint64
	lanes := unsafe.Slice((*T)(unsafe.Pointer(&frame)), OrderedLanes[T]())
	fill(lanes, T(math.Copysign(0, -1)))
	x := unsafe.Slice(px, n)
	switch OrderedOp(op) {
	case OrderedSum:
		addRows(lanes, x)
	case OrderedDot:
		addProducts(lanes, x, unsafe.Slice(py, n))
	case OrderedAsum:
		addAbs(lanes, x)
	case OrderedSquares:
		addProducts(lanes, x, x)
	}
	for l := 0; levels>>l != 0; l++ {
		if levels>>l&1 != 0 {
			row := unsafe.Add(unsafe.Pointer(stack), l*OrderedRowBytes)
			addRows(lanes, unsafe.Slice((*T)(row), len(lanes)))
		}
	}
	if dst != nil {
		copy(unsafe.Slice(dst, len(lanes)), lanes)
		return 0
	}
	for len(lanes) > 1 {
		half := len(lanes) / 2
		upper := lanes[half:]
		lanes = lanes[:half]
		for i := range upper[:half] {
			lanes[i] += upper[i]
		}
	}
	return lanes[0]
}

// fill sets every lane to v.
func fill[T float32 | float64](lanes []T, v T) {
	for i := range lanes {
		lanes[i] = v
	}
}

// group is the number of lanes of one turn of a loop. The loops read the rows
// in the order of memory, with the lanes in the first-level cache. Keeping a
// group of lanes in registers, down the rows, would be a third faster in cache
// and three times slower out of it.
const group = 8

// addRows adds x to the lanes, x[i] to lane i mod len(lanes).
func addRows[T float32 | float64](lanes, x []T) {
	row := OrderedLanes[T]()
	lanes = lanes[:row]
	for ; len(x) >= row; x = x[row:] {
		from := x[:row]
		for i := 0; i <= row-group; i += group {
			a, v := (*[group]T)(lanes[i:]), (*[group]T)(from[i:])
			a[0] += v[0]
			a[1] += v[1]
			a[2] += v[2]
			a[3] += v[3]
			a[4] += v[4]
			a[5] += v[5]
			a[6] += v[6]
			a[7] += v[7]
		}
	}
	for i, v := range x {
		lanes[i] += v
	}
}

// addProducts adds the rounded products to the lanes.
func addProducts[T float32 | float64](lanes, x, y []T) {
	row := OrderedLanes[T]()
	lanes = lanes[:row]
	for ; len(x) >= row; x, y = x[row:], y[row:] {
		from, by := x[:row], y[:row]
		for i := 0; i <= row-group; i += group {
			a := (*[group]T)(lanes[i:])
			v, w := (*[group]T)(from[i:]), (*[group]T)(by[i:])
			a[0] += T(v[0] * w[0])
			a[1] += T(v[1] * w[1])
			a[2] += T(v[2] * w[2])
			a[3] += T(v[3] * w[3])
			a[4] += T(v[4] * w[4])
			a[5] += T(v[5] * w[5])
			a[6] += T(v[6] * w[6])
			a[7] += T(v[7] * w[7])
		}
	}
	for i, v := range x {
		lanes[i] += T(v * y[i])
	}
}

// addAbs adds the absolute values to the lanes.
func addAbs[T float32 | float64](lanes, x []T) {
	row := OrderedLanes[T]()
	lanes = lanes[:row]
	for ; len(x) >= row; x = x[row:] {
		from := x[:row]
		for i := 0; i <= row-group; i += group {
			a, v := (*[group]T)(lanes[i:]), (*[group]T)(from[i:])
			a[0] += abs(v[0])
			a[1] += abs(v[1])
			a[2] += abs(v[2])
			a[3] += abs(v[3])
			a[4] += abs(v[4])
			a[5] += abs(v[5])
			a[6] += abs(v[6])
			a[7] += abs(v[7])
		}
	}
	for i, v := range x {
		lanes[i] += abs(v)
	}
}

func abs[T float32 | float64](v T) T { return T(math.Abs(float64(v))) }

// orderedShortGeneric is the portable body of OrderedShort: lanes without terms
// are left out.
func orderedShortGeneric[T float32 | float64](op uint64, px, py *T, n int) T {
	var frame [OrderedRowBytes / 4]T
	x, lanes := unsafe.Slice(px, n), frame[:n]
	switch OrderedOp(op) {
	case OrderedSum:
		copy(lanes, x)
	case OrderedDot:
		y := unsafe.Slice(py, n)
		for i, v := range x {
			lanes[i] = T(v * y[i])
		}
	case OrderedAsum:
		for i, v := range x {
			lanes[i] = abs(v)
		}
	case OrderedSquares:
		for i, v := range x {
			lanes[i] = T(v * v)
		}
	}
	for half := 1 << bits.Len(uint(n-1)) / 2; half > 0; half /= 2 {
		upper := lanes[half:]
		lanes = lanes[:half]
		for i, v := range upper {
			lanes[i] += v
		}
	}
	return lanes[0]
}
