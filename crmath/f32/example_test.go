package f32_test

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/crmath/f32"
)

// The sine is right for any argument. The power is halfway between two float32,
// and goes to the even one.
func Example() {
	fmt.Println(f32.Exp(1), f32.Sin(math.MaxFloat32), f32.Pow(4099, 2))
	// Output:
	// 2.7182817 -0.5218765 1.68018e+07
}

// A slice function returns the bits of single calls.
func ExampleTanhSlice() {
	x := []float32{0, 0.5, -10}
	y := make([]float32, len(x))
	f32.TanhSlice(y, x)
	fmt.Println(y, y[1] == f32.Tanh(0.5))
	// Output:
	// [0 0.46211717 -1] true
}
