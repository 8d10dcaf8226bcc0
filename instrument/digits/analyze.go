package digits

import (
	"context"
	"io"

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
	a := &analysis{ctx: ctx, program: p, input: in, options: o}
	plain, err := a.first(instrument.Settings{Profile: !o.Off})
	if err != nil {
		return nil, err
	}
	a.plain = plain
	found := &Analysis{Plain: plain, Report: Report{
		Exit: plain.Exit, Omitted: p.Omissions(plain.Records), Seeds: []uint64{}, Lines: []Line{},
		Blame: []Guilty{},
	}}
	if o.Off {
		found.Tokens = compare(plain.Stdout, nil)
		return found, nil
	}
	runs := o.Runs
	if runs == 0 {
		runs = DefaultRuns
	}
	found.Runs, found.Seeds = runs, seeds(o.Seed, runs)
	outputs, records, err := a.perturbed(found.Seeds, instrument.Settings{Profile: true})
	if err != nil {
		return nil, err
	}
	found.Tokens = compare(plain.Stdout, outputs)
	if err := a.runAgain(found); err != nil {
		return nil, err
	}
	found.Lines = a.profile(append([][]perturb.Record{plain.Records}, records...), scope{})
	if o.Synchronous {
		if found.Synchronous, err = a.synchronous(records); err != nil {
			return nil, err
		}
	}
	if o.Advise > 0 {
		if found.Advice, err = a.advise(found); err != nil {
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

// jittered is the number of runs without perturbation whose goroutines take
// other turns.
const jittered = 2

// runAgain runs the program again without perturbation, and finds what differs
// in its output and in its operations. The goroutines of a program that starts
// some take other turns.
func (a *analysis) runAgain(found *Analysis) error {
	runs := 1
	if a.plain.Forked {
		runs += jittered
	}
	var outputs [][]byte
	var records [][]perturb.Record
	for k := range runs {
		out, err := a.run(instrument.Settings{Profile: true, Jitter: uint64(k)})
		if err != nil {
			return err
		}
		outputs, records = append(outputs, out.Stdout), append(records, out.Records)
	}
	markVarying(found.Tokens, compare(a.plain.Stdout, outputs))
	a.unordered = unordered(a.plain.Records, records)
	found.Unordered = a.places(a.unordered)
	return nil
}

// analysis is one call of Analyze.
type analysis struct {
	ctx     context.Context
	program *instrument.Program
	input   instrument.Input
	options Options
	plain   *instrument.Output
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
	if a.options.Show != nil {
		a.options.Show("run", a.ran, 0)
	}
	return a.program.Run(a.ctx, a.input, s)
}

// perturbed runs the program with each seed, and random rounding beside other
// settings.
func (a *analysis) perturbed(
	seeds []uint64, s instrument.Settings,
) (outputs [][]byte, records [][]perturb.Record, err error) {
	for _, seed := range seeds {
		s.Perturb, s.Seed = true, seed
		out, err := a.run(s)
		if err != nil {
			return nil, nil, err
		}
		outputs, records = append(outputs, out.Stdout), append(records, out.Records)
	}
	return outputs, records, nil
}
