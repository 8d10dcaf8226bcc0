package plugin_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet"
	_ "github.com/lastbit/lastbit/vet/plugin"
)

// TestSettings checks that golangci-lint finds the plugin, and which analyzers
// its settings choose.
func TestSettings(t *testing.T) {
	newPlugin, err := register.GetPlugin("lastbit")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		settings any
		want     int
		fault    string
	}{
		{nil, len(vet.Analyzers()), ""},
		{map[string]any{"checks": []string{"fma", "maporder"}}, 2, ""},
		{map[string]any{"checks": []string{"fmaa"}}, 0, `no analyzer is called "fmaa"`},
		{map[string]any{"chekcs": []string{"fma"}}, 0, "chekcs"},
	} {
		p, err := newPlugin(tt.settings)
		if tt.fault != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%v: the error is %v", tt.settings, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.BuildAnalyzers()
		if err != nil || len(got) != tt.want || p.GetLoadMode() != register.LoadModeTypesInfo {
			t.Errorf("%v: %d analyzers, %v", tt.settings, len(got), err)
		}
	}
}

// TestGolangciLint builds a golangci-lint with the plugin and runs it. make
// golangci asks for it: the build takes minutes.
func TestGolangciLint(t *testing.T) {
	if os.Getenv("LASTBIT_GOLANGCI") == "" {
		t.Skip("make golangci runs this test, which builds golangci-lint")
	}
	require.Program(t, "go")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{
		".custom-gcl.yml": "version: " + os.Getenv("LASTBIT_GOLANGCI") + "\nname: lint\nplugins:\n" +
			"  - module: github.com/lastbit/lastbit\n    import: github.com/lastbit/lastbit/vet/plugin\n" +
			"    path: " + root + "\n",
		".golangci.yml": "version: \"2\"\nlinters:\n  default: none\n  enable: [lastbit]\n" +
			"  settings:\n    custom:\n      lastbit:\n        type: module\n",
		"go.mod":  "module example.com/model\n\ngo 1.24\n",
		"main.go": "package main\n\nfunc main() {\n\tx, s := 0.1, 0.0\n\ts += x * x\n\tprintln(s)\n}\n",
	})
	build := exec.Command("go", "run",
		"github.com/golangci/golangci-lint/v2/cmd/golangci-lint@"+os.Getenv("LASTBIT_GOLANGCI"),
		"custom", "-v")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "dial tcp") || strings.Contains(string(out), "not available") {
			require.Missing(t, "golangci-lint from the module proxy")
		}
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(filepath.Join(dir, "lint"), "run", "./...")
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "main.go:5:4: fma: s += x * x fuses on") {
		t.Errorf("%v\n%s", err, out)
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
