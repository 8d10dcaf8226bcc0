package clib_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
)

// Example opens a function of a shared library. A program that does this calls
// ServeIfWorker first in main.
func Example() {
	s := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 3}
	target, err := clib.Open(context.Background(), "./libmine.so:sum", s)
	if err != nil {
		log.Fatal(err)
	}
	defer target.Close()
	fmt.Println(target.Key())
}
