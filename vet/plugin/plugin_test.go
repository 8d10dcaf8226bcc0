package plugin_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet"
	_ "github.com/lastbit/lastbit/vet/plugin"
	"github.com/lastbit/lastbit/vet/portable"
)

// TestSettings checks that golangci-lint finds the plugin, and which analyzers
// its settings choose.
func TestSettings(t *testing.T) {
	newPlugin, err := register.GetPlugin("lastbit")
	if err != nil {
		t.Fatal(err)
	}
	known := filepath.Join(t.TempDir(), "portable.txt")
	if err := os.WriteFile(known, []byte("a.go: fma: x*y + z\n\n"), 0o666); err != nil {
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
		{map[string]any{"baseline": "testdata/none.txt"}, 0, "--update ./... writes one"},
		{map[string]any{"baseline": "plugin.go"}, 0, "its line 1 is not FILE: KIND: SOURCE"},
		{map[string]any{"baseline": known}, len(portable.Analyzers(nil, "")), ""},
		{map[string]any{"baseline": known, "checks": []string{"fma"}}, 1, ""},
		{map[string]any{"baseline": known, "checks": []string{"widesum"}}, 0,
			`no analyzer is called "widesum"`},
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

// TestGolangciLint builds a golangci-lint with the plugin, as its command
// custom does, and runs it. make golangci asks for it: the build takes minutes.
func TestGolangciLint(t *testing.T) {
	version := os.Getenv("LASTBIT_GOLANGCI")
	if version == "" {
		t.Skip("make golangci runs this test, which builds golangci-lint")
	}
	lint := build(t, version)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		".golangci.yml": `version: "2"
linters:
  default: none
  enable: [lastbit]
  settings:
    custom:
      lastbit:
        type: module
`,
		"go.mod": "module example.com/model\n\ngo 1.24\n",
		"model.go": `// Package model adds.
package model

// Add adds a square.
func Add(s, x float64) float64 {
	s += x * x
	return s
}
`,
	})
	out, err := command(dir, lint, "run", "./...").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "model.go:6:4: fma: s += x * x fuses on") {
		t.Errorf("%v\n%s", err, out)
	}
}

// build builds golangci-lint with the plugin of this module and returns the
// program. It ends the test where the module cannot be had.
func build(t *testing.T, version string) string {
	t.Helper()
	require.Program(t, "go")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/golangci/golangci-lint/v2"
	out, err := command("", "go", "mod", "download", "-json", module+"@"+version).Output()
	var source struct{ Dir string }
	if json.Unmarshal(out, &source) != nil || err != nil || source.Dir == "" {
		require.Missing(t, "golangci-lint "+version+" from the module proxy")
	}
	dir := filepath.Join(t.TempDir(), "source")
	if err := os.CopyFS(dir, os.DirFS(source.Dir)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cmd/golangci-lint"), map[string]string{
		"lastbit.go": "package main\n\nimport _ \"github.com/lastbit/lastbit/vet/plugin\"\n",
	})
	for _, args := range [][]string{
		{"mod", "edit", "-require=github.com/lastbit/lastbit@v0.0.0",
			"-replace=github.com/lastbit/lastbit=" + root},
		{"build", "-mod=mod", "-o", "lint", "./cmd/golangci-lint"},
	} {
		if out, err := command(dir, "go", args...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, "lint")
}

func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	return cmd
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
