//go:build amd64 || arm64

package dl

import "math"

// Float32 is the result of a C function that returns a float, as a function
// given to Func declares it: the whole register, whose lower half is the float.
// No instruction of Go's converts it, so that a signaling NaN arrives as it is,
// and a subnormal too where the library has told the processor to flush them.
type Float32 float64

// Bits returns the encoding of the float.
func (f Float32) Bits() uint32 { return uint32(math.Float64bits(float64(f))) }
