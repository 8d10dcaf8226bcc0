package python_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/python"
)

// Example opens NumPy's sum of three numbers.
func Example() {
	s := probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 3}
	target, err := python.Open(context.Background(), "numpy.sum", s)
	if err != nil {
		log.Fatal(err)
	}
	defer target.Close()
	fmt.Println(target.Key())
}
