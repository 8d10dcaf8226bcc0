package explainfiles

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/probe"
)

// TestMemory refuses inputs that do not fit into memory, with their shape in
// the file or not, and takes those that do.
func TestMemory(t *testing.T) {
	write := func(name string, lines int) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(strings.Repeat("1\n", lines)), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	a, x := Place{File: write("a.csv", 2)}, write("x.csv", 8)
	raw := filepath.Join(t.TempDir(), "x.raw")
	if err := os.WriteFile(raw, make([]byte, 8*8), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file   string
		values int64
		fits   bool
	}{{x, 12, true}, {x, 11, false}, {raw, 12, true}, {raw, 11, false}, {x, 0, true}} {
		q := &Question{Op: "exp", Inputs: []string{c.file}, Memory: c.values * bytesEach,
			Options: dataset.Options{DType: "f64"}}
		_, err := q.Answer(t.Context(), a, a)
		var f *probe.Fault
		refused := errors.As(err, &f) && strings.Contains(f.Cause, "fit into memory")
		if refused == c.fits {
			t.Errorf("%s with memory for %d values: %v", c.file, c.values, err)
		}
	}
}

// TestDigitsOfFloat32 hints at --dtype f32 where texts without it have the
// digits of float32 numbers, and at nothing else where they do not.
func TestDigitsOfFloat32(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	x := write("x.csv", "0.1\n0.2\n0.3\n")
	for _, c := range []struct {
		a, b, dtype string
		hints       bool
	}{
		{"0.6000001\n", "0.6\n", "", true},
		{"0.6000001\n", "0.6\n", "f32", false},
		{"0.60000002384185791\n", "0.6\n", "", false},
	} {
		q := &Question{Op: "sum", Axis: AllAxes, Inputs: []string{x},
			Options: dataset.Options{DType: c.dtype}}
		e, err := q.Answer(t.Context(), Place{File: write("a.csv", c.a)},
			Place{File: write("b.csv", c.b)})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(e.Reason, "--dtype f32") != c.hints {
			t.Errorf("%q beside %q as %q: %q", c.a, c.b, c.dtype, e.Reason)
		}
	}
}
