package instrument

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestModuleWithoutGoMod rewrites a package of a module from before Go had
// modules. Its folder in the module cache has no go.mod. It runs alone, since
// it sets variables of the go command.
func TestModuleWithoutGoMod(t *testing.T) {
	require.Program(t, "go")
	const module = "example.com/old"
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range map[string]string{
		"old.go":       "package old\n\nfunc Third(x float64) float64 { return Half(x) / 1.5 }\n",
		"half.go":      "package old\n\nfunc Half(x float64) float64 { return x * 0.5 }\n",
		"unused/un.go": "package unused\n",
	} {
		w, err := z.Create(module + "@v1.0.0/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write("proxy/"+module+"/@v/v1.0.0.zip", archive.String())
	write("proxy/"+module+"/@v/v1.0.0.mod", "module "+module+"\n")
	write("proxy/"+module+"/@v/v1.0.0.info", `{"Version": "v1.0.0"}`)
	write("program/go.mod", "module example.com/program\n\ngo 1.24\n\nrequire "+module+" v1.0.0\n")
	write("program/main.go", `package main

import (
	"fmt"
	"runtime"

	"example.com/old"
)

func main() {
	_, file, _, _ := runtime.Caller(0)
	fmt.Println(old.Third(1), file)
}
`)
	for _, v := range [][2]string{{"GOPROXY", "file://" + filepath.Join(dir, "proxy")},
		{"GOMODCACHE", filepath.Join(dir, "cache")}, {"GONOSUMDB", "*"}, {"GOWORK", "off"},
		{"GOFLAGS", "-mod=mod -modcacherw"}} {
		t.Setenv(v[0], v[1])
	}
	p, err := Build(context.Background(),
		Options{Dir: filepath.Join(dir, "program"), Package: "."}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]bool)
	for _, s := range p.Sites {
		texts[s.Text] = true
	}
	if !texts["Half(x) / 1.5"] || !texts["x * 0.5"] {
		t.Errorf("sites %v", p.Sites)
	}
	outputs := make(map[string]bool)
	for seed := range uint64(8) {
		out, err := p.Run(context.Background(), Input{}, Settings{Perturb: true, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		outputs[string(out.Stdout)] = true
	}
	if len(outputs) != 2 {
		t.Errorf("%d outputs, not both roundings of 1/3: %v", len(outputs), outputs)
	}
	out, err := p.Run(context.Background(), Input{}, Settings{Perturb: true, Calls: true})
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "cache", module+"@v1.0.0", "old.go")
	if len(out.Calls) != 1 || out.Calls[0].File != want {
		t.Errorf("calls %v, not of %s", out.Calls, want)
	}
	for _, path := range p.Files {
		if !strings.HasPrefix(path, dir) {
			t.Errorf("a file of %s", path)
		}
	}
}
