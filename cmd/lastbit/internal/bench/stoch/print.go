package stoch

import (
	"fmt"
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Write prints the table, and the machine. It fails when w does.
func (t *Table) Write(w io.Writer) error {
	if _, err := fmt.Fprintln(w, t.headline()); err != nil {
		return err
	}
	fmt.Fprintln(w)
	rows := [][]string{{"benchmark", "format", "plain, ns", "self-validation", "all", "slices, ns",
		"self-validation", "all"}}
	for _, r := range t.Rows {
		rows = append(rows, []string{r.Benchmark, r.DType.String(), experiment.Decimals(r.Plain, 2),
			experiment.Times(r.Scalar.ValidationRatio), experiment.Times(r.Scalar.AllRatio),
			experiment.Decimals(r.PlainSlice, 3),
			overOr(r.Slice.ValidationRatio, r.Slice.Validation),
			overOr(r.Slice.AllRatio, r.Slice.All)})
	}
	text.Table(w, "", rows, 2, 3, 4, 5, 6, 7)
	fmt.Fprintln(w)
	text.WriteWrapped(w, "", "The ratios left are those of single numbers over a Go loop, the "+
		"ratios right those of slices over vector instructions. Nanoseconds are given where there "+
		"is no plain program for slices.")
	fmt.Fprintln(w)
	fmt.Fprintln(w, libm.ThisMachine())
	return nil
}

// headline returns the range of the overhead.
func (t *Table) headline() string {
	low, high := 0.0, 0.0
	for _, r := range t.Rows {
		if v := r.Scalar.AllRatio; v != nil {
			if low == 0 || *v < low {
				low = *v
			}
			high = max(high, *v)
		}
	}
	if low == 0 {
		return "nothing was measured"
	}
	return fmt.Sprintf("three samples with all detections take %.1f to %.1f times as long as "+
		"plain arithmetic", low, high)
}

// overOr returns a ratio, or the time if there is none.
func overOr(ratio, ns *float64) string {
	if ratio == nil && ns != nil {
		return experiment.Decimals(ns, 1) + " ns"
	}
	return experiment.Times(ratio)
}

// pictures lists the pictures, after the paper's Figures 1 to 6: the benchmarks
// in each, and the costs over the costs of plain arithmetic.
var pictures = []struct {
	name, title string
	benchmarks  []string
	slices      bool
	only        int // 1: all detections only
}{
	{"stoch-detection", "All detections: addition in cache", []string{"add-cache"}, false, 1},
	{"stoch-cache", "Operations in cache", []string{"add-cache", "mul-cache"}, false, 0},
	{"stoch-memory", "Operations in memory", []string{"add-memory", "mul-memory"}, false, 0},
	{"stoch-programs", "Programs", []string{"mandelbrot", "stencil"}, false, 0},
	{"stoch-slices", "Slices, operations", []string{"add-cache", "mul-cache",
		"add-memory", "mul-memory"}, true, 0},
	{"stoch-slice-programs", "Slices, programs, over a plain Go loop",
		[]string{"mandelbrot", "stencil"}, true, 0},
}

// pictureNames returns the names of the pictures.
func pictureNames() (names []string) {
	for _, p := range pictures {
		names = append(names, p.name)
	}
	return names
}

// charts draws the figures of the paper on this machine.
func (t *Table) charts() (all []*plots.Bars) {
	for _, p := range pictures {
		d := &plots.Bars{
			Name: p.name, Title: "Time of stochastic over plain arithmetic: " + p.title,
			Y: "ratio of times", Line: 1, Notes: []string{libm.ThisMachine().String()},
		}
		validation := plots.BarSeries{Name: "self-validation"}
		full := plots.BarSeries{Name: "all detections"}
		for _, name := range p.benchmarks {
			for _, r := range t.Rows {
				if r.Benchmark != name {
					continue
				}
				c := r.Scalar
				if p.slices {
					if c = r.Slice; r.PlainSlice == nil {
						c.compare(r.Plain)
					}
				}
				d.Groups = append(d.Groups, name+", "+r.DType.String())
				validation.Values = append(validation.Values,
					experiment.BarValue(c.ValidationRatio))
				full.Values = append(full.Values, experiment.BarValue(c.AllRatio))
			}
		}
		d.Series = []plots.BarSeries{validation, full}[p.only:]
		all = append(all, d)
	}
	return all
}
