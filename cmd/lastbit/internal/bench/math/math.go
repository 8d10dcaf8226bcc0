package math

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Table holds the measurements of elementary functions in one format.
type Table struct {
	DType       fp.Format    `json:"dtype"`
	Libraries   []Library    `json:"libraries"`
	Comparisons []Comparison `json:"comparisons"`
	Functions   []Line       `json:"functions"`
}

// Library is a library of a table.
type Library struct {
	Name    string         `json:"library"`
	Version string         `json:"version"`
	Missing []libm.Missing `json:"missing,omitempty"` // functions that could not be built
}

// Comparison compares the times of two libraries of a table.
type Comparison struct {
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
	MeanRatio
	Domain   MeanRatio `json:"domain"`
	Hard     MeanRatio `json:"hard"`
	ours     int       // indices into the libraries
	theirs   int
	versions [2]string
}

// MeanRatio is a mean over the functions that both libraries have a time of.
type MeanRatio struct {
	Mean  *float64 `json:"mean_ratio"` // geometric, of our times over theirs, or null
	Count int      `json:"functions"`  // in the mean
}

// of returns the mean for a set of arguments.
func (c *Comparison) of(s libm.Set) *MeanRatio {
	switch s {
	case libm.Domain:
		return &c.Domain
	case libm.Hard:
		return &c.Hard
	}
	return &c.MeanRatio
}

// Line is a function: typical arguments, and other sets of them.
type Line struct {
	Function string  `json:"function"`
	Low      float64 `json:"low"` // of its typical arguments
	High     float64 `json:"high"`
	Results
	Domain Results `json:"domain"`
	Hard   Results `json:"hard"`
}

// of returns the measurements for a set of arguments.
func (l *Line) of(s libm.Set) *Results {
	switch s {
	case libm.Domain:
		return &l.Domain
	case libm.Hard:
		return &l.Hard
	}
	return &l.Results
}

// Results holds the measurements of a function for a set of arguments: a cell
// for each library of the table, a ratio for each comparison.
type Results struct {
	Arguments int        `json:"arguments"` // 0 if the set is empty
	Cells     []Cell     `json:"libraries"`
	Ratios    []*float64 `json:"ratios"`
}

// Cell is a function of a library. A value that the library does not have,
// or that cannot be measured, is null.
type Cell struct {
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

// newTable returns an empty table. It compares crmath with every library of
// others, and its slices with Go's library.
func newTable(format fp.Format, libraries []Library) *Table {
	t := &Table{DType: format, Libraries: libraries}
	for i, ours := range libraries {
		for k, theirs := range libraries {
			if isOurs(ours.Name) && !isOurs(theirs.Name) && (i == 0 || theirs.Name == "go") {
				t.Comparisons = append(t.Comparisons, Comparison{
					Ours: ours.Name, Theirs: theirs.Name, ours: i, theirs: k,
					versions: [2]string{ours.Version, theirs.Version},
				})
			}
		}
	}
	return t
}

// choice chooses measurements.
type choice struct {
	Only     []string       // names of functions, or none for all
	Budget   time.Duration  // the libraries take turns for so long at each set of each function
	CoreMath *libm.CoreMath // to compare with, too; or nil
}

// measure measures the functions of one format.
func measure(ctx context.Context, format fp.Format, choice choice,
	progress experiment.Progress) (*Table, error) {
	if format == fp.Binary32 {
		return measureMath[float32](ctx, choice, progress)
	}
	return measureMath[float64](ctx, choice, progress)
}

func measureMath[T libm.Float](ctx context.Context, choice choice,
	progress experiment.Progress) (*Table, error) {
	functions := slices.DeleteFunc(libm.Functions[T](), func(f *libm.Function[T]) bool {
		return len(choice.Only) > 0 && !slices.Contains(choice.Only, f.Name)
	})
	all := competitors[T]()
	var libraries []Library
	for _, l := range all {
		libraries = append(libraries, Library{Name: l.Name, Version: l.Version})
	}
	if choice.CoreMath != nil {
		progress("compile CORE-MATH", 0, len(functions))
		l, missing, err := libm.CoreMathLibrary(ctx, choice.CoreMath, functions)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
		libraries = append(libraries, Library{l.Name, l.Version, missing})
	}
	t := newTable(libm.FormatOf[T](), libraries)
	for i, f := range functions {
		progress(f.Name+" "+t.DType.String(), i, len(functions))
		line, err := measureLine(ctx, f, choice.Budget, all)
		if err != nil {
			return nil, err
		}
		t.Functions = append(t.Functions, *line)
	}
	t.compare()
	return t, nil
}

// measureLine measures one function of all libraries, on all sets of arguments.
func measureLine[T libm.Float](ctx context.Context, f *libm.Function[T], budget time.Duration,
	all []libm.Library[T]) (*Line, error) {
	line := &Line{Function: f.Name}
	line.Low, line.High = f.TypicalRange()
	for _, s := range libm.Sets() {
		x, y, err := f.Arguments(s)
		if err != nil {
			return nil, uncallable(ctx, f.Name, err)
		}
		set, err := measureSet(ctx, f, x, y, budget, all)
		if err != nil {
			return nil, err
		}
		*line.of(s) = *set
	}
	return line, nil
}

// measureSet measures one function of all libraries on some arguments.
func measureSet[T libm.Float](ctx context.Context, f *libm.Function[T], x, y []T,
	budget time.Duration, all []libm.Library[T]) (*Results, error) {
	set := &Results{Arguments: len(x), Cells: make([]Cell, len(all))}
	if len(x) == 0 {
		return set, nil
	}
	times, err := libm.Measure(ctx, f, x, y, budget, all...)
	if err != nil {
		return nil, uncallable(ctx, f.Name, err)
	}
	for k, l := range all {
		if times[k] > 0 {
			set.Cells[k].Time = &times[k]
		}
		if k == 0 {
			continue
		}
		if set.Cells[k].Rounding, err = libm.Examine(l, f, x, y); err != nil {
			return nil, uncallable(ctx, l.Version+" "+f.Name, err)
		}
	}
	return set, nil
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
func (t *Table) compare() {
	for c := range t.Comparisons {
		for _, s := range libm.Sets() {
			t.compareSet(&t.Comparisons[c], s)
		}
	}
}

// compareSet does it for one set of arguments.
func (t *Table) compareSet(pair *Comparison, s libm.Set) {
	mean, sum := pair.of(s), 0.0
	for i := range t.Functions {
		set := t.Functions[i].of(s)
		var ratio *float64
		ours, theirs := set.Cells[pair.ours].Time, set.Cells[pair.theirs].Time
		if ours != nil && theirs != nil {
			r := *ours / *theirs
			ratio, sum, mean.Count = &r, sum+crmath.Log(r), mean.Count+1
		}
		set.Ratios = append(set.Ratios, ratio)
	}
	if mean.Count > 0 {
		m := crmath.Exp(sum / float64(mean.Count))
		mean.Mean = &m
	}
}

// ratioTo returns the index of crmath's ratio to a library, or -1.
func (t *Table) ratioTo(library int) int {
	return slices.IndexFunc(t.Comparisons, func(c Comparison) bool {
		return c.ours == 0 && c.theirs == library
	})
}
