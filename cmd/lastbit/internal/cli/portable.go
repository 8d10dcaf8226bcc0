package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/internal/suggest"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/vet/fused"
	"github.com/lastbit/lastbit/vet/portable"
)

// portableVerb holds the flags of lastbit portable.
type portableVerb struct {
	*app
	options portable.Options
	targets []string
	lastbit string
	format  string
	write   bool
	dryRun  bool

	baseline    string // a file with known places
	update      bool
	known, gone int // places of the baseline

	runs portableCheck
}

// portableFormats lists the values of --format.
var portableFormats = []string{"text", "json", "github"}

func portableCommand(a *app) *cobra.Command {
	v := &portableVerb{app: a}
	cmd := &cobra.Command{
		Use:   "portable [PACKAGE…] [-- ARG…]",
		Short: "Check whether a Go module computes the same bits everywhere, and make it so",
		Long: `Portable answers in one line whether Go packages compute the same bits on every
platform, and lists the places that do not: what lastbit vet finds, and what the compiler
itself fuses for amd64/v3, arm64, ppc64le, riscv64 and s390x. Packages are named as for go vet;
without one lastbit takes those in the module.

--write rewrites the places:

` + portableKinds() + `

The result computes everywhere what it computed on amd64, except elementary functions,
which are correctly rounded, sums whose order was open, and signs of NaN, which are
positive. Comments and lines stay. All is compiled and type-checked before the first file
is written. go.mod gets a requirement of lastbit where a rewritten file imports it, and
its go line is raised if no loop keeps its variables. What cannot be rewritten is listed
with the reason and what to do. --baseline FILE leaves known places out, so that CI fails
on new ones only; --update writes the file. --vendor is for the modules that the packages
import, too: they are rewritten in the vendor folder, or where there is none in copies,
and lastbit prints their licences and the replace lines that take the copies; --copies DIR
names the folder. A comment //lastbit:ignore NAME REASON leaves a place out. --format
github adds commands that show the places beside the lines of a change.

--check runs the tests of the packages on this machine, and on others by qemu and Node:
amd64/v3, arm64, s390x, riscv64, ppc64le and wasm, or those of --target. It compares the
bits that exported functions return, and shows the first call that differs, and the line
that causes it. --calls N calls each function with generated arguments, too. --run PROGRAM
compares the output of a program. More arguments of the test programs, or of the program,
follow --.

Exit codes: 0 the same bits everywhere; 1 a place is left, or the bits differ; 2 it could
not be told or done.`,
		Example: `  lastbit portable ./...
  lastbit portable --check --target arm64 ./...
  lastbit portable --run ./cmd/model --target arm64 -- -steps 20
  lastbit portable --write --dry-run --only fma ./...
  lastbit portable --write --only libm --go 1.26 ./...
  lastbit portable --vendor --write ./...
  lastbit portable --baseline portable.txt --update ./...`,
		Args: cobra.ArbitraryArgs,
		RunE: v.run,
	}
	fl := cmd.Flags()
	fl.BoolVar(&v.write, "write", false, "rewrite the places")
	fl.BoolVar(&v.dryRun, "dry-run", false, "print what --write changes, and change nothing")
	fl.StringSliceVar(&v.options.Only, "only", nil,
		"look at these kinds of places only: "+text.List(portable.Kinds()))
	fl.StringSliceVar(&v.targets, "target", nil,
		"ask the compiler about these processors in the place of the five")
	fl.StringVar(&v.lastbit, "lastbit", "",
		"the release of lastbit to require, or the folder of its source")
	fl.StringVar(&v.options.Go, "go", "",
		"raise the go line of go.mod to this release, even if a loop keeps its variables")
	fl.BoolVar(&v.options.Vendor, "vendor", false,
		"look at the modules that the packages import, too, and rewrite those in the vendor "+
			"folder, or copies in "+portable.CopiesDir)
	fl.StringVar(&v.options.Copies, "copies", "",
		"a new folder for rewritten copies of the modules that the packages import")
	fl.StringVar(&v.baseline, "baseline", "",
		"a file with known places, which are left out of the answer")
	fl.BoolVar(&v.update, "update", false, "write the places that are found to the --baseline")
	fl.BoolVar(&v.options.Tests, "tests", false, "read and rewrite test files too")
	fl.StringSliceVar(&v.options.Tags, "tags", nil, "build tags")
	choiceVar(cmd, fl, &v.format, "format", "text", choices{words: portableFormats},
		"the form of the output: "+text.List(portableFormats))
	v.runs.add(cmd)
	complete(cmd, "only", portable.Kinds())
	complete(cmd, "target", []string{"amd64/v3", "arm64", "loong64", "ppc64le", "riscv64", "s390x"})
	return cmd
}

