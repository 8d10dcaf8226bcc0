package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/digits"
)

func digitsTestCommand(a *app) *cobra.Command {
	v := &digitsVerb{app: a}
	cmd := &cobra.Command{
		Use:   "test PACKAGE… [-- ARG…]",
		Short: "Run the tests of Go packages with random rounding",
		Long: `Test builds the tests of packages so that every floating-point operation rounds up or
down at random. It runs them once as they are, and several times that way. A test that
fails in some runs only hangs on rounding errors: another compiler, processor or order
of summation may fail it, too.

The arguments of the test programs follow --, such as -test.run=Solve or -test.bench=.
for benchmarks. The results of benchmarks are those of the rewritten tests, without
random rounding.

Exit codes: 0 the tests were run, whatever they found; 2 they could not be.`,
		Example: `  lastbit digits test ./...
  lastbit digits test --off ./... -- -test.run=Solve`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: v.runTests,
	}
	fl := cmd.Flags()
	v.addRoundings(fl)
	fl.StringSliceVar(&v.also, "packages", nil,
		"rewrite these packages beside the module's own, and no others")
	fl.StringSliceVar(&v.tags, "tags", nil, "build tags")
	return cmd
}

func (v *digitsVerb) runTests(cmd *cobra.Command, args []string) error {
	patterns, rest := args, []string{}
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		patterns, rest = args[:dash], args[dash:]
	}
	if len(patterns) == 0 {
		return badUsage(cmd, "name packages; the arguments of the tests follow --")
	}
	if err := v.checkRoundings(cmd); err != nil {
		return err
	}
	if err := needGo(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "lastbit-digits-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := v.newProgress()
	defer p.End()
	p.Show("building tests", 0, 0)
	tests, err := instrument.BuildTests(cmd.Context(),
		instrument.Options{Also: v.also, Tags: v.tags}, patterns, dir)
	if err != nil {
		return digitsFault(patterns, err, testCure)
	}
	if len(tests) > 0 {
		v.warn(tests[0].Unreached)
	}
	v.options.Show = p.Show
	found, err := digits.AnalyzeTests(cmd.Context(), tests, rest, v.options)
	if err != nil {
		return digitsFault(patterns, err, testCure)
	}
	p.End()
	found.Mode, found.Share = v.modeAndShare(found.Runs)
	if v.json {
		return v.printJSON(found)
	}
	v.writeTests(found)
	return nil
}

const testCure = "name packages that go test builds"

// writeTests writes a report on tests for people.
func (v *digitsVerb) writeTests(r *digits.TestReport) {
	rows := [][]string{{"", "runs that fail", "without random rounding"}}
	failing, unstable := 0, 0
	for _, p := range r.Packages {
		for _, f := range p.Failures {
			plain := "passes"
			if f.Plain {
				plain = "fails"
				failing++
			} else {
				unstable++
			}
			name := strings.TrimSpace(p.Package + " " + f.Test)
			rows = append(rows, []string{name, fmt.Sprintf("%d of %d", f.Runs, r.Runs), plain})
		}
	}
	packages := count(len(r.Packages), "package", "packages")
	left := leftOut(r.Omitted)
	switch {
	case len(r.Packages) == 0:
		fmt.Fprintln(v.stdout, "the packages have no tests")
	case r.Runs == 0 && failing == 0:
		fmt.Fprintf(v.stdout, "the tests of %s pass, without random rounding\n", packages)
	case r.Runs == 0:
		fmt.Fprintf(v.stdout, "%s, without random rounding\n",
			count(failing, "test of "+packages+" fails", "tests of "+packages+" fail"))
	case unstable == 0:
		fmt.Fprintf(v.stdout, "no test of %s fails under random rounding only, in %s%s%s\n",
			packages, count(r.Runs, "run", "runs"), rounded(r.Mode, r.Share), left)
	default:
		fmt.Fprintf(v.stdout, "%s under random rounding only%s%s\n",
			count(unstable, "test of "+packages+" fails", "tests of "+packages+" fail"),
			rounded(r.Mode, r.Share), left)
	}
	v.writeFailures(r, rows)
}

// writeFailures writes the table of tests that fail, or a list if all runs are
// plain, the messages of programs that failed without a test, and benchmarks.
func (v *digitsVerb) writeFailures(r *digits.TestReport, rows [][]string) {
	if len(rows) > 1 {
		fmt.Fprintln(v.stdout)
	}
	switch {
	case r.Runs == 0:
		for _, row := range rows[1:] {
			fmt.Fprintln(v.stdout, row[0])
		}
	case len(rows) > 1:
		text.Table(v.stdout, "", rows, 1)
	}
	for _, p := range r.Packages {
		if p.Message != "" {
			fmt.Fprintf(v.stdout, "\n%s ended without a failing test: %s\n", p.Package, p.Message)
		}
		if len(p.Benchmarks) > 0 {
			fmt.Fprintf(v.stdout, "\nBenchmarks of %s, rewritten, without random rounding:\n%s\n",
				p.Package, strings.Join(p.Benchmarks, "\n"))
		}
	}
}
