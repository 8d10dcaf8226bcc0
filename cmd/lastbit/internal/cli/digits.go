package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/overview"
	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/digits"
	"github.com/lastbit/lastbit/instrument/perturb"
	"github.com/lastbit/lastbit/probe"
)

// digitsVerb holds the flags of lastbit digits.
type digitsVerb struct {
	*app
	options digits.Options
	also    []string
	tags    []string
	token   string
	exit    bool
	match   string
	script  string
	mode    string
	listing bool
	page    string
	files   map[string]string // of the program
}

func digitsCommand(a *app) *cobra.Command {
	_, cmd := newDigits(a)
	cmd.AddCommand(digitsTestCommand(a))
	return cmd
}

// newDigits returns the verb, and the command that fills it.
func newDigits(a *app) (*digitsVerb, *cobra.Command) {
	v := &digitsVerb{app: a}
	cmd := &cobra.Command{
		Use:   "digits PACKAGE [-- ARG…]",
		Short: "Print a Go program's output with only the digits that are right",
		Long: `Digits builds a Go program, unchanged, so that every floating-point operation rounds
up or down at random. It runs the program once as it is and several times that way, and
prints its output with only the digits that all runs confirm. It lists the source lines
where digits are lost, and comparisons whose outcome hangs on rounding errors.

@.0 is a number without a right digit. The method is statistical: it sees rounding
errors, not wrong formulas, and a few runs may agree by chance.

Every package that the program reaches is rewritten; with --packages, only its own module
and the packages that match. The first line names what was left out and can lie on the
way to a number, such as assembly. The program's arguments follow --. Standard input is
read once and given to every run.

--runs 1 makes one run with random rounding: the digits are those that it shares with the
program's own run, and --json has its output. --mode rounds in another way: sr up or down
in proportion to nearness, mca:P with noise at a virtual precision of P bits, vprec:P,E to
nearest in a format of P bits and E bits of exponent. --share 0.01 perturbs one of 100
operations, at random.

--blame finds the smallest set of lines whose rounding errors alone cause a loss
(source), and the line where they grow most (amplifier). The loss is that of the number
with the fewest digits, or of --blame-token; --blame-exit, --blame-match and
--blame-script name other faults that some of the runs show.

Exit codes: 0 the program was examined, whatever its own exit code; 2 it could not be.`,
		Example: `  lastbit digits ./cmd/model
  lastbit digits --blame ./cmd/model -- -steps 100
  lastbit digits --json --runs 4 --seed 7 ./cmd/model
  lastbit digits --mode mca:24 ./cmd/model`,
		Args: cobra.MinimumNArgs(1),
		RunE: v.run,
	}
	fl := cmd.Flags()
	v.addRoundings(fl)
	fl.BoolVar(&v.options.Profile, "profile", false, "list every line that loses a digit")
	fl.BoolVar(&v.options.Blame, "blame", false, "find the lines that cause the worst loss")
	fl.StringVar(&v.token, "blame-token", "",
		"blame the loss of this token of the output, LINE:TOKEN from 1")
	fl.BoolVar(&v.exit, "blame-exit", false, "blame runs that end with another exit code")
	fl.StringVar(&v.match, "blame-match", "",
		"blame runs whose output matches this regular expression, or alone does not")
	fl.StringVar(&v.script, "blame-script", "",
		"blame runs whose output makes this program fail, which reads it")
	fl.BoolVar(&v.options.Calls, "calls", false,
		"blame paths of calls: a line counts anew for every way that leads to it")
	fl.BoolVar(&v.options.Synchronous, "synchronous", false,
		"list what three samples that run in step would warn of, operation by operation")
	fl.IntVar(&v.options.Advise, "advise", 0,
		"name the precision that lines need so that the output keeps this many digits "+
			"and its words")
	fl.BoolVar(&v.listing, "listing", false, "print the source with the digits lost in the margin")
	fl.StringVar(&v.page, "page", "", "write that listing to a file, as HTML")
	fl.StringSliceVar(&v.also, "packages", nil,
		"rewrite these packages beside the module's own, and no others")
	fl.StringSliceVar(&v.tags, "tags", nil, "build tags")
	return v, cmd
}

