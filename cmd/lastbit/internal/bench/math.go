package bench

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// MathTable holds the measurements of elementary functions in one format.
type MathTable struct {
	DType       fp.Format        `json:"dtype"`
	Libraries   []MathLibrary    `json:"libraries"`
	Comparisons []MathComparison `json:"comparisons"`
	Functions   []MathLine       `json:"functions"`
}

// MathLibrary is a library of a table.
type MathLibrary struct {
	Name    string `json:"library"`
	Version string `json:"version"`
}

// MathComparison compares the times of two libraries of a table.
type MathComparison struct {
	Ours     string   `json:"ours"`
	Theirs   string   `json:"theirs"`
	Mean     *float64 `json:"mean_ratio"` // geometric, of our times over theirs, or null
	Count    int      `json:"functions"`  // in the mean
	ours     int      // indices into the libraries
	theirs   int
	versions [2]string
}

// MathLine is a function: a cell for each library of the table, a ratio for
// each comparison.
type MathLine struct {
	Function  string     `json:"function"`
	Low       float64    `json:"low"` // of its arguments
	High      float64    `json:"high"`
	Arguments int        `json:"arguments"`
	Cells     []MathCell `json:"libraries"`
	Ratios    []*float64 `json:"ratios"`
}

// MathCell is a function of a library. A value that the library does not have,
// or that cannot be measured, is null.
type MathCell struct {
	Time     *float64    `json:"ns"`       // of a call
	Rounding *libm.Print `json:"rounding"` // null for crmath, which others are compared with
}

// competitors returns the libraries to measure, crmath first. A library added
// here becomes a column of the table.
func competitors[T libm.Float]() []libm.Library[T] {
	all := []libm.Library[T]{libm.Crmath[T](), libm.Slices[T](), libm.Go[T]()}
	if c, err := libm.C[T](); err == nil {
		all = append(all, c)
	}
	return all
}

// isOurs reports whether a library is part of crmath.
func isOurs(library string) bool { return library == "crmath" || library == "slices" }

// newMathTable returns an empty table. It compares crmath with every library of
// others, and its slices with Go's library.
func newMathTable(format fp.Format, libraries []MathLibrary) *MathTable {
	t := &MathTable{DType: format, Libraries: libraries}
	for i, ours := range libraries {
		for k, theirs := range libraries {
			if isOurs(ours.Name) && !isOurs(theirs.Name) && (i == 0 || theirs.Name == "go") {
				t.Comparisons = append(t.Comparisons, MathComparison{
					Ours: ours.Name, Theirs: theirs.Name, ours: i, theirs: k,
					versions: [2]string{ours.Version, theirs.Version},
				})
			}
		}
	}
	return t
}

// Math measures the functions of one format whose names are in only, or all of
// them. The libraries take turns for about budget at each function.
func Math(ctx context.Context, format fp.Format, only []string, budget time.Duration,
	progress Progress) (*MathTable, error) {
	if format == fp.Binary32 {
		return measureMath[float32](ctx, only, budget, progress)
	}
	return measureMath[float64](ctx, only, budget, progress)
}

func measureMath[T libm.Float](ctx context.Context, only []string, budget time.Duration,
	progress Progress) (*MathTable, error) {
	all := competitors[T]()
	var libraries []MathLibrary
	for _, l := range all {
		libraries = append(libraries, MathLibrary{l.Name, l.Version})
	}
	t := newMathTable(libm.FormatOf[T](), libraries)
	functions := slices.DeleteFunc(libm.Functions[T](), func(f *libm.Function[T]) bool {
		return len(only) > 0 && !slices.Contains(only, f.Name)
	})
	for i, f := range functions {
		progress(f.Name+" "+t.DType.String(), i, len(functions))
		line, err := measureLine(ctx, f, budget, all)
		if err != nil {
			return nil, err
		}
		t.Functions = append(t.Functions, *line)
	}
	t.compare()
	return t, nil
}

// measureLine measures one function of all libraries.
func measureLine[T libm.Float](ctx context.Context, f *libm.Function[T], budget time.Duration,
	all []libm.Library[T]) (*MathLine, error) {
	x, y := f.Typical()
	line := &MathLine{
		Function: f.Name, Low: f.Low, High: f.High,
		Arguments: len(x), Cells: make([]MathCell, len(all)),
	}
	times, err := libm.Measure(ctx, f, x, y, budget, all...)
	if err != nil {
		return nil, uncallable(ctx, f.Name, err)
	}
	for k, l := range all {
		if times[k] > 0 {
			line.Cells[k].Time = &times[k]
		}
		if k == 0 {
			continue
		}
		if line.Cells[k].Rounding, err = libm.Examine(l, f, x, y); err != nil {
			return nil, uncallable(ctx, l.Version+" "+f.Name, err)
		}
	}
	return line, nil
}

// uncallable returns the fault of a function that could not be measured.
func uncallable(ctx context.Context, thing string, err error) error {
	if errors.Is(err, ctx.Err()) {
		return err
	}
	return &probe.Fault{
		ID: "bench-failed", Thing: thing, Cause: "it could not be called",
		Cure: "leave it out, with --only", Err: err,
	}
}

// compare fills in the ratios, and their geometric means over the functions
// that both libraries have a time of.
func (t *MathTable) compare() {
	for c := range t.Comparisons {
		pair, sum := &t.Comparisons[c], 0.0
		for i := range t.Functions {
			line := &t.Functions[i]
			var ratio *float64
			ours, theirs := line.Cells[pair.ours].Time, line.Cells[pair.theirs].Time
			if ours != nil && theirs != nil {
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

// ratioTo returns the index of crmath's ratio to a library, or -1.
func (t *MathTable) ratioTo(library int) int {
	return slices.IndexFunc(t.Comparisons, func(c MathComparison) bool {
		return c.ours == 0 && c.theirs == library
	})
}
