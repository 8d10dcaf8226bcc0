package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/crosscheck"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/vetreport"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/vet/fused"
)

// portableCheck holds the flags of --check and --run.
type portableCheck struct {
	tests   bool
	program string
	timeout time.Duration
	calls   int
	cause   bool
}

// add adds the flags to a verb.
func (c *portableCheck) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.BoolVar(&c.tests, "check", false,
		"run the tests on all platforms, and compare what they compute")
	fl.StringVar(&c.program, "run", "",
		"run this program, a package and its arguments, on all platforms, and compare the output")
	fl.IntVar(&c.calls, "calls", 0, "with --check, call each function so often with generated "+
		"arguments, too: 0 leaves it at the tests")
	fl.BoolVar(&c.cause, "cause", true, "with --check and --run, look for the line that causes a "+
		"difference, which takes some builds")
	fl.DurationVar(&c.timeout, "timeout", crosscheck.DefaultTimeout,
		"the time that a run of a program may take, with --check and --run")
}

// isAsked reports whether something is to be run.
func (c *portableCheck) isAsked(cmd *cobra.Command) bool {
	return c.tests || cmd.Flags().Changed("run")
}

// notWithRuns lists the flags that concern the sources.
var notWithRuns = []string{"write", "dry-run", "only", "lastbit", "go", "copies", "baseline",
	"update", "tests", "vendor", "format"}

// maxGenerated bounds --calls: package crosscheck compares 100,000 calls of a
// function.
const maxGenerated = 100_000

// checkRuns checks the flags of --check and --run.
func (v *portableVerb) checkRuns(cmd *cobra.Command, args []string) error {
	if err := notEmpty(cmd, "target", "tags"); err != nil {
		return err
	}
	for _, name := range notWithRuns {
		if cmd.Flags().Changed(name) {
			return badUsage(cmd, "--"+name+" concerns the sources, and --check and --run run them")
		}
	}
	dash := cmd.ArgsLenAtDash()
	switch {
	case cmd.Flags().Changed("run") && strings.TrimSpace(v.runs.program) == "":
		return badUsage(cmd, "--run names no program: give a package and its arguments")
	case v.runs.tests && v.runs.program != "":
		return badUsage(cmd, "give --check or --run, not both")
	case v.runs.program != "" && dash != 0 && len(args) > 0:
		return badUsage(cmd, "--run names the program with its arguments; more follow --")
	case v.runs.calls < 0 || v.runs.calls > maxGenerated:
		return badUsage(cmd, fmt.Sprintf("--calls takes a number from 0 to %d", maxGenerated))
	case v.runs.calls > 0 && !v.runs.tests:
		return badUsage(cmd, "--calls calls functions with --check; --run runs a program")
	case v.runs.timeout <= 0:
		return badUsage(cmd, "--timeout takes a time, such as 5m")
	}
	return nil
}

// runOptions returns what is run and where.
func (v *portableVerb) runOptions(cmd *cobra.Command, args []string) (crosscheck.Options, error) {
	o := crosscheck.Options{Tags: v.options.Tags, Timeout: v.runs.timeout, Calls: v.runs.calls,
		NoCause: !v.runs.cause,
		Targets: crosscheck.DefaultTargets(), Patterns: args}
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		o.Patterns, o.Args = args[:dash], args[dash:]
	}
	if words := strings.Fields(v.runs.program); len(words) > 0 {
		o.Patterns, o.Args = words[:1], append(words[1:], o.Args...)
	}
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	if len(v.targets) > 0 {
		o.Targets = nil
	}
	for _, name := range v.targets {
		t, err := fused.ParseTarget(name)
		if err != nil {
			return o, vetFault(err)
		}
		o.Targets = append(o.Targets, t)
	}
	return o, nil
}