func (v *digitsVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.check(cmd, args); err != nil {
		return err
	}
	if err := needGo(); err != nil {
		return err
	}
	p := v.newProgress()
	defer p.End()
	found, err := v.examine(cmd.Context(), args, p.Show)
	if err != nil {
		return digitsFault(args[:1], err, "name a package main that go build builds")
	}
	p.End()
	found.Mode, found.Share = v.modeAndShare(found.Runs)
	_, _ = v.stderr.Write(found.Plain.Stderr)
	if err := v.writePage(found); err != nil {
		return err
	}
	if v.json {
		return v.printJSON(found.Report)
	}
	v.write(v.stdout, found)
	if !v.listing {
		return nil
	}
	l, err := digits.NewListing(&found.Report, v.files)
	if err != nil {
		return err
	}
	return l.WriteText(v.stdout)
}

// writePage writes the listing to the file of --page.
func (v *digitsVerb) writePage(a *digits.Analysis) error {
	if v.page == "" {
		return nil
	}
	l, err := digits.NewListing(&a.Report, v.files)
	if err != nil {
		return err
	}
	return v.app.write(v.page, func(w io.Writer) error { return overview.WriteListing(w, l) })
}

// needGo returns an error if the go command is missing.
func needGo() error {
	if _, err := exec.LookPath("go"); err == nil {
		return nil
	}
	return &probe.Fault{
		ID: "no-go", Thing: "the go command",
		Cause: "it is not in PATH, and digits builds the program with it",
		Cure:  "install Go, or add its bin folder to PATH",
	}
}

// check checks the flags.
func (v *digitsVerb) check(cmd *cobra.Command, args []string) error {
	if err := v.checkRoundings(cmd); err != nil {
		return err
	}
	switch dash := cmd.ArgsLenAtDash(); {
	case dash == 0 || dash < 0 && len(args) > 1 || dash > 1:
		return badUsage(cmd, "name one package; the program's own arguments follow --")
	case v.options.Synchronous && v.options.Runs < 3:
		return badUsage(cmd, "--synchronous compares three runs: it takes --runs from 3")
	case v.options.Advise < 0 || v.options.Advise > 15:
		return badUsage(cmd, "--advise takes a number of digits from 1 to 15")
	}
	if err := v.checkOff(cmd); err != nil {
		return err
	}
	if v.options.Synchronous && v.options.Mode.IsFixed() {
		return badUsage(cmd, "--synchronous compares roundings, and --mode "+v.mode+" has one")
	}
	if r := v.options.Mode.Rounding; v.options.Advise > 0 &&
		(r == perturb.MonteCarlo || r == perturb.ShortFormat) {
		return badUsage(cmd, "--advise takes the errors of float64, not those of --mode "+v.mode)
	}
	if err := v.checkCriterion(cmd); err != nil || v.token == "" {
		return err
	}
	line, token, ok := strings.Cut(v.token, ":")
	l, err1 := strconv.Atoi(line)
	t, err2 := strconv.Atoi(token)
	if !ok || err1 != nil || err2 != nil || l < 1 || t < 1 {
		return badUsage(cmd, "--blame-token takes LINE:TOKEN, two numbers from 1")
	}
	v.options.Blame, v.options.BlameLine, v.options.BlameToken = true, l, t
	return nil
}

// checkOff refuses --off beside flags that need random rounding.
func (v *digitsVerb) checkOff(cmd *cobra.Command) error {
	for _, name := range []string{"profile", "blame", "blame-token", "blame-exit", "blame-match",
		"blame-script", "calls", "synchronous", "advise", "listing", "page", "mode", "share"} {
		if v.options.Off && cmd.Flags().Changed(name) {
			return badUsage(cmd, "--"+name+" needs random rounding, which --off leaves out")
		}
	}
	return nil
}

