package script

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/cli"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/probe/python"
)

// Main runs the tests of a package, in a program that is lastbit under that
// name.
func Main(m *testing.M) {
	open.ServeIfWorker()
	testscript.Main(m, map[string]func(){"lastbit": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		code := cli.Run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
		stop()
		os.Exit(code)
	}})
}

// pythons lists what the interpreters on this machine offer. They are asked
// once.
var pythons = sync.OnceValue(func() []probe.Listing { return python.List(context.Background()) })

// Need skips the test, or fails it, if the machine lacks a tool.
func Need(t *testing.T, tool string) {
	switch tool {
	case "numpy":
		needListed(t, pythons(), "py:numpy.sum")
	case "openblas":
		needListed(t, clib.List(t.Context()), "blas:openblas")
	case "netcdf":
		for _, python := range []string{"python3", "/usr/bin/python3"} {
			if exec.Command(python, "-c", "import h5py, netCDF4").Run() == nil {
				return
			}
		}
		require.Missing(t, "a Python with h5py and netCDF4")
	case "kernels": // setKernels looks for them
		Need(t, "openblas")
	default:
		require.Program(t, tool)
	}
}

// needListed skips the test, or fails it, unless a target of a list is here.
func needListed(t *testing.T, list []probe.Listing, address string) {
	if !slices.ContainsFunc(list, func(l probe.Listing) bool {
		return l.Address == address && l.Absent == ""
	}) {
		require.Missing(t, address)
	}
}

// processorSettings are the variables that choose instructions of the
// processor. Scripts inherit them from the test's environment.
var processorSettings = []string{
	"GODEBUG", "OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE", "NPY_DISABLE_CPU_FEATURES",
	"ATEN_CPU_CAPABILITY",
}

// setKernels sets CORE to kernels of OpenBLAS that share a long dot product
// among threads, and OTHER to kernels that add 100 products in another order.
// It ends the test if this machine has none.
func setKernels(t *testing.T, e *testscript.Env) {
	open := func(n int, env ...string) (probe.Target, error) {
		return clib.OpenCBLAS(t.Context(), "openblas", probe.Spec{Op: probe.Dot,
			DType: fp.Binary64, N: n, Threads: -1, Env: env})
	}
	core, shares := probetest.DifferingSetting(t, probetest.BLASCores(),
		func(core string, i int) (probe.Target, error) {
			threads := fmt.Sprint("OPENBLAS_NUM_THREADS=", 1+i)
			return open(10100, "OPENBLAS_CORETYPE="+core, threads)
		})
	other, differs := probetest.DifferingSetting(t, probetest.BLASCores(),
		func(other string, i int) (probe.Target, error) {
			one := []string{core, other}[i]
			return open(100, "OPENBLAS_CORETYPE="+one, "OPENBLAS_NUM_THREADS=1")
		})
	if !shares || !differs {
		require.Missing(t, "an OpenBLAS with several kernels that shares a ddot among threads")
	}
	e.Setenv("CORE", core)
	e.Setenv("OTHER", other)
}

// Run runs the scripts in testdata. A line "# needs: cc numpy" names the tools
// that a script needs on the machine. root is the folder of the module.
func Run(t *testing.T, root string) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no scripts", err)
	}
	if root, err = filepath.Abs(root); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			needs := needsOf(t, file)
			for _, tool := range needs {
				Need(t, tool)
			}
			setup := func(e *testscript.Env) error {
				e.Setenv("ROOT", root)
				setEnvironment(e)
				if slices.Contains(needs, "kernels") {
					setKernels(t, e)
				}
				return nil
			}
			testscript.Run(t, testscript.Params{Files: []string{file}, Setup: setup})
		})
	}
}

// needsOf returns the tools that a script needs.
func needsOf(t *testing.T, file string) (needs []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "# needs: "); ok {
			needs = append(needs, strings.Fields(rest)...)
		}
	}
	return needs
}

// setEnvironment sets what scripts have from the environment of the test.
func setEnvironment(e *testscript.Env) {
	if cache := os.Getenv("GOCACHE"); cache != "" {
		e.Setenv("GOCACHE", cache)
	} else if cache, err := os.UserCacheDir(); err == nil { // of the go command
		e.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
	}
	for _, name := range processorSettings {
		if value, set := os.LookupEnv(name); set {
			e.Setenv(name, value)
		}
	}
	if home, err := os.UserHomeDir(); err == nil { // where pyenv may be
		e.Setenv("PYENV_ROOT", filepath.Join(home, ".pyenv"))
	}
}
