package pyenv

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

// fakeVenv is a shell script that takes the part of Python's venv and of the
// pip in its environments. It fails if a file called broken lies beside it.
const fakeVenv = `#!/bin/sh
set -e
test ! -e "$(dirname "$0")/broken"
if [ "$2" = venv ]; then
	mkdir -p "$3/bin"
	cp "$0" "$3/bin/python3"
else
	grep -q '^numpy==' "$6"
fi
echo "$2"
`

// setUp gives the test a cache of its own and returns a fake interpreter.
func setUp(t *testing.T) (python string) {
	t.Helper()
	require.Program(t, "sh")
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	if dir, err := Dir(); err != nil || !strings.HasPrefix(dir, cache) {
		t.Skip("this system's cache is not where XDG_CACHE_HOME says")
	}
	python = filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(python, []byte(fakeVenv), 0o755); err != nil {
		t.Fatal(err)
	}
	return python
}

// left returns the names in the folder of the environments.
func left(t *testing.T) []string {
	t.Helper()
	dir, err := Dir()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Environments made at the same time leave one, and nothing else.
func TestCreateAtTheSameTime(t *testing.T) {
	python := setUp(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			dir, err := Create(t.Context(), python, io.Discard)
			if err != nil || !exists(dir) {
				t.Errorf("%s: %v", dir, err)
			}
		})
	}
	wg.Wait()
	if names := left(t); len(names) != 1 || strings.Contains(names[0], temporary) {
		t.Errorf("left are %q", names)
	}
	dir, err := Dir()
	if err != nil {
		t.Fatal(err)
	}
	if got := Python(t); got != filepath.Join(dir, interpreter) {
		t.Errorf("the interpreter is %s", got)
	}
	if _, err := Create(t.Context(), filepath.Join(t.TempDir(), "none"), io.Discard); err != nil {
		t.Errorf("an environment that exists is made again: %v", err)
	}
}

// An installation that fails leaves nothing, and the remains of one that was
// killed go away with time.
func TestCreateInterrupted(t *testing.T) {
	python := setUp(t)
	broken := filepath.Join(filepath.Dir(python), "broken")
	if err := os.WriteFile(broken, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(t.Context(), python, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "-m venv") {
		t.Errorf("the error is %v", err)
	}
	if names := left(t); len(names) != 0 {
		t.Errorf("left are %q", names)
	}
	dir, err := Dir()
	if err != nil {
		t.Fatal(err)
	}
	young, old := dir+temporary+"1", dir+temporary+"2"
	for _, part := range []string{young, old} {
		if err := os.MkdirAll(filepath.Join(part, "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(t.Context(), python, io.Discard); err != nil {
		t.Fatal(err)
	}
	if names := left(t); len(names) != 2 || names[1] != filepath.Base(young) {
		t.Errorf("left are %q", names)
	}
}
