package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/vetreport"
	"github.com/lastbit/lastbit/internal/suggest"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/vet"
	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/fused"
)

// vetVerb holds the flags of lastbit vet.
type vetVerb struct {
	*app
	options check.Options
	targets []string
	checks  []string
	format  string
	fix     bool
}

// vetFormats lists the values of --format.
var vetFormats = []string{"text", "json", "sarif", "github"}

func vetCommand(a *app) *cobra.Command {
	_, cmd := newVet(a)
	return cmd
}

// newVet returns the verb, and the command that fills it.
func newVet(a *app) (*vetVerb, *cobra.Command) {
	v := &vetVerb{app: a}
	cmd := &cobra.Command{
		Use:   "vet [PACKAGE…]",
		Short: "Find Go code that computes other bits on other machines",
		Long: `Vet reads Go packages and lists the places whose results depend on the processor, on
the order of a map or on the scheduler. Packages are named as for go vet; without one it
is that of the current folder.

` + analyzerLines() + `

fma reads the sources, and looks through small functions as the compiler inlines them.
--target asks the compiler itself: it compiles the packages for other processors and lists
the multiplications that are fused there, an inlined one at its own place. Nothing is run.
Exact products, of small integers for example, change no bit and are left out.

A comment makes an analyzer silent, and has to give a reason:
` + `
  s += x * y //lastbit:ignore fma the products are integers below 2^53

go vet -vettool=$(which lastbit) ./... runs the same analyzers.

Exit codes: 0 nothing was found, or all of it was fixed; 1 something was found; 2 a
package could not be examined.`,
		Example: `  lastbit vet ./...
  lastbit vet --target arm64,amd64/v3 ./...
  lastbit vet --checks fma,maporder --format sarif ./cmd/model`,
		Args: cobra.ArbitraryArgs,
		RunE: v.run,
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&v.targets, "target", nil,
		"ask the compiler what it fuses for these processors, such as arm64,amd64/v3")
	fl.StringSliceVar(&v.checks, "checks", nil,
		"run only these analyzers, or all except those after a -")
	fl.BoolVar(&v.fix, "fix", false, "apply the fixes to the files")
	fl.BoolVar(&v.options.NaNKeys, "nan-keys", false,
		"let nankey report NaN as the key of a map, too")
	fl.BoolVar(&v.options.Tests, "tests", false, "read test files too")
	fl.StringSliceVar(&v.options.Tags, "tags", nil, "build tags")
	choiceVar(cmd, fl, &v.format, "format", "text", choices{words: vetFormats},
		"the form of the output: "+text.List(vetFormats))
	complete(cmd, "checks", vet.Names(vet.Analyzers()))
	complete(cmd, "target", []string{"amd64/v3", "arm64", "loong64", "ppc64le", "riscv64", "s390x"})
	return v, cmd
}

