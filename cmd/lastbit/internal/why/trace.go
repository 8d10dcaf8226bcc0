package why

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/probe"
)

// A Step is one operation of a trace.
type Step struct {
	Name    string
	Op      string // of lastbit explain, "" for any other
	Axis    int
	Inputs  []Place // dumped, in order; none where they are not
	Outputs []Place
	in, out string // hashes of a log, "" without one
}

// A Divergence is the first operation of two traces whose inputs are equal and
// whose outputs differ.
type Divergence struct {
	Step   int    `json:"step"` // counted from 0; −1 for none
	Steps  int    `json:"steps"`
	Name   string `json:"operation"`
	Op     string `json:"op"` // as lastbit explain calls it, "" for another
	Reason string `json:"reason,omitempty"`
	*Report
	left, right *Step
}

// dumped is the name of an array of a trace: 0012.mm.in0.npy, 0012.mm.out.npy.
var dumped = regexp.MustCompile(`^(.*?)\.(in|out)(\d*)\.[a-z]+$`)

// ReadTrace reads a trace: a folder of arrays, whose names give the steps, or a
// log of PyTorch's DebugMode, beside which a folder of the same name, without
// its extension, may hold the arrays.
func ReadTrace(name string, o dataset.Options) ([]*Step, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, missing(name, err)
	}
	if info.IsDir() {
		return folderTrace(name, o)
	}
	steps, err := logTrace(name)
	if err != nil {
		return nil, err
	}
	arrays := strings.TrimSuffix(name, filepath.Ext(name))
	if info, err := os.Stat(arrays); err == nil && info.IsDir() {
		dumps, err := folderTrace(arrays, o)
		if err != nil {
			return nil, err
		}
		for _, d := range dumps {
			number, _, _ := strings.Cut(d.Name, ".")
			if k, err := strconv.Atoi(number); err == nil && k < len(steps) {
				steps[k].Inputs, steps[k].Outputs = d.Inputs, d.Outputs
			}
		}
	}
	return steps, nil
}

// folderTrace reads the steps of a folder, in the order of their names.
func folderTrace(name string, o dataset.Options) ([]*Step, error) {
	list, err := folder(name, o)
	if err != nil {
		return nil, err
	}
	var steps []*Step
	for _, f := range list {
		step, input := f.name, false
		if m := dumped.FindStringSubmatch(f.name); m != nil {
			step, input = m[1], m[2] == "in"
		}
		if len(steps) == 0 || steps[len(steps)-1].Name != step {
			op, axis := operation(step, "")
			steps = append(steps, &Step{Name: step, Op: op, Axis: axis})
		}
		s := steps[len(steps)-1]
		if input {
			s.Inputs = append(s.Inputs, f.place)
		} else {
			s.Outputs = append(s.Outputs, f.place)
		}
	}
	return steps, nil
}

// logged is a line of PyTorch's DebugMode with hashes of tensors.
var logged = regexp.MustCompile(
	`^\s*(\S+?)\((.*)\)\s+->\s+.*#\s*\{'input_hash': (.*), 'hash': (.*)\}\s*$`)

// logTrace reads the steps of a log.
func logTrace(name string) ([]*Step, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, missing(name, err)
	}
	defer f.Close()
	var steps []*Step
	lines := bufio.NewScanner(f)
	const longest = 1 << 24
	lines.Buffer(nil, longest)
	for lines.Scan() {
		if m := logged.FindStringSubmatch(lines.Text()); m != nil {
			op, axis := operation(m[1], m[2])
			steps = append(steps, &Step{Name: m[1], Op: op, Axis: axis, in: m[3], out: m[4]})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, missing(name, err)
	}
	if len(steps) == 0 {
		return nil, &probe.Fault{ID: "bad-data", Thing: name,
			Cause: "it has no operations with hashes of their tensors",
			Cure: "write DebugMode.debug_string() there, made inside " +
				"DebugMode.log_tensor_hashes(hash_inputs=True), or give a folder of arrays"}
	}
	return steps, nil
}

// axes is the list of axes among the arguments of a logged sum.
var axes = regexp.MustCompile(`\[(-?\d+)\]`)

