package cli

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/preload"
	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/probe/python"
)

func TestMain(m *testing.M) {
	open.ServeIfWorker()
	os.Exit(m.Run())
}

// TestExamples runs every example of every verb's help, in order and in one
// folder that holds data.npy (1000 binary32 numbers), more.npy, trades.csv,
// two results of a function of x.npy, two traces, script.py, a Go program,
// cmd/model, lastbit.toml, and rows.csv.
func TestExamples(t *testing.T) {
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	harmonic := npyFile("<f4", 1000, func(i int) float64 { return 1 / float64(i+1) })
	tenths := npyFile("<f8", 10, func(int) float64 { return 0.1 })
	right := npyFile("<f8", 1000, func(i int) float64 { return crmath.Exp(float64(i) / 7) })
	other := npyFile("<f8", 1000, func(i int) float64 { return math.Exp(float64(i) / 7) })
	sevenths := npyFile("<f8", 1000, func(i int) float64 { return float64(i) / 7 })
	trades := "symbol,price,amount\nA,0.1,3\nB,0.2,7\nA,0.3,1\n"
	for name, content := range map[string][]byte{
		"data.npy": harmonic, "more.npy": tenths, "trades.csv": []byte(trades),
		"a.npy": right, "b.npy": other, "x.npy": sevenths,
		"left/1.exp.in0.npy": sevenths, "right/1.exp.in0.npy": sevenths,
		"left/1.exp.out.npy": right, "right/1.exp.out.npy": other,
		"script.py":           []byte("import numpy\nprint(numpy.ones(3) @ numpy.ones(3))\n"),
		"go.mod":              []byte("module example.com/model\n\ngo 1.24\n"),
		"cmd/model/main.go":   []byte(model),
		"drift/drift.go":      []byte(drift),
		"drift/drift_test.go": []byte(driftTest),
		"lastbit.toml":        []byte(lockConfig),
		"rows.csv":            []byte(sqlRows),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ran := map[string]bool{}
	for _, cmd := range verbs((&app{drivers: drivers(io.Discard)}).root()) {
		t.Run(cmd.Name(), func(t *testing.T) {
			switch cmd.Name() {
			case "run":
				first := filepath.Dir(pyenv.Python(t)) + string(filepath.ListSeparator)
				t.Setenv("PATH", first+os.Getenv("PATH"))
				t.Setenv(preload.Variable, sharedLibrary(t, folder))
			case "portable":
				require.Program(t, "qemu-aarch64-static")
			case "blas":
				// Without it bench starts this program again, a test.
				t.Setenv("OPENBLAS_CORETYPE", "Nehalem")
			}
			if cmd.Example == "" {
				t.Fatal("its help has no example")
			}
			for line := range strings.Lines(cmd.Example) {
				if line = strings.TrimSpace(line); !ran[line] {
					runExample(t, cmd, line)
					ran[line] = true // unless it was skipped
				}
			}
		})
	}
}

// sqlRows are the rows of a query of lastbit sql.
const sqlRows = "lastbit,total,part,place,n,l0,l1,l2,l3,top,chk\n" +
	"7457db0a17fe446f:,4,1,1019,1,26843546,53687091,0,0,0,89691\n" +
	"7457db0a17fe446f:,4,1,1021,1,53687091,40265318,0,0,0,198354\n" +
	"7457db0a17fe446f:,4,1,1020,1,26843546,53687091,0,0,0,89694\n" +
	"7457db0a17fe446f:about:eyJ2ZXJzaW9uIjoxLCJkaWFsZWN0IjoiZHVja2RiIiwiYWdncmVnYXRlc" +
	"yI6W3sib3AiOiJzdW0iLCJjb2x1bW5zIjpbInByaWNlIl19XSwic291cmNlIjoiMzQxMzRlODViN2QyN" +
	"2ZjZSJ9:444F55424C45,4,0,0,0,0,0,0,0,0,0\n"

// drift has a sum that is fused on some platforms.
const drift = `package drift

func Drift(x float64) float64 { return x*x + x }
`

// driftTest calls the function that lastbit portable --check compares.
const driftTest = `package drift

import "testing"

func TestDrift(t *testing.T) { Drift(0.1) }
`

// lockConfig names the operations of lastbit lock.
const lockConfig = `libm = []

[[operation]]
target = "go:naive"
dtype = "f32"
n = 20
`

// model is a program for lastbit digits.
const model = `package main

import (
	"flag"
	"fmt"
	"math"
)

func main() {
	steps := flag.Int("steps", 10, "number of steps")
	flag.Parse()
	x := 1e-10
	for range *steps {
		x = math.Exp(x) - 1
	}
	fmt.Println("x =", x)
}
`

// sharedLibrary builds the library of lastbit run, from the folder of this
// package.
func sharedLibrary(t *testing.T, folder string) string {
	t.Helper()
	require.Program(t, "gcc")
	path := filepath.Join(t.TempDir(), preload.FileName)
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", path, ".")
	build.Dir = filepath.Join(folder, "../../../liblastbit_blas")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// verbs returns a command and all verbs below it, except completion's shells
// and the worker of lastbit run, which no one types.
func verbs(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	if cmd.Name() == "completion" {
		return all
	}
	for _, c := range cmd.Commands() {
		if c.Name() != "help" && c.Name() != "blas-worker" {
			all = append(all, verbs(c)...)
		}
	}
	return all
}

// runExample runs an example of a verb. What it measures gets little time.
func runExample(t *testing.T, cmd *cobra.Command, line string) {
	command, file, redirected := strings.Cut(line, " > ")
	args := shellWords(command)
	if len(args) < 2 || args[0] != "lastbit" {
		t.Fatalf("%q is not a command line of lastbit", line)
	}
	if strings.Contains(line, "numpy") && !slices.ContainsFunc(python.List(t.Context()),
		func(l probe.Listing) bool { return l.Address == "py:numpy.sum" && l.Absent == "" }) {
		require.Missing(t, "NumPy")
	}
	if cmd.Flags().Lookup("budget") != nil {
		args = append(args, "--budget=1ms")
		if line == "lastbit bench math" {
			args = append(args, "--only=exp,hypot")
		}
	}
	if args[1] == "audit" && line != "lastbit audit --ops sum --dtype f64 -n 100" {
		// Few summands, and without Python, because each table would start it
		// again. The end of the subtest unsets the variable.
		args = append(args, "-n=40")
		t.Run("bare", func(t *testing.T) {
			t.Setenv("LASTBIT_PYTHON", filepath.Join(t.TempDir(), "python3"))
			example(t, line, args, file, redirected)
		})
		return
	}
	example(t, line, args, file, redirected)
}

// shellWords splits a command line at blanks outside of single quotes, as a
// shell does.
func shellWords(command string) []string {
	var args []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	return args
}

func example(t *testing.T, line string, args []string, file string, redirected bool) {
	code, stdout, stderr := runLine(t, args[1:]...)
	reports := len(args) > 1 && args[1] == "run" // on standard error
	if code == failed || stderr != "" && !reports {
		t.Errorf("%s: exit code %d, %s", line, code, stderr)
	}
	if redirected {
		if err := os.WriteFile(file, []byte(stdout), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if stdout == "" && !strings.Contains(line, " -o ") {
		t.Errorf("%s printed nothing", line)
	}
}

// runLine runs a command line, and returns its exit code and output.
func runLine(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = Run(t.Context(), strings.NewReader(""), &out, &err, args)
	return code, out.String(), err.String()
}

// npyFile returns numpy.save's file of a vector of floats.
func npyFile(descr string, n int, value func(i int) float64) []byte {
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", descr, n)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)
	for i := range n {
		if strings.HasSuffix(descr, "f4") {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(value(i))))
		} else {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(value(i)))
		}
	}
	return b
}
