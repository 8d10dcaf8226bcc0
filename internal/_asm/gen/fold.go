package gen

import "fmt"

// The fields of internal/kernel's Folds, in bytes from its start.
const (
	FoldsT       = 0 // three int64
	FoldsRange   = 24
	FoldsInexact = 32
	FoldsLowest  = 40
)

// A Fold is a fold kernel of internal/kernel.
type Fold struct {
	operation string
	Folds     int
	Single    bool // float32
	Abs, Dot  bool
}

// Folds are the fold kernels of every level.
var Folds = []Fold{
	{operation: "foldSum2", Folds: 2},
	{operation: "foldSum3", Folds: 3},
	{operation: "foldAsum2", Folds: 2, Abs: true},
	{operation: "foldSum2", Folds: 2, Single: true},
	{operation: "foldAsum2", Folds: 2, Single: true, Abs: true},
	{operation: "foldDot3", Folds: 3, Dot: true},
	{operation: "foldDot2", Folds: 2, Single: true, Dot: true},
}

// Size returns the size of an element in bytes.
func (f Fold) Size() int {
	if f.Single {
		return 4
	}
	return 8
}

// IsExactDot reports whether the products have errors that count. Products of
// float32 have none: they are exact in float64.
func (f Fold) IsExactDot() bool { return f.Dot && !f.Single }

// Name returns the stub's name.
func (f Fold) Name(level string) string { return Stub(f.operation, f.Size(), level) }

// Signature returns the stub's parameters.
func (f Fold) Signature() string {
	slices := "x *"
	if f.Dot {
		slices = "x, y *"
	}
	return fmt.Sprintf("(%s%s, n int, m *[3]float64, f *[6]uint64)", slices, Float(f.Size()))
}

// Doc returns the stub's comment after its name. generator is the folder that
// writes the body.
func (f Fold) Doc(level, generator string) string {
	return fmt.Sprintf("is %s of %s with %s.", f.operation, Float(f.Size()), level) +
		Origin(generator)
}
