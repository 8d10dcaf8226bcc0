package exact

import "sync"

// A Shared is an [Accumulator] that several goroutines may use at once. The
// zero value is an empty sum. The number of goroutines and their order change
// no result. It must not be copied after first use.
//
// An addition locks a mutex, some 15 ns where no other goroutine waits for it:
// goroutines that add much keep an Accumulator each, and Merge it.
type Shared struct {
	mu  sync.Mutex
	sum Accumulator
}

// Add adds a number.
func (s *Shared) Add(x float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum.Add(x)
}

// Merge adds the summands of an accumulator, which no goroutine may change
// meanwhile.
func (s *Shared) Merge(a *Accumulator) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum.Merge(a)
}

// Accumulator returns the summands so far.
func (s *Shared) Accumulator() Accumulator {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sum
}

// Float64 returns the sum so far, rounded once, as [Accumulator.Float64] does.
func (s *Shared) Float64() float64 {
	a := s.Accumulator()
	return a.Float64()
}

// Float32 returns the sum so far, rounded once, as [Accumulator.Float32] does.
func (s *Shared) Float32() float32 {
	a := s.Accumulator()
	return a.Float32()
}

// Reset makes the sum empty.
func (s *Shared) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum.Reset()
}
