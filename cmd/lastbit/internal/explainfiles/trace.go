package explainfiles

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
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
	kernel  bool   // a kernel of a log, which has no number in the folder of arrays
}

// A Divergence is the first operation of two traces whose inputs are equal and
// whose outputs differ.
type Divergence struct {
	Step   int    `json:"step"` // counted from 0; −1 for none
	Steps  int    `json:"steps"`
	Name   string `json:"operation"`
	Op     string `json:"op"` // as lastbit explain calls it, "" for another
	Reason string `json:"reason,omitempty"`
	// Norms is set where norms alone show that outputs are equal: they miss
	// small changes, and changes of sign.
	Norms bool `json:"norms,omitempty"`
	*Report
	left, right *Step
}

// dumped is the name of an array of a trace: 0012.mm.in0.npy, 0012.mm.out.npy.
var dumped = regexp.MustCompile(`^(.*?)\.(in|out)(\d*)\.[a-z]+$`)

// ReadTrace reads a trace: a folder of arrays, whose names give the steps, or a
// log of PyTorch's DebugMode, as text or as JSON, beside which a folder of the
// same name, without its extension, may hold the arrays.
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
		operators := slices.DeleteFunc(slices.Clone(steps), func(s *Step) bool { return s.kernel })
		for _, d := range dumps {
			number, _, _ := strings.Cut(d.Name, ".")
			if k, err := strconv.Atoi(number); err == nil && 0 <= k && k < len(operators) {
				operators[k].Inputs, operators[k].Outputs = d.Inputs, d.Outputs
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
	b := bufio.NewReader(f)
	var steps []*Step
	if head, _ := b.Peek(1); string(head) == "{" {
		steps, err = savedTrace(name, b)
	} else {
		steps, err = textTrace(name, b)
	}
	if err != nil {
		return nil, err
	}
	if len(steps) == 0 {
		return nil, &probe.Fault{ID: "bad-data", Thing: name,
			Cause: "it has no operations with hashes of their tensors",
			Cure: "write DebugMode.debug_string() there, or use DebugMode.save_logs, inside " +
				`DebugMode.log_tensor_hashes(hash_fn="hash_tensor", hash_inputs=True), ` +
				"or give a folder of arrays"}
	}
	return steps, nil
}

// textTrace reads the steps of a text that debug_string returned.
func textTrace(name string, r io.Reader) ([]*Step, error) {
	var steps []*Step
	lines := bufio.NewScanner(r)
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
	return steps, nil
}

// axes is the list of one axis among the arguments of a logged sum.
var axes = regexp.MustCompile(`\[(-?\d+)\]`)

// aten is the name of an operator of PyTorch, in a log (aten::mm) or in the
// name of a file (aten.mm.default).
var aten = regexp.MustCompile(`aten(?:::|\.)(\w+)`)

// operation returns the operation of a step by its name, and the axis of a sum,
// which may be negative, as in PyTorch. The name names an operator, or ends in
// a word for the operation: log_softmax is not a logarithm.
func operation(name, arguments string) (op string, axis int) {
	axis = AllAxes
	if m := axes.FindAllStringSubmatch(arguments, -1); m != nil {
		axis, _ = strconv.Atoi(m[len(m)-1][1])
	}
	word := ""
	if m := aten.FindStringSubmatch(name); m != nil {
		word = strings.TrimSuffix(m[1], "_") // in place
	} else {
		name, _, _ = strings.Cut(name, ".default")
		word = lastWord(strings.TrimSuffix(name, ".dim_IntList"))
	}
	switch word {
	case "mm", "mv", "matmul", "gemm", "gemv":
		return "matmul", AllAxes
	case "dot", "sum", "mean":
		return word, axis
	}
	if slices.Contains(FunctionNames(), word) {
		return word, AllAxes
	}
	return "", AllAxes
}

// lastWord returns the last word of a name, without digits around it unless it
// is a function with them: log2.
func lastWord(name string) string {
	const digits = "0123456789"
	words := strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune(".:_-/ ", r)
	})
	for _, word := range slices.Backward(words) {
		if slices.Contains(FunctionNames(), word) {
			return word
		}
		if word = strings.Trim(word, digits); word != "" {
			return word
		}
	}
	return ""
}

