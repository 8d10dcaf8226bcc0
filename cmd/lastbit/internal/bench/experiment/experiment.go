package experiment

import (
	"context"
	"io"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/probe"
)

// A Verb is an experiment that the command line offers by its name.
type Verb struct {
	Name    string // the verb after lastbit bench
	Short   string // one line
	Long    string // the help
	Example string
	NeedsGo bool                   // the experiment runs the go command
	New     func(Setup) Experiment // makes an experiment with the defaults of its flags
}

// Setup holds what experiments take from the command line.
type Setup struct {
	Open probe.Opener // opens targets
}

// An Experiment measures, once its flags are set.
type Experiment interface {
	// Flags returns the flags, in the order of their checks.
	Flags() []Flag

	// Check returns a *probe.Fault for flags that measure nothing.
	Check() error

	// Measure measures. An error is the context's, or a *probe.Fault.
	Measure(ctx context.Context, r Reporter) (Results, error)
}

// A Painter is an experiment whose results have pictures. It gets the flag
// --out.
type Painter interface {
	Experiment

	// PictureNames returns the names of the pictures that are known before the
	// measurement.
	PictureNames() []string
}

// A Helper is an experiment that runs lastbit in other processes, with flags
// that are hidden from users.
type Helper interface {
	Experiment

	// IsHelper reports whether this process is one of these.
	IsHelper() bool

	// Help does the work of such a process, and writes its results to w.
	Help(w io.Writer) error
}

// Results are what an experiment measured.
type Results interface {
	// Write prints the results for people. It fails when w does.
	Write(w io.Writer) error

	// JSON returns the object that --json prints.
	JSON() any

	// Pictures returns the pictures, none for an experiment that is not a
	// Painter.
	Pictures() []Picture
}

// A Picture is drawn as SVG, into a file of its name.
type Picture struct {
	Name string // without an ending
	SVG  func(w io.Writer) error
}

// BarPictures returns the pictures of bar charts.
func BarPictures(of []*plots.Bars) []Picture {
	all := make([]Picture, len(of))
	for i, d := range of {
		all[i] = Picture{d.Name, d.SVG}
	}
	return all
}

// FigurePictures returns the pictures of figures.
func FigurePictures(of []*plots.Figure) []Picture {
	all := make([]Picture, len(of))
	for i, f := range of {
		all[i] = Picture{f.Name, f.SVG}
	}
	return all
}

// A Flag is a flag of an experiment.
type Flag struct {
	Name  string
	Usage string

	// To points to the value, which holds the default: a *bool, *int,
	// *time.Duration, *[]string or *[]fp.Format.
	To any

	Values   []string // the words that it takes; nil for any
	Complete []string // the words that a shell offers; nil for Values
	Hidden   bool     // from users
}

// A Reporter is told about a measurement as it runs.
type Reporter struct {
	Progress Progress
	Note     func(line string) // what is left out, and why
}

// Progress is called with the name of the current measurement, and the steps
// done and in all.
type Progress func(name string, done, of int)

// Wants reports whether a name is chosen; an empty choice is all.
func Wants(only []string, name string) bool {
	return len(only) == 0 || slices.Contains(only, name)
}
