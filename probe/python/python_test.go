package python

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
)

// listings returns the listings of this machine, which the tests do not change.
var listings = sync.OnceValue(func() []probe.Listing {
	return (&Driver{}).List(context.Background())
})

// interpreterWith returns the interpreter that a Driver takes for a module.
func interpreterWith(t testing.TB, module string) string {
	t.Helper()
	for _, l := range listings() {
		if strings.HasPrefix(l.Address, prefix+module+".") && l.Absent == "" {
			python, _, _ := strings.Cut(l.Where, " ")
			return python
		}
	}
	require.Missing(t, "a Python with "+module)
	return ""
}

// open opens a target, which needs NumPy.
func open(t *testing.T, address string, s probe.Spec) probe.Target {
	t.Helper()
	target, err := (&Driver{Python: interpreterWith(t, "numpy")}).Open(t.Context(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

// startPython starts Python with one thread, and returns its input and output.
// The end of the test closes the input, and waits for Python to end.
func startPython(t *testing.T, python string, args ...string) (io.Writer, io.Reader) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, args...)
	for _, v := range threadVariables {
		cmd.Env = append(cmd.Environ(), v+"=1")
	}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // a failure shows in the output, which ends early
	})
	return in, out
}

func TestKeys(t *testing.T) {
	python := interpreterWith(t, "numpy")
	version, err := exec.CommandContext(t.Context(), python, "-c",
		"import numpy, platform\n"+
			"print(numpy.__version__, platform.python_version(), end='')").Output()
	if err != nil {
		t.Fatal(err)
	}
	numpy, py, _ := strings.Cut(string(version), " ")
	for _, c := range []struct {
		address string
		spec    probe.Spec
		check   func(k probe.Key) bool
	}{
		{"numpy.sum", probe.Spec{DType: fp.Binary32, N: 4}, func(k probe.Key) bool {
			return k.Op == probe.Sum && k.Out == fp.Binary32 && k.Threads == 1 && !k.Mean &&
				k.Kernel == ""
		}},
		{"numpy.sum", probe.Spec{DType: fp.Binary16, Acc: fp.Binary32, N: 4},
			func(k probe.Key) bool { return k.Out == fp.Binary32 && k.Acc == fp.Binary32 }},
		{"numpy.mean", probe.Spec{DType: fp.Binary16, N: 4},
			func(k probe.Key) bool { return k.Mean && k.Out == fp.Binary16 }},
		{"numpy.cumsum", probe.Spec{DType: fp.Binary64, N: 9},
			func(k probe.Key) bool { return slices.Equal(k.OutIndex, []int{8}) }},
		{"numpy.dot", probe.Spec{DType: fp.Binary64, N: 9},
			func(k probe.Key) bool { return k.Op == probe.Dot && k.Kernel != "" && k.M == 0 }},
		{"numpy.dot", probe.Spec{Op: probe.Gemv, DType: fp.Binary64, N: 9},
			func(k probe.Key) bool { return k.M == 9 && slices.Equal(k.OutIndex, []int{0}) }},
		{"numpy.matmul", probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 9},
			func(k probe.Key) bool {
				return k.M == 9 && k.Cols == 9 &&
					slices.Equal(k.OutIndex, []int{0, 0})
			}},
		{"numpy.matmul", probe.Spec{Op: probe.Gemm, DType: fp.Binary16, N: 1 << 14},
			func(k probe.Key) bool { return k.M == 32 && k.Cols == 32 && k.Kernel == "" }},
		{"numpy.sum", probe.Spec{DType: fp.Binary32, N: 1 << 14, Axis: "1"},
			func(k probe.Key) bool { return k.M == 256 }},
	} {
		target := open(t, c.address, c.spec)
		k := target.Key()
		if !c.check(k) || k.Target != "py:"+c.address || k.Library != "NumPy" ||
			k.Version != numpy || k.Runtime != python+" "+py {
			t.Errorf("%s %+v: key %+v", c.address, c.spec, k)
		}
		if want := max(1, k.M); target.Lanes() != want {
			t.Errorf("%s: %d lanes, want %d", k, target.Lanes(), want)
		}
	}
	if k := open(t, "sum", probe.Spec{N: 4}).Key(); k.Target != "py:builtins.sum" ||
		k.DType != fp.Binary64 || k.Library != "Python" || k.Version != py {
		t.Errorf("sum: key %+v", k)
	}
}

