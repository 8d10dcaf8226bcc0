package functions

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// added are the rows of the function of testdata, by packages.
var added = map[string]string{
	"internal/f64": "inverse unary inverse inverseLane inverseCall 1,9 -20,20 inverseKinds -",
	"f32":          "inverse unary inverse inverse inverse 1,9 odd - - 0x1,0x2",
}

// TestAddsAFunction adds a file and a row to each of the two packages,
// generates everything again, and compiles and tests the result: the function
// is in the sets of kernels, in the single calls and in the rows of tests.
func TestAddsAFunction(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, where the assembly is generated")
	}
	o := newOverlay(t)
	for folder, row := range added {
		o.add(t, folder, row)
	}
	files, err := Files(o.folder)
	if err != nil {
		t.Fatal(err)
	}
	for folder := range added {
		for name, src := range files {
			if strings.HasPrefix(name, folder+"/") {
				o.write(t, name, src)
			}
		}
		o.compileLanes(t, folder)
	}
	o.run(t, "test", "-vet=off", "-run", "TestInverse", "./f32", "./internal/f64")
	t.Setenv("GOARCH", "arm64")
	o.run(t, "build", "./f32", "./internal/f64")

	gaps := missing(t, o.folder)
	for _, want := range []string{"directed/*.go: Inverse", "f16/*.go: Inverse",
		"internal/hardest/inverse.txt", "crmath/internal/args/hard/inverse.txt"} {
		if !slices.Contains(gaps, want) {
			t.Errorf("the gaps %q lack %s", gaps, want)
		}
	}
}

// An overlay is a copy of crmath's packages in another folder, of which some
// files replace or extend the committed ones.
type overlay struct {
	folder  string
	changed map[string]string // its files by those that they replace
}

func newOverlay(t *testing.T) *overlay {
	t.Helper()
	o := &overlay{t.TempDir(), map[string]string{}}
	for _, folder := range []string{"f32", "internal/f64"} {
		if err := os.CopyFS(filepath.Join(o.folder, folder),
			os.DirFS(filepath.Join(crmath, folder))); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// write writes a file that the overlay changes.
func (o *overlay) write(t *testing.T, name string, text []byte) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(crmath, name))
	if err != nil {
		t.Fatal(err)
	}
	o.changed[path] = filepath.Join(o.folder, name)
	if err := os.WriteFile(o.changed[path], text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// add adds a package's files of testdata, and a row.
func (o *overlay) add(t *testing.T, folder, row string) {
	t.Helper()
	for _, name := range []string{"inverse.go", "inverse_test.go"} {
		text, err := os.ReadFile(filepath.Join("testdata", filepath.Base(folder), name))
		if err != nil {
			t.Fatal(err)
		}
		o.write(t, folder+"/"+name, text)
	}
	table := folder + "/functions.txt"
	text, err := os.ReadFile(filepath.Join(crmath, table))
	if err != nil {
		t.Fatal(err)
	}
	o.write(t, table, append(text, row+"\n"...))
}

// compileLanes runs the go:generate lines of a package for the copy.
func (o *overlay) compileLanes(t *testing.T, folder string) {
	t.Helper()
	source := filepath.Join(o.folder, folder)
	text, err := os.ReadFile(filepath.Join(source, "lanes.go"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		_, command, ok := strings.Cut(strings.TrimSpace(line), "&& go run ./lanes ")
		if !ok {
			continue
		}
		lines++
		command = strings.ReplaceAll(strings.TrimSuffix(command, `"`), "../../crmath/"+folder,
			source)
		cmd := exec.Command("go", append([]string{"run", "./lanes"}, strings.Fields(command)...)...)
		cmd.Dir = filepath.Join(crmath, "..", "internal", "_asm")
		if out, err := cmd.CombinedOutput(); err != nil {
			if strings.Contains(string(out), "avo") {
				require.Missing(t, "the modules of the assembly generators: "+string(out))
			}
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
	if lines != 3 {
		t.Fatalf("%s has %d generators of assembly, want 3", folder, lines)
	}
	for _, name := range []string{"calls_amd64", "lanes_amd64", "lanes_arm64"} {
		for _, extension := range []string{".go", ".s"} {
			name := folder + "/" + name + extension
			text, err := os.ReadFile(filepath.Join(o.folder, name))
			if err != nil {
				t.Fatal(err)
			}
			o.write(t, name, text)
		}
	}
}

// run runs a command of go with the overlay.
func (o *overlay) run(t *testing.T, command string, args ...string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": o.changed})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(o.folder, "overlay.json")
	if err := os.WriteFile(list, text, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append([]string{command, "-overlay", list}, args...)...)
	cmd.Dir = crmath
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", cmd.Args, err, out)
	}
}
