package require

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Library compiles C code to a shared library, with more arguments for the
// compiler if there are any, and returns its path. It ends the test by Missing
// where there is no compiler.
func Library(t testing.TB, code string, args ...string) string {
	t.Helper()
	cc := Program(t, "cc")
	dir := t.TempDir()
	source, library := filepath.Join(dir, "lib.c"), filepath.Join(dir, "lib.so")
	if err := os.WriteFile(source, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"-shared", "-fPIC", "-O1", "-ffp-contract=off", "-o", library, source},
		args...)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return library
}