// runAll runs tests or a program on all platforms.
func (v *portableVerb) runAll(cmd *cobra.Command, args []string) error {
	if err := v.checkRuns(cmd, args); err != nil {
		return err
	}
	o, err := v.runOptions(cmd, args)
	if err != nil {
		return err
	}
	if err := needGoFor("portable"); err != nil {
		return err
	}
	p := v.newProgress()
	defer p.End()
	o.Show = p.Show
	r, err := compareRuns(cmd.Context(), v.runs.tests, o)
	p.End()
	if err != nil {
		return runsFault(err)
	}
	switch {
	case len(r.Platforms) == 1:
		return badUsage(cmd, "--target names this machine only, and nothing to compare it with")
	case r.Others() == 0:
		return noPlatform(r)
	}
	if r.Same && r.Calls == 0 && r.Lines == 0 && r.Files == 0 {
		return nothingCompared(strings.Join(o.Patterns, " "), r.Varying, r.Platforms[0].Why)
	}
	if !r.Same {
		v.code = other
	}
	if v.json {
		return v.printJSON(newRunsAnswer(r))
	}
	v.printRuns(r)
	return nil
}

func compareRuns(
	ctx context.Context, tests bool, o crosscheck.Options,
) (*crosscheck.Report, error) {
	if tests {
		return crosscheck.Check(ctx, o)
	}
	return crosscheck.Run(ctx, o)
}

// nothingCompared is the fault of packages whose tests show nothing to compare,
// or nothing but functions that vary, or do not run for a reason.
func nothingCompared(packages string, varying []string, why string) error {
	if len(varying) > 0 {
		return &probe.Fault{ID: "portable-varies", Thing: packages,
			Cause: "every function that the tests call gives other results from run to run on " +
				"one platform: " + someOf(varying),
			Cure: "fix the order of their sums, and seeds: lastbit portable lists such places"}
	}
	if why != "" {
		return &probe.Fault{ID: "portable-nothing", Thing: packages, Cause: why,
			Cure: "make go test succeed first"}
	}
	return &probe.Fault{ID: "portable-nothing", Thing: packages,
		Cause: "no test calls an exported function with floating-point numbers, and nothing " +
			"is printed",
		Cure: "write tests that call the functions, or compare a program with --run"}
}

// noPlatform is the fault of a machine that runs nothing for others.
func noPlatform(r *crosscheck.Report) error {
	var why []string
	for _, p := range r.Platforms[1:] {
		why = append(why, p.Name+": "+p.Why)
	}
	return &probe.Fault{ID: "portable-platforms", Thing: "the platforms beside this machine",
		Cause: "none ran: " + strings.Join(why, "; "),
		Cure:  "install the emulators (make deps), or name others with --target"}
}

// runsFault names the cause and the cure of an error.
func runsFault(err error) error {
	var load *crosscheck.LoadError
	var build *crosscheck.BuildError
	var limit *crosscheck.LimitError
	var vary *crosscheck.VaryError
	var argument *crosscheck.ArgumentError
	switch {
	case errors.As(err, &argument):
		return &probe.Fault{ID: "portable-arguments", Thing: "the tests of " + argument.Package,
			Cause: argument.Cause,
			Cure: "name what the test program takes: -test.run=NAME and -test.short, " +
				"where go test takes -run and -short"}
	case errors.As(err, &load):
		if outside := moduleFault("portable-package", load.Package, load.Cause); outside != nil {
			return outside
		}
		return &probe.Fault{ID: "portable-package", Thing: load.Package, Cause: load.Cause,
			Cure: "name packages that go vet accepts, with CGO_ENABLED=0; --run takes a program"}
	case errors.As(err, &build):
		return &probe.Fault{ID: "portable-package", Thing: "the build for " + build.Target.String(),
			Cause: build.Output, Cure: "make go vet succeed first, with CGO_ENABLED=0"}
	case errors.As(err, &limit):
		return &probe.Fault{ID: "portable-time", Thing: limit.Name,
			Cause: fmt.Sprintf("a run took more than %v", limit.Limit),
			Cure:  "give it more with --timeout, or less to do: -- -test.short, -- -test.run=NAME"}
	case errors.As(err, &vary):
		return &probe.Fault{ID: "portable-varies", Thing: vary.Package,
			Cause: "two runs on this machine print other numbers of lines, or end with other codes",
			Cure:  "make the program print the same each time: fix seeds, and leave out times"}
	}
	return err
}

