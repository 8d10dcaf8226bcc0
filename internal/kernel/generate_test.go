package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestGenerated runs every generator of assembly once more, elsewhere, and compares
// what it writes with what is here.
func TestGenerated(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, where the assembly is generated")
	}
	// What is generated, and what from, in a tree of the same shape.
	repository, root := filepath.Join("..", ".."), t.TempDir()
	asm := filepath.Join("internal", "_asm")
	for _, folder := range []string{asm, filepath.Join("internal", "cpu"), filepath.Join("internal", "kernel"), "crmath"} {
		if err := os.CopyFS(filepath.Join(root, folder), os.DirFS(filepath.Join(repository, folder))); err != nil {
			t.Fatal(err)
		}
	}
	download := exec.Command("go", "mod", "download")
	download.Dir = filepath.Join(root, asm)
	if out, err := download.CombinedOutput(); err != nil {
		require.Missing(t, "the modules of the assembly generators: "+string(out))
	}
	directive := regexp.MustCompile(`(?m)^//go:generate sh -c "(cd [./]+internal/_asm && .*|cd \.\./_asm && .*)"$`)
	output := regexp.MustCompile(`-(?:out|stubs) (\S+)`)
	files := 0
	for _, folder := range []string{filepath.Join("internal", "cpu"), filepath.Join("internal", "kernel"), "crmath", filepath.Join("crmath", "f32")} {
		sources, err := filepath.Glob(filepath.Join(repository, folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range directive.FindAllSubmatch(text, -1) {
				cmd := exec.Command("sh", "-c", string(d[1]))
				cmd.Dir = filepath.Join(root, folder)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", d[1], err, out)
				}
				for _, name := range output.FindAllSubmatch(d[1], -1) {
					files++
					compare(t, filepath.Join(root, asm, string(name[1])), filepath.Join(repository, asm, string(name[1])))
				}
			}
		}
	}
	if files < 18 {
		t.Errorf("only %d files are generated", files)
	}
}

func compare(t *testing.T, fresh, committed string) {
	a, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s is not what its generator writes: run go generate", committed)
	}
}
