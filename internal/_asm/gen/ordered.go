package gen

import "fmt"

// The operations of internal/kernel's OrderedBlock, as the assembly gets them.
const (
	OrderedSum = iota
	OrderedDot
	OrderedAsum
	OrderedSquares
)

// OrderedOps are the operations by their numbers. They label the code.
var OrderedOps = []string{
	OrderedSum: "sum", OrderedDot: "dot", OrderedAsum: "asum", OrderedSquares: "squares",
}

// OrderedRowBytes is the size of a row of package ordered: one summand for
// each lane.
const OrderedRowBytes = 512

// OrderedSignature returns the parameters of the stub for elements of size
// bytes.
func OrderedSignature(size int) string {
	return fmt.Sprintf("(op uint64, x, y *%[1]s, n int, stack *%[1]s, levels uint64, dst *%[1]s) "+
		"%[1]s",
		Float(size))
}

// OrderedDoc returns the stub's comment after its name. generator is the folder
// that writes the body.
func OrderedDoc(size int, level, generator string) string {
	return fmt.Sprintf("is orderedBlock of %s with %s.", Float(size), level) + Origin(generator)
}

// OrderedShortSignature returns the parameters of the stub of orderedShort.
func OrderedShortSignature(size int) string {
	return fmt.Sprintf("(op uint64, x, y *%[1]s, n int) %[1]s", Float(size))
}

// OrderedShortDoc is OrderedDoc for orderedShort.
func OrderedShortDoc(size int, level, generator string) string {
	return fmt.Sprintf("is orderedShort of %s with %s.", Float(size), level) + Origin(generator)
}