// Diverge finds the first step whose inputs are equal and whose outputs differ,
// and compares its outputs. Without such a step, the reason is the first other
// difference of the traces.
func Diverge(
	ctx context.Context, left, right []*Step, o dataset.Options,
) (*Divergence, error) {
	d := &Divergence{Step: -1, Steps: min(len(left), len(right))}
	var reason string
	for k := range d.Steps {
		l, r := left[k], right[k]
		if l.Name != r.Name {
			d.Reason = fmt.Sprintf("step %d is %s in the first trace, and %s in the second", k,
				l.Name, r.Name)
			return d, nil
		}
		difference, report, err := l.compare(ctx, r, o)
		if err != nil {
			return nil, err
		}
		if difference == otherOutputs {
			d.Step, d.Name, d.Op, d.Report, d.left, d.right = k, l.Name, l.Op, report, l, r
			return d, nil
		}
		if difference != "" && reason == "" {
			reason = fmt.Sprintf("no step has equal inputs and different outputs; "+
				"step %d, %s, has %s", k, l.Name, difference)
		}
		d.Norms = d.Norms || l.hasNorms() && (len(l.Outputs) == 0 || len(r.Outputs) == 0)
	}
	if d.Reason = reason; reason == "" && len(left) != len(right) {
		d.Reason = fmt.Sprintf("one trace has %d steps, and the other %d", len(left), len(right))
	}
	return d, nil
}

// Differences of two steps, in words.
const (
	otherInputs  = "different inputs"
	otherOutputs = "different outputs"
)

// compare returns the first difference of two steps, "" for none. It compares
// hashes, and arrays where both traces have them. The report is nil without
// arrays.
func (s *Step) compare(ctx context.Context, r *Step, o dataset.Options) (string, *Report, error) {
	d, err := firstDiffering(ctx, s.Inputs, r.Inputs, o)
	if err != nil {
		return "", nil, err
	}
	if d != nil || !sameHashes(s.in, r.in) {
		return otherInputs, nil, nil
	}
	d, err = firstDiffering(ctx, s.Outputs, r.Outputs, o)
	if err != nil || d != nil || !sameHashes(s.out, r.out) {
		return otherOutputs, d, err
	}
	mine, other := []int{len(s.Inputs), len(s.Outputs)}, []int{len(r.Inputs), len(r.Outputs)}
	if s.out == "" && !slices.Equal(mine, other) {
		const words = "%s and %s in the first trace, and %d and %d in the second"
		return fmt.Sprintf(words, text.Count(mine[0], "input"), text.Count(mine[1], "output"),
			other[0], other[1]), nil, nil
	}
	return "", nil, nil
}

// firstDiffering compares arrays, and returns a report of the first that
// differ, nil for none.
func firstDiffering(
	ctx context.Context, a, b []Place, o dataset.Options,
) (*Report, error) {
	for k := range min(len(a), len(b)) {
		d, err := Compare(ctx, a[k], b[k], o, nil)
		if err != nil {
			return nil, err
		}
		if d.Differing > 0 {
			return &Report{Differences: d, A: a[k], B: b[k],
				Explanation: &explain.Explanation{Causes: []explain.Cause{}}}, nil
		}
	}
	return nil, nil
}

// decimals are the numbers of a hash with a fraction or an exponent: norms,
// which are sums.
var decimals = regexp.MustCompile(`-?\d+(?:\.\d*(?:e[-+]?\d+)?|e[-+]?\d+)`)

// hasNorms reports whether the hashes of the outputs are norms.
func (s *Step) hasNorms() bool { return decimals.MatchString(s.out) }

// sameHashes reports whether two hashes of a log mean equal tensors. PyTorch
// adds a norm in an order that depends on its threads, so norms may differ by
// some roundings.
func sameHashes(a, b string) bool {
	if a == b {
		return true
	}
	mine, other := decimals.FindAllString(a, -1), decimals.FindAllString(b, -1)
	if len(mine) != len(other) ||
		decimals.ReplaceAllString(a, "\x00") != decimals.ReplaceAllString(b, "\x00") {
		return false
	}
	for k, text := range mine {
		x, _ := strconv.ParseFloat(text, 64)
		y, _ := strconv.ParseFloat(other[k], 64)
		const roundings = 0x1p-46 // less than an ULP of one float32 among 2^20
		if math.Abs(x-y) > roundings*max(math.Abs(x), math.Abs(y)) {
			return false
		}
	}
	return true
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
	if d.Op == "sum" || d.Op == "mean" {
		q.Axis, err = q.axis(ctx, q.Axis, d.Report.Shape)
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

// axis returns the axis of a sum by the shape of its result: AllAxes for all
// elements, and the last of several that fit.
func (q *Question) axis(ctx context.Context, axis int, result []int) (int, error) {
	if axis >= 0 {
		return axis, nil
	}
	x, err := Read(ctx, Place{File: q.Inputs[0]}, q.Options)
	if err != nil {
		return 0, err
	}
	if k := len(x.Shape) + axis; axis != AllAxes && k >= 0 {
		return k, nil
	}
	for axis := len(x.Shape) - 1; axis >= 0; axis-- {
		if p, err := explain.NewSum(explain.Sum, x, axis); err == nil && p.Fits(result) {
			return axis, nil
		}
	}
	return AllAxes, nil
}
