package math

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/fp"
)

// Verb is lastbit bench math.
func Verb() experiment.Verb {
	return experiment.Verb{
		Name:    "math",
		Short:   "Compare the elementary functions of crmath, Go and C: time and accuracy",
		Long:    strings.ReplaceAll(help, "RANGES", ranges()),
		Example: "  lastbit bench math\n  lastbit bench math --dtype f32 --only exp,log,pow",
		New: func(experiment.Setup) experiment.Experiment {
			return &measurement{formats: []fp.Format{fp.Binary64, fp.Binary32},
				choice: choice{Budget: 200 * time.Millisecond}}
		},
	}
}

const help = `Math measures the elementary functions of crmath, all correctly
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
lastbit libm examines arguments of any size.`

// measurement is the experiment with its flags.
type measurement struct {
	formats []fp.Format
	choice
}

func (m *measurement) Flags() []experiment.Flag {
	return []experiment.Flag{
		{Name: "dtype", Usage: "formats: f64, f32", To: &m.formats,
			Complete: []string{"f64", "f32"}},
		{Name: "only", Usage: "functions, such as exp,sin (default all)", To: &m.Only,
			Values: functionNames()},
		{Name: "budget", Usage: "how long the libraries take turns for each function and set of " +
			"arguments", To: &m.Budget},
	}
}

func (m *measurement) Check() error { return experiment.CheckBudget(m.Budget) }

func (m *measurement) PictureNames() []string { return pictureNames(m.formats) }

func (m *measurement) Measure(ctx context.Context, r experiment.Reporter) (_ experiment.Results,
	err error) {
	if folder := os.Getenv("LASTBIT_CORE_MATH"); folder != "" {
		if m.CoreMath, err = libm.OpenCoreMath(folder); err != nil {
			return nil, err
		}
	}
	all := tables{}
	for _, format := range m.formats {
		t, err := measure(ctx, format, m.choice, r.Progress)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// tables holds a table for each format.
type tables []*Table

func (t tables) JSON() any {
	return struct {
		Machine libm.Machine `json:"machine"`
		Tables  []*Table     `json:"tables"`
	}{libm.ThisMachine(), t}
}

func (t tables) Pictures() []experiment.Picture { return experiment.BarPictures(charts(t)) }

func (t tables) Write(w io.Writer) error {
	if _, err := fmt.Fprintln(w, libm.ThisMachine()); err != nil {
		return err
	}
	for _, one := range t {
		one.Write(w)
	}
	return nil
}
