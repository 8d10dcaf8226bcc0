package blas

import (
	"context"
	"os"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/openblas"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// Core holds the time of calls of OpenBLAS's kernels for a type of
// processor on one thread, geometric means in nanoseconds.
type Core struct {
	Core     string  `json:"core"`
	Products float64 `json:"products_ns"` // dgemm and sgemm
	Vectors  float64 `json:"vectors_ns"`  // dgemv, ddot, daxpy and dasum
}

// coreVariable is the variable that OpenBLAS takes the type of its kernels
// from when it is loaded.
const coreVariable = "OPENBLAS_CORETYPE"

// coreTypes are types of recent processors.
var coreTypes = []string{"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids", "ARMV8",
	"NEOVERSEN1", "NEOVERSEV1"}

// tryCores measures the types that the library has and this processor runs,
// each in a process of its own: a type that it does not run may end that.
func tryCores(ctx context.Context, o Options, progress experiment.Progress) (cores []Core,
	err error) {
	for i, name := range coreTypes {
		progress("OpenBLAS's kernels for "+name, i, len(coreTypes))
		cmd := o.Child(ctx, "--core")
		cmd.Env = append(os.Environ(), coreVariable+"="+name)
		var c Core
		if err := runJSON(ctx, cmd, &c); err == nil && c.Core == name {
			cores = append(cores, c)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return cores, nil
}

// The sizes that coreSpeed measures.
const (
	coreOrder  = 512
	coreVector = 4096
)

// coreSpeed measures OpenBLAS with the kernels that OPENBLAS_CORETYPE names.
func coreSpeed() (Core, error) {
	open, err := openblas.Load()
	if err != nil {
		return Core{}, err
	}
	open.SetThreads(1)
	const n = coreOrder
	l := newLibraries(open)
	a, b, c := l.random(n*n, 0), l.random(n*n, 0), make([]float64, n*n)
	a32, b32, c32 := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for i := range a {
		a32[i], b32[i] = float32(a[i]), float32(b[i])
	}
	x, y := b[:coreVector], c[:coreVector]
	products := geometricMean(
		func() { open.Dgemm(n, a, b, c) },
		func() { open.Sgemm(n, a32, b32, c32) })
	vectors := geometricMean(
		func() { open.Dgemv(gonum.NoTrans, n, a, x[:n], y[:n]) },
		func() { open.Ddot(x, y) },
		func() { open.Daxpy(0x1p-20, x, y) },
		func() { open.Dasum(x) })
	return Core{open.Core, products, vectors}, nil
}

// geometricMean returns the geometric mean of the times of the functions, one
// call each.
func geometricMean(fs ...func()) float64 {
	times := stopwatch.Pairs(stopwatch.Turns{Budget: 200 * time.Millisecond,
		Length: 200 * time.Microsecond, Processor: true}, fs...)
	sum := 0.0
	for _, t := range times {
		sum += crmath.Log(t.Call)
	}
	return crmath.Exp(sum / float64(len(times)))
}
