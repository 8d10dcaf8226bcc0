package mpi_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/mpi"
)

// Example opens a sum of three summands, one on each of three ranks. A program
// that does this calls ServeIfWorker first in main.
func Example() {
	s := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 3}
	target, err := mpi.Open(context.Background(), "allreduce", s)
	if err != nil {
		log.Fatal(err)
	}
	defer target.Close()
	fmt.Println(target.Key())
}
