package digits

import (
	"context"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/perturb"
)

// Options choose the runs of an analysis.
type Options struct {
	Runs    int    // perturbed runs; DefaultRuns if 0
	Seed    uint64 // fixes the roundings of every run
	Off     bool   // run once, without perturbation
	Profile bool   // report every line that loses digits
	Blame   bool   // find the lines that cause a loss

	// BlameLine and BlameToken name the token of Blame, from 1; 0 and 0 the one
	// with the fewest digits.
	BlameLine, BlameToken int

	// Mode rounds the results of runs, and Share is the part of the operations
	// that it rounds, at random; 0 means all.
	Mode  instrument.Mode
	Share float64

	// Synchronous asks for the warnings of the three-sample type. Runs has to
	// be at least 3.
	Synchronous bool

	// Calls makes Blame tell the same lines apart by the calls that lead to
	// them.
	Calls bool

	// Advise, if not 0, is the number of digits that the output has to keep,
	// and asks for the precision that lines need.
	Advise int

	// Criterion, if not nil, decides in the place of a token whether a run
	// shows the fault that Blame looks for.
	Criterion Criterion

	// Stdin is read by the first run, and given to every other. Nil means
	// Input.Stdin.
	Stdin io.Reader

	// Show is told how far the analysis is; nil is allowed.
	Show func(step string, done, all int)
}

// runs returns the number of perturbed runs: one if all round alike.
func (o Options) runs() int {
	switch {
	case o.Mode.IsFixed():
		return 1
	case o.Runs == 0:
		return DefaultRuns
	}
	return o.Runs
}

// DefaultRuns is the number of perturbed runs.
const DefaultRuns = 8

// An Analysis holds the outputs beside the report.
type Analysis struct {
	Report
	Plain *instrument.Output // of the run without perturbation
}

// Analyze runs a program and estimates the digits of its output.
func Analyze(
	ctx context.Context, p *instrument.Program, in instrument.Input, o Options,
) (*Analysis, error) {
	in.Watch = in.Watch || o.Advise > 0
	a := &analysis{ctx: ctx, program: p, input: in, options: o}
	began := time.Now()
	plain, err := a.first(instrument.Settings{Profile: !o.Off})
	if err != nil {
		return nil, err
	}
	a.plain = plain
	a.input.Limit = patience + impatience*time.Since(began)
	a.input.Files = slices.Sorted(maps.Keys(plain.Files))
	found := &Analysis{Plain: plain, Report: Report{
		Exit: plain.Exit, Omitted: p.Omissions(plain.Records), Seeds: []uint64{}, Lines: []Line{},
		Blame: []Guilty{},
	}}
	if o.Off {
		found.Tokens = compare(plain.Stdout, nil)
		for i := range found.Tokens { // nothing is known of them
			found.Tokens[i].Digits = nil
		}
		return found, nil
	}
	runs := o.runs()
	found.Runs, found.Seeds = runs, seeds(o.Seed, runs)
	outputs, err := a.perturbed(found.Seeds, instrument.Settings{Profile: true})
	if err != nil {
		return nil, err
	}
	for _, out := range outputs {
		if out.Stopped {
			found.Stopped++
		}
	}
	if runs == 1 {
		found.Output = string(outputs[0].Stdout)
	}
	found.Tokens = compareBy(plain.Stdout, stdouts(outputs), factor(o.Mode, runs))
	a.seeds = found.Seeds
	if outputs, err = a.addDirected(found, outputs); err != nil {
		return nil, err
	}
	again, err := a.runAgain()
	if err != nil {
		return nil, err
	}
	found.OtherExits = a.otherExits(outputs, again)
	markVarying(found.Tokens, compare(plain.Stdout, stdouts(again)))
	a.unordered = unordered(plain.Records, records(again))
	found.Unordered = a.places(a.unordered)
	found.Lines = a.profile(records(append([]*instrument.Output{plain}, outputs...)), scope{})
	if err := a.rank(found, outputs); err != nil {
		return nil, err
	}
	if o.Synchronous {
		if found.Synchronous, err = a.synchronous(records(outputs)); err != nil {
			return nil, err
		}
	}
	if o.Advise > 0 {
		if found.Advice, err = a.advise(found, outputs, again); err != nil {
			return nil, err
		}
	}
	if o.Blame {
		if found.Blame, err = a.blame(found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// A run is ended after the time of patience, and of impatience plain runs with
// a profile: rounding errors can keep a loop from ending.
const (
	patience   = 10 * time.Second
	impatience = 30
)

// jittered is the number of runs without perturbation whose goroutines take
// other turns.
const jittered = 2

// runAgain runs the program again without perturbation. The goroutines of a
// program that starts some take other turns.
func (a *analysis) runAgain() ([]*instrument.Output, error) {
	runs := 1
	if a.plain.Forked {
		runs += jittered
	}
	var all []*instrument.Output
	for k := range runs {
		out, err := a.run(instrument.Settings{Profile: true, Jitter: uint64(k)})
		if err != nil {
			return nil, err
		}
		all = append(all, out)
	}
	return all, nil
}

// stdouts returns what runs printed.
func stdouts(runs []*instrument.Output) (all [][]byte) {
	for _, r := range runs {
		all = append(all, r.Stdout)
	}
	return all
}

// records returns the records of runs.
func records(runs []*instrument.Output) (all [][]perturb.Record) {
	for _, r := range runs {
		all = append(all, r.Records)
	}
	return all
}

// analysis is one call of Analyze.
type analysis struct {
	ctx     context.Context
	program *instrument.Program
	input   instrument.Input
	options Options
	plain   *instrument.Output
	seeds   []uint64 // of the runs with random rounding
	ran     int

	// unordered has the sites whose operations come in another order, or have
	// other operands, in another run without perturbation.
	unordered []bool

	calls []unit // that had rounding errors, with Options.Calls
	depth int    // the frames of their paths
}

// first runs the program as it is, with the standard input of the options.
func (a *analysis) first(s instrument.Settings) (out *instrument.Output, err error) {
	if a.options.Stdin == nil {
		return a.run(s)
	}
	out, a.input.Stdin, err = a.program.RunReading(a.ctx, a.input, s, a.options.Stdin)
	return out, err
}

// run runs the program once.
func (a *analysis) run(s instrument.Settings) (*instrument.Output, error) {
	a.ran++
	if s.Perturb {
		s.Mode, s.Share = a.options.Mode, a.options.Share
	}
	if a.options.Show != nil {
		a.options.Show("run", a.ran, 0)
	}
	return a.program.Run(a.ctx, a.input, s)
}

// perturbed runs the program with each seed, and random rounding beside other
// settings.
func (a *analysis) perturbed(
	seeds []uint64, s instrument.Settings,
) (all []*instrument.Output, err error) {
	for _, seed := range seeds {
		s.Perturb, s.Seed = true, seed
		out, err := a.run(s)
		if err != nil {
			return nil, err
		}
		all = append(all, out)
	}
	return all, nil
}
