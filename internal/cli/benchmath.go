package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/internal/libm"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/report"
)

func (a *app) benchMathCommand() *cobra.Command {
	var out string
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "math",
		Short: "Compare the elementary functions of crmath, Go and C: time and accuracy",
		Long: `Math measures how long a call of each elementary function takes on typical arguments:
of crmath, whose results are all correctly rounded, of Go's package math, and of the C
library; and how many results of the latter two are wrong, with the largest error, as
lastbit libm does. Times are the shortest of many, with all taking turns; what a call
of C takes from Go is taken off, so that C's times are rough.

--out writes a picture of the ratios to Go's times as well: Figures 1 and 2 of Arteaga,
Fuhrer and Hoefler (2014), on this machine.`,
		Example: "  lastbit bench math --budget 1ms",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.benchMath(cmd.Context(), out, budget) },
	}
	cmd.Flags().StringVar(&out, "out", "", "folder to write a picture to, as SVG")
	cmd.Flags().DurationVar(&budget, "budget", 200*time.Millisecond, "how long the functions of a name take turns")
	return cmd
}

// mathLine is what bench math says of a function. A time that cannot be told is null.
type mathLine struct {
	Function string      `json:"function"`
	Ours     float64     `json:"crmath_ns"`
	Go       float64     `json:"go_ns"`
	C        *float64    `json:"c_ns"`
	GoPrint  *libm.Print `json:"go"`
	CPrint   *libm.Print `json:"c"`
}

func (a *app) benchMath(ctx context.Context, out string, budget time.Duration) error {
	if budget <= 0 {
		return &probe.Fault{ID: "bad-usage", Thing: fmt.Sprintf("--budget %v", budget), Cause: "nothing can be measured in no time", Cure: "leave it out for the default"}
	}
	p := a.newProgress()
	defer p.end()
	c, err := libm.C()
	hasC := err == nil
	var lines []mathLine
	for i, f := range libm.Functions() {
		p.show(f.Name, i, len(libm.Functions()))
		if err := ctx.Err(); err != nil {
			return err
		}
		t := f.Measure(budget)
		line := mathLine{Function: f.Name, Ours: t.Right, Go: t.Go}
		if line.GoPrint, err = libm.Fingerprint(libm.Go(), f); err != nil {
			return err
		}
		if hasC {
			if line.CPrint, err = libm.Fingerprint(c, f); err != nil {
				return err
			}
		}
		if t.C >= 0 {
			line.C = &t.C
		}
		lines = append(lines, line)
	}
	p.end()
	if out != "" {
		if err := drawMath(out, lines); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"functions": lines, "mean_ratio": meanRatio(lines)})
	}
	a.writeMath(lines)
	return nil
}

// meanRatio is the geometric mean of crmath's times over Go's.
func meanRatio(lines []mathLine) float64 {
	sum := 0.0
	for _, l := range lines {
		sum += math.Log(l.Ours / l.Go)
	}
	return math.Exp(sum / float64(len(lines)))
}

func (a *app) writeMath(lines []mathLine) {
	rows := [][]string{{"function", "crmath", "Go", "crmath/Go", "C", "wrong in Go", "worst", "wrong in C", "worst"}}
	for _, l := range lines {
		c := ""
		if l.C != nil {
			c = fmt.Sprintf("%.1f ns", *l.C)
		}
		row := []string{l.Function, fmt.Sprintf("%.1f ns", l.Ours), fmt.Sprintf("%.1f ns", l.Go), fmt.Sprintf("%.2f", l.Ours/l.Go), c}
		for _, p := range []*libm.Print{l.GoPrint, l.CPrint} {
			if p == nil {
				row = append(row, "", "")
				continue
			}
			share := cells(p)
			row = append(row, share[0], share[1])
		}
		rows = append(rows, row)
	}
	table(a.stdout, "", rows, map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 7: true})
	fmt.Fprintf(a.stdout, "\nOn the geometric mean, crmath takes %.2f of the time of package math. Its results are the correctly rounded ones, all of them.\n", meanRatio(lines))
}

// drawMath writes the picture of the ratios.
func drawMath(folder string, lines []mathLine) error {
	d := report.Bars{Name: "math-ratios", Title: "Time of correctly rounded functions", Y: "time over that of Go's package math",
		Series: []report.BarSeries{{Name: "crmath"}, {Name: "C library"}},
		Notes:  []string{fmt.Sprintf("Geometric mean of crmath: %.2f. C's times are rough.", meanRatio(lines))}}
	for _, l := range lines {
		d.Groups = append(d.Groups, l.Function)
		c := -1.0
		if l.C != nil {
			c = *l.C / l.Go
		}
		d.Series[0].Values = append(d.Series[0].Values, l.Ours/l.Go)
		d.Series[1].Values = append(d.Series[1].Values, c)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return unwritable(folder, err)
	}
	var b strings.Builder
	name := filepath.Join(folder, d.Name+".svg")
	if err := d.SVG(&b); err != nil {
		return err
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		return unwritable(name, err)
	}
	return nil
}