func TestFsumWithoutResult(t *testing.T) {
	target := open(t, "math.fsum", probe.Spec{N: 3})
	for _, x := range [][]float64{{math.Inf(1), 1, math.Inf(-1)},
		{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}} {
		out := []float64{0}
		if err := target.Call(t.Context(), &probe.Batch{X: x, Out: out}); err != nil ||
			!math.IsNaN(out[0]) {
			t.Errorf("fsum(%v) is %v, %v", x, out[0], err)
		}
	}
	out := []float64{0}
	if err := target.Call(t.Context(),
		&probe.Batch{X: []float64{1e16, 1, -1e16}, Out: out}); err != nil || out[0] != 1 {
		t.Errorf("fsum is %v, %v, want 1", out[0], err)
	}
}

func TestFaults(t *testing.T) {
	d := &Driver{Python: interpreterWith(t, "numpy")}
	for _, c := range []struct {
		address string
		spec    probe.Spec
		id      string
		part    string
	}{
		{"numpy.max", probe.Spec{DType: fp.Binary32, N: 4}, "unknown-function",
			"numpy.sum, numpy.mean"},
		{"", probe.Spec{DType: fp.Binary32, N: 4}, "unknown-function", "numpy.sum"},
		{"numpy.sum", probe.Spec{Op: probe.Dot, DType: fp.Binary32, N: 4}, "unsupported",
			"it computes sum, not dot"},
		{"numpy.sum", probe.Spec{DType: fp.BFloat16, N: 4}, "unsupported",
			"it takes f64, f32 and f16, not bf16"},
		{"math.fsum", probe.Spec{DType: fp.Binary32, N: 4}, "unsupported", "not f32"},
		{"numpy.dot", probe.Spec{DType: fp.Binary32, Acc: fp.Binary64, N: 4}, "unsupported-option",
			"f64 was asked for"},
		{"numpy.cumsum", probe.Spec{DType: fp.Binary32, N: 4, Axis: "0"}, "unsupported-option",
			"axis"},
		{"numpy.sum", probe.Spec{DType: fp.Binary32, N: 4, OutIndex: []int{0}}, "bad-out-index",
			"no output position to choose"},
		{"numpy.sum", probe.Spec{DType: fp.Binary32, N: 4, Device: "cuda"}, "unsupported-option",
			"leave --device out"},
		{"math.fsum", probe.Spec{N: 4, Stride: 2}, "unsupported-option", "leave --stride out"},
		{"numpy.sum", probe.Spec{N: 4}, "bad-spec", "format"},
		{"numpy.sum", probe.Spec{DType: fp.Binary32}, "bad-spec", "nothing to add"},
		{"numpy.cumsum", probe.Spec{DType: fp.Binary32, N: 4, OutIndex: []int{4}}, "bad-spec",
			"output 4 is"},
		{"numpy.dot", probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 4, OutIndex: []int{0, 4}},
			"bad-spec", "output 0,4 is outside of the results, of shape 4×4"},
	} {
		_, err := d.Open(t.Context(), c.address, c.spec)
		drivertest.Fault(t, err, c.id, c.part)
	}
}

// TestMissingDevice holds that the fault for a device that PyTorch does not see
// proposes to leave --device out.
func TestMissingDevice(t *testing.T) {
	python := interpreterWith(t, "torch")
	target, err := (&Driver{Python: python}).Open(t.Context(), "torch.sum",
		probe.Spec{DType: fp.Binary32, N: 4, Device: "cuda"})
	if err == nil {
		target.Close()
		t.Skip("this machine has a CUDA device")
	}
	drivertest.Fault(t, err, "unsupported", "CUDA", "leave --device out", "LASTBIT_PYTHON")
}

func BenchmarkCall(b *testing.B) {
	python := interpreterWith(b, "numpy")
	for _, s := range []probe.Spec{{DType: fp.Binary32, N: 1000},
		{DType: fp.Binary32, N: 4096, M: 1024, Axis: "1"}} {
		b.Run(fmt.Sprintf("m=%d/n=%d", s.M, s.N), func(b *testing.B) {
			target, err := (&Driver{Python: python}).Open(b.Context(), "numpy.sum", s)
			if err != nil {
				b.Fatal(err)
			}
			defer target.Close()
			batch := probe.NewBatch(target)
			b.SetBytes(int64(8 * len(batch.X)))
			for b.Loop() {
				if err := target.Call(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
