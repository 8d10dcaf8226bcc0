package python

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

// reference is a running testdata/reference.py.
type reference struct {
	in  io.Writer
	out *bufio.Scanner
}

// startReference starts the reference under an interpreter, with one thread.
func startReference(t *testing.T, python string) *reference {
	t.Helper()
	in, out := startPython(t, python, "testdata/reference.py")
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<26)
	return &reference{in, s}
}

// little gives values as bytes, the lowest first.
func little(v []float64) []byte {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// compute returns the reference's results for a batch.
func (r *reference) compute(t *testing.T, k probe.Key, b *probe.Batch) []float64 {
	t.Helper()
	acc, order := "", "C"
	if k.Acc != 0 {
		acc = k.Acc.String()
	}
	if k.Order != "" {
		order = k.Order
	}
	err := json.NewEncoder(r.in).Encode(map[string]any{
		"function": strings.TrimPrefix(k.Target, prefix),
		"op":       k.Op, "dtype": k.DType, "acc": acc, "n": k.N, "m": k.M, "cols": k.Cols,
		"axis": k.Axis, "trans": k.Trans, "order": order, "stride": max(1, k.Stride),
		"index": k.OutIndex, "threads": k.Threads, "x": little(b.X), "y": little(b.Y),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !r.out.Scan() {
		t.Fatalf("the reference failed on %s", k)
	}
	var raw []byte
	if err := json.Unmarshal(r.out.Bytes(), &raw); err != nil {
		t.Fatal(err)
	}
	v := make([]float64, len(raw)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return v
}

// fill fills a batch with values of the format whose sums need rounding.
func fill(b *probe.Batch, f fp.Format, rng *rand.Rand) {
	for _, v := range [][]float64{b.X, b.Y} {
		for i := range v {
			v[i] = f.Round(math.Ldexp(rng.NormFloat64(), rng.IntN(6)-3), fp.NearestEven)
		}
	}
}

// same compares bits; NaNs are the same.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// layouts are the variations of a request for an operation, besides the plain
// one.
func layouts(f *function, op probe.Op) []probe.Spec {
	specs := []probe.Spec{{}, {Stride: 3}, {Align: 8, Stride: 2}, {Align: 16}}
	switch op {
	case probe.Sum:
		specs = append(specs, probe.Spec{Threads: 2})
		if f.matrix {
			for _, axis := range []string{"0", "1"} {
				for _, order := range []string{"", "F"} {
					specs = append(specs, probe.Spec{Axis: axis, M: 6, Order: order},
						probe.Spec{Axis: axis, M: 3, Order: order, Align: 24})
				}
			}
			specs = append(specs, probe.Spec{Axis: "1", M: 4, Stride: 2},
				probe.Spec{Axis: "0", M: 4, Stride: 2, Order: "F"})
		}
		if f.index {
			specs = append(specs, probe.Spec{OutIndex: []int{0}}, probe.Spec{OutIndex: []int{4}})
		}
	case probe.Gemv:
		specs = append(specs, probe.Spec{M: 7, Trans: "a"}, probe.Spec{M: 5, Order: "F"},
			probe.Spec{M: 5, Order: "F", Trans: "a", Stride: 2, Align: 40})
	case probe.Gemm:
		specs = []probe.Spec{{M: 9, Cols: 5}, {M: 16, Cols: 16, OutIndex: []int{3, 11}},
			{M: 3, Cols: 1}, {M: 1, Cols: 4}}
		for _, trans := range []string{"a", "b", "ab"} {
			specs = append(specs, probe.Spec{M: 8, Cols: 20, Trans: trans, OutIndex: []int{0, 19}},
				probe.Spec{M: 6, Cols: 4, Trans: trans, Order: "F", Stride: 2, Align: 32})
		}
	}
	return specs
}

// checkFunctions compares every function of a module with the reference, in the
// layouts that few leaves of all. The targets share interpreters, as the
// command's targets do, since loading a library takes longer than all the rest.
func checkFunctions(t *testing.T, module, python string, lengths []int,
	few func(f *function, dtype fp.Format, all []probe.Spec) []probe.Spec) {
	d := &Driver{Python: python, Share: true}
	t.Cleanup(d.Close)
	ref := startReference(t, python)
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range functions {
		f := &functions[i]
		if f.module != module {
			continue
		}
		for _, op := range f.ops {
			if op.Positive() || op.Rows() {
				continue // the reference knows sums; package reveal replays the others
			}
			for _, dtype := range f.dtypes {
				t.Run(fmt.Sprintf("%s/%s/%s", f.name, op, dtype), func(t *testing.T) {
					for j, s := range few(f, dtype, layouts(f, op)) {
						s.Op, s.DType, s.N = op, dtype, lengths[j%len(lengths)]
						if f.index && s.OutIndex != nil {
							s.N = 100
						}
						checkSpec(t, d, f, s, ref, rng)
						if f.acc && j == 0 && dtype != fp.Binary64 {
							s.Acc = fp.Binary64
							checkSpec(t, d, f, s, ref, rng)
						}
					}
				})
			}
		}
	}
}

// checkSpec compares one target with the reference on random inputs.
func checkSpec(t *testing.T, d *Driver, f *function, s probe.Spec, ref *reference, rng *rand.Rand) {
	t.Helper()
	target, err := d.Open(t.Context(), strings.TrimPrefix(f.address(), prefix), s)
	var fault *probe.Fault
	if errors.As(err, &fault) && isLacking(fault) {
		return // the library lacks it and reports this
	}
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	defer target.Close()
	k, b := target.Key(), probe.NewBatch(target)
	cells, _ := target.(probe.CellTarget)
	if (cells != nil) != (k.Op == probe.Gemm || k.Op == probe.Gemv) {
		t.Errorf("%s: cell target %v", k, cells != nil)
	}
	for range 2 {
		fill(b, k.DType, rng)
		want := ref.compute(t, k, b)
		if err := target.Call(t.Context(), b); err != nil {
			t.Fatalf("%s: %v", k, err)
		}
		checkResults(t, k, b.Out, want)
		if cells != nil {
			all := make([]float64, len(want))
			if err := cells.CallCells(t.Context(), b, all); err != nil {
				t.Fatalf("%s: %v", k, err)
			}
			checkResults(t, k, b.Out, want)
			if !slices.EqualFunc(all, want, same) {
				t.Errorf("%s: cells %v, want %v", k, all, want)
			}
		}
	}
}

// isLacking reports whether a fault means that a library lacks a function, a
// format or a layout.
func isLacking(f *probe.Fault) bool {
	if f.ID == "unsupported-option" {
		return true
	}
	lacks := func(words string) bool { return strings.Contains(f.Cause, words) }
	return f.ID == "unsupported" &&
		slices.ContainsFunc([]string{"not implemented for", "does not offer", "has no tensors"},
			lacks)
}

// checkResults compares lanes with the reference's results, or with a column of
// them where it gives a matrix.
func checkResults(t *testing.T, k probe.Key, out, want []float64) {
	t.Helper()
	cols, col := 1, 0
	if k.Op == probe.Gemm {
		cols, col = k.Cols, k.OutIndex[1]
	}
	if len(want) != len(out)*cols {
		t.Fatalf("%s: %d results, the reference has %d", k, len(out), len(want))
	}
	for i, v := range out {
		if !k.Out.Contains(v) {
			t.Errorf("%s: %v is not a value of %s", k, v, k.Out)
		}
		if !same(v, want[i*cols+col]) {
			t.Errorf("%s: lane %d is %x, the reference returns %x", k, i, v, want[i*cols+col])
			return
		}
	}
}

// each leaves all layouts.
func each(_ *function, _ fp.Format, all []probe.Spec) []probe.Spec { return all }

func TestNumPy(t *testing.T) {
	checkFunctions(t, "numpy", interpreterWith(t, "numpy"), []int{1, 100, 129, 31, 1000, 8}, each)
}

func TestTorch(t *testing.T) {
	// The reference reads and writes by NumPy.
	python := interpreterWith(t, "torch")
	if exec.CommandContext(t.Context(), python, "-c", "import numpy").Run() != nil {
		require.Missing(t, "a Python with torch and numpy")
	}
	many := []string{"sum", "cumsum", "matmul", "linear"}
	for _, module := range []string{"torch", "torch.nn.functional"} {
		checkFunctions(t, module, python, []int{1000, 129},
			func(f *function, dtype fp.Format, all []probe.Spec) []probe.Spec {
				if dtype != fp.Binary32 || !slices.Contains(many, f.name) {
					return all[:1]
				}
				return all
			})
	}
}

// first leaves the first layout.
func first(_ *function, _ fp.Format, all []probe.Spec) []probe.Spec { return all[:1] }

// TestCurrent compares the functions of current libraries with the reference.
func TestCurrent(t *testing.T) {
	python := pyenv.Python(t)
	for _, module := range []string{"scipy.linalg.blas", "pandas", "polars", "pyarrow.compute",
		"duckdb", "torch", "torch.nn.functional"} {
		checkFunctions(t, module, python, []int{1000}, first)
	}
	for _, module := range []string{"jax", "jax.numpy"} {
		checkFunctions(t, module, python, []int{1000},
			func(_ *function, dtype fp.Format, all []probe.Spec) []probe.Spec {
				if dtype != fp.Binary32 {
					return nil
				}
				return all[:1]
			})
	}
}

func TestPlain(t *testing.T) {
	python := interpreterWith(t, "numpy")
	checkFunctions(t, "math", python, []int{1, 100}, each)
	checkFunctions(t, "builtins", python, []int{1, 100}, each)
}
