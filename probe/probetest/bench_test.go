package probetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

func BenchmarkFromTree(b *testing.B) {
	for _, dtype := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16} {
		for _, n := range []int{1024, 1 << 20} {
			b.Run(fmt.Sprintf("%v/n=%d", dtype, n), func(b *testing.B) {
				target := FromTree(RandomTree(rand.New(rand.NewPCG(1, 1)), n, Intervals),
					Options{DType: dtype})
				batch := probe.NewBatch(target)
				for b.Loop() {
					if err := target.Call(context.Background(), batch); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
