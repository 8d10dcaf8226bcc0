package kernel

import (
	"runtime"
	"testing"
)

// TestHide hides arrays on a stack while collections make it smaller, and so
// move it: a hidden slice moves with it, with -race and -d=checkptr, too.
func TestHide(t *testing.T) {
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
	for i := range 100000 {
		if i%16 == 0 {
			growStack(64)
		}
		for range 64 {
			var frame [4]int
			frame[1] = i
			if got := Hide(frame[:]); got[1] != i || &got[0] != &frame[0] {
				t.Fatalf("round %d: the hidden array has %d", i, got[1])
			}
		}
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
