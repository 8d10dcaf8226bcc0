//go:build purego || !(amd64 || arm64)

package kernel

// None of these is inlined into other packages: there the compiler would not see that
// the generic bodies keep none of their arguments, and m and f would go to the heap.

// Levels returns the levels that this processor runs, the fastest last.
func Levels() []Level { return []Level{Generic} }

// FoldSum2 puts x, at most MaxFold elements, through two folds.
//
//go:noinline
func (l Level) FoldSum2(x []float64, m *[3]float64, f *Folds) {
	foldSum2Generic(x, m, f)
}

// FoldSum3 puts x through three folds.
//
//go:noinline
func (l Level) FoldSum3(x []float64, m *[3]float64, f *Folds) {
	foldSum3Generic(x, m, f)
}

// FoldAsum2 puts |x| through two folds.
//
//go:noinline
func (l Level) FoldAsum2(x []float64, m *[3]float64, f *Folds) {
	foldAsum2Generic(x, m, f)
}

// FoldSum2F32 puts x through two folds.
//
//go:noinline
func (l Level) FoldSum2F32(x []float32, m *[3]float64, f *Folds) {
	foldSum2Generic(x, m, f)
}

// FoldAsum2F32 puts |x| through two folds.
//
//go:noinline
func (l Level) FoldAsum2F32(x []float32, m *[3]float64, f *Folds) {
	foldAsum2Generic(x, m, f)
}

// FoldDot puts the products x[i]·y[i] and their errors through three folds. y is
// as long as x.
//
//go:noinline
func (l Level) FoldDot(x, y []float64, m *[3]float64, f *Folds) {
	foldDotGeneric(x, y, m, f)
}

// FoldDot2F32 puts the products x[i]·y[i] through two folds. y is as long as x.
//
//go:noinline
func (l Level) FoldDot2F32(x, y []float32, m *[3]float64, f *Folds) {
	foldDot2F32Generic(x, y, m, f)
}
