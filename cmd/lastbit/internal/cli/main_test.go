package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/probe/python"
)

func TestMain(m *testing.M) {
	open.ServeIfWorker()
	testscript.Main(m, map[string]func(){"lastbit": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		code := Run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
		stop()
		os.Exit(code)
	}})
}

// pythons is what the interpreters on this machine offer; asking each once is enough.
var pythons = sync.OnceValue(func() []probe.Listing { return python.List(context.Background()) })

// need ends the test where the machine lacks something.
func need(t *testing.T, what string) {
	switch what {
	case "numpy":
		for _, l := range pythons() {
			if l.Address == "py:numpy.sum" && l.Absent == "" {
				return
			}
		}
		require.Missing(t, "NumPy")
	case "openblas":
		for _, l := range clib.List(t.Context()) {
			if l.Address == "blas:openblas" && l.Absent == "" {
				return
			}
		}
		require.Missing(t, "OpenBLAS")
	default:
		require.Program(t, what)
	}
}

// TestScripts runs testdata/script. A line "# needs: cc numpy" says what a script
// cannot do without.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no scripts", err)
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if rest, ok := strings.CutPrefix(line, "# needs: "); ok {
					for _, what := range strings.Fields(rest) {
						need(t, what)
					}
				}
			}
			testscript.Run(t, testscript.Params{Files: []string{file}, Setup: func(e *testscript.Env) error {
				e.Setenv("ROOT", root)
				home, err := os.UserHomeDir() // where pyenv may be
				if err == nil {
					e.Setenv("PYENV_ROOT", filepath.Join(home, ".pyenv"))
				}
				return nil
			}})
		})
	}
}

// TestExamples runs every example of every verb's help, in order and in one
// folder, with a data.npy of 1000 binary32 numbers, a more.npy and a trades.csv in it.
func TestExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data.npy", npyFile("<f4", 1000, func(i int) float64 { return 1 / float64(i+1) }), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("more.npy", npyFile("<f8", 10, func(i int) float64 { return 0.1 }), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("trades.csv", []byte("symbol,price,amount\nA,0.1,3\nB,0.2,7\nA,0.3,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ran := map[string]bool{}
	for _, cmd := range verbs((&app{drivers: drivers()}).root()) {
		t.Run(cmd.Name(), func(t *testing.T) {
			if cmd.Example == "" {
				t.Fatal("its help has no example")
			}
			for line := range strings.Lines(cmd.Example) {
				if line = strings.TrimSpace(line); !ran[line] {
					ran[line] = true
					runExample(t, line)
				}
			}
		})
	}
}

// verbs returns a command and all verbs below it, except completion's shells.
func verbs(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	if cmd.Name() == "completion" {
		return all
	}
	for _, c := range cmd.Commands() {
		if c.Name() != "help" {
			all = append(all, verbs(c)...)
		}
	}
	return all
}

func runExample(t *testing.T, line string) {
	command, file, redirected := strings.Cut(line, " > ")
	args := strings.Fields(command)
	if len(args) < 2 || args[0] != "lastbit" {
		t.Fatalf("%q is no command line of lastbit", line)
	}
	if strings.Contains(line, "numpy") {
		need(t, "numpy")
	}
	if line == "lastbit audit" {
		// Without Python, which would be started for every table once more: the
		// other examples of audit have it. A test of its own, so that what it sets
		// ends with it.
		t.Run("bare", func(t *testing.T) {
			t.Setenv("LASTBIT_PYTHON", filepath.Join(t.TempDir(), "python3"))
			example(t, line, args, file, redirected)
		})
		return
	}
	example(t, line, args, file, redirected)
}

func example(t *testing.T, line string, args []string, file string, redirected bool) {
	var stdout, stderr bytes.Buffer
	if code := Run(t.Context(), strings.NewReader(""), &stdout, &stderr, args[1:]); code == failed || stderr.Len() > 0 {
		t.Errorf("%s: exit code %d, %s", line, code, stderr.String())
	}
	if redirected {
		if err := os.WriteFile(file, stdout.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if stdout.Len() == 0 && !strings.Contains(line, " -o ") {
		t.Errorf("%s printed nothing", line)
	}
}

// npyFile is what numpy.save writes for a vector of floats.
func npyFile(descr string, n int, value func(i int) float64) []byte {
	head := "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + strconv.Itoa(n) + ",), }"
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
