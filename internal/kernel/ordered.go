package kernel

import (
	"math"
	"unsafe"
)

//go:generate sh -c "cd ../_asm && go run ./ordered -out ../kernel/ordered_avx_amd64.s -stubs ../kernel/ordered_avx_amd64.go -pkg kernel"
//go:generate sh -c "cd ../_asm && go run ./orderedneon -out ../kernel/ordered_neon_arm64.s -stubs ../kernel/ordered_neon_arm64.go"

// OrderedOp says what a lane of package ordered adds.
type OrderedOp uint64

// The operations. The assembly knows them by number.
const (
	OrderedSum     OrderedOp = iota // x[i]
	OrderedDot                      // x[i]·y[i], rounded
	OrderedAsum                     // |x[i]|
	OrderedSquares                  // x[i]², rounded
)

// Shape of package ordered's tree.
const (
	// OrderedRowBytes is a row: one summand for each lane.
	OrderedRowBytes = 512
	// OrderedRows is the number of rows of a block.
	OrderedRows = 128
)

// OrderedLanes is the number of lanes: 64 of float64, 128 of float32.
func OrderedLanes[T float32 | float64]() int {
	return OrderedRowBytes / int(unsafe.Sizeof(T(0)))
}

// OrderedBlock adds one block by lanes: lane i is the chain
// ((t[i] + t[i+L]) + t[i+2L]) + … of the terms t of x, and for a dot product of
// y, which is as long. A lane without terms is −0, the identity of addition. Then,
// for every bit l of levels that is set, from the lowest, row l of stack is added
// to the lanes.
//
// With dst the lanes are written to it; it may be a row of stack, but none that
// is added. With a nil dst the upper half of the lanes is added to the lower until
// one is left, which OrderedBlock returns.
func OrderedBlock[T float32 | float64](level Level, op OrderedOp, x, y, stack []T, levels uint64, dst []T) T {
	px, py, ps, pd := unsafe.SliceData(x), unsafe.SliceData(y), unsafe.SliceData(stack), unsafe.SliceData(dst)
	if unsafe.Sizeof(T(0)) == 8 {
		return T(orderedBlock64(level, op, (*float64)(unsafe.Pointer(px)), (*float64)(unsafe.Pointer(py)), len(x),
			(*float64)(unsafe.Pointer(ps)), levels, (*float64)(unsafe.Pointer(pd))))
	}
	return T(orderedBlock32(level, op, (*float32)(unsafe.Pointer(px)), (*float32)(unsafe.Pointer(py)), len(x),
		(*float32)(unsafe.Pointer(ps)), levels, (*float32)(unsafe.Pointer(pd))))
}

// missing is the panic of a level without a body in this build. None falls back
// to another: the bits would not show it.
func (l Level) missing() string { return "kernel: no OrderedBlock for " + l.String() }

// Hidden returns x, of which the compiler then knows no more where it comes from: a
// slice that only long ones put on the heap does not put short ones there. It is
// for slices of more than 10 MiB, which are never on a stack.
func Hidden[T float32 | float64](x []T) []T {
	bits := *(*[3]uintptr)(unsafe.Pointer(&x))
	return *(*[]T)(unsafe.Pointer(&bits))
}

// orderedBlockGeneric is OrderedBlock in Go.
func orderedBlockGeneric[T float32 | float64](op OrderedOp, px, py *T, n int, stack *T, levels uint64, dst *T) T {
	var frame [OrderedRowBytes / 8]uint64
	lanes := unsafe.Slice((*T)(unsafe.Pointer(&frame)), OrderedLanes[T]())
	fill(lanes, T(math.Copysign(0, -1)))
	x := unsafe.Slice(px, n)
	switch op {
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
			addRows(lanes, unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(stack), l*OrderedRowBytes)), len(lanes)))
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

func fill[T float32 | float64](lanes []T, v T) {
	for i := range lanes {
		lanes[i] = v
	}
}

// group is how many lanes one turn of a loop takes. The loops go through the rows
// as they lie in memory, with the lanes in the first-level cache: a group of
// lanes at a time in registers, down the rows, would be a third faster in cache
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
			a, v, w := (*[group]T)(lanes[i:]), (*[group]T)(from[i:]), (*[group]T)(by[i:])
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
