package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/probe"
)

// benchMathVerb holds the flags of lastbit bench math.
type benchMathVerb struct {
	dtypes, only []string
	budget       time.Duration
	out          string
}

func benchMathCommand(a *app) *cobra.Command {
	var v benchMathVerb
	cmd := &cobra.Command{
		Use:   "math",
		Short: "Compare the elementary functions of crmath, Go and C: time and accuracy",
		Long: strings.ReplaceAll(`Math measures the elementary functions of crmath, all correctly
rounded, one by one and for slices (crmath.ExpSlice), beside those of Go's
package math and of the C library. It prints the nanoseconds of a call, the share
of results that are correctly rounded, and how far the worst result is off from
the real value, in ULPs. A correctly rounded result is off by 0.5 at most.

There are three sets of arguments, each with a table and a geometric mean of its own:

- typical arguments, evenly spread over a range of common use;
- every binade of the domain: exponents evenly spread from the smallest subnormal number
  on, both signs, without arguments outside of the domain and without results that
  overflow or underflow to 0;
- the arguments hardest to round: the hardest known ones of float64, half of them next to
  a midpoint and half next to a representable number; and of float32 the 256 hardest of
  the other sets. Most of them take a function's accurate path.

Each library computes the same 65536 typical arguments in random order: too many for a
processor to learn which way the branches go, as it would with a few. A pass is a loop
out[i] = f(x[i]). For C the loop is machine code with C's calling convention, with
nothing of Go in between. The shortest of many passes counts. The libraries take turns.
Slices have turns of their own: after wide vector instructions a processor may have a
lower clock for a while. For float32, Go has float32(math.F(float64(x))). Go has neither
exp10 nor the functions of C23 (exp2m1, sinpi, rsqrt …), older C libraries lack the
latter, and C's sincos, which returns through pointers, is not timed: the geometric means
leave them out.

Where LASTBIT_CORE_MATH names the root of CORE-MATH's repository, its functions take part
(src/binary64/exp/exp.c and so on), compiled with cc -O3 -march=native. A function whose
source is missing, or does not compile, is named below the tables.

--out writes pictures as well: for each format the ratios and the shares, and the means
(Figures 1 and 2 of Arteaga, Fuhrer and Hoefler 2014, on this machine). A ratio below 1
means that crmath is faster.

Typical arguments are evenly spread over these ranges (both arguments, where there are
two; the integers of pown and rootn go from -20 to 20, those of compound from -100 to
100):
RANGES
lastbit libm examines arguments of any size.`, "RANGES", bench.MathRanges()),
		Example: "  lastbit bench math\n  lastbit bench math --dtype f32 --only exp,log,pow",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "dtype", "only", "out"); err != nil {
				return err
			}
			return a.benchMath(cmd.Context(), v)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&v.dtypes, "dtype", mathFormats, "formats: f64, f32")
	fl.StringSliceVar(&v.only, "only", nil, "functions, such as exp,sin (default all)")
	fl.DurationVar(&v.budget, "budget", 200*time.Millisecond,
		"how long the libraries take turns for each function and set of arguments")
	fl.StringVar(&v.out, "out", "", "folder to write pictures to, as SVG")
	complete(cmd, "dtype", mathFormats)
	complete(cmd, "only", bench.MathFunctions())
	return cmd
}

func (a *app) benchMath(ctx context.Context, v benchMathVerb) error {
	formats, err := mathDTypes(v.dtypes)
	if err != nil {
		return err
	}
	for _, name := range v.only {
		if err := oneOf("only", name, bench.MathFunctions()); err != nil {
			return err
		}
	}
	if v.budget <= 0 {
		return &probe.Fault{
			ID: "bad-usage", Thing: fmt.Sprintf("--budget %v", v.budget),
			Cause: "nothing can be measured in no time", Cure: "leave it out for the default",
		}
	}
	if err := checkPictures(v.out, bench.MathPictureNames(formats)); err != nil {
		return err
	}
	p := a.newProgress()
	defer p.End()
	choice := bench.MathChoice{Only: v.only, Budget: v.budget}
	if folder := os.Getenv("LASTBIT_CORE_MATH"); folder != "" {
		if choice.CoreMath, err = libm.OpenCoreMath(folder); err != nil {
			return err
		}
	}
	var tables []*bench.MathTable
	for _, format := range formats {
		t, err := bench.Math(ctx, format, choice, p.Show)
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	p.End()
	// an error of the pictures is reported after the table
	undrawn := writePictures(v.out, barPictures(bench.MathPictures(tables)))
	return cmp.Or(undrawn, a.printMath(tables))
}

// printMath prints tables, as JSON or for people.
func (a *app) printMath(tables []*bench.MathTable) error {
	machine := libm.ThisMachine()
	if a.json {
		return a.printJSON(struct {
			Machine libm.Machine       `json:"machine"`
			Tables  []*bench.MathTable `json:"tables"`
		}{machine, tables})
	}
	fmt.Fprintln(a.stdout, machine)
	for _, t := range tables {
		t.Write(a.stdout)
	}
	return nil
}
