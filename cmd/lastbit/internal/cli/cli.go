// Package cli is the command line, one file for each verb.
//
// Results go to standard output, progress and errors to standard error. A verb
// ends with one of three exit codes: 0, everything is the same, or verified; 1,
// something else was found; 2, the work could not be done.
package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/terminal"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/vet"
	"github.com/lastbit/lastbit/vet/check"
)

// The exit codes.
const (
	same   = 0 // a verified tree, an exact sum, results that agree
	other  = 1 // any other verdict, results that differ
	failed = 2 // the work could not be done
)

// Run runs the command line args, which lack the program's name, and returns
// its exit code. It ends soon after ctx does, with every process that it
// started. A program that calls Run has to call open.ServeIfWorker first.
func Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	return run(ctx, stdin, stdout, stderr, args, drivers(stderr))
}

// run runs the command over the targets of the drivers.
func run(
	ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string,
	drivers open.Table,
) int {
	check.ServeGoVet(args, vet.Analyzers())
	out := &output{w: stdout}
	a := &app{stdin: stdin, out: out, stdout: out, stderr: stderr, drivers: drivers}
	root := a.root()
	root.SetArgs(args)
	root.PersistentPreRun = func(*cobra.Command, []string) {
		a.stdout = terminal.NewPrinter(stdout, a.color).To(out)
	}
	cmd, err := root.ExecuteContextC(ctx)
	if out.err != nil && ctx.Err() == nil {
		err = out.fault()
	}
	if err == nil {
		return a.code
	}
	a.fail(ctx, cmd, args, err)
	return failed
}

// app holds the state that the verbs share.
type app struct {
	stdin   io.Reader
	out     *output   // standard output
	stdout  io.Writer // the same, once flags are parsed: a *text.Printer
	stderr  io.Writer
	drivers open.Table
	json    bool
	color   string
	code    int // the exit code of the verb's finding
}

// root returns the command with all its verbs.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "lastbit",
		Short: "Reveal the order of additions, and why two results differ in the last bit",
		Long: `Two programs add the same numbers and print different last digits. Lastbit finds
out why. It reveals the order in which an implementation adds (NumPy, PyTorch, a
BLAS, a C function, Go code, any program) and proves it by a certificate and by
replay, or it refuses and shows an input whose result no fixed order explains. It
explains the difference between two results, computes the same bits on every
machine, and counts the digits that are right.

Exit codes: 0 verified, or the same; 1 anything else was found; 2 the work could
not be done.`,
		Example: `  lastbit audit
  lastbit reveal py:numpy.sum -n 1000
  lastbit compare go:naive go:pairwise -n 1000
  lastbit explain a.npy b.npy
  lastbit sum data.npy
  lastbit digits ./cmd/model`,
		Version:       moduleVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          a.refuseUnknown,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("lastbit {{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(a.helpPrinter(), cmd) })
	fl := root.PersistentFlags()
	fl.BoolVar(&a.json, "json", false,
		"print JSON: one object, or a list of them for several results")
	colours := []string{terminal.Auto, terminal.Always, terminal.Never}
	choiceVar(root, fl, &a.color, "color", terminal.Auto, choices{words: colours},
		"colour the output: "+text.List(colours))
	a.addVerbs(root)
	for _, cmd := range root.Commands() {
		takesArguments := strings.Contains(cmd.Use, " ")
		if cmd.Args = usage(cmd.Args); cmd.HasSubCommands() && !takesArguments {
			cmd.Args = refuseUnknownVerb
		}
	}
	addCompletion(root)
	return root
}