// analyzerLines lists the analyzers for help.
func analyzerLines() string {
	var b strings.Builder
	for _, a := range vet.Analyzers() {
		title, _, _ := strings.Cut(a.Doc, "\n")
		name, title, _ := strings.Cut(title, ": ")
		b.WriteString("  " + text.Pad(name, 11) + " " + strings.TrimSuffix(title, ".") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (v *vetVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.check(cmd, args); err != nil {
		return err
	}
	p := v.newProgress()
	defer p.End()
	report, err := v.examine(cmd.Context(), p.Show)
	if err != nil {
		return vetFault(err)
	}
	p.End()
	if len(report.Findings) > 0 {
		v.code = other
	}
	for _, e := range report.Failed { // beside the findings in other packages
		v.code = failed
		fmt.Fprintln(v.stderr, "lastbit: "+onOneLine(loadFault(e)))
	}
	return v.write(report)
}

// write prints the findings.
func (v *vetVerb) write(report vetreport.Report) error {
	switch {
	case v.json || v.format == "json":
		return vetreport.JSON(v.stdout, report)
	case v.format == "sarif":
		return vetreport.SARIF(v.stdout, report)
	case v.format == "github":
		vetreport.GitHub(v.stdout, report)
	default:
		vetreport.Text(v.stdout, report)
	}
	return nil
}

// check checks the flags.
func (v *vetVerb) check(cmd *cobra.Command, args []string) error {
	if err := notEmpty(cmd, "target", "checks", "tags"); err != nil {
		return err
	}
	if v.json && cmd.Flags().Changed("format") && v.format != "json" {
		return badUsage(cmd, "--json and --format "+v.format+" exclude each other")
	}
	for _, name := range v.targets {
		t, err := fused.ParseTarget(name)
		if err != nil {
			return vetFault(err)
		}
		v.options.Targets = append(v.options.Targets, t)
	}
	var err error
	if v.options.Analyzers, err = chosenAnalyzers(cmd, v.checks); err != nil {
		return err
	}
	if v.options.Patterns = args; len(args) == 0 {
		v.options.Patterns = []string{"."}
	}
	return needGoFor("vet")
}

// needGoFor returns the fault of a verb that reads packages where the go
// command is missing.
func needGoFor(verb string) error {
	if _, err := exec.LookPath("go"); err == nil {
		return nil
	}
	return &probe.Fault{
		ID: "no-go", Thing: "the go command",
		Cause: "it is not in PATH, and " + verb + " reads packages with it",
		Cure:  "install Go, or add its bin folder to PATH",
	}
}

// chosenAnalyzers returns the analyzers of --checks.
func chosenAnalyzers(cmd *cobra.Command, checks []string) ([]*analysis.Analyzer, error) {
	all := vet.Analyzers()
	wanted, unwanted := map[string]bool{}, map[string]bool{}
	for _, name := range checks {
		bare, negative := strings.CutPrefix(name, "-")
		names := vet.Names(all)
		if !containsName(all, bare) {
			return nil, badUsage(cmd, "--checks: no analyzer is called "+bare,
				cmp.Or(suggest.Question(bare, names), "use "+text.List(names)+", or"))
		}
		if negative {
			unwanted[bare] = true
		} else {
			wanted[bare] = true
		}
	}
	var chosen []*analysis.Analyzer
	for _, a := range all {
		if (len(wanted) == 0 || wanted[a.Name]) && !unwanted[a.Name] {
			chosen = append(chosen, a)
		}
	}
	if len(chosen) == 0 {
		return nil, badUsage(cmd, "--checks leaves no analyzer")
	}
	return chosen, nil
}

func containsName(all []*analysis.Analyzer, name string) bool {
	for _, a := range all {
		if a.Name == name {
			return true
		}
	}
	return false
}

// maxRounds bounds the rounds of --fix: rounding one product may make the
// compiler fuse the other of a sum.
const maxRounds = 4

// examine runs the analyzers, and with --fix again after the fixes.
func (v *vetVerb) examine(
	ctx context.Context, show func(string, int, int),
) (vetreport.Report, error) {
	report := vetreport.Report{Analyzers: v.options.Analyzers, Version: moduleVersion(),
		Asked: len(v.options.Targets) > 0}
	if self, err := os.Executable(); err == nil {
		v.options.Tool = self
	}
	for range maxRounds {
		show("reading "+strings.Join(v.options.Patterns, " "), 0, 0)
		result, err := check.Run(ctx, v.options)
		if err != nil {
			return report, err
		}
		report.Result = result
		if !v.fix {
			break
		}
		fixed, err := check.Fix(result.Findings)
		if err != nil {
			return report, err
		}
		if len(fixed) == 0 {
			break
		}
		report.Fixed = append(report.Fixed, fixed...)
	}
	return report, nil
}

// vetFault names the cause and the cure of an error.
func vetFault(err error) error {
	var target *fused.TargetError
	var build *fused.BuildError
	var load *check.LoadError
	var write *check.WriteError
	switch {
	case errors.As(err, &write):
		return &probe.Fault{ID: "write-failed", Thing: write.File, Cause: write.Cause,
			Cure: "make it writable (chmod u+w), and run this again"}
	case errors.As(err, &target):
		return &probe.Fault{
			ID: "vet-target", Thing: "--target " + target.Name, Cause: target.What,
			Cure: text.Or(suggest.Question(target.Name, target.Known),
				"use one of "+strings.Join(target.Known, ", ")),
		}
	case errors.As(err, &build):
		return &probe.Fault{
			ID: "vet-package", Thing: build.Package + " for " + build.Target.String(),
			Cause: "it does not compile: " + build.Output,
			Cure:  "make go build succeed first, with GOOS and GOARCH of the target",
		}
	case errors.As(err, &load):
		return loadFault(load)
	}
	return err
}

// loadFault names the cause and the cure of a package that cannot be examined.
func loadFault(e *check.LoadError) *probe.Fault {
	if outside := moduleFault("vet-package", e.Package, e.Cause); outside != nil {
		return outside
	}
	return &probe.Fault{ID: "vet-package", Thing: e.Package, Cause: e.Cause,
		Cure: "make go build succeed first"}
}
