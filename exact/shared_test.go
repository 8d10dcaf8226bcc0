package exact

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestShared adds from goroutines, while others read, and compares with Sum.
func TestShared(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 7))
	x := make([]float64, 4000)
	for i := range x {
		x[i] = math.Ldexp(r.Float64()-0.5, r.IntN(400)-200)
	}
	var s Shared
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for _, v := range x[1000*g : 1000*g+900] {
				s.Add(v)
			}
			var a Accumulator
			a.AddSlice(x[1000*g+900 : 1000*g+1000])
			s.Merge(&a)
		})
		wg.Go(func() {
			for range 100 {
				s.Float64()
				s.Float32()
			}
		})
	}
	wg.Wait()
	if got, want := s.Float64(), Sum(x); math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("the sum is %v, not %v", got, want)
	}
	a := s.Accumulator()
	if got, want := s.Float32(), a.Float32(); got != want || a.Count() != 4000 {
		t.Errorf("the float32 is %v, not %v, of %d summands", got, want, a.Count())
	}
	s.Reset()
	if got := s.Float64(); math.Float64bits(got) != 0 {
		t.Errorf("an empty sum is %v", got)
	}
}