// portableKinds lists the kinds of places for help.
func portableKinds() string {
	to := map[string]string{
		"fma":        "float64(x*y) + z",
		"libm":       "crmath.Sin(x), f32.Sin(x)",
		"complex":    "complexes.Mul(a, b)",
		"floatconv":  "trunc.Int(x)",
		"maps":       "sorted keys, or an exact.Accumulator",
		"goroutines": "an exact.Accumulator, or an exact.Shared for atomic swaps",
		"nan":        "signs.Signbit(x), signs.Copysign(f, x)",
	}
	var b strings.Builder
	for _, k := range portable.Kinds() {
		b.WriteString("  " + text.Pad(k, 11) + " " + portable.Title(k) + ": " + to[k] + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (v *portableVerb) run(cmd *cobra.Command, args []string) error {
	if v.runs.isAsked(cmd) {
		return v.runAll(cmd, args)
	}
	if err := v.check(cmd, args); err != nil {
		return err
	}
	p := v.newProgress()
	defer p.End()
	v.options.Show = func(text string) { p.Show(text, 0, 0) }
	result, err := v.examine(cmd.Context())
	p.End()
	if err != nil {
		return portableFault(err)
	}
	if len(result.Left.Places) > 0 {
		v.code = other
	}
	for _, e := range result.Left.Failed { // beside the places in other packages
		v.code = failed
		fmt.Fprintln(v.stderr, "lastbit: "+onOneLine(loadFault(e)))
	}
	switch {
	case v.json || v.format == "json":
		return v.printJSON(v.object(result))
	case v.dryRun && len(result.Files) > 0:
		return v.printDiff(result)
	}
	v.print(result)
	if v.format == "github" {
		v.annotate(result.Left)
	}
	return nil
}

// examine looks for places, and with --write rewrites them.
func (v *portableVerb) examine(ctx context.Context) (*portable.Result, error) {
	if !v.write {
		report, err := portable.Examine(ctx, v.options)
		if err == nil {
			err = v.compareBaseline(report)
		}
		return &portable.Result{Left: report}, err
	}
	result, err := portable.Rewrite(ctx, v.options)
	if err != nil || v.dryRun {
		return result, err
	}
	return result, result.Write()
}

// check checks the flags.
func (v *portableVerb) check(cmd *cobra.Command, args []string) error {
	if err := notEmpty(cmd, "only", "target", "tags", "lastbit", "go", "baseline",
		"copies"); err != nil {
		return err
	}
	if v.json && cmd.Flags().Changed("format") && v.format != "json" {
		return badUsage(cmd, "--json and --format "+v.format+" exclude each other")
	}
	if v.dryRun && !v.write {
		return badUsage(cmd, "--dry-run shows what --write changes: give both")
	}
	if v.baseline != "" && v.write || v.update && v.baseline == "" {
		return badUsage(cmd, "--update needs --baseline, which goes without --write")
	}
	if (v.options.Copies != "" || v.options.Vendor) && (v.dryRun || v.options.Tests) {
		return badUsage(cmd, "--vendor and --copies go without --dry-run and --tests")
	}
	for _, name := range []string{"lastbit", "go", "copies"} {
		if cmd.Flags().Changed(name) && !v.write {
			return badUsage(cmd, "--"+name+" has no effect without --write")
		}
	}
	dash := cmd.ArgsLenAtDash() // packages may follow, if none precede
	for _, name := range []string{"timeout", "calls", "cause"} {
		if cmd.Flags().Changed(name) {
			return badUsage(cmd, "--"+name+" goes with --check, or with --run and a program")
		}
	}
	if dash > 0 {
		return badUsage(cmd, "arguments after packages and -- are for --check and --run")
	}
	if g := v.options.Go; g != "" && !portable.IsNewEnough(g) {
		return badUsage(cmd, "--go "+g+": lastbit needs Go 1.26 or a newer one")
	}
	for _, k := range v.options.Only {
		if kinds := portable.Kinds(); !slices.Contains(kinds, k) {
			return badUsage(cmd, "--only: no kind of places is called "+k,
				text.Or(suggest.Question(k, kinds), "use "+text.List(kinds)+", or"))
		}
	}
	v.options.Targets = portable.DefaultTargets()
	if len(v.targets) > 0 {
		v.options.Targets = nil
	}
	for _, name := range v.targets {
		t, err := fused.ParseTarget(name)
		if err != nil {
			return vetFault(err)
		}
		v.options.Targets = append(v.options.Targets, t)
	}
	if v.options.Patterns = args; len(args) == 0 {
		v.options.Patterns = []string{"./..."}
	}
	if err := needGoFor("portable"); err != nil {
		return err
	}
	if !v.write {
		return nil
	}
	var err error
	v.options.Lastbit, err = requiredLastbit(v.lastbit)
	return err
}

// portableFault names the cause and the cure of an error.
func portableFault(err error) error {
	if e := (*portable.Error)(nil); errors.As(err, &e) {
		return portableFaultOf(e)
	}
	return vetFault(err)
}

// portableFaultOf returns the fault of a module that cannot be rewritten.
func portableFaultOf(e *portable.Error) *probe.Fault {
	var f probe.Fault
	switch e.ID {
	case portable.NoModule:
		f = probe.Fault{ID: "portable-module"}
	case portable.InWorkspace:
		f = probe.Fault{ID: "portable-workspace"}
	case portable.OldGo:
		f = probe.Fault{ID: "portable-go"}
	case portable.NoLastbit:
		f = probe.Fault{ID: "portable-lastbit"}
	case portable.Vendored:
		f = probe.Fault{ID: "portable-vendor"}
	case portable.NoCopies:
		f = probe.Fault{ID: "portable-copies"}
	default:
		f = probe.Fault{ID: "portable-types"}
	}
	f.Thing, f.Cause, f.Cure = e.Thing, e.Cause, e.Cure
	return &f
}
