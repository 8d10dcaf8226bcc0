package gen

import "fmt"

// StochRowBytes is the size of a row of internal/kernel's Stoch: one element
// for each lane of its coins.
const StochRowBytes = 64

// StochDotRows is the number of rows of partial sums of a dot product.
const StochDotRows = 4

// StochSignature returns the parameters of the stub of an operation.
func StochSignature(size int) string {
	return fmt.Sprintf("(dst, x, y, z *%s, rows int, coins *uint64)", Float(size))
}

// StochFilterSignature returns the parameters of the stub of a filter.
func StochFilterSignature(size int) string {
	return fmt.Sprintf("(x, y, z *%s, rows int) uint64", Float(size))
}

// StochDoc returns a stub's comment after its name. generator is the folder
// that writes the body.
func StochDoc(operation string, size int, level, generator string) string {
	return fmt.Sprintf("is %s of %s with %s.", operation, Float(size), level) + Origin(generator)
}
