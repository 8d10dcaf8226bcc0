// Package portable_test tries the GitHub Action beside it.
package portable_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestInputs holds that the action passes each of its inputs on, and that the
// script takes them from the environment.
func TestInputs(t *testing.T) {
	action := read(t, "action.yml")
	_, inputs, _ := strings.Cut(action, "\ninputs:\n")
	inputs, _, _ = strings.Cut(inputs, "\nruns:\n")
	declared := names(regexp.MustCompile(`(?m)^  (\w+):$`), inputs)
	used := names(regexp.MustCompile(`\$\{\{ inputs\.(\w+) \}\}`), action)
	if len(declared) == 0 || !slices.Equal(declared, used) {
		t.Errorf("declared inputs are %v, and used ones %v", declared, used)
	}
	script := read(t, "portable.sh")
	for _, name := range names(regexp.MustCompile(`(?m)^        ([A-Z]+): `), action) {
		if !strings.Contains(script, "${"+name+":-") {
			t.Errorf("portable.sh does not read %s", name)
		}
	}
}

// TestScript holds that the action fails on a place, shows it beside its line,
// and passes with a baseline that has it.
func TestScript(t *testing.T) {
	require.Program(t, "go")
	require.Program(t, "bash")
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/model\n\ngo 1.26\n")
	write(t, dir, "model.go", "package model\n\nimport \"math\"\n\n"+
		"func F(x float64) float64 { return math.Sin(x) }\n")
	write(t, dir, "known.txt",
		"model.go: libm: func F(x float64) float64 { return math.Sin(x) }\n")
	out, code := run(t, dir, "PACKAGES=./... .", "BASELINE=")
	if want := "::error file=model.go,line=5,col=36,title=lastbit portable libm::"; code != 1 ||
		!strings.Contains(out, want) {
		t.Errorf("without a baseline the exit code is %d:\n%s", code, out)
	}
	if out, code := run(t, dir, "PACKAGES=./...", "BASELINE=known.txt"); code != 0 ||
		!strings.HasPrefix(out, "yes: no new place found in 1 package\n") {
		t.Errorf("with a baseline the exit code is %d:\n%s", code, out)
	}
	if out, code := run(t, dir, "PACKAGES=./none; true"); code != 2 {
		t.Errorf("of a package that is not there the exit code is %d:\n%s", code, out)
	}
}

// run runs the script as the action does, and returns its output and exit code.
func run(t *testing.T, dir string, inputs ...string) (string, int) {
	t.Helper()
	script, err := filepath.Abs("portable.sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append(inputs, "RUNNER_TEMP="+t.TempDir())...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// names returns the names that an expression finds in a text, sorted, each
// once.
func names(e *regexp.Regexp, text string) []string {
	var all []string
	for _, m := range e.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
