package sim_test

import (
	"context"
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/sim"
)

// Hopper's matrix unit fuses 16 products and the accumulator, and keeps 25 bits
// of each below the largest: 2^-25 survives next to 1 until the final rounding,
// 2^-26 does not survive at all.
func Example() {
	ctx := context.Background()
	target, err := sim.Open(ctx, "h100", probe.Spec{Op: probe.Dot, DType: fp.BFloat16, N: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer target.Close()
	for _, tiny := range []float64{0x1p-25, 0x1p-26} {
		b := probe.NewBatch(target)
		b.X[0], b.X[1], b.X[2] = 1, tiny, -1
		if err := target.Call(ctx, b); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%x\n", b.Out[0])
	}
	// Output:
	// 0x1p-25
	// 0x0p+00
}