// checkCriterion takes the flags that name what is blamed on somebody.
func (v *digitsVerb) checkCriterion(cmd *cobra.Command) error {
	o := &v.options
	named := 0
	if v.token != "" {
		named++
	}
	if v.exit {
		o.Criterion = digits.OtherExit
		named++
	}
	if v.match != "" {
		pattern, err := regexp.Compile(v.match)
		if err != nil {
			return badUsage(cmd, "--blame-match takes a regular expression: "+err.Error())
		}
		o.Criterion = digits.OtherMatch(pattern)
		named++
	}
	if v.script != "" {
		path, err := exec.LookPath(v.script)
		if err != nil {
			return badUsage(cmd, "--blame-script takes a program: "+err.Error())
		}
		o.Criterion = digits.Script(cmd.Context(), path)
		named++
	}
	if named > 1 {
		return badUsage(cmd,
			"name one of --blame-token, --blame-exit, --blame-match and --blame-script")
	}
	o.Blame = o.Blame || named > 0 || o.Calls
	return nil
}

// examine builds the program and runs it.
func (v *digitsVerb) examine(
	ctx context.Context, args []string, show func(string, int, int),
) (*digits.Analysis, error) {
	dir, err := os.MkdirTemp("", "lastbit-digits-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	show("building "+args[0], 0, 0)
	also, err := absolute(v.also)
	if err != nil {
		return nil, err
	}
	o := instrument.Options{Package: args[0], Also: also, Tags: v.tags}
	o.Dir, o.Package = folder(args[0])
	program, err := instrument.Build(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	v.files = program.Files
	v.warn(program.Unreached)
	v.options.Show = show
	v.options.Stdin = v.stdin
	return digits.Analyze(ctx, program, instrument.Input{Args: args[1:]}, v.options)
}

// warn names patterns of --packages that choose nothing.
func (v *digitsVerb) warn(unreached []string) {
	for _, pattern := range unreached {
		fmt.Fprintf(v.stderr,
			"lastbit: --packages %s: the program reaches none of these packages\n", pattern)
	}
}

// folder returns the folder where the go command finds a package, and the name
// of the package there: a path may lead into another module.
func folder(name string) (dir, pkg string) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", name
	case info.IsDir():
		return name, "."
	}
	return filepath.Dir(name), filepath.Base(name)
}

// absolute returns patterns of packages with absolute paths in the place of
// those relative to the current folder: the go command runs in another.
func absolute(patterns []string) ([]string, error) {
	all := slices.Clone(patterns)
	for i, p := range all {
		if p != "." && p != ".." && !strings.HasPrefix(p, "./") && !strings.HasPrefix(p, "../") {
			continue
		}
		path, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		all[i] = path
	}
	return all, nil
}

// digitsFault returns the fault of an error, with its cause and its cure. The
// given cure is for a package that cannot be built.
func digitsFault(patterns []string, err error, cure string) error {
	name := strings.Join(patterns, " ")
	var pattern *instrument.AlsoError
	var token *digits.NoTokenError
	var fault *digits.NoFaultError
	var order *digits.OrderError
	switch {
	case errors.As(err, &pattern):
		return &probe.Fault{
			ID: "no-program", Thing: "--packages " + pattern.Package, Cause: pattern.Err.Error(),
			Cure: "name packages of modules that the program imports, or leave out --packages",
		}
	case errors.As(err, &order):
		return &probe.Fault{
			ID: "no-order", Thing: "--synchronous " + name,
			Cause: strings.TrimPrefix(err.Error(), "digits: ") +
				", as with goroutines that take turns, or the time",
			Cure: "leave out --synchronous, or give the program one order",
		}
	case errors.As(err, &fault):
		return &probe.Fault{
			ID: "no-fault", Thing: name, Cause: strings.TrimPrefix(err.Error(), "digits: "),
			Cure: "name a criterion that some runs meet, or try more with --runs",
		}
	case errors.As(err, &token):
		return &probe.Fault{
			ID: "bad-token", Thing: fmt.Sprintf("--blame-token %d:%d", token.Line, token.Token),
			Cause: "that is no number of the program's output",
			Cure:  "lastbit digits --json lists the tokens with their lines and numbers",
		}
	}
	if outside := moduleFault("no-program", name, err.Error()); outside != nil {
		return outside
	}
	cause := strings.TrimPrefix(err.Error(), "instrument: ")
	for _, prefix := range []string{name, "."} { // see folder
		cause = strings.TrimPrefix(cause, prefix+" ")
	}
	return &probe.Fault{ID: "no-program", Thing: name, Cause: cause, Cure: cure}
}
