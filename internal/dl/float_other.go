//go:build !amd64 && !arm64

package dl

import "math"

// Float32 is the result type, in functions given to Func, of a C function that
// returns a float. A signaling NaN may arrive as a quiet one.
type Float32 float32

// Bits returns the encoding of the float.
func (f Float32) Bits() uint32 { return math.Float32bits(float32(f)) }
