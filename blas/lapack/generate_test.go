package lapack_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	root      = "../.."
	generator = "../../internal/_lapack"
	overlays  = generator + "/overlay"
)

// TestGenerated derives the package again, elsewhere, with the lists of
// overlays and the rest of their package, and compares the files.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("go", "run", generator, "-out", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	if err != nil || len(names) < 100 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	isMade := map[string]bool{}
	for _, name := range names {
		isMade[name] = true
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from what internal/_lapack writes (%v): go generate ./blas/lapack",
				name, err)
		}
	}
	here, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range here {
		if strings.HasPrefix(name, "zgonum_") && !isMade["blas/lapack/"+name] {
			t.Errorf("internal/_lapack does not write %s: go generate ./blas/lapack", name)
		}
	}
}

// TestOverlays compiles the overlays where they are.
func TestOverlays(t *testing.T) {
	if out, err := exec.Command("go", "vet", overlays).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestWrongOverlays holds that the generator refuses overlays without a tag,
// with a wrong one, with a body of gonum's, and what does not compile.
func TestWrongOverlays(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "generator")
	build := exec.Command("go", "build", "-o", binary, generator)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const tag = "// Overlay (faster): The sign does not wait for the root.\n"
	for _, tt := range []struct{ old, text, refusal string }{
		{tag, tag, ""},
		{tag, "", "Dlartg: no paragraph Overlay (faster | "},
		{"(faster)", "(sooner)", `Dlartg: "Overlay (sooner): The sign`},
		{"for the root.", "for the root", "Dlartg: \"Overlay (faster): The sign"},
		{"math.Abs(f)\n", "math.Abs(fs)\n", "dlartg.go:54:17: undefined: fs"},
		{"math.Copysign(d, f)", "math.Floor(f)", "no rule for math.Floor"},
		{") Dlartg(f, g", ") Dlartgs(f, g", "impl.Dlartg undefined"},
	} {
		text, err := os.ReadFile(overlays + "/dlartg.go")
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Replace(text, []byte(tt.old), []byte(tt.text), 1)
		if bytes.Equal(changed, text) != (tt.refusal == "") {
			t.Fatalf("dlartg.go has no %q", tt.old)
		}
		refuse(t, binary, "dlartg.go", string(changed), tt.refusal)
	}
	refuse(t, binary, "dlartgs.go", "package gonum\n\nfunc f() {}\n",
		"dlartgs.go is not the name of a file of gonum's")
	refuse(t, binary, "drscl.go", gonumWithTag(t, "drscl.go"),
		"Drscl: a tag, but the body of gonum's function")
}

// gonumWithTag returns a file of gonum's with a tag before its function.
func gonumWithTag(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}",
		"gonum.org/v1/gonum/lapack/gonum").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(text), "\nfunc (", "\n//\n// Overlay (faster): It is.\nfunc (", 1)
}

// refuse runs the generator on the overlays and another file. The refusal is
// part of what it has to print, or "" if it has to succeed.
func refuse(t *testing.T, binary, name, text, refusal string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(overlays)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(binary, "-overlay", dir, "-out", t.TempDir()).CombinedOutput()
	if (err == nil) != (refusal == "") || !strings.Contains(string(out), refusal) {
		t.Errorf("%s: %v, %s, want %q", name, err, out, refusal)
	}
}
