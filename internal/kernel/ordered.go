package kernel

import "unsafe"

//go:generate sh -c "cd ../_asm && go run ./orderedamd64 -out ../kernel/ordered_amd64.s -stubs ../kernel/ordered_amd64.go -pkg kernel"
//go:generate sh -c "cd ../_asm && go run ./orderedarm64 -out ../kernel/ordered_arm64.s -stubs ../kernel/ordered_arm64.go"

// OrderedOp selects the terms that OrderedBlock adds.
type OrderedOp uint64

// The operations. Assembly receives their numbers: gen/ordered.go of
// internal/_asm mirrors them, and a test compares.
const (
	OrderedSum     OrderedOp = iota // x[i]
	OrderedDot                      // x[i]⊗y[i]
	OrderedAsum                     // |x[i]|
	OrderedSquares                  // x[i]⊗x[i]
)

// The shape of package ordered's tree.
const (
	// OrderedRowBytes is the size of a row: one summand for each lane.
	OrderedRowBytes = 512
	// OrderedRows is the number of rows of a block.
	OrderedRows = 128
)

// OrderedLanes returns the number of lanes L: 64 of float64, 128 of float32.
func OrderedLanes[T float32 | float64]() int {
	return OrderedRowBytes / int(unsafe.Sizeof(T(0)))
}

// OrderedBlock adds one block by lanes. With t[k] the terms of x and, for
// OrderedDot, of y, which is as long, its summation tree is
//
//	lane(i) = ((−0 ⊕ t[i]) ⊕ t[i+L]) ⊕ t[i+2L] ⊕ …       for i + jL < n
//	lane(i) = lane(i) ⊕ stack[l·L + i]                    for each bit l of levels, ascending
//	half(i) = lane(i) ⊕ lane(i + L/2), then L/4, …, 1
//
// Every operation is rounded to nearest, ties to even; products are not fused.
// A lane without terms is −0, the identity of addition.
//
// With dst the L lanes are stored there and the result means nothing; dst may
// be a row of stack that levels leaves out. With a nil dst the result is
// half(0).
func OrderedBlock[T float32 | float64](
	level Level, op OrderedOp, x, y, stack []T, levels uint64, dst []T,
) T {
	// Rows of the stack are on the heap anyway.
	px, py := unsafe.Pointer(data(x)), unsafe.Pointer(data(y))
	ps, pd := unsafe.Pointer(unsafe.SliceData(stack)), unsafe.Pointer(unsafe.SliceData(dst))
	b := level.bodies()
	if unsafe.Sizeof(T(0)) == 8 {
		return T(b.orderedBlockFloat64(uint64(op), (*float64)(px), (*float64)(py), len(x),
			(*float64)(ps), levels, (*float64)(pd)))
	}
	return T(b.orderedBlockFloat32(uint64(op), (*float32)(px), (*float32)(py), len(x),
		(*float32)(ps), levels, (*float32)(pd)))
}
