package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/libm"
	"github.com/lastbit/lastbit/probe"
)

// benchMathFlags say what of bench math is measured.
type benchMathFlags struct {
	dtypes, only []string
	budget       time.Duration
	out          string
}

func (a *app) benchMathCommand() *cobra.Command {
	var f benchMathFlags
	cmd := &cobra.Command{
		Use:   "math",
		Short: "Compare the elementary functions of crmath, Go and C: time and accuracy",
		Long: `Math measures the elementary functions of crmath, whose results are all correctly
rounded, beside those of Go's package math and of the C library: nanoseconds a call, how
many results are correctly rounded, and how far the worst is off from the right one.

Each is called with the same 65536 typical arguments in random order: so many that a
processor cannot learn which way the branches go, as it would with a few. A pass is a
loop out[i] = f(x[i]), of C in machine code of C's calling convention, with nothing of Go
in between. The shortest of many passes counts; the libraries take turns. For float32
Go has float32(math.F(float64(x))). Go has no exp10, and C's sincos, which
returns through pointers, is not timed; the means are over the others.

--out writes pictures as well, for each format the ratios and the shares, and the means:
Figures 1 and 2 of Arteaga, Fuhrer and Hoefler (2014), on this machine. lastbit libm
looks at arguments of any size.`,
		Example: "  lastbit bench math\n  lastbit bench math --dtype f32 --only exp,log,pow",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "dtype", "only", "out"); err != nil {
				return err
			}
			return a.benchMath(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.dtypes, "dtype", mathFormats, "formats: f64, f32")
	fl.StringSliceVar(&f.only, "only", nil, "functions, such as exp,sin (default all)")
	fl.DurationVar(&f.budget, "budget", 200*time.Millisecond, "how long the libraries take turns for each function")
	fl.StringVar(&f.out, "out", "", "folder to write pictures to, as SVG")
	complete(cmd, "dtype", mathFormats)
	complete(cmd, "only", functionNames())
	return cmd
}

func functionNames() (names []string) {
	for _, f := range libm.Functions[float64]() {
		names = append(names, f.Name)
	}
	return names
}

// mathTable is what was measured in one format.
type mathTable struct {
	DType     fp.Format  `json:"dtype"`
	Libraries []mathMean `json:"libraries"` // crmath first
	Functions []mathLine `json:"functions"`
}

// mathMean is the geometric mean of crmath's times over a library's.
type mathMean struct {
	Library string   `json:"library"`
	Version string   `json:"version"`
	Ratio   *float64 `json:"mean_ratio"` // null where nothing could be timed
	Count   int      `json:"functions"`  // that it is over
}

// mathLine is a function: a cell for each library of the table.
type mathLine struct {
	Function  string     `json:"function"`
	Low       float64    `json:"low"` // of its arguments
	High      float64    `json:"high"`
	Arguments int        `json:"arguments"`
	Cells     []mathCell `json:"libraries"`
}

// mathCell is a function of a library. What the library does not have, or what cannot be
// told, is null.
type mathCell struct {
	Time     *float64    `json:"ns"`       // a call
	Ratio    *float64    `json:"ratio"`    // crmath's time over it
	Rounding *libm.Print `json:"rounding"` // null for crmath, which the others are held against
}

// competitors are the libraries that bench math measures, crmath first.
func competitors[T libm.Float]() []libm.Library[T] {
	all := []libm.Library[T]{libm.Crmath[T](), libm.Go[T]()}
	if c, err := libm.C[T](); err == nil {
		all = append(all, c)
	}
	return all
}

