package record

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// record lets the functions of a test note calls, and returns the recorder.
func record(t *testing.T) *recorder {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	running = &recorder{file: file, functions: map[uint64]*Function{}}
	t.Cleanup(func() {
		running = nil
		_ = file.Close()
	})
	return running
}

// TestAfter begins after a function.
func TestAfter(t *testing.T) {
	r := record(t)
	t.Setenv(AfterVariable, "2")
	g := Generate(5, "")
	defer g.End()
	for id := uint64(1); id <= 3; id++ {
		f := New(id)
		g.Call(id, func(x float64) {
			f.Begin(x).End(nil, nil)
			if id != 3 {
				t.Errorf("a call of function %d", id)
			}
		})
	}
	if len(r.buffer) != 5*EntrySize {
		t.Errorf("%d bytes noted, want %d", len(r.buffer), 5*EntrySize)
	}
}

// TestFewer makes as many calls as another run had the time for.
func TestFewer(t *testing.T) {
	r := record(t)
	t.Setenv(TotalVariable, "1ms")
	t.Setenv(CountsVariable, "1:5,a:3")
	g := Generate(1000, "")
	defer g.End()
	for _, id := range []uint64{2, 10} {
		f := New(id)
		g.Call(id, func(x float64) {
			for begin := clock(); clock()-begin < 100*time.Microsecond; {
			}
			f.Begin(x).End(nil, nil)
		})
	}
	noted := map[uint64]int{}
	for b := r.buffer; len(b) > 0; b = b[EntrySize:] {
		noted[binary.LittleEndian.Uint64(b)]++
	}
	if noted[2] < 1 || noted[2] > 20 || noted[10] < 1 || noted[10] > 3 {
		t.Errorf("calls of functions: %v", noted)
	}
	g.total = 0
	r.buffer = nil
	g.Call(10, func(x float64) { r.append(0, 0, 0) })
	if len(r.buffer) != 3*EntrySize {
		t.Errorf("%d bytes noted, want %d", len(r.buffer), 3*EntrySize)
	}
}

// TestGenerated holds that every generated call is noted, a panic too, when the
// bounds leave out all others.
func TestGenerated(t *testing.T) {
	r := record(t)
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
	defer g.End()
	g.Call(1, half)
	g.Call(2, quarter)
	quarter(1)
	if want := 2 * n * EntrySize; len(r.buffer) != want {
		t.Errorf("%d bytes noted, want %d", len(r.buffer), want)
	}
	if left := r.left.Load(); left < 2*n {
		t.Errorf("%d calls left out, want at least %d", left, 2*n)
	}
}
