package lapack_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated derives the package again, elsewhere, and compares the files.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "../../internal/_lapack", "-dir", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) < 100 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Base(name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from what internal/_lapack writes (%v): go generate ./blas/lapack",
				filepath.Base(name), err)
		}
	}
}
