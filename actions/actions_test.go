// Package actions_test tries the GitHub Actions in this folder.
package actions_test

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

// TestInputs holds that an action passes each of its inputs on, and that its
// script takes them from the environment.
func TestInputs(t *testing.T) {
	for _, name := range []string{"portable", "lastbit"} {
		action := read(t, name+"/action.yml")
		_, inputs, _ := strings.Cut(action, "\ninputs:\n")
		inputs, _, _ = strings.Cut(inputs, "\nruns:\n")
		declared := names(regexp.MustCompile(`(?m)^  (\w+):$`), inputs)
		used := names(regexp.MustCompile(`\$\{\{ inputs\.(\w+) \}\}`), action)
		if len(declared) == 0 || !slices.Equal(declared, used) {
			t.Errorf("%s: declared inputs are %v, and used ones %v", name, declared, used)
		}
		script := read(t, name+"/"+name+".sh")
		for _, variable := range names(regexp.MustCompile(`(?m)^        ([A-Z]+): `), action) {
			if !strings.Contains(script, "${"+variable+":-") {
				t.Errorf("%s.sh does not read %s", name, variable)
			}
		}
	}
}

// TestPortable holds that the action fails on a place, shows it beside its
// line, and passes with a baseline that has it.
func TestPortable(t *testing.T) {
	dir := module(t)
	write(t, dir, "known.txt",
		"model.go: libm: func F(x float64) float64 { return math.Sin(x) }\n")
	out, code := run(t, dir, "portable", "PACKAGES=./... .", "BASELINE=")
	if want := "::error file=model.go,line=5,col=36,title=lastbit portable libm::"; code != 1 ||
		!strings.Contains(out, want) {
		t.Errorf("without a baseline the exit code is %d:\n%s", code, out)
	}
	if out, code := run(t, dir, "portable", "PACKAGES=./...", "BASELINE=known.txt"); code != 0 ||
		!strings.HasPrefix(out, "yes: no new place found in 1 package\n") {
		t.Errorf("with a baseline the exit code is %d:\n%s", code, out)
	}
	if err := os.Mkdir(filepath.Join(dir, "clean"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "clean/clean.go", "package clean\n")
	if out, code := run(t, dir, "portable", "PACKAGES=./clean\n.\n"); code != 1 {
		t.Errorf("of packages in two lines the exit code is %d:\n%s", code, out)
	}
	if out, code := run(t, dir, "portable", "PACKAGES=./none; true"); code != 2 {
		t.Errorf("of a package that is not there the exit code is %d:\n%s", code, out)
	}
}

// TestVerbs holds that the action for several verbs runs each, shows what it
// finds, and ends as the verb does.
func TestVerbs(t *testing.T) {
	dir := module(t)
	write(t, dir, "a.csv", "x\n1\n2\n")
	write(t, dir, "b.csv", "x\n1\n3\n")
	write(t, dir, "lastbit.toml", "libm = []\n\n[[operation]]\ntarget = \"go:naive\"\n"+
		"dtype = \"f32\"\nn = 20\n")
	summary := filepath.Join(dir, "summary.md")
	for _, c := range []struct {
		verb, arguments, want string
		code                  int
	}{
		{"vet", "./...", "model.go,line=5", 1},
		{"explain", "a.csv b.csv", "\n::error title=lastbit explain::", 1},
		{"explain", "a.csv a.csv", "", 0},
		{"explain", "a.csv\na.csv\n", "", 0},
		{"check", "", "lock-missing", 2},
		{"sum", "a.csv", `::error::lastbit: the verb is "sum"`, 2},
		{"vet; true", "", `::error::lastbit: the verb is "vet; true"`, 2},
	} {
		out, code := run(t, dir, "lastbit", "VERB="+c.verb, "ARGUMENTS="+c.arguments,
			"GITHUB_STEP_SUMMARY="+summary)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s %s: the exit code is %d:\n%s", c.verb, c.arguments, code, out)
		}
	}
	if text := read(t, summary); strings.Count(text, "```") != 6 {
		t.Errorf("the summary is\n%s", text)
	}
}

// module writes a module with one place that is not portable.
func module(t *testing.T) string {
	t.Helper()
	require.Program(t, "go")
	require.Program(t, "bash")
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/model\n\ngo 1.26\n")
	write(t, dir, "model.go", "package model\n\nimport \"math\"\n\n"+
		"func F(x float64) float64 { return math.Sin(x) }\n")
	return dir
}

// run runs an action's script as the action does, and returns its output and
// exit code.
func run(t *testing.T, dir, action string, inputs ...string) (string, int) {
	t.Helper()
	script, err := filepath.Abs(filepath.Join(action, action+".sh"))
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
