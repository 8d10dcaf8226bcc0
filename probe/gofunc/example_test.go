package gofunc_test

import (
	"context"
	"fmt"
	"math"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
)

// sumOdd adds the elements of odd index first.
func sumOdd(x []float32) float32 {
	var s float32
	for i := 1; i < len(x); i += 2 {
		s += x[i]
	}
	for i := 0; i < len(x); i += 2 {
		s += x[i]
	}
	return s
}

// A function of one's own becomes a target, and is asked how many summands were
// added after a huge one and its negative had cancelled.
func ExampleNew() {
	target := gofunc.New("sumOdd", sumOdd, 6)
	defer target.Close()
	b := probe.NewBatch(target)
	for j := 1; j < 6; j++ {
		copy(b.X, []float64{1, 1, 1, 1, 1, 1})
		b.X[0], b.X[j] = math.Ldexp(1, 127), -math.Ldexp(1, 127)
		if err := target.Call(context.Background(), b); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(0, j, b.Out[0])
	}
	// Output:
	// 0 1 2
	// 0 2 1
	// 0 3 2
	// 0 4 0
	// 0 5 2
}
