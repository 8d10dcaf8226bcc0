package mma_test

import (
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
)

// Volta fuses four products and keeps 23 bits below the largest, Hopper sixteen
// and 25: 2^-25 survives next to 1 in one of them.
func Example() {
	x, y := []float64{1, 0x1p-12, -1, 0}, []float64{1, 0x1p-13, 1, 0}
	for _, name := range []string{"v100", "h100"} {
		unit, ok := mma.Find(name, fp.Binary16)
		if !ok {
			fmt.Println("there is no", name)
			return
		}
		var d [1]float64
		unit.Multiply(d[:], x, y, nil, 1, 1, 4)
		fmt.Printf("%s %x\n", unit.Full, d[0])
	}
	// Output:
	// NVIDIA Volta 0x0p+00
	// NVIDIA Hopper 0x1p-25
}

// Blocks of 32 share a scale: 2^3 for the first factors here.
func ExampleUnit_MultiplyScaled() {
	for _, unit := range mma.Units() {
		if unit.Name != "b200" || unit.In != fp.E4M3FN || unit.Block == 0 {
			continue
		}
		x, y := make([]float64, 32), make([]float64, 32)
		x[0], y[0], x[31], y[31] = 1.5, 2, 0.5, 0.25
		var d [1]float64
		unit.MultiplyScaled(d[:], x, y, nil, []float64{8}, []float64{1}, 1, 1, 32)
		fmt.Println(unit.Instruction, d[0])
	}
	// Output: mxf8f6f4 k32 25
}
