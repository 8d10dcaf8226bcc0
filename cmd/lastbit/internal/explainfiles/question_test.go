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
