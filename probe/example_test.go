package probe_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
)

// A target is called by batches. Ones that follow 2^53 are lost one by one in
// float64.
func ExampleTarget() {
	ctx := context.Background()
	target, err := gofunc.Open(ctx, "go:naive", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer target.Close()
	b := probe.NewBatch(target)
	for _, x := range [][]float64{{0x1p53, 1, 1}, {1, 1, 0x1p53}} {
		copy(b.X, x)
		if err := target.Call(ctx, b); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.0f\n", b.Out[0])
	}
	// Output:
	// 9007199254740992
	// 9007199254740994
}

// A driver states the options that it honours; all others are refused.
func ExampleSpec_Restrict() {
	s := probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 100, Stride: 2, Order: "C"}
	_, err := s.Restrict("my:target", probe.WithAlign|probe.WithThreads)
	var f *probe.Fault
	if errors.As(err, &f) {
		fmt.Printf("%s\n%s\n%s\n", f.ID, f.Cause, f.Cure)
	}
	s, err = s.Restrict("my:target", probe.WithStride)
	fmt.Println(s.Key("my:target"), err)
	// Output:
	// unsupported-option
	// it has no stride to choose, but 2 was asked for
	// leave --stride out; it honours --align, --threads
	// my:target sum f32 n=100 stride=2 <nil>
}
