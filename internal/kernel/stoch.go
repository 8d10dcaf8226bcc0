package kernel

//go:generate sh -c "cd ../_asm && go run ./stochamd64 -out ../kernel/stoch_amd64.s -stubs ../kernel/stoch_amd64.go -pkg kernel"
//go:generate sh -c "cd ../_asm && go run ./stocharm64 -out ../kernel/stoch_arm64.s -stubs ../kernel/stoch_arm64.go"

// StochRowBytes is the size of a row of the stochastic kernels: 8 elements of
// float64, 16 of float32. StochDotRows is the number of rows of partial sums.
const (
	StochRowBytes = 64
	StochDotRows  = 4
)

// StochCoins holds the coins of a block of rows: a word for each lane, of the
// size of an element. The highest bit of a word decides the first row, the next
// one the second: 1 rounds down. Words of 32 bits are the lower and the upper
// halves of the eight.
type StochCoins [8]uint64

// StochRows returns the rows of a block: as many as a word has bits.
func StochRows[T float32 | float64]() int {
	var t T
	if _, single := any(t).(float32); single {
		return 32
	}
	return 64
}

// StochDown returns the coin of element i of a block: 1 rounds it down.
func StochDown[T float32 | float64](c *StochCoins, i int) uint64 {
	if StochRows[T]() == 32 {
		lane, row := i%16, i/16
		return c[lane/2] >> (lane%2*32 + 31 - row) & 1
	}
	return c[i%8] >> (63 - i/8) & 1
}

// Stoch holds the stochastic kernels of a level. Every operation computes whole
// rows, dst[i] = R- or R+ of the operation as the coins decide; package stoch
// computes other elements. dst may be an operand. An operand that an operation
// does not have is nil.
type Stoch[T float32 | float64] struct {
	Add, Sub, Mul, Div, Sqrt StochOperation[T]

	FMA StochOperation[T] // x·y + z
	Dot StochOperation[T] // dst += x·y, dst being StochDotRows rows taken in turn

	Filters StochFilters[T]
}

// StochFilters look for elements that may be instabilities. Each returns 0 only
// if there are none: no samples x, y and z so far apart that they may be noise,
// and no sum that lost more than 10 leading bits. A nil filter has no body at
// this level.
type StochFilters[T float32 | float64] struct {
	Spread              StochFilter[T]
	Sum, Diff, FusedSum StochFilter[T]
}

// StochOperation is a kernel that computes.
type StochOperation[T float32 | float64] func(dst, x, y, z *T, rows int, coins *uint64)

// Rows computes whole rows, at least one.
func (f StochOperation[T]) Rows(dst, x, y, z []T, rows int, c *StochCoins) {
	f(data(dst), data(x), data(y), data(z), rows, data(c[:]))
}

// StochFilter is a kernel that looks for instabilities.
type StochFilter[T float32 | float64] func(x, y, z *T, rows int) uint64

// Finds reports whether there may be one in whole rows, at least one.
func (f StochFilter[T]) Finds(x, y, z []T, rows int) bool {
	return f(data(x), data(y), data(z), rows) != 0
}

// NewStoch returns the kernels of a level, or nil for Generic, which has none.
// It panics for a level that does not run here.
func NewStoch[T float32 | float64](l Level) *Stoch[T] {
	b := l.bodies()
	var t T
	if _, single := any(t).(float32); single {
		return any(b.stochFloat32).(*Stoch[T])
	}
	return any(b.stochFloat64).(*Stoch[T])
}
