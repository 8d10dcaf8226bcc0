package exec_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/exec"
)

// Example opens a program that speaks the protocol of docs/reference/wire.md.
func Example() {
	s := probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 3}
	target, err := exec.Open(context.Background(), "./mysum --fast", s)
	if err != nil {
		log.Fatal(err)
	}
	defer target.Close()
	fmt.Println(target.Key())
}
