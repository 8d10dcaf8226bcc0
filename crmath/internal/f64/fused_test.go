package f64

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestNothingIsFused reads the compiler's own list of the multiplications and
// additions that it fuses, for three architectures where it does, and for all
// with LASTBIT_PORTABLE=all. The packages of elementary functions have none. A
// program that has one checks that the list would name it.
func TestNothingIsFused(t *testing.T) {
	t.Parallel()
	tool := require.Program(t, "go")
	control := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module control\n",
		"control.go": "package control\n\nfunc F(x, y, z float64) float64 { return x*y + z }\n",
	} {
		if err := os.WriteFile(filepath.Join(control, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// A package from the build cache is not compiled, and not listed. The flag
	// -D has no effect here and another value in each run: it makes these
	// packages new, but not those they import.
	flags := "-gcflags=-d=fmahash=vy -D " + t.TempDir()
	fused := func(dir string, env []string) bool {
		cmd := exec.Command(tool, "build", flags, ".")
		if dir == "." {
			cmd.Args = append(cmd.Args, "../..", "../../f32", "../vector", "../wide",
				"../../deviation")
		}
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOFLAGS="), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", env, err, out)
		}
		if dir == "." && len(out) != 0 {
			t.Errorf("%v:\n%s", env, out)
		}
		return strings.Contains(string(out), "fmahash triggered")
	}
	targets := [][]string{{"GOARCH=arm64"}}
	if os.Getenv("LASTBIT_PORTABLE") == "all" {
		targets = append(targets, []string{"GOARCH=s390x"}, []string{"GOARCH=amd64", "GOAMD64=v3"},
			[]string{"GOARCH=ppc64le"}, []string{"GOARCH=riscv64"}, []string{"GOARCH=loong64"})
	}
	for _, env := range targets {
		if fused(".", env) {
			t.Errorf("%v: a fused operation", env)
		}
		if !fused(control, env) {
			t.Errorf("%v: the compiler lists no fused operation at all", env)
		}
	}
}
