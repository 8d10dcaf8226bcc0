package blocks_test

import (
	"fmt"

	"github.com/lastbit/lastbit/fp/blocks"
)

// Four values share the scale 2^-2: the largest, 1.4, is encoded as 6 times it.
func ExampleFormat_Encode() {
	x := []float64{1.4, -0.5, 0.1, 0}
	codes := make([]uint8, len(x))
	scale := blocks.MXFP4.Encode(codes, x, blocks.Options{})
	y := make([]float64, len(x))
	blocks.MXFP4.Decode(y, scale, codes, 1)
	fmt.Println(blocks.MXFP4.ScaleValue(scale), codes, y)
	// Output: 0.25 [7 12 1 0] [1.5 -0.5 0.125 0]
}
