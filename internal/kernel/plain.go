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
