package explainfiles

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/probe/python"
)

// TestOperation takes operations from the names of steps.
func TestOperation(t *testing.T) {
	for _, c := range []struct {
		name, arguments, op string
		axis                int
	}{
		{"aten::mm", "t: f32[64, 300], t: f32[300, 200]", "matmul", AllAxes},
		{"aten::sum.dim_IntList", "t: f32[64, 50], [1]", "sum", 1},
		{"aten::mean.dim", "t: f32[64, 50], [-1], True", "mean", -1},
		{"aten::sum.dim_IntList", "t: f32[4, 64, 50], [1, 2]", "sum", AllAxes},
		{"0003.aten.sum.dim_IntList", "", "sum", AllAxes},
		{"0012.mm", "", "matmul", AllAxes},
		{"step12_matmul", "", "matmul", AllAxes},
		{"aten::exp_", "t: f32[64]", "exp", AllAxes},
		{"aten::_log_softmax", "t: f32[64, 50], 1, False", "", AllAxes},
		{"aten::tanh_backward", "t: f32[64], t: f32[64]", "", AllAxes},
		{"aten::log_sigmoid_forward", "t: f32[64]", "", AllAxes},
		{"0004.log_softmax", "", "", AllAxes},
		{"0005.mm.default", "", "matmul", AllAxes},
		{"0006.log2", "", "log2", AllAxes},
		{"log1p", "", "log1p", AllAxes},
		{"aten::log2", "t: f32[64]", "log2", AllAxes},
		{"0007.mm2", "", "matmul", AllAxes},
		{"mm_8", "", "matmul", AllAxes},
		{"17", "", "", AllAxes},
	} {
		if op, axis := operation(c.name, c.arguments); op != c.op || axis != c.axis {
			t.Errorf("%s: %q of axis %d", c.name, op, axis)
		}
	}
}

// TestSameHashes compares hashes of PyTorch: norms, which threads add in other
// orders, and checksums.
func TestSameHashes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"((15369.911809236935, 47991.94307690269), {})",
			"((15369.911809236935, 47991.943076902695), {})", true},
		{"178653.60303113004", "178653.16564416885", false},
		{"178653.60303113004", "178653.60303140001", false},
		{"30641237287501824", "30641237287501825", false},
		{"(4010.5, [None])", "(4010.5, None)", false},
		{"(1.5, 2.5)", "(1.5,)", false},
		{"(x, 1.5)", "(1.5, x)", false},
		{"1.5", "x", false},
		{"inf", "inf", true},
		{"nan", "1.5", false},
		{"1e-07", "1.0000000000000001e-07", true},
		{"0.0", "5e-324", false},
	} {
		if got := sameHashes(c.a, c.b); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// TestSavedTrace reads a log as DebugMode.save_logs writes it, and refuses
// changed ones.
func TestSavedTrace(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "saved.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	steps, err := savedTrace("x", strings.NewReader(text))
	want := []*Step{
		{Name: "aten::sum.dim_IntList", Op: "sum", Axis: 1,
			in: "((9266169152576421888, [None]), {'k': True})", out: "(5e-324,)"},
		{Name: "k0", Axis: AllAxes, in: "{'x': 1.5}", out: "{'x': -inf}", kernel: true},
	}
	if err != nil || !reflect.DeepEqual(steps, want) {
		t.Errorf("%+v, %v", steps, err)
	}
	for old, new := range map[string]string{
		`"version": 1`:             `"version": 2`,
		"DebugMode.logs":           "DebugMode.other",
		`"logs": [`:                `"logs": [1, `,
		`"scalar", "value": 9266`:  `"tensor", "value": 9266`,
		`["hash", `:                `["hash", 1, `,
		`"log": {"type": "dict"`:   `"log": {"type": "list"`,
		"]}\n":                     "]",
		`{"format"`:                `[{"format"`,
		`"logs": [{"type": "anno`:  `"logs": {"type": "anno`,
		`"pre_hashes": {`:          `"pre_hashes": [{`,
		`"op_name": "aten::sum.di`: `"op_name": ["aten::sum.di`,
	} {
		changed := strings.Replace(text, old, new, 1)
		if steps, err := savedTrace("x", strings.NewReader(changed)); err == nil {
			t.Errorf("with %s it is read as %+v", new, steps)
		}
	}
	for _, changed := range []string{"{", "{}", text[:len(text)/2], text + "{}"} {
		if steps, err := savedTrace("x", strings.NewReader(changed)); err == nil {
			t.Errorf("%.40s is read as %+v", changed, steps)
		}
	}
}

// TestTorchTrace finds the product that PyTorch computes in bfloat16 where it
// may, on processors with such products, and no difference of two equal runs.
// On some it computes the product in float32 by another library, in another
// order: then the errors have the size of float32's.
func TestTorchTrace(t *testing.T) {
	interpreter := pyenv.Python(t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	cmd := exec.Command(interpreter, "testdata/trace.py", file("one"), "highest",
		file("again"), "highest", file("short"), "medium")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	read := func(name string) []*Step {
		steps, err := ReadTrace(file(name+".log"), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return steps
	}
	one, again, short := read("one"), read("again"), read("short")
	for _, name := range []string{"one", "short"} {
		saved, err := ReadTrace(file(name+".json"), dataset.Options{})
		if text := read(name); err != nil || !reflect.DeepEqual(saved, text) {
			t.Fatalf("the JSON of a log differs from its text: %v, %v, %v", saved, text, err)
		}
	}
	if d, err := Diverge(t.Context(), one, again, dataset.Options{}); err != nil || d.Step >= 0 {
		t.Fatalf("equal runs: %+v, %v", d, err)
	}
	d, err := Diverge(t.Context(), one, short, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Step < 0 {
		return // the processor has no products of bfloat16
	}
	q := &Question{Python: (&python.Driver{Python: interpreter}).Script}
	if err := d.Explain(t.Context(), q); err != nil || d.Step != 0 || d.Op != "matmul" {
		t.Fatalf("step %d, %s, %v", d.Step, d.Op, err)
	}
	got := causesOf(d.Explanation)
	right := got == "inputs" || got == "order+inputs" || got == "order" && d.Explanation.Allowed
	if d.Explained && !right {
		t.Errorf("%s; a is %q, b is %q", got, d.Explanation.A.Model, d.Explanation.B.Model)
	}
}
