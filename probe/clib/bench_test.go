package clib

import (
	"context"
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

func BenchmarkCall(b *testing.B) {
	for _, s := range []probe.Spec{
		{Op: probe.Dot, DType: fp.Binary32, N: 1}, {Op: probe.Dot, DType: fp.Binary32, N: 1000},
		{Op: probe.Dot, DType: fp.Binary32, N: 1 << 20},
		{Op: probe.Gemv, DType: fp.Binary32, N: 512},
		{Op: probe.Gemm, DType: fp.Binary32, N: 512},
		{Op: probe.Gemm, DType: fp.Binary64, N: 512, Order: "F"},
	} {
		for _, lib := range libraries {
			b.Run(fmt.Sprintf("lib=%s/op=%s/dtype=%s/n=%d", lib, s.Op, s.DType, s.N),
				func(b *testing.B) {
					target := blas(b, lib, s)
					batch := probe.NewBatch(target)
					b.ResetTimer()
					for range b.N {
						if err := target.Call(context.Background(), batch); err != nil {
							b.Fatal(err)
						}
					}
				})
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, lib := range libraries {
		b.Run("lib="+lib, func(b *testing.B) {
			for range b.N {
				blas(b, lib, probe.Spec{N: 1}).Close()
			}
		})
	}
}
