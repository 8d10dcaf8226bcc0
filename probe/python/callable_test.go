package python

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
	"github.com/lastbit/lastbit/probe/probetest"
)

// ownFile returns the path of a file of testdata/own.
func ownFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "own", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// backwards adds from right to left in float32, by a scale.
func backwards(scale float32) func(x, y []float64) float64 {
	return func(x, y []float64) float64 {
		var total float32
		for i := len(x) - 1; i >= 0; i-- {
			v := float32(x[i])
			if y != nil {
				v = float32(v * float32(y[i]))
			}
			if i == len(x)-1 {
				total = v
			} else {
				total += v
			}
		}
		return float64(scale * total)
	}
}

// forwards adds from left to right in float64.
func forwards(x, _ []float64) float64 {
	var total float64
	for _, v := range x {
		total += v
	}
	return total
}

// Every form of an address calls the callable that it names.
func TestCallables(t *testing.T) {
	python := interpreterWith(t, "numpy")
	sums := ownFile(t, "sums.py")
	t.Chdir(filepath.Dir(sums))
	for _, c := range []struct {
		address string
		op      probe.Op
		out     fp.Format
		want    func(x, y []float64) float64
	}{
		{"sums:right_to_left", "", fp.Binary32, backwards(1)},
		{sums + ":right_to_left", probe.Sum, fp.Binary32, backwards(1)},
		{"./sums.py:right_to_left", probe.Sum, fp.Binary32, backwards(1)},
		{"sums.py:right_to_left", probe.Sum, fp.Binary32, backwards(1)},
		{"sums.py:dot", probe.Dot, fp.Binary32, backwards(1)},
		{"sums:lists", probe.Sum, fp.Binary64, forwards},
		{"sums:twice(sums:right_to_left)", probe.Sum, fp.Binary32, backwards(2)},
		{"sums:twice(sums:twice(./sums.py:right_to_left))", probe.Sum, fp.Binary32, backwards(4)},
		{"math:fsum", probe.Sum, fp.Binary64, nil},
		{"sums:sums.method", probe.Sum, fp.Binary32, nil},
		{"sums:sibling", probe.Sum, fp.Binary32, nil},
		{sums + ":speaks", probe.Sum, fp.Binary32, nil},
		{sums + ":forks", probe.Sum, fp.Binary32, nil},
		{"sums:whole", probe.Sum, fp.Binary64, nil},
	} {
		d := &Driver{Python: python}
		target, err := d.Open(t.Context(), c.address,
			probe.Spec{Op: c.op, DType: fp.Binary32, N: 20})
		if err != nil {
			t.Errorf("%s: %v", c.address, err)
			continue
		}
		if k := target.Key(); k.Target != "py:"+c.address || k.Out != c.out || k.Kernel != "" {
			t.Errorf("%s: its key is %+v", c.address, k)
		}
		if c.want == nil {
			sumOf(t, target)
			target.Close()
			continue
		}
		rng := rand.New(rand.NewPCG(1, 2))
		b := probe.NewBatch(target)
		for range 20 {
			fill(b, fp.Binary32, rng)
			if err := target.Call(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if want := c.want(b.X, b.Y); !same(b.Out[0], want) {
				t.Errorf("%s: %v, want %v", c.address, b.Out[0], want)
			}
		}
		target.Close()
	}
}

// A callable passes the suite of every driver, in any layout.
func TestCallableConformance(t *testing.T) {
	d := &Driver{Python: forked(t, interpreterWith(t, "numpy"), "numpy")}
	sums := ownFile(t, "sums.py")
	for address, s := range map[string]probe.Spec{
		sums + ":sums.method": {DType: fp.Binary32, N: 100, Stride: 2, Align: 8},
		sums + ":matrix": {Op: probe.Gemm, DType: fp.Binary32, N: 30, M: 6, Cols: 4,
			Trans: "b", OutIndex: []int{1, 2}},
		"numpy:matmul":  {Op: probe.Gemv, DType: fp.Binary64, N: 20, M: 7, Order: "F"},
		sums + ":lists": {DType: fp.Binary64, N: 40},
	} {
		t.Run(filepath.Base(address), func(t *testing.T) {
			probetest.Run(t,
				func() (probe.Target, error) { return d.Open(t.Context(), address, s) })
		})
	}
}

// What a callable does wrong is a fault that names it.
func TestCallableFaults(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy")}
	for _, c := range []struct{ address, id, part string }{
		{"sums.py:raises", "callable-raised",
			"ValueError: not today, not tomorrow (sums.py, line 53)"},
		{"sums.py:leaves", "callable-raised", "SystemExit: 3 (sums.py, line 57)"},
		{"sums.py:raises_much", "callable-raised", "xxx … xxx"},
		{"sums.py:raises_much", "callable-raised", "xxx end (sums.py, line 61)"},
		{"sums.py:raises_mute", "callable-raised", "Mute: (its text cannot be had: ValueError)"},
		{"sums.py:exits", "worker-died", "without an answer (exit status 7); call it by hand"},
		{"sums.py:crashes", "worker-died", "(signal: segmentation fault); its last words: " +
			"Fatal Python error: Segmentation fault, File "},
		{"sums.py:closes", "worker-died", "(exit status 1)"},
		{"sums.py:word", "callable-result", "it returns 'abc', of type str"},
		{"sums.py:nothing", "callable-result", "it returns None"},
		{"sums.py:plain_list", "callable-result", "0.0 …, of type list; let it return one"},
		{"sums.py:takes_two", "callable-raised", "give it two operands with --op dot"},
		{"sums.py:vector", "callable-result", "shape (2,), not one number"},
		{"sums.py:integers", "callable-result", "values of type int64"},
		{"sums.py:changes", "callable-changes", "it changes its first operand"},
		{"sums.py:hangs", "worker-timeout", "its first call returned nothing within the " +
			"time of a call; give it more time with --timeout"},
		{"sums.py:number", "callable-missing", "is of type float, and cannot be called"},
		{"sums.py:right", "callable-missing", "sums.py has no right; it has Mute, Sums, changes,"},
		{"sums.py:sums.metod", "callable-missing", "Sums has no metod; it has method"},
		{"broken.py:f", "callable-import", "RuntimeError: no good (broken.py, line 1)"},
		{"syntax.py:f", "callable-import", "SyntaxError:"},
		{"nowhere.py:f", "callable-import", "nowhere.py; check the path"},
		{"container.py:f", "callable-import", "lastbit_arrays is 'cupy', which is none of numpy"},
		{"lacking.py:f", "module-missing",
			"no module no_such_module (lacking.py imports it) in " + d.Python},
	} {
		address := ownFile(t, ".") + "/" + c.address
		target, err := d.Open(t.Context(), address,
			probe.Spec{DType: fp.Binary32, N: 20, Timeout: 8 * time.Second})
		if err == nil {
			target.Close()
		}
		drivertest.Fault(t, err, c.id, "py:"+address, c.part)
	}
	for _, c := range []struct{ address, id, part string }{
		{"no_such_module:f", "module-missing", "no module no_such_module in " + d.Python},
		{"numpy:", "bad-address", "write py:module:function"},
		{":f", "bad-address", "write py:module:function"},
		{"a b:f", "bad-address", "write py:module:function"},
		{"numpy:a b", "bad-address", "write py:module:function"},
		{"./sums.py", "bad-address", "write py:./sums.py:function"},
		{"f()", "bad-address", "write py:module:function"},
		{"numpy:sum(numpy:sum", "bad-address", "write py:module:function"},
		{"numpy:nosum", "callable-missing", "has no nosum; it has "},
		{"numpy:pi", "callable-missing", "cannot be called"},
	} {
		_, err := d.Open(t.Context(), c.address, probe.Spec{DType: fp.Binary32, N: 20})
		drivertest.Fault(t, err, c.id, c.part)
	}
	for _, s := range []probe.Spec{{DType: fp.BFloat16, N: 4}, {DType: fp.Binary32, N: 4,
		Axis: "0"}, {DType: fp.Binary32, N: 4, Acc: fp.Binary64}, {DType: fp.Binary32, N: 4,
		OutIndex: []int{0}}} {
		if _, err := d.Open(t.Context(), "numpy:sum", s); err == nil {
			t.Errorf("%+v is not refused", s)
		}
	}
}

// A callable's output reaches the driver's, its start at least.
func TestCallablePrints(t *testing.T) {
	var printed bytes.Buffer
	d := &Driver{Python: interpreterWith(t, "numpy"), Stderr: &printed}
	target, err := d.Open(t.Context(), ownFile(t, "sums.py")+":prints",
		probe.Spec{DType: fp.Binary32, N: 20})
	if err != nil {
		t.Fatal(err)
	}
	sumOf(t, target)
	target.Close() // and its output has been read
	text := printed.String()
	if !strings.HasPrefix(text, "to be read\nyyy") || !strings.HasSuffix(text, "is not shown\n") ||
		len(text) < 50000 || len(text) > 70000 {
		t.Errorf("%d bytes, that begin with %.40q", len(text), text)
	}
}

// A callable that fails, hangs or dies in a call makes one fault; the next call
// works.
func TestCallableGoesOn(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy")}
	for _, c := range []struct {
		name, id string
		op       probe.Op
		first    float64
		restarts int
	}{
		{"fickle", "callable-result", probe.Sum, 13, 0},
		{"changes_second", "callable-changes", probe.Dot, 13, 0},
		{"hangs_later", "worker-timeout", probe.Sum, 13, 1},
		{"dies_later", "worker-died", probe.Sum, 13, 1},
	} {
		target, err := d.Open(t.Context(), ownFile(t, "sums.py")+":"+c.name,
			probe.Spec{Op: c.op, DType: fp.Binary32, N: 20, Timeout: 8 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		b := probe.NewBatch(target)
		b.X[0] = c.first
		drivertest.Fault(t, target.Call(t.Context(), b), c.id, c.name)
		clear(b.X)
		clear(b.Y)
		if err := target.Call(t.Context(), b); err != nil || b.Out[0] != 0 {
			t.Errorf("%s: then %v, %v", c.name, b.Out[0], err)
		}
		if n := target.(probe.Restarter).Restarts(); n != c.restarts {
			t.Errorf("%s: %d restarts, want %d", c.name, n, c.restarts)
		}
		target.Close()
	}
	if runtime.GOOS == "linux" {
		if left := workers(t); len(left) != 0 {
			t.Errorf("workers %v are left", left)
		}
	}
}

// A module of the working directory is found, but hides no module that is
// installed. A file is itself, whatever its name, and what it imports first
// comes from its own folder.
func TestPlacesOfModules(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy")}
	t.Chdir(t.TempDir())
	other := t.TempDir()
	for path, text := range map[string]string{
		"statistics.py":                       "raise SystemExit('a trap')\n",
		"ctypes.py":                           "raise SystemExit('a trap')\n",
		"mine.py":                             "def f(x):\n    return x.sum()\n",
		filepath.Join(other, "helper.py"):     "def f(x):\n    return x.sum()\n",
		filepath.Join(other, "statistics.py"): "from helper import f\nimport numpy\n",
		filepath.Join(other, "secret.py"):     "def f(x):\n    return x.sum()\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := probe.Spec{DType: fp.Binary64, N: 5}
	for _, address := range []string{"mine:f", "statistics:fmean",
		filepath.Join(other, "statistics.py") + ":f"} {
		target, err := d.Open(t.Context(), address, s)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		target.Close()
	}
	_, err := d.Open(t.Context(), "secret:f", s)
	drivertest.Fault(t, err, "module-missing", "no module secret")
}

// A callable gets the container that its annotation, its module's variable, its
// library or its wrapper chooses.
func TestContainers(t *testing.T) {
	d := &Driver{Python: pyenv.Python(t)}
	dir := t.TempDir()
	var addresses []string
	for i, c := range []struct{ header, annotation, class, total string }{
		{"import numpy", "numpy.ndarray", "numpy.ndarray", "x.sum()"},
		{"import numpy", "float", "numpy.ndarray", "x.sum()"},
		{"import numpy.typing", "'numpy.typing.NDArray[numpy.float32]'", "numpy.ndarray",
			"x.sum()"},
		{"", "'list[float]'", "list", "sum(x)"},
		{"import torch", "torch.Tensor", "torch.Tensor", "x.sum()"},
		{"import torch\nlastbit_arrays = 'torch'", "object", "torch.Tensor", "x.sum()"},
		{"import jax", "jax.Array", "jax.Array", "x.sum()"},
		{"import pandas", "pandas.Series", "pandas.Series", "x.sum()"},
		{"import polars", "polars.Series", "polars.Series", "x.sum()"},
		{"import pyarrow.compute", "pyarrow.Array", "pyarrow.Array", "pyarrow.compute.sum(x)"},
	} {
		text := fmt.Sprintf("%s\n\n\ndef f(x: %s):\n    assert isinstance(x, %s)\n    return %s\n",
			c.header, c.annotation, c.class, c.total)
		file := filepath.Join(dir, fmt.Sprintf("kind%d.py", i))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, file+":f")
	}
	addresses = append(addresses, "torch:nansum", "pandas:Series.sum", "polars:Series.sum",
		"pyarrow.compute:sum", "jax.jit(jax.numpy.nansum)",
		"numba.njit("+ownFile(t, "sums.py")+":right_to_left)")
	for _, address := range addresses {
		target, err := d.Open(t.Context(), address, probe.Spec{DType: fp.Binary32, N: 20})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		b := probe.NewBatch(target)
		b.X[3], b.X[7] = 0.25, math.Ldexp(1, 20)
		if err := target.Call(t.Context(), b); err != nil || b.Out[0] != math.Ldexp(1, 20)+0.25 {
			t.Errorf("%s: %v, %v", address, b.Out[0], err)
		}
		target.Close()
	}
}

// The worker's program is an argument, which has to fit into the command line
// of every system.
func TestProgramIsShort(t *testing.T) {
	if n := len(argument(workerCode())); n > 24<<10 {
		t.Errorf("it has %d bytes", n)
	}
}
