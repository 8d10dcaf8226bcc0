// Package cli is the command line: one file for each verb.
//
// Results go to standard output, progress and errors to standard error. A verb
// ends in one of three exit codes: 0, all is the same or verified; 1, something
// else was found; 2, it could not be done.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/python"
)

// The exit codes.
const (
	same   = 0 // a verified tree, an exact sum, results that agree
	other  = 1 // any other verdict, results that differ
	failed = 2 // it could not be done
)

// Run runs the command that args give, without the program's name, and returns
// its exit code. It ends soon after ctx does, with every process that it has
// started. The program that calls it has to call clib.ServeIfWorker first.
func Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	out := &output{w: stdout}
	a := &app{stdin: stdin, stdout: out, stderr: stderr, python: &python.Driver{Python: os.Getenv("LASTBIT_PYTHON")}}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if out.err != nil && ctx.Err() == nil {
		err = &probe.Fault{ID: "write-failed", Thing: "standard output", Cause: "not everything could be written", Cure: "see that the disk is not full and that the reader stays", Err: out.err}
	}
	if err == nil {
		return a.code
	}
	a.fail(ctx, cmd, args, err)
	return failed
}

// app is what the verbs share.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	python *python.Driver
	json   bool
	code   int // what the verb found
}

// root returns the command with all its verbs.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "lastbit",
		Short: "Find out in which order anything adds, and why two results differ in the last bit",
		Long: `Lastbit reveals in which order, and in which arithmetic, an implementation
accumulates: NumPy, PyTorch, a BLAS, a C function, Go code, any program. What it
says is proven by a certificate and by replay, or it refuses with a witness.

Exit codes: 0 verified, or the same; 1 anything else was found; 2 it could not be done.`,
		Example:       "  lastbit audit\n  lastbit reveal py:numpy.sum -n 1000\n  lastbit compare go:naive go:pairwise -n 1000",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("lastbit {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return badUsage(cmd, flagWords(err)) })
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON: one object, or of several results a list")
	root.AddCommand(a.auditCommand(), a.revealCommand(), a.compareCommand(), a.replayCommand(), a.targetsCommand(), a.benchCommand(), a.libmCommand(),
		a.sumCommand(), a.mergeCommand())
	for _, cmd := range root.Commands() {
		cmd.Args = usage(cmd.Args)
	}
	return root
}

// version is the module's version in this binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// flagWords is what is wrong with a flag, without the names of Go's functions.
func flagWords(err error) string {
	var parse *strconv.NumError
	s := err.Error()
	if errors.As(err, &parse) {
		s = strings.ReplaceAll(s, parse.Error(), parse.Err.Error())
	}
	return s
}

// badUsage is the fault of a command line that cannot be meant.
func badUsage(cmd *cobra.Command, cause string) error {
	return &probe.Fault{ID: "bad-usage", Thing: cmd.CommandPath(), Cause: cause, Cure: "see " + cmd.CommandPath() + " --help"}
}

// usage makes faults of what is wrong with arguments.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return badUsage(cmd, err.Error())
		}
		return nil
	}
}

// fail says on one line what went wrong, and in JSON where that was asked for.
func (a *app) fail(ctx context.Context, cmd *cobra.Command, args []string, err error) {
	fault := asFault(ctx, cmd, err)
	if errors.Is(err, errSaid) || fault.ID == "bad-usage" && silent(args) {
		return
	}
	// What else keeps a rank from MPI may be its alone: each says it, and one in JSON.
	fmt.Fprintln(a.stderr, "lastbit: "+visible(strings.Join(strings.Fields(fault.Error()), " ")))
	if (a.json || wantsJSON(args)) && !silent(args) {
		_ = a.printJSON(map[string]*probe.Fault{"error": fault})
	}
}

// asFault makes a fault of any error.
func asFault(ctx context.Context, cmd *cobra.Command, err error) *probe.Fault {
	var f *probe.Fault
	switch {
	case ctx.Err() != nil:
		return &probe.Fault{ID: "cancelled", Thing: cmd.CommandPath(), Cause: "interrupted before it was done"}
	case errors.As(err, &f):
		return f
	case !cmd.HasParent(): // cobra's own complaint about a command
		first, _, _ := strings.Cut(err.Error(), "\n")
		return &probe.Fault{ID: "bad-usage", Thing: "lastbit", Cause: first, Cure: "see lastbit --help"}
	}
	return &probe.Fault{ID: "failed", Thing: cmd.CommandPath(), Cause: err.Error()}
}

// wantsJSON tells it even of arguments that could not be parsed.
func wantsJSON(args []string) bool {
	i := slices.Index(args, "--format")
	return slices.Contains(args, "--json") || slices.Contains(args, "--format=json") || i >= 0 && i+1 < len(args) && args[i+1] == "json"
}

// printJSON writes one object, a line.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// output remembers the first error of a writer, so that a full disk is no success.
type output struct {
	w   io.Writer
	err error
}

// Write writes, and after an error nothing more.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}
