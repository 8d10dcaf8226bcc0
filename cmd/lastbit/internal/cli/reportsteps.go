package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/audit"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/explainfiles"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/overview"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/vetreport"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/instrument/digits"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
)

// Estimates of the time of sections, in seconds, on a machine of 2021 with two
// cores. Each item of a section counts.
const (
	auditSeconds  = 25
	libmSeconds   = 2 // for a format
	sweepSeconds  = 4
	lockSeconds   = 2
	vetSeconds    = 6
	digitsSeconds = 8
	pairSeconds   = 4
)

// steps returns the steps of the report, in the order of its sections.
func (v *reportVerb) steps() (steps []overview.Step, err error) {
	all := map[string]func() (overview.Step, error){
		"audit": v.auditStep, "libm": v.libmStep, "invariant": v.invariantStep,
		"lock": v.lockStep, "vet": v.vetStep, "digits": v.digitsStep, "explain": v.explainStep,
	}
	for _, name := range lockfile.Sections {
		if !slices.Contains(v.contents.Sections, name) {
			continue
		}
		step, err := all[name]()
		if err != nil {
			return nil, err
		}
		step.Verb = name
		steps = append(steps, step)
	}
	return steps, nil
}

func (v *reportVerb) auditStep() (overview.Step, error) {
	flags := auditVerb{n: v.contents.N, dtypes: v.contents.DType, ops: v.contents.Ops}
	request, err := flags.request()
	return overview.Step{Seconds: auditSeconds, Run: func(
		ctx context.Context, r *overview.Report, show overview.Show,
	) (err error) {
		show("looking for targets", 0, 1)
		r.Audit, err = audit.Run(ctx, v.drivers, request, audit.Progress(show))
		if err != nil {
			return err
		}
		if a, b, spec, ok := r.Audit.Differing(); ok {
			r.Agreement, err = v.surveyShown(show).Agree(ctx, a, b, spec)
		}
		return err
	}}, err
}

func (v *reportVerb) libmStep() (overview.Step, error) {
	var formats []fp.Format
	for _, name := range v.contents.DType {
		format, err := parseFormat("dtype", name)
		if err != nil {
			return overview.Step{}, err
		}
		if format == fp.Binary64 || format == fp.Binary32 {
			formats = append(formats, format)
		}
	}
	if len(formats) == 0 {
		return overview.Step{Absent: "libm looks at f64 and f32, and dtype names neither"}, nil
	}
	return overview.Step{Seconds: float64(libmSeconds * len(formats)), Run: func(
		ctx context.Context, r *overview.Report, show overview.Show,
	) (err error) {
		r.Libm, err = libm.Take(ctx, formats, v.python().Script, libm.Progress(show))
		return err
	}}, nil
}

// each runs the items of a section one after the other, until ctx ends.
func each(ctx context.Context, n int, show overview.Show, name func(int) string,
	run func(i int, show overview.Show),
) error {
	for i := range n {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		show(name(i), i, n)
		run(i, func(step string, done, expected int) { show(name(i)+": "+step, i, n) })
	}
	return ctx.Err()
}

// invariantStep sweeps over the shapes of lastbit.toml.
func (v *reportVerb) invariantStep() (overview.Step, error) {
	lines := v.sweepLines()
	if len(lines) == 0 {
		return overview.Step{Absent: "no shape is named; write [[report.invariant]] in " +
			lockfile.ConfigName}, nil
	}
	return overview.Step{Seconds: float64(sweepSeconds * len(lines)), Run: func(
		ctx context.Context, r *overview.Report, show overview.Show,
	) error {
		name := func(i int) string { return strings.Join(lines[i], " ") }
		return each(ctx, len(lines), show, name, func(i int, show overview.Show) {
			s := v.sweepOf(ctx, lines[i], show)
			if ctx.Err() == nil {
				r.Invariant = append(r.Invariant, s)
			}
		})
	}}, nil
}

// sweepOf runs lastbit invariant with some arguments.
func (v *reportVerb) sweepOf(
	ctx context.Context, line []string, show overview.Show,
) *overview.Sweep {
	s := &overview.Sweep{Name: strings.Join(line, " ")}
	inv, cmd := newInvariant(v.within())
	args, err := parse(ctx, cmd, line)
	if err == nil {
		s.Result, err = inv.find(ctx, args, show)
	}
	if err != nil {
		s.Error = overview.FaultOf("invariant", err)
		return s
	}
	s.Conclude()
	return s
}

