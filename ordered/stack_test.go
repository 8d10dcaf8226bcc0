package ordered

import (
	"runtime"
	"testing"
)

// onStack has more elements than one goroutine sums. Parameters are on stacks.
type onStack [1 << 17]float64

//go:noinline
func sumOf(x onStack) float64 { return Sum(x[:]) }

//go:noinline
func dotOf(x []float64, y onStack) float64 { return Dot(x, y[:]) }

// TestStack sums arrays on stacks that collections make smaller, and so move.
func TestStack(t *testing.T) {
	x := new(onStack)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	sum, dot := Sum(x[:]), Dot(x[:], x[:])
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	for range 100 {
		ended := make(chan bool)
		go func() {
			defer close(ended)
			growStack(1 << 15)
			if got := sumOf(*x); got != sum {
				t.Errorf("the sum is %v, want %v", got, sum)
			}
			growStack(1 << 15)
			if got := dotOf(x[:], *x); got != dot {
				t.Errorf("the product is %v, want %v", got, dot)
			}
		}()
		<-ended
	}
	close(stop)
	<-done
}

//go:noinline
func growStack(depth int) {
	var frame [60]uint64
	if depth > 0 {
		growStack(depth - 1)
	}
	runtime.KeepAlive(&frame)
}
