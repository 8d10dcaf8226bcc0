package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/blas/cblas"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/preload"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// runVerb holds the flags of lastbit run.
type runVerb struct {
	*app
	lib   string
	quiet bool
}

func runCommand(a *app) *cobra.Command {
	v := &runVerb{app: a}
	cmd := &cobra.Command{
		Use:   "run -- COMMAND [ARG…]",
		Short: "Run a program with lastbit's BLAS and LAPACK in place of its own",
		Long: `Run starts a program with ` + preload.FileName + ` loaded before its other libraries.
NumPy's dot, @ and linalg and scipy.linalg then give the same bits on every processor, with
any number of threads, whatever BLAS they were installed with.

The library holds BLAS, and of LAPACK gesv, getrf, potrf, geqrf and orgqr, and syevd, gesdd
and geev of real numbers. It passes the others that NumPy and SciPy's wheels call on to the
reference LAPACK (Debian's package liblapack3), which calls lastbit's BLAS. Where that is
missing, they stay with the program's own library. The report names those that were called.

At the end, standard error gets the libraries whose calls were replaced. The exit code is
the program's own; 128 and the signal's number if a signal ended it; and 2, with an error,
if the program cannot be run this way, or ended well and never called a replaced routine.
Signals to lastbit reach the program.

make lib builds the library. It is looked for beside lastbit and in the folder lib beside
it; --lib and ` + preload.Variable + ` name another place.`,
		Example: `  lastbit run -- python3 script.py
  lastbit run --quiet -- python3 script.py`,
		Args: cobra.MinimumNArgs(1),
		RunE: v.run,
	}
	fl := cmd.Flags()
	fl.SetInterspersed(false)
	fl.StringVar(&v.lib, "lib", "", "the library (default: beside lastbit)")
	fl.BoolVar(&v.quiet, "quiet", false, "report nothing but errors")
	return cmd
}

func (v *runVerb) run(cmd *cobra.Command, args []string) error {
	lib, err := preload.Library(v.lib)
	if err != nil {
		return err
	}
	code, report, err := preload.Run(cmd.Context(), lib, args, v.stdin, v.out.w, v.stderr)
	if err != nil {
		return err
	}
	v.code = code
	switch {
	case !report.Used && code == same:
		return preload.Unused(args[0])
	case !report.Used && code < preload.BySignal: // the program failed by itself
		v.fail(cmd.Context(), cmd, nil, preload.Unused(args[0]))
	case !report.Used || v.quiet:
	case v.json:
		return json.NewEncoder(v.stderr).Encode(report)
	default:
		writeReplaced(v.stderr, report)
	}
	return nil
}

// writeReplaced writes the libraries whose calls were replaced.
func writeReplaced(w io.Writer, r *preload.Report) {
	if len(r.Objects) == 0 {
		fmt.Fprintln(w, "lastbit: the program called replaced routines; "+
			"it ended before it could list them")
		return
	}
	ours, whole := 0, true
	for _, o := range r.Objects {
		if len(o.Ours) > 0 {
			ours++
		}
		whole = whole && len(o.Kept) == 0
	}
	fmt.Fprintf(w, "lastbit: replaced BLAS and LAPACK in %s, %s\n",
		count(ours, "library", "libraries"), count(int(r.Calls), "call", "calls"))
	for _, o := range r.Objects {
		parts := []string{fmt.Sprintf("%d by lastbit", len(o.Ours))}
		if n := len(o.Reference); n > 0 {
			parts = append(parts, fmt.Sprintf("%d by the reference LAPACK", n))
		}
		if n := len(o.Kept); n > 0 {
			parts = append(parts, fmt.Sprintf("%d by its own library", n))
		}
		total := len(o.Ours) + len(o.Reference) + len(o.Kept)
		fmt.Fprintf(w, "  %s: %s, %s\n", filepath.Base(o.Path), count(total, "routine", "routines"),
			strings.Join(parts, ", "))
	}
	for _, k := range r.Kept {
		fmt.Fprintf(w, "  not replaced: numpy.linalg %s of %s; install liblapack3\n",
			k.Function, strings.Join(k.DTypes, ", "))
	}
	if r.Unlisted > 0 {
		fmt.Fprintf(w, "  %s ended, or became another program, without a list of libraries\n",
			count(r.Unlisted, "process", "processes"))
	}
	writeCalled(w, r.Called, true, "called in the reference LAPACK, which is the same on machines "+
		"with the same build of it")
	writeCalled(w, r.Called, false, "called in the program's own library, whose bits depend on "+
		"the processor (install liblapack3)")
	if whole && r.Reference != "" {
		fmt.Fprintln(w, "  reference LAPACK: "+r.Reference)
	}
}

// writeCalled writes the routines that the reference LAPACK computed, or the
// program's own library.
func writeCalled(w io.Writer, called []preload.Called, reference bool, what string) {
	var names []string
	for _, c := range called {
		if c.Reference != reference {
			continue
		}
		name := c.Routine
		if len(c.Functions) > 0 {
			name += " (" + strings.Join(c.Functions, ", ") + ")"
		}
		names = append(names, name)
	}
	if len(names) > 0 {
		text.WriteWrapped(w, "  ", what+": "+strings.Join(names, ", "))
	}
}

// blasWorkerCommand computes the calls of a forked process of lastbit run.
func blasWorkerCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "blas-worker",
		Short:  "Compute calls for a forked process of lastbit run",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.serveCalls()
		},
	}
}

func (a *app) serveCalls() error {
	err := cblas.Serve(a.stdin, a.out.w, func(err error) {
		fmt.Fprintln(a.stderr, preload.FileName+":", err)
	})
	if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil // the process ended during a call
	}
	return err
}

// count returns a number and its thing.
func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
