package bench

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/crmath"
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
	Name    string         `json:"library"`
	Version string         `json:"version"`
	Missing []libm.Missing `json:"missing,omitempty"` // functions that could not be built
}

// MathComparison compares the times of two libraries of a table.
type MathComparison struct {
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
	MathMean
	Domain   MathMean `json:"domain"`
	Hard     MathMean `json:"hard"`
	ours     int      // indices into the libraries
	theirs   int
	versions [2]string
}

// MathMean is a mean over the functions that both libraries have a time of.
type MathMean struct {
	Mean  *float64 `json:"mean_ratio"` // geometric, of our times over theirs, or null
	Count int      `json:"functions"`  // in the mean
}

// of returns the mean for a set of arguments.
func (c *MathComparison) of(s libm.Set) *MathMean {
	switch s {
	case libm.Domain:
		return &c.Domain
	case libm.Hard:
		return &c.Hard
	}
	return &c.MathMean
}

// MathLine is a function: typical arguments, and other sets of them.
type MathLine struct {
	Function string  `json:"function"`
	Low      float64 `json:"low"` // of its typical arguments
	High     float64 `json:"high"`
	MathSet
	Domain MathSet `json:"domain"`
	Hard   MathSet `json:"hard"`
}

// of returns the measurements for a set of arguments.
func (l *MathLine) of(s libm.Set) *MathSet {
	switch s {
	case libm.Domain:
		return &l.Domain
	case libm.Hard:
		return &l.Hard
	}
	return &l.MathSet
}

// MathSet holds the measurements of a function for a set of arguments: a cell
// for each library of the table, a ratio for each comparison.
type MathSet struct {
	Arguments int        `json:"arguments"` // 0 if the set is empty
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

// MathChoice chooses measurements.
type MathChoice struct {
	Only     []string       // names of functions, or none for all
	Budget   time.Duration  // the libraries take turns for so long at each set of each function
	CoreMath *libm.CoreMath // to compare with, too; or nil
}

// Math measures the functions of one format.
func Math(ctx context.Context, format fp.Format, choice MathChoice,
	progress Progress) (*MathTable, error) {
	if format == fp.Binary32 {
		return measureMath[float32](ctx, choice, progress)
	}
	return measureMath[float64](ctx, choice, progress)
}

func measureMath[T libm.Float](ctx context.Context, choice MathChoice,
	progress Progress) (*MathTable, error) {
	functions := slices.DeleteFunc(libm.Functions[T](), func(f *libm.Function[T]) bool {
		return len(choice.Only) > 0 && !slices.Contains(choice.Only, f.Name)
	})
	all := competitors[T]()
	var libraries []MathLibrary
	for _, l := range all {
		libraries = append(libraries, MathLibrary{Name: l.Name, Version: l.Version})
	}
	if choice.CoreMath != nil {
		progress("compile CORE-MATH", 0, len(functions))
		l, missing, err := libm.CoreMathLibrary(ctx, choice.CoreMath, functions)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
		libraries = append(libraries, MathLibrary{l.Name, l.Version, missing})
	}
	t := newMathTable(libm.FormatOf[T](), libraries)
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
	all []libm.Library[T]) (*MathLine, error) {
	line := &MathLine{Function: f.Name}
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
	budget time.Duration, all []libm.Library[T]) (*MathSet, error) {
	set := &MathSet{Arguments: len(x), Cells: make([]MathCell, len(all))}
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
func (t *MathTable) compare() {
	for c := range t.Comparisons {
		for _, s := range libm.Sets() {
			t.compareSet(&t.Comparisons[c], s)
		}
	}
}

// compareSet does it for one set of arguments.
func (t *MathTable) compareSet(pair *MathComparison, s libm.Set) {
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
func (t *MathTable) ratioTo(library int) int {
	return slices.IndexFunc(t.Comparisons, func(c MathComparison) bool {
		return c.ours == 0 && c.theirs == library
	})
}