// printRuns prints the answer for people.
func (v *portableVerb) printRuns(r *crosscheck.Report) {
	fmt.Fprintln(v.stdout, firstLine(r))
	if r.First != nil {
		v.printDifference(r)
		fmt.Fprintln(v.stdout, "compared: "+compared(r))
	}
	for _, p := range r.Platforms[1:] {
		if n := len(p.Differ); n > 0 {
			fmt.Fprintf(v.stdout, "%s: %s with other bits: %s\n", p.Name, text.Count(n, "function"),
				someOf(p.Differ))
		}
		if n := len(p.Moved); n > 0 {
			fmt.Fprintf(v.stdout, "%s: %s with other arguments: %s\n", p.Name,
				text.Count(n, "function"), someOf(p.Moved))
		}
	}
	for _, p := range r.Platforms {
		switch {
		case !p.Ran:
			fmt.Fprintf(v.stdout, "not run: %s: %s\n", p.Name, text.Visible(p.Why))
		case p.Why != "":
			fmt.Fprintf(v.stdout, "%s: %s\n", p.Name, text.Visible(p.Why))
		}
	}
	if r.Made > 0 {
		panics := ""
		if r.Panics > 0 {
			panics = fmt.Sprintf("; %d of them end in a panic", r.Panics)
		}
		fmt.Fprintf(v.stdout, "generated: %s of each of %s, in these calls%s\n",
			text.Count(v.runs.calls, "call"), text.Count(r.Made, "function"), panics)
	}
	for _, f := range r.Fewer {
		fmt.Fprintf(v.stdout, "fewer calls, as they take more than 5 seconds: %s\n",
			f[strings.LastIndex(f, "/")+1:])
	}
	for _, l := range r.LeftOut {
		fmt.Fprintf(v.stdout, "not generated: %s\n", l[strings.LastIndex(l, "/")+1:])
	}
	if len(r.Varying) > 0 {
		fmt.Fprintf(v.stdout, "left out: %s, with other results from run to run on one "+
			"platform\n", someOf(r.Varying))
	}
	for _, n := range r.Notes {
		fmt.Fprintln(v.stdout, "note: "+n)
	}
}

// firstLine returns the answer on a line.
func firstLine(r *crosscheck.Report) string {
	var ran []string
	for _, p := range r.Platforms {
		switch {
		case p.Ran && p.Why != "":
			ran = append(ran, p.Name+" (in part)")
		case p.Ran:
			ran = append(ran, p.Name)
		}
	}
	if d := r.First; d != nil {
		on := strings.Join(d.Platforms, ", ")
		switch {
		case d.Ends:
			return "different: a call of " + d.Function + " ends the program on " + on + " only"
		case d.Function != "" && d.OtherArguments:
			return "different: " + d.Function + " gets other arguments on " + on
		case d.Function != "":
			return "different: " + d.Function + " gives other bits on " + on
		case d.Test != "":
			return "different: " + d.Test + " of " + d.Package + " fails on " + on + " only"
		case d.File != "":
			return "different: " + d.Package + " writes another " + d.File + " on " + on
		}
		return "different: " + d.Package + " prints something else on " + on
	}
	return "the same bits on " + strings.Join(ran, ", ") + ": " + compared(r)
}

// compared returns how much was compared.
func compared(r *crosscheck.Report) string {
	if r.Lines+r.Files > 0 {
		return text.Count(r.Lines, "line") + " of output, " + text.Count(r.Files, "file")
	}
	return text.Count(r.Functions, "function") + ", " + text.Count(r.Calls, "call")
}

