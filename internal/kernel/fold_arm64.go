//go:build !purego

package kernel

import "unsafe"

// Levels returns the levels that this processor runs, the fastest last.
func Levels() []Level { return []Level{Generic, NEON} }

// words is f as the assembly sees it.
func (f *Folds) words() *[6]uint64 { return (*[6]uint64)(unsafe.Pointer(f)) }

// FoldSum2 puts x, at most MaxFold elements, through two folds.
func (l Level) FoldSum2(x []float64, m *[3]float64, f *Folds) {
	switch l {
	case NEON:
		foldSum2NEON(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldSum2Generic(x, m, f)
	}
}

// FoldSum3 puts x through three folds.
func (l Level) FoldSum3(x []float64, m *[3]float64, f *Folds) {
	switch l {
	case NEON:
		foldSum3NEON(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldSum3Generic(x, m, f)
	}
}

// FoldAsum2 puts |x| through two folds.
func (l Level) FoldAsum2(x []float64, m *[3]float64, f *Folds) {
	switch l {
	case NEON:
		foldAsum2NEON(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldAsum2Generic(x, m, f)
	}
}

// FoldSum2F32 puts x through two folds.
func (l Level) FoldSum2F32(x []float32, m *[3]float64, f *Folds) {
	switch l {
	case NEON:
		foldSum2F32NEON(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldSum2Generic(x, m, f)
	}
}

// FoldAsum2F32 puts |x| through two folds.
func (l Level) FoldAsum2F32(x []float32, m *[3]float64, f *Folds) {
	switch l {
	case NEON:
		foldAsum2F32NEON(unsafe.SliceData(x), len(x), m, f.words())
	default:
		foldAsum2Generic(x, m, f)
	}
}

// FoldDot puts the products x[i]·y[i] and their errors through three folds. y is
// as long as x.
func (l Level) FoldDot(x, y []float64, m *[3]float64, f *Folds) {
	switch l {
	case NEON:
		foldDotNEON(unsafe.SliceData(x), unsafe.SliceData(y), len(x), m, f.words())
	default:
		foldDotGeneric(x, y, m, f)
	}
}

// FoldDot2F32 puts the products x[i]·y[i] through two folds. y is as long as x.
func (l Level) FoldDot2F32(x, y []float32, m *[3]float64, f *Folds) {
	switch l {
	case NEON:
		foldDot2F32NEON(unsafe.SliceData(x), unsafe.SliceData(y), len(x), m, f.words())
	default:
		foldDot2F32Generic(x, y, m, f)
	}
}
