package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
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
		Long: strings.ReplaceAll(`Math measures the elementary functions of crmath, whose results are all correctly
rounded, one by one and for slices (crmath.ExpSlice), beside those of Go's package math
and of the C library: nanoseconds a call, how many results are correctly rounded, and how
far the worst is off from the real value, in ULPs: the right ones are by 0.5 at most.

Each is called with the same 65536 typical arguments in random order: so many that a
processor cannot learn which way the branches go, as it would with a few. A pass is a
loop out[i] = f(x[i]), of C in machine code of C's calling convention, with nothing of Go
in between. The shortest of many passes counts; the libraries take turns, but for the slices, which
have their own: after wide vector instructions a processor may have a lower clock for
a while. For float32 Go has float32(math.F(float64(x))). Go has no exp10, and C's
sincos, which returns through pointers, is not timed; the geometric means are over the
others.

--out writes pictures as well, for each format the ratios and the shares, and the means:
Figures 1 and 2 of Arteaga, Fuhrer and Hoefler (2014), on this machine. A ratio below 1
says that crmath is faster.

Typical arguments are evenly spread over (of two arguments, both):
RANGES
lastbit libm looks at arguments of any size.`, "RANGES", mathRanges()),
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

// mathRanges says from where to where typical arguments are, a line for each range.
func mathRanges() string {
	type ends struct{ low, high float64 }
	var ranges []ends
	names := map[ends][]string{}
	for _, f := range libm.Functions[float64]() {
		r := ends{f.Low, f.High}
		if names[r] == nil {
			ranges = append(ranges, r)
		}
		names[r] = append(names[r], f.Name)
	}
	var b strings.Builder
	for _, r := range ranges {
		fmt.Fprintf(&b, "  %4v to %3v  %s\n", r.low, r.high, strings.Join(names[r], " "))
	}
	return b.String()
}

func functionNames() (names []string) {
	for _, f := range libm.Functions[float64]() {
		names = append(names, f.Name)
	}
	return names
}

// mathTable is what was measured in one format.
type mathTable struct {
	DType       fp.Format        `json:"dtype"`
	Libraries   []mathLibrary    `json:"libraries"`
	Comparisons []mathComparison `json:"comparisons"`
	Functions   []mathLine       `json:"functions"`
}

type mathLibrary struct {
	Name    string `json:"library"`
	Version string `json:"version"`
}

// mathComparison is of the times of two libraries, given by their places in the table.
type mathComparison struct {
	Ours     string   `json:"ours"`
	Theirs   string   `json:"theirs"`
	Mean     *float64 `json:"mean_ratio"` // geometric, of our times over theirs; null where there are none
	Count    int      `json:"functions"`  // that it is over
	ours     int
	theirs   int
	versions [2]string
}

// mathLine is a function: a cell for each library of the table, a ratio for each
// comparison.
type mathLine struct {
	Function  string     `json:"function"`
	Low       float64    `json:"low"` // of its arguments
	High      float64    `json:"high"`
	Arguments int        `json:"arguments"`
	Cells     []mathCell `json:"libraries"`
	Ratios    []*float64 `json:"ratios"`
}

// mathCell is a function of a library. What the library does not have, or what cannot be
// told, is null.
type mathCell struct {
	Time     *float64    `json:"ns"`       // a call
	Rounding *libm.Print `json:"rounding"` // null for crmath, which the others are held against
}

// competitors are the libraries that bench math measures, crmath first. Another one is
// one more here, and a column of the table.
func competitors[T libm.Float]() []libm.Library[T] {
	all := []libm.Library[T]{libm.Crmath[T](), libm.Slices[T](), libm.Go[T]()}
	if c, err := libm.C[T](); err == nil {
		all = append(all, c)
	}
	return all
}

// isOurs tells crmath's libraries from others'.
func isOurs(library string) bool { return library == "crmath" || library == "slices" }

