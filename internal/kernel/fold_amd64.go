//go:build !purego

package kernel

import (
	"unsafe"

	"github.com/lastbit/lastbit/internal/cpu"
)

// Levels returns the levels that this processor runs, the fastest last.
func Levels() []Level {
	switch {
	case cpu.AVX512 && flags:
		return []Level{Generic, AVX2, AVX512}
	case cpu.AVX2 && flags:
		return []Level{Generic, AVX2}
	}
	return []Level{Generic}
}

// flags reports whether the processor notes that an addition was inexact, and that a
// product underflowed, as the kernels need it. Every processor does; an emulator may not.
var flags = cpu.AVX2 && notes()

func notes() bool {
	x, m := [...]float64{1, 0x1p-200}, Constants(4)
	var exact, inexact, tiny Folds
	foldSum2AVX2(&x[0], 1, &m, exact.words())
	foldSum2AVX2(&x[0], 2, &m, inexact.words())
	y := 0x1p-1074
	foldDotAVX2(&y, &y, 1, &m, tiny.words())
	return exact.Exact() && !inexact.Exact() && !tiny.Exact()
}

// words is f as the assembly sees it.
func (f *Folds) words() *[6]uint64 { return (*[6]uint64)(unsafe.Pointer(f)) }

// FoldSum2 puts x, at most MaxFold elements, through two folds.
func (l Level) FoldSum2(x []float64, m *[3]float64, f *Folds) {
	switch l {
	case AVX512:
		foldSum2AVX512(unsafe.SliceData(x), len(x), m, f.words())
	case AVX2:
		foldSum2AVX2(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldSum2Generic(x, m, f)
	}
}

// FoldSum3 puts x through three folds.
func (l Level) FoldSum3(x []float64, m *[3]float64, f *Folds) {
	switch l {
	case AVX512:
		foldSum3AVX512(unsafe.SliceData(x), len(x), m, f.words())
	case AVX2:
		foldSum3AVX2(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldSum3Generic(x, m, f)
	}
}

// FoldAsum2 puts |x| through two folds.
func (l Level) FoldAsum2(x []float64, m *[3]float64, f *Folds) {
	switch l {
	case AVX512:
		foldAsum2AVX512(unsafe.SliceData(x), len(x), m, f.words())
	case AVX2:
		foldAsum2AVX2(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldAsum2Generic(x, m, f)
	}
}

// FoldSum2F32 puts x through two folds.
func (l Level) FoldSum2F32(x []float32, m *[3]float64, f *Folds) {
	switch l {
	case AVX512:
		foldSum2F32AVX512(unsafe.SliceData(x), len(x), m, f.words())
	case AVX2:
		foldSum2F32AVX2(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldSum2Generic(x, m, f)
	}
}

// FoldAsum2F32 puts |x| through two folds.
func (l Level) FoldAsum2F32(x []float32, m *[3]float64, f *Folds) {
	switch l {
	case AVX512:
		foldAsum2F32AVX512(unsafe.SliceData(x), len(x), m, f.words())
	case AVX2:
		foldAsum2F32AVX2(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldAsum2Generic(x, m, f)
	}
}

// FoldDot puts the products x[i]·y[i] and their errors through three folds. y is
// as long as x.
func (l Level) FoldDot(x, y []float64, m *[3]float64, f *Folds) {
	switch l {
	case AVX512:
		foldDotAVX512(unsafe.SliceData(x), unsafe.SliceData(y), len(x), m, f.words())
	case AVX2:
		foldDotAVX2(unsafe.SliceData(x), unsafe.SliceData(y), len(x), m, f.words())
	default:
		foldDotGeneric(x, y, m, f)
	}
}

// FoldDot2F32 puts the products x[i]·y[i] through two folds. y is as long as x.
func (l Level) FoldDot2F32(x, y []float32, m *[3]float64, f *Folds) {
	switch l {
	case AVX512:
		foldDot2F32AVX512(unsafe.SliceData(x), unsafe.SliceData(y), len(x), m, f.words())
	case AVX2:
		foldDot2F32AVX2(unsafe.SliceData(x), unsafe.SliceData(y), len(x), m, f.words())
	default:
		foldDot2F32Generic(x, y, m, f)
	}
}
