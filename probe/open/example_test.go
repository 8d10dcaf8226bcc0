package open_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/open"
)

// An address is all that it takes to call an implementation.
func Example() {
	ctx := context.Background()
	target, err := open.Drivers(open.Config{}).Open(ctx, "go:pairwise", probe.Spec{N: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer target.Close()
	b := probe.NewBatch(target)
	copy(b.X, []float64{1, 2, 3, 4})
	if err := target.Call(ctx, b); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(target.Key().Target, b.Out[0])
	// Output:
	// go:pairwise 10
}

// A driver of one's own is one row more.
func ExampleTable() {
	largest := func(x []float64) float64 { // not a sum
		m := x[0]
		for _, v := range x {
			m = max(m, v)
		}
		return m
	}
	drivers := append(open.Drivers(open.Config{}), open.Driver{
		Schemes: []string{"mine"},
		Names:   func() []string { return []string{"mine:largest"} },
		Open: func(_ context.Context, address string, s probe.Spec) (probe.Target, error) {
			return gofunc.New(address, largest, s.N), nil
		},
	})
	target, err := drivers.Open(context.Background(), "mine:largest", probe.Spec{N: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer target.Close()
	fmt.Println(target.Key().Target)
	var f *probe.Fault
	if _, err = drivers.Driver("min:largest"); errors.As(err, &f) {
		fmt.Println(f.Cure)
	}
	// Output:
	// mine:largest
	// did you mean mine:largest? lastbit targets lists the targets here
}

// A shell completes addresses from the names that drivers know.
func ExampleTable_Complete() {
	for _, address := range open.Drivers(open.Config{}).Complete("gonum:floats.") {
		fmt.Println(address)
	}
	// Output:
	// gonum:floats.Dot
	// gonum:floats.Sum
	// gonum:floats.SumCompensated
}
