//go:build amd64 || arm64

package dl

import "math"

// Float32 is the result type, in functions given to Func, of a C function that
// returns a float: the whole register, whose lower half is the float. No Go
// instruction converts it. A signaling NaN therefore arrives unchanged, and so
// does a subnormal if the library has set the processor to flush them.
type Float32 float64

// Bits returns the encoding of the float.
func (f Float32) Bits() uint32 { return uint32(math.Float64bits(float64(f))) }