func (a *app) benchMath(ctx context.Context, f benchMathFlags) error {
	formats, err := mathDTypes(f.dtypes)
	if err != nil {
		return err
	}
	for _, name := range f.only {
		if err := oneOf("only", name, functionNames()); err != nil {
			return err
		}
	}
	if f.budget <= 0 {
		return &probe.Fault{ID: "bad-usage", Thing: fmt.Sprintf("--budget %v", f.budget), Cause: "nothing can be measured in no time", Cure: "leave it out for the default"}
	}
	if err := makeFolder(f.out); err != nil {
		return err
	}
	p := a.newProgress()
	defer p.end()
	var tables []*mathTable
	for _, format := range formats {
		measure := measureMath[float64]
		if format == fp.Binary32 {
			measure = measureMath[float32]
		}
		t, err := measure(ctx, f, p)
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	p.end()
	if f.out != "" {
		if err := drawMath(f.out, tables); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(struct {
			Machine libm.Machine `json:"machine"`
			Tables  []*mathTable `json:"tables"`
		}{libm.ThisMachine(), tables})
	}
	fmt.Fprintln(a.stdout, libm.ThisMachine())
	for _, t := range tables {
		a.writeMath(t)
	}
	return nil
}

// measureMath measures the functions of one format.
func measureMath[T libm.Float](ctx context.Context, flags benchMathFlags, p *progress) (*mathTable, error) {
	all := competitors[T]()
	t := &mathTable{DType: libm.FormatOf[T]()}
	for _, l := range all {
		t.Libraries = append(t.Libraries, mathMean{Library: l.Name, Version: l.Version})
	}
	functions := slices.DeleteFunc(libm.Functions[T](), func(f *libm.Function[T]) bool { return len(flags.only) > 0 && !slices.Contains(flags.only, f.Name) })
	for i, f := range functions {
		p.show(f.Name+" "+t.DType.String(), i, len(functions))
		x, y := f.Typical()
		line := mathLine{Function: f.Name, Low: f.Low, High: f.High, Arguments: len(x), Cells: make([]mathCell, len(all))}
		times, err := libm.Measure(ctx, f, x, y, flags.budget, all...)
		if err != nil {
			return nil, benchMathFault(ctx, f.Name, err)
		}
		for k, l := range all {
			cell := &line.Cells[k]
			if times[k] > 0 {
				cell.Time = &times[k]
			}
			if times[k] > 0 && k > 0 {
				ratio := times[0] / times[k]
				cell.Ratio = &ratio
			}
			if k == 0 {
				continue
			}
			if cell.Rounding, err = libm.Examine(l, f, x, y); err != nil {
				return nil, benchMathFault(ctx, l.Version+" "+f.Name, err)
			}
		}
		t.Functions = append(t.Functions, line)
	}
	t.means()
	return t, nil
}

// benchMathFault says what kept a function from being measured.
func benchMathFault(ctx context.Context, what string, err error) error {
	if errors.Is(err, ctx.Err()) {
		return err
	}
	return &probe.Fault{ID: "bench-failed", Thing: what, Cause: "it could not be called", Cure: "leave it out, with --only", Err: err}
}

// means fills in the geometric means, over the functions that were timed.
func (t *mathTable) means() {
	for k := range t.Libraries {
		sum, n := 0.0, 0
		for _, line := range t.Functions {
			if r := line.Cells[k].Ratio; r != nil {
				sum, n = sum+math.Log(*r), n+1
			}
		}
		if n > 0 {
			mean := math.Exp(sum / float64(n))
			t.Libraries[k].Ratio, t.Libraries[k].Count = &mean, n
		}
	}
}

// writeMath prints a table.
func (a *app) writeMath(t *mathTable) {
	fmt.Fprintf(a.stdout, "\n%s: nanoseconds a call, crmath's time over theirs, and how many results are right\n\n", t.words())
	head, means, right := []string{"function", "crmath"}, []string{"geometric mean", ""}, map[int]bool{1: true}
	for _, l := range t.Libraries[1:] {
		n := len(head)
		right[n], right[n+1], right[n+2] = true, true, true
		head = append(head, l.Version, "ratio", "right", "worst")
		means = append(means, "", fixedDigits(l.Ratio, 2), "", "")
	}
	rows := [][]string{head}
	for _, line := range t.Functions {
		row := []string{line.Function, fixedDigits(line.Cells[0].Time, 1)}
		for _, c := range line.Cells[1:] {
			row = append(row, fixedDigits(c.Time, 1), fixedDigits(c.Ratio, 2))
			if p := c.Rounding; p != nil {
				row = append(row, percent(p.Count-p.Wrong, p.Count), worst(p))
			} else {
				row = append(row, "", "")
			}
		}
		rows = append(rows, row)
	}
	table(a.stdout, "", append(rows, means), right)
}

// words is the format's name in Go.
func (t *mathTable) words() string {
	if t.DType == fp.Binary32 {
		return "float32"
	}
	return "float64"
}

// fixedDigits is a number with so many, or nothing.
func fixedDigits(v *float64, n int) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.*f", n, *v)
}
