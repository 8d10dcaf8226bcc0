package portable

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/lastbit/lastbit/internal/require"
)

// TestCopyOfCmplx rewrites a copy of package math/cmplx: no place is left.
func TestCopyOfCmplx(t *testing.T) {
	require.Program(t, "go")
	source, err := build.Import("math/cmplx", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n\ngo 1.26\n")))
	for _, name := range source.GoFiles {
		text, err := os.ReadFile(filepath.Join(source.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := rewritten(t, Options{Dir: dir, Patterns: []string{"."}, Lastbit: here(t),
		Targets: DefaultTargets()})
	if left := places(dir, r); left != "" || len(r.Files) == 0 {
		t.Errorf("%d files are rewritten, and these places are left:\n%s", len(r.Files), left)
	}
}