// newMathTable returns an empty table. crmath is compared with every library that is not
// ours, and what else is ours with Go's.
func newMathTable(format fp.Format, libraries []mathLibrary) *mathTable {
	t := &mathTable{DType: format, Libraries: libraries}
	for i, ours := range libraries {
		for k, theirs := range libraries {
			if isOurs(ours.Name) && !isOurs(theirs.Name) && (i == 0 || theirs.Name == "go") {
				t.Comparisons = append(t.Comparisons, mathComparison{Ours: ours.Name, Theirs: theirs.Name, ours: i, theirs: k, versions: [2]string{ours.Version, theirs.Version}})
			}
		}
	}
	return t
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
	if err := canDraw(f.out, formats); err != nil {
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
	var undrawn error // which what was measured is printed in spite of
	if f.out != "" {
		undrawn = drawMath(f.out, tables)
	}
	if a.json {
		err = a.printJSON(struct {
			Machine libm.Machine `json:"machine"`
			Tables  []*mathTable `json:"tables"`
		}{libm.ThisMachine(), tables})
	} else {
		fmt.Fprintln(a.stdout, libm.ThisMachine())
		for _, t := range tables {
			a.writeMath(t)
		}
	}
	return cmp.Or(undrawn, err)
}

// measureMath measures the functions of one format.
func measureMath[T libm.Float](ctx context.Context, flags benchMathFlags, p *progress) (*mathTable, error) {
	all := competitors[T]()
	var libraries []mathLibrary
	for _, l := range all {
		libraries = append(libraries, mathLibrary{l.Name, l.Version})
	}
	t := newMathTable(libm.FormatOf[T](), libraries)
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
			if times[k] > 0 {
				line.Cells[k].Time = &times[k]
			}
			if k == 0 {
				continue
			}
			if line.Cells[k].Rounding, err = libm.Examine(l, f, x, y); err != nil {
				return nil, benchMathFault(ctx, l.Version+" "+f.Name, err)
			}
		}
		t.Functions = append(t.Functions, line)
	}
	t.compare()
	return t, nil
}

// benchMathFault says what kept a function from being measured.
func benchMathFault(ctx context.Context, what string, err error) error {
	if errors.Is(err, ctx.Err()) {
		return err
	}
	return &probe.Fault{ID: "bench-failed", Thing: what, Cause: "it could not be called", Cure: "leave it out, with --only", Err: err}
}

// compare fills in the ratios and their geometric means, over the functions that both
// have a time of.
func (t *mathTable) compare() {
	for c := range t.Comparisons {
		pair, sum := &t.Comparisons[c], 0.0
		for i := range t.Functions {
			line := &t.Functions[i]
			var ratio *float64
			if ours, theirs := line.Cells[pair.ours].Time, line.Cells[pair.theirs].Time; ours != nil && theirs != nil {
				r := *ours / *theirs
				ratio, sum, pair.Count = &r, sum+math.Log(r), pair.Count+1
			}
			line.Ratios = append(line.Ratios, ratio)
		}
		if pair.Count > 0 {
			mean := math.Exp(sum / float64(pair.Count))
			pair.Mean = &mean
		}
	}
}

// ratioTo is the place of crmath's ratio to a library, or -1.
func (t *mathTable) ratioTo(library int) int {
	return slices.IndexFunc(t.Comparisons, func(c mathComparison) bool { return c.ours == 0 && c.theirs == library })
}

// writeMath prints a table.
func (a *app) writeMath(t *mathTable) {
	fmt.Fprintf(a.stdout, "\n%s: nanoseconds a call, crmath's time over theirs (a ratio below 1: crmath is faster), and how many results are right\n\n", formatWords(t.DType))
	rows, right := make([][]string, len(t.Functions)+2), map[int]bool{}
	for i := range rows {
		rows[i] = []string{"function"}
		if i > 0 && i <= len(t.Functions) {
			rows[i][0] = t.Functions[i-1].Function
		}
	}
	rows[len(rows)-1][0] = "mean"
	column := func(head string, alignRight bool, cell func(line *mathLine) string, foot string) {
		right[len(rows[0])] = alignRight
		rows[0] = append(rows[0], head)
		for i := range t.Functions {
			rows[i+1] = append(rows[i+1], cell(&t.Functions[i]))
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], foot)
	}
	for k, l := range t.Libraries {
		column(l.Version, true, func(line *mathLine) string { return fixedDigits(line.Cells[k].Time, 1) }, "")
		c := t.ratioTo(k)
		if c < 0 {
			continue
		}
		rounding := func(cell func(*libm.Print) string) func(*mathLine) string {
			return func(line *mathLine) string {
				if p := line.Cells[k].Rounding; p != nil {
					return cell(p)
				}
				return ""
			}
		}
		column("ratio", true, func(line *mathLine) string { return fixedDigits(line.Ratios[c], 2) }, fixedDigits(t.Comparisons[c].Mean, 2))
		column("right", true, rounding(func(p *libm.Print) string { return percent(p.Count-p.Wrong, p.Count) }), "")
		column("worst", false, rounding(worst), "")
	}
	table(a.stdout, "", rows, right)
	fmt.Fprintln(a.stdout)
	for _, c := range t.Comparisons {
		if c.Mean != nil {
			fmt.Fprintf(a.stdout, "%s: %.2f of the time of %s, geometric mean of %d\n", c.versions[0], *c.Mean, c.versions[1], c.Count)
		}
	}
}

// fixedDigits is a number with so many, or nothing.
func fixedDigits(v *float64, n int) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.*f", n, *v)
}
