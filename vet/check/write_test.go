package check

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestWriteFiles writes all files or none: none where one is read-only, also
// for a user who may write it, or where a folder is in its place.
func TestWriteFiles(t *testing.T) {
	dir := t.TempDir()
	a, b, link := filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go"), filepath.Join(dir, "l.go")
	write := func(mode os.FileMode) {
		for _, name := range []string{a, b} {
			if err := errors.Join(os.WriteFile(name, []byte("old"), 0o644),
				os.Chmod(name, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(b, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(b, link); err != nil {
		require.Missing(t, "symbolic links ("+err.Error()+")")
	}
	is := func(name, want string) {
		t.Helper()
		if text, err := os.ReadFile(name); err != nil || string(text) != want {
			t.Errorf("%s is %s, %v", name, text, err)
		}
	}
	for _, second := range []string{b, link, filepath.Join(a, "c.go")} {
		write(0o444)
		err := WriteFiles(map[string][]byte{a: []byte("new"), second: []byte("new")})
		var failed *WriteError
		if !errors.As(err, &failed) || failed.File != second {
			t.Errorf("%s: %v", second, err)
		}
		is(a, "old")
		is(b, "old")
	}
	if err := WriteFiles(map[string][]byte{b: []byte("old")}); err != nil {
		t.Error("a read-only file that does not change: ", err)
	}
	write(0o600)
	if err := WriteFiles(map[string][]byte{a: []byte("new"), link: []byte("new")}); err != nil {
		t.Error(err)
	}
	is(b, "new")
	if info, err := os.Stat(b); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 3 {
		t.Error(all, err)
	}
}
