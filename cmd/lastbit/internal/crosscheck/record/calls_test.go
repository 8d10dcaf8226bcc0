package record

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGenerated holds that every generated call is noted, a panic too, when the
// bounds leave out all others.
func TestGenerated(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	running = &recorder{file: file, functions: map[uint64]*Function{}}
	defer func() { running = nil }()
	inner, outer := New(1), New(2)
	inner.full.Store(true)
	outer.full.Store(true)
	half := func(x float64) (y float64) { // as it is written into a test program
		if inner.IsFull() {
			return x / 2
		}
		c := inner.Begin(x)
		y = x / 2
		c.End([]any{y}, nil)
		return y
	}
	quarter := func(x float64) (y float64) {
		if outer.IsFull() {
			return half(half(x))
		}
		c := outer.Begin(x)
		if y = half(half(x)); y > 100 {
			panic("large")
		}
		c.End([]any{y}, nil)
		return y
	}
	const n = 600
	g := Generate(n, "")
	g.Call(1, half)
	g.Call(2, quarter)
	quarter(1)
	if want := 2 * n * EntrySize; len(running.buffer) != want {
		t.Errorf("%d bytes noted, want %d", len(running.buffer), want)
	}
	if left := running.left.Load(); left < 2*n {
		t.Errorf("%d calls left out, want at least %d", left, 2*n)
	}
}