// someOf lists the first names of many functions, without the folders of their
// packages.
func someOf(names []string) string {
	names = slices.Clone(names)
	for i, n := range names {
		names[i] = n[strings.LastIndex(n, "/")+1:]
	}
	return firstOf(names)
}

// printDifference prints the call or the lines, and the cause.
func (v *portableVerb) printDifference(r *crosscheck.Report) {
	d := r.First
	rows := [][]string{}
	none := !slices.ContainsFunc(namesInOrder(r, d.Results), func(name string) bool {
		for i := range d.Results[name] {
			if variesAt(d.Results, i) {
				return true
			}
		}
		return false
	})
	for i, a := range d.Arguments {
		title := ""
		if i == 0 {
			title = "arguments"
		}
		rows = append(rows, []string{title, shownValue(a)})
	}
	for _, name := range namesInOrder(r, d.Results) {
		title := name
		for i, x := range d.Results[name] {
			if !none && !variesAt(d.Results, i) {
				continue
			}
			rows = append(rows, []string{title, shownValue(x)})
			title = ""
		}
	}
	for _, name := range namesInOrder(r, d.Lines) {
		if d.Lines[name] != "" {
			rows = append(rows, []string{lineTitle(name, d), text.Visible(d.Lines[name])})
		}
	}
	width := 0
	for _, row := range rows {
		width = max(width, text.Width(row[0]))
	}
	for _, row := range rows {
		fmt.Fprintf(v.stdout, "  %s  %s\n", text.Pad(row[0], width), row[1])
	}
	v.printCause(d)
}

// variesAt reports whether the results with a number differ. Results of one
// platform alone do.
func variesAt(results map[string][]crosscheck.Value, i int) bool {
	var first *crosscheck.Value
	for _, all := range results {
		if i >= len(all) || first != nil && *first != all[i] {
			return true
		}
		first = &all[i]
	}
	return len(results) == 1
}

func lineTitle(platform string, d *crosscheck.Difference) string {
	if d.Line > 0 {
		return fmt.Sprintf("%s, line %d", platform, d.Line)
	}
	return platform
}

// namesInOrder returns the platforms of a map in the order of the report.
func namesInOrder[T any](r *crosscheck.Report, of map[string]T) []string {
	var all []string
	for _, p := range r.Platforms {
		if _, ok := of[p.Name]; ok {
			all = append(all, p.Name)
		}
	}
	return all
}

// shownValue returns a value with its bits, if they are few.
func shownValue(x crosscheck.Value) string {
	const most = 4
	if words := strings.Fields(x.Bits); len(words) > 0 && len(words) <= most {
		return text.Visible(x.Text) + "  (" + x.Bits + ")"
	}
	return text.Visible(x.Text)
}

// causeWords describes the kinds of causes.
var causeWords = map[string]string{
	"fma":     "a multiplication fused with an addition",
	"complex": "a fused product or quotient of complex numbers",
	"libm":    "a function of package math",
}

func (v *portableVerb) printCause(d *crosscheck.Difference) {
	c := d.Cause
	switch {
	case c == nil:
		return
	case c.Kind == "":
		fmt.Fprintln(v.stdout, "  the cause was not found: neither fused operations nor functions "+
			"of math make the difference alone")
		for _, k := range c.Candidates {
			fmt.Fprintf(v.stdout, "  it may be %s:%d: %s (%s)\n", vetreport.Relative(k.File),
				k.Line, text.Visible(k.Message), k.Kind)
		}
		return
	}
	words := causeWords[c.Kind]
	if c.Name != "" {
		words = "math." + c.Name
	}
	if !c.Alone {
		words += ", together with others"
	}
	fmt.Fprintf(v.stdout, "  cause: %s:%d: %s (%s)\n", vetreport.Relative(c.File), c.Line, words,
		c.Kind)
}
