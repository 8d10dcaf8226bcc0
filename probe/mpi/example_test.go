package mpi_test

import (
	"context"
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/mpi"
)

// Three ranks add one value each. A program that does this calls ServeIfWorker
// first in main.
func Example() {
	ctx := context.Background()
	s := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 3}
	target, err := mpi.Open(ctx, "allreduce", s)
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
