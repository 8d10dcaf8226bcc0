package kernel

//go:generate sh -c "cd ../_asm && go run ./plain -out ../kernel/plain_amd64.s -stubs ../kernel/plain_amd64.go -pkg kernel"

// HasPlain reports whether the level runs here and has PlainSum and PlainDot.
func (l Level) HasPlain() bool { return l.isRunnable() && table[l].plainSumFloat64 != nil }

// PlainSum returns the sum of x in an order that nothing promises, as fast as
// the instruction set can add. Benchmarks hold other sums against it.
func (l Level) PlainSum(x []float64) float64 {
	return l.plain().plainSumFloat64(data(x), len(x))
}

// PlainDot returns the dot product of x and y by fused multiply-adds, in an
// order that nothing promises. y is as long as x or longer.
func (l Level) PlainDot(x, y []float64) float64 {
	y = y[:len(x)]
	return l.plain().plainDotFloat64(data(x), data(y), len(x))
}

// plain returns the row of a level. It panics unless that has plain sums.
func (l Level) plain() *row {
	if !l.HasPlain() {
		panic(l.missing("plain sum"))
	}
	return table[l]
}

// PlainAdd sets dst to x + y, as fast as the instruction set can. The lengths
// of the three are equal, and multiples of 16. Benchmarks hold other operations
// against it.
func PlainAdd[T float32 | float64](l Level, dst, x, y []T) {
	plainRows(l, dst, x, y, func(p *plainPairs[T]) plainPair[T] { return p.add })
}

// PlainMul sets dst to x·y, as PlainAdd adds.
func PlainMul[T float32 | float64](l Level, dst, x, y []T) {
	plainRows(l, dst, x, y, func(p *plainPairs[T]) plainPair[T] { return p.mul })
}

// plainPairs holds the operations on two slices.
type plainPairs[T float32 | float64] struct{ add, mul plainPair[T] }

type plainPair[T float32 | float64] func(dst, x, y *T, rows int)

// plainRows calls an operation for rows of 64 bytes.
func plainRows[T float32 | float64](l Level, dst, x, y []T,
	of func(*plainPairs[T]) plainPair[T]) {
	r := l.plain()
	x, y = x[:len(dst)], y[:len(dst)]
	pairs, rows := any(r.plainPairsFloat64), len(dst)/8
	var t T
	if _, single := any(t).(float32); single {
		pairs, rows = any(r.plainPairsFloat32), len(dst)/16
	}
	if rows > 0 {
		of(pairs.(*plainPairs[T]))(data(dst), data(x), data(y), rows)
	}
}
