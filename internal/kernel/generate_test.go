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

// generated are the folders with generated assembly. Those below them are
// copied too.
var generated = []string{"internal/cpu", "internal/dl", "internal/kernel", "crmath/internal/f64",
	"crmath/f32"}

// minGenerated bounds the number of files that generators write.
const minGenerated = 24

// generators is the folder of the generators.
const generators = "internal/_asm"

var (
	directive = regexp.MustCompile(`(?m)^//go:generate sh -c "(cd \S*_asm && .*)"$`)
	output    = regexp.MustCompile(`-(?:out|stubs) (\S+)`)
)

// TestGenerated runs every generator of assembly again, elsewhere, and compares
// the files it writes with those here.
func TestGenerated(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, where the assembly is generated")
	}
	repository, root := filepath.Join("..", ".."), t.TempDir()
	for _, folder := range append([]string{generators, "crmath"}, generated[:3]...) {
		from := os.DirFS(filepath.Join(repository, folder))
		if err := os.CopyFS(filepath.Join(root, folder), from); err != nil {
			t.Fatal(err)
		}
	}
	download := exec.Command("go", "mod", "download")
	download.Dir = filepath.Join(root, generators)
	if out, err := download.CombinedOutput(); err != nil {
		require.Missing(t, "the modules of the assembly generators: "+string(out))
	}
	files := 0
	for _, folder := range generated {
		for _, command := range directives(t, filepath.Join(repository, folder)) {
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir = filepath.Join(root, folder)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
			for _, m := range output.FindAllStringSubmatch(command, -1) {
				files++
				path := filepath.Join(generators, m[1])
				compare(t, filepath.Join(root, path), filepath.Join(repository, path))
			}
		}
	}
	if files < minGenerated {
		t.Errorf("only %d files are generated, want %d", files, minGenerated)
	}
}

// directives returns the commands of a package that run generators of assembly.
func directives(t *testing.T, folder string) (commands []string) {
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range directive.FindAllSubmatch(text, -1) {
			commands = append(commands, string(m[1]))
		}
	}
	return commands
}

// compare holds that two files are equal.
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
		t.Errorf("%s differs from the output of its generator: run go generate", committed)
	}
}
