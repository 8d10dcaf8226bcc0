package exec_test

import (
	"context"
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/exec"
)

// A program of one's own, which speaks the protocol of docs/wire.md, is called
// with three values.
func Example() {
	ctx := context.Background()
	s := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 3}
	target, err := exec.Open(ctx, "./mysum --fast", s)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer target.Close()
	b := probe.NewBatch(target)
	copy(b.X, []float64{1, 2, 3})
	if err := target.Call(ctx, b); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(target.Key(), b.Out[0])
}
