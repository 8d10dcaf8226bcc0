package plan

import (
	"errors"
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

func TestKey(t *testing.T) {
	ok := func(s probe.Spec, m, cols, lanes int, index ...int) {
		t.Helper()
		k, l, err := Key("a:b", s)
		if err != nil || k.M != m || k.Cols != cols || l != lanes ||
			fmt.Sprint(k.OutIndex) != fmt.Sprint(index) {
			t.Errorf("%+v: m=%d cols=%d lanes=%d index %v, %v; want %d %d %d %v", s, k.M, k.Cols, l,
				k.OutIndex, err, m, cols, lanes, index)
		}
	}
	f32, f64 := fp.Binary32, fp.Binary64
	ok(probe.Spec{Op: probe.Sum, DType: f32, N: 10}, 0, 0, 1)
	ok(probe.Spec{Op: probe.Gemv, DType: f32, N: 100}, 100, 0, 100, 0)
	ok(probe.Spec{Op: probe.Gemv, DType: f64, N: 1 << 20}, 8, 0, 8, 0)
	ok(probe.Spec{Op: probe.Gemm, DType: f32, N: 512}, 512, 512, 512, 0, 0)
	ok(probe.Spec{Op: probe.Gemm, DType: f32, N: 1 << 20}, 7, 7, 7, 0, 0)
	ok(probe.Spec{Op: probe.Sum, DType: f32, N: 4096, Axis: "1"}, 1024, 0, 1024, 0)
	ok(probe.Spec{Op: probe.Sum, DType: f32, N: 1 << 20, Axis: "0", OutIndex: []int{3}}, 4, 0, 4, 3)
	for _, s := range []probe.Spec{
		{}, {Op: probe.Sum, N: 3}, {Op: probe.Sum, DType: f32}, {Op: probe.Sum, DType: f32,
			N: -1}, {Op: "max", DType: f32, N: 3},
		{Op: probe.Dot, DType: f32, N: 3, Axis: "0"}, {Op: probe.Sum, DType: f32, N: 3,
			Axis: "2"}, {Op: probe.Dot, DType: f32, N: 3, M: 2},
		{Op: probe.Gemv, DType: f32, N: 3, Cols: 2}, {Op: probe.Gemv, DType: f32, N: 3,
			Trans: "b"}, {Op: probe.Gemm, DType: f32, N: 3, Trans: "c"},
		{Op: probe.Gemm, DType: f32, N: 3, OutIndex: []int{0}}, {Op: probe.Gemm, DType: f32, N: 3,
			OutIndex: []int{3, 0}}, {Op: probe.Gemv, DType: f32, N: 3, OutIndex: []int{-1}},
		{Op: probe.Sum, DType: f32, N: 3, Align: 64}, {Op: probe.Sum, DType: f32, N: 3,
			Stride: -1}, {Op: probe.Sum, DType: f32, N: 3, Threads: -2},
		{Op: probe.Gemm, DType: f32, N: 1 << 20, M: 1 << 20}, {Op: probe.Sum, DType: f32, N: 3,
			Order: "F"}, {Op: probe.Sum, DType: f32, N: 3, Device: "tpu"},
	} {
		_, _, err := Key("a:b", s)
		want := "bad-spec"
		if s.Op == "" || s.Op == "max" {
			want = "bad-op"
		}
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != want || f.Thing == "" || f.Cure == "" {
			t.Errorf("%+v: %v, want %s", s, err, want)
		}
	}
}