// operation returns the operation of a step by its name, and the axis of a sum.
func operation(name, arguments string) (op string, axis int) {
	axis = -1
	if m := axes.FindAllStringSubmatch(arguments, -1); m != nil {
		axis, _ = strconv.Atoi(m[len(m)-1][1])
	}
	words := strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune(".:_-/ 0123456789", r)
	})
	for _, w := range words {
		switch w {
		case "mm", "mv", "matmul", "gemm", "gemv":
			return "matmul", -1
		case "dot", "sum", "mean":
			return w, axis
		}
		for _, f := range FunctionNames() {
			if w == f {
				return f, -1
			}
		}
	}
	return "", -1
}

// Diverge finds the first step whose inputs are equal and whose outputs differ,
// and compares its outputs.
func Diverge(
	ctx context.Context, left, right []*Step, o dataset.Options,
) (*Divergence, error) {
	d := &Divergence{Step: -1, Steps: min(len(left), len(right))}
	for k := range d.Steps {
		l, r := left[k], right[k]
		if l.Name != r.Name {
			d.Reason = fmt.Sprintf("step %d is %s in the first trace, and %s in the second", k,
				l.Name, r.Name)
			return d, nil
		}
		equal, report, err := l.compare(ctx, r, o)
		if err != nil {
			return nil, err
		}
		if !equal {
			d.Step, d.Name, d.Op, d.Report, d.left, d.right = k, l.Name, l.Op, report, l, r
			return d, nil
		}
	}
	if len(left) != len(right) {
		d.Reason = fmt.Sprintf("one trace has %d steps, and the other %d", len(left), len(right))
	}
	return d, nil
}

// compare compares the outputs of two steps, and returns true where they are
// equal or where the inputs differ. The report is nil without arrays.
func (s *Step) compare(ctx context.Context, r *Step, o dataset.Options) (bool, *Report, error) {
	if s.out != "" && r.out != "" && (s.out == r.out || s.in != r.in) {
		return true, nil, nil
	}
	for k := range min(len(s.Inputs), len(r.Inputs)) {
		d, err := Compare(ctx, s.Inputs[k], r.Inputs[k], o, nil)
		if err != nil || d.Differing > 0 {
			return err == nil, nil, err
		}
	}
	for k := range min(len(s.Outputs), len(r.Outputs)) {
		d, err := Compare(ctx, s.Outputs[k], r.Outputs[k], o, nil)
		if err != nil {
			return false, nil, err
		}
		if d.Differing > 0 {
			return false, &Report{Differences: d, A: s.Outputs[k], B: r.Outputs[k],
				Explanation: &explain.Explanation{Causes: []explain.Cause{}}}, nil
		}
	}
	return s.out == r.out, nil, nil
}

// Explain finds the cause of the divergence, where the inputs are there and the
// operation is known.
func (d *Divergence) Explain(ctx context.Context, q *Question) error {
	switch {
	case d.Step < 0:
		return nil
	case d.Report == nil:
		d.Reason = "the trace has no arrays of this step"
		return nil
	case d.Op == "":
		d.Reason = "explain has no operation for " + d.Name
		return nil
	case len(d.left.Inputs) == 0:
		d.Reason = "the trace has no inputs of this step"
		return nil
	}
	q.Op, q.Axis = d.Op, d.left.Axis
	for _, p := range d.left.Inputs {
		q.Inputs = append(q.Inputs, p.File)
	}
	if needs := q.needs(); len(q.Inputs) < needs {
		d.Reason = fmt.Sprintf("%s takes %d inputs, and the trace has %d", d.Op, needs,
			len(q.Inputs))
		return nil
	}
	var err error
	if q.Axis < 0 && (d.Op == "sum" || d.Op == "mean") {
		q.Axis, err = q.axis(ctx, d.Report.Shape)
		if err != nil {
			return err
		}
	}
	d.Report.Explanation, err = q.Answer(ctx, d.Report.A, d.Report.B)
	return err
}

// needs returns the number of inputs of the operation.
func (q *Question) needs() int {
	if q.Op == "dot" || q.Op == "matmul" || IsBinary(q.Op) {
		return 2
	}
	return 1
}

// axis returns the axis of a sum by the shape of its result: −1 for all
// elements, and the last of several that fit.
func (q *Question) axis(ctx context.Context, result []int) (int, error) {
	x, err := Read(ctx, Place{File: q.Inputs[0]}, q.Options)
	if err != nil {
		return 0, err
	}
	for axis := len(x.Shape) - 1; axis >= 0; axis-- {
		if p, err := explain.NewSum(explain.Sum, x, axis); err == nil && p.Fits(result) {
			return axis, nil
		}
	}
	return -1, nil
}
