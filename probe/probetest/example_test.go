package probetest_test

import (
	"context"
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
)

// A target adds along any tree: here (0 (1 2)) in binary32.
func ExampleFromTree() {
	target := probetest.FromTree(probetest.ReverseChain(3), probetest.Options{DType: fp.Binary32})
	defer target.Close()
	b := probe.NewBatch(target)
	copy(b.X, []float64{1, 0x1p24, 1})
	if err := target.Call(context.Background(), b); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(probetest.ReverseChain(3), b.Out[0])
	// Output:
	// (0 (1 2)) 1.6777216e+07
}
