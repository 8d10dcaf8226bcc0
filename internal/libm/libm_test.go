package libm

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestRightIsRight fingerprints the correctly rounded functions themselves: nothing is
// wrong, and the hash is that of their results on every machine.
func TestRightIsRight(t *testing.T) {
	hashes := map[string]bool{}
	for _, f := range Functions() {
		right := Library{Name: "right", Call: func(f *Function, x, y []float64) ([]float64, error) { return f.Right(x, y), nil }}
		p, err := Fingerprint(right, f)
		if err != nil {
			t.Fatal(err)
		}
		if p.Wrong != 0 || p.Worst != 0 || p.At != nil || p.Count != count {
			t.Errorf("%s: %+v", f.Name, p)
		}
		hashes[p.Hash] = true
	}
	if len(hashes) != len(Functions()) {
		t.Errorf("%d functions have %d hashes", len(Functions()), len(hashes))
	}
}

// TestWrong counts what is wrong, and finds the worst.
func TestWrong(t *testing.T) {
	f := Functions()[0]
	x, _ := f.Arguments()
	off := Library{Call: func(f *Function, x, y []float64) ([]float64, error) {
		out := f.Right(x, y)
		out[5] = math.Nextafter(out[5], math.Inf(1))
		out[9] = math.Nextafter(math.Nextafter(out[9], math.Inf(1)), math.Inf(1))
		return out, nil
	}}
	p, err := Fingerprint(off, f)
	if err != nil {
		t.Fatal(err)
	}
	if p.Wrong != 2 || p.Worst != 2 || len(p.At) != 1 || p.At[0] != x[9] {
		t.Errorf("%+v, want 2 wrong, the worst at %v", p, x[9])
	}
	absent := Library{Call: func(*Function, []float64, []float64) ([]float64, error) { return nil, nil }}
	if p, err := Fingerprint(absent, f); p != nil || err != nil {
		t.Errorf("an absent function has %v, %v", p, err)
	}
}

// TestArguments: every kind is there, in the domain and beyond it.
func TestArguments(t *testing.T) {
	for _, f := range Functions() {
		x, y := f.Arguments()
		if len(x) != count || f.binary != (y != nil) {
			t.Errorf("%s: %d and %d arguments", f.Name, len(x), len(y))
		}
		typical := 0
		for _, v := range x {
			if v >= f.low && v <= f.high {
				typical++
			}
		}
		if typical < count/2 {
			t.Errorf("%s: %d of %d arguments are typical", f.Name, typical, count)
		}
	}
}

// TestLibraries calls what there is. Go's and the C library's functions are wrong
// sometimes, never by much on typical arguments, and not always.
func TestLibraries(t *testing.T) {
	c, err := C()
	if err != nil {
		require.Missing(t, err.Error())
	}
	for _, l := range []Library{Go(), c} {
		for _, f := range Functions() {
			p, err := Fingerprint(l, f)
			if err != nil {
				t.Fatal(err)
			}
			if p == nil {
				t.Errorf("%s has no %s", l.Name, f.Name)
				continue
			}
			if p.Wrong > p.Count*3/4 {
				t.Errorf("%s %s: %d of %d are wrong", l.Name, f.Name, p.Wrong, p.Count)
			}
		}
	}
}
