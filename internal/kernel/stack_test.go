package kernel

import "testing"

type large [1 << 17]float64

// TestShared shares arrays on the heap, and none on a stack.
func TestShared(t *testing.T) {
	onHeap, short := new(large), make([]float64, 3)
	hold := func(name string, x []float64, want bool) {
		t.Helper()
		shared, ok := Shared(x)
		if ok != want {
			t.Errorf("%s: shared is %v, want %v", name, ok, want)
		}
		if ok && (len(shared) != len(x) || len(x) > 0 && &shared[0] != &x[0]) {
			t.Errorf("%s: another slice is shared", name)
		}
	}
	for range 3 { // on stacks of other sizes, too
		done := make(chan bool)
		go func() {
			defer close(done)
			hold("nil", nil, true)
			hold("a short array on the heap", short, true)
			hold("an array on the heap", onHeap[:], true)
			hold("a part of one", onHeap[5:9], true)
			parameter(*onHeap, hold)
			if x := result(hold); len(x) == 0 {
				t.Error("the result is empty")
			}
		}()
		<-done
		growStack(1 << 8)
	}
}

//go:noinline
func parameter(x large, hold func(name string, x []float64, want bool)) {
	if FindsStacks {
		hold("a parameter", Hide(x[:]), false)
		hold("the end of one", Hide(x[len(x)-1:]), false)
	}
}

//go:noinline
func result(hold func(name string, x []float64, want bool)) (x large) {
	if FindsStacks {
		hold("a result", Hide(x[:]), false)
	}
	return x
}