// sweepLines returns the command lines of lastbit invariant. Where lastbit.toml
// names no sweep, they are those over the rows of its matrix products.
func (v *reportVerb) sweepLines() (lines [][]string) {
	for _, s := range v.contents.Invariant {
		line := strings.Fields(s.Target)
		for _, f := range []struct{ flag, value string }{
			{"--op", s.Op}, {"--dtype", s.DType}, {"-n", string(s.N)}, {"--m", string(s.M)},
			{"--cols", string(s.Cols)}, {"--threads", string(s.Threads)},
			{"--align", string(s.Align)},
		} {
			if f.value != "" {
				line = append(line, f.flag, f.value)
			}
		}
		for _, e := range s.Env {
			line = append(line, "--env", e)
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 || v.config == nil {
		return lines
	}
	for _, q := range v.config.Requests {
		s := q.Spec
		if s.M < 2 {
			continue
		}
		line := []string{q.Target, "--dtype", s.DType.String(), "-n", strconv.Itoa(s.N), "--m",
			powers(s.M)}
		if s.Op != "" {
			line = append(line, "--op", string(s.Op))
		}
		if s.Cols > 0 {
			line = append(line, "--cols", strconv.Itoa(s.Cols))
		}
		lines = append(lines, line)
	}
	return lines
}

// powers lists the powers of two below n, and n: "1,2,4,6".
func powers(n int) string {
	var list []string
	for k := 1; k < n; k *= 2 {
		list = append(list, strconv.Itoa(k))
	}
	return strings.Join(append(list, strconv.Itoa(n)), ",")
}

func (v *reportVerb) lockStep() (overview.Step, error) {
	if _, err := os.Stat(lockfile.Name); errors.Is(err, fs.ErrNotExist) {
		return overview.Step{Absent: "there is no " + lockfile.Name +
			" here; lastbit lock writes one"}, nil
	}
	return overview.Step{Seconds: v.lockEstimate(), Run: func(
		ctx context.Context, r *overview.Report, show overview.Show,
	) error {
		f, err := lockfile.Read(lockfile.Name)
		if err != nil {
			return err
		}
		config := v.config
		if config != nil && !config.Locks() {
			config = nil
		}
		survey := v.survey(nil)
		survey.Show = show
		found, err := survey.Check(ctx, f, config, nil)
		if err == nil {
			r.Lock = &overview.Lock{File: lockfile.Name, Answer: found.Verdict(), Report: found}
		}
		return err
	}}, nil
}

// lockEstimate returns the time that lastbit check may take.
func (v *reportVerb) lockEstimate() float64 {
	n := 1
	if v.config != nil {
		n += len(v.config.Requests)
	}
	return float64(lockSeconds * n)
}

func (v *reportVerb) vetStep() (overview.Step, error) {
	if !inModule() {
		return overview.Step{Absent: "neither this folder nor one above it has a go.mod"}, nil
	}
	args := slices.Clone(v.contents.Packages)
	if len(args) == 0 {
		args = []string{"./..."}
	}
	if len(v.contents.Targets) > 0 {
		args = append(args, "--target", strings.Join(v.contents.Targets, ","))
	}
	return overview.Step{Seconds: vetSeconds, Run: func(
		ctx context.Context, r *overview.Report, show overview.Show,
	) error {
		verb, cmd := newVet(v.within())
		patterns, err := parse(ctx, cmd, args)
		if err == nil {
			err = verb.check(cmd, patterns)
		}
		if err != nil {
			return err
		}
		found, err := verb.examine(ctx, show)
		if err != nil {
			return vetFault(err)
		}
		r.Vet = vetted(found)
		return nil
	}}, nil
}

// vetted returns the findings as a part of a report.
func vetted(found vetreport.Report) *overview.Vet {
	out := &overview.Vet{Packages: found.Packages, Asked: found.Asked,
		Findings: []overview.Place{}, Failed: []*probe.Fault{}}
	sources := map[string][]string{}
	for _, f := range found.Findings {
		p := overview.Place{Package: f.Package, File: vetreport.Relative(f.At.File),
			Line: f.At.Line, Column: f.At.Column, Analyzer: f.Analyzer, Message: f.Message,
			Targets: f.Targets}
		if _, read := sources[f.At.File]; !read {
			text, err := os.ReadFile(f.At.File)
			if err != nil {
				text = nil // the place is reported without its line
			}
			sources[f.At.File] = strings.Split(string(text), "\n")
		}
		if lines := sources[f.At.File]; p.Line >= 1 && p.Line <= len(lines) {
			p.Source = strings.TrimSpace(lines[p.Line-1])
		}
		out.Findings = append(out.Findings, p)
	}
	for _, e := range found.Failed {
		out.Failed = append(out.Failed, loadFault(e))
	}
	return out
}

func (v *reportVerb) digitsStep() (overview.Step, error) {
	list := v.contents.Digits
	if len(list) == 0 {
		return overview.Step{Absent: "no program is named; write [[report.digits]] in " +
			lockfile.ConfigName}, nil
	}
	return overview.Step{Seconds: float64(digitsSeconds * len(list)), Run: func(
		ctx context.Context, r *overview.Report, show overview.Show,
	) error {
		name := func(i int) string { return list[i].Package }
		return each(ctx, len(list), show, name, func(i int, show overview.Show) {
			p := v.programOf(ctx, list[i], show)
			if ctx.Err() == nil {
				r.Digits = append(r.Digits, p)
			}
		})
	}}, nil
}

// programOf runs lastbit digits for a program.
func (v *reportVerb) programOf(
	ctx context.Context, text lockfile.ProgramText, show overview.Show,
) *overview.Program {
	p := &overview.Program{Name: strings.Join(append([]string{text.Package}, text.Args...), " ")}
	var line []string
	if text.Runs > 0 {
		line = append(line, "--runs", strconv.Itoa(text.Runs))
	}
	line = append(append(line, text.Package, "--"), text.Args...)
	verb, cmd := newDigits(v.within())
	args, err := parse(ctx, cmd, line)
	if err == nil {
		err = verb.check(cmd, args)
	}
	if err == nil {
		err = needGo()
	}
	var found *digits.Analysis
	if err == nil {
		if found, err = verb.examine(ctx, args, show); err != nil {
			err = digitsFault(args[:1], err, "name a package main that go build builds")
		}
	}
	if err != nil {
		p.Error = overview.FaultOf("digits", err)
		return p
	}
	p.Answer, p.Result, p.Output = headline(found), &found.Report, string(found.Plain.Stdout)
	p.Wrong = lossyNumbers(found)
	if p.Listing, err = digits.NewListing(&found.Report, verb.files); err != nil {
		p.Error = overview.FaultOf("digits", err)
	}
	return p
}

func (v *reportVerb) explainStep() (overview.Step, error) {
	list := v.contents.Explain
	if len(list) == 0 {
		return overview.Step{Absent: "no pair of results is named; use --explain A B, or write " +
			"[[report.explain]] in " + lockfile.ConfigName}, nil
	}
	return overview.Step{Seconds: float64(pairSeconds * len(list)), Run: func(
		ctx context.Context, r *overview.Report, show overview.Show,
	) error {
		name := func(i int) string { return list[i].A + " and " + list[i].B }
		return each(ctx, len(list), show, name, func(i int, show overview.Show) {
			p := v.pairOf(ctx, list[i], show)
			if ctx.Err() == nil {
				r.Explain = append(r.Explain, p)
			}
		})
	}}, nil
}

// pairOf runs lastbit explain for two results.
func (v *reportVerb) pairOf(
	ctx context.Context, text lockfile.PairText, show overview.Show,
) *overview.Pair {
	p := &overview.Pair{A: text.A, B: text.B, Op: text.Op}
	line := []string{text.A, text.B}
	for _, f := range []struct{ flag, value string }{
		{"--op", text.Op}, {"--input", text.Input}, {"--second", text.Second},
		{"--lhs", text.LHS}, {"--rhs", text.RHS},
	} {
		if f.value != "" {
			line = append(line, f.flag, f.value)
		}
	}
	if text.Axis != nil {
		line = append(line, fmt.Sprintf("--axis=%d", *text.Axis))
	}
	verb, cmd := newExplain(v.within())
	args, err := parse(ctx, cmd, line)
	if err == nil {
		o, bad := verb.files(cmd, args)
		if err = bad; err == nil {
			var m *explainfiles.Matches
			if m, p.Reports, err = verb.compareAll(cmd, args, o, show); err == nil {
				p.OnlyA, p.OnlyB = m.OnlyA, m.OnlyB
			}
		}
	}
	if err != nil {
		p.Error = overview.FaultOf("explain", err)
	}
	return p
}
