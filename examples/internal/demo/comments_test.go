package demo

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const examples = "../.."

// TestComments runs the commands of the examples' package comments, and
// compares their output with the comment.
func TestComments(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("no processes on js")
	}
	comments, err := filepath.Glob(filepath.Join(examples, "*", "doc.go"))
	if err != nil || len(comments) < 6 {
		t.Fatalf("found %v (%v)", comments, err)
	}
	bin := t.TempDir() + string(filepath.Separator)
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, "./...")
	build.Dir = examples
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, comment := range comments {
		source, err := os.ReadFile(comment)
		if err != nil {
			t.Fatal(err)
		}
		runs := 0
		lines := strings.Split(string(source), "\n")
		for i, line := range lines {
			command, ok := strings.CutPrefix(line, "//\t$ go run ./examples/")
			if !ok {
				continue
			}
			runs++
			words := strings.Fields(command)
			out, err := exec.Command(bin+words[0], words[1:]...).CombinedOutput()
			want := strings.TrimPrefix(lines[i+1], "//\t") + "\n"
			if err != nil || string(out) != want {
				t.Errorf("%s: %q (%v), want %q", command, out, err, want)
			}
		}
		if runs == 0 {
			t.Errorf("%s shows no command", comment)
		}
	}
}
