package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
)

// lastbitCommand builds the command and returns its path.
func lastbitCommand(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lastbit")
	build := exec.Command("go", "build", "-o", path, "github.com/lastbit/lastbit/cmd/lastbit")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// The Python package asks about callables of the caller's, however these and
// the caller behave: python/tests/asking has the cases.
func TestAsking(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the tests look for processes in /proc")
	}
	current, system := pyenv.Python(t), interpreterWith(t, "torch")
	tests, err := filepath.Abs(filepath.Join("..", "..", "python", "tests", "asking"))
	if err != nil {
		t.Fatal(err)
	}
	packages := filepath.Dir(filepath.Dir(tests))
	env := append(os.Environ(), "LASTBIT="+lastbitCommand(t), "PYTHONPATH="+packages,
		"PYTHONDONTWRITEBYTECODE=1")
	for name, args := range map[string][]string{
		"asking":   {current, "test_asking.py"},
		"current":  {current, "test_findings.py", "torch"},
		"system":   {system, "test_findings.py", "torch"},
		"notebook": {current, "test_notebook.py"},
		"pytest":   {current, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_plugin.py"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir, cmd.Env = tests, env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
