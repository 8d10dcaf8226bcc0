package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/internal/suggest"
	"github.com/lastbit/lastbit/probe"
)

// fail reports an error on one line, and in JSON where that was asked for.
func (a *app) fail(ctx context.Context, cmd *cobra.Command, args []string, err error) {
	fault := asFault(ctx, cmd, err)
	if errors.Is(err, errSaid) || fault.ID == "bad-usage" && silent(args) {
		return
	}
	// Each rank of MPI reports what may be its own trouble alone; JSON comes from
	// one of them.
	fmt.Fprintln(a.stderr, "lastbit: "+onOneLine(fault))
	if (a.json || wantsJSON(args)) && !silent(args) {
		_ = a.printJSON(map[string]*probe.Fault{"error": fault})
	}
}

// onOneLine returns the message of a fault without the name of the program, which
// comes before it.
func onOneLine(fault *probe.Fault) string {
	s := text.Visible(strings.Join(strings.Fields(fault.Error()), " "))
	s = strings.TrimPrefix(s, "lastbit: ")
	return strings.TrimPrefix(s, "lastbit ")
}

// asFault returns err as a fault.
func asFault(ctx context.Context, cmd *cobra.Command, err error) *probe.Fault {
	var f *probe.Fault
	switch {
	case ctx.Err() != nil:
		return &probe.Fault{ID: "cancelled", Thing: cmd.CommandPath(), Cause: "interrupted before it was done"}
	case errors.As(err, &f):
		return f
	case !cmd.HasParent(): // cobra's own complaint about a command
		first, _, _ := strings.Cut(err.Error(), "\n")
		return badUsage(cmd, first)
	}
	return &probe.Fault{ID: "failed", Thing: cmd.CommandPath(), Cause: err.Error()}
}

// badUsage returns the fault of a command line that makes no sense. hints come
// before the advice to read the help.
func badUsage(cmd *cobra.Command, cause string, hints ...string) *probe.Fault {
	hints = slices.DeleteFunc(hints, func(s string) bool { return s == "" })
	cure := strings.Join(append(hints, "see "+cmd.CommandPath()+" --help"), " ")
	return &probe.Fault{ID: "bad-usage", Thing: cmd.CommandPath(), Cause: cause, Cure: cure}
}

// usage makes faults of wrong numbers of arguments.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) == nil {
			return nil
		}
		_, wanted, _ := strings.Cut(cmd.Use, " ")
		got := "got " + text.Count(len(args), "argument")
		if len(args) == 0 {
			got = "got none"
		}
		return badUsage(cmd, "takes "+text.Or(wanted, "no arguments")+", and "+got)
	}
}

// refuseUnknownVerb refuses arguments of the command itself, which are verbs that
// it does not have.
func refuseUnknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	return badUsage(cmd, fmt.Sprintf("unknown command %q", args[0]), suggest.Question(args[0], verbs))
}

// explainFlag returns the fault of a flag that could not be parsed.
func explainFlag(cmd *cobra.Command, err error) error {
	var fault *probe.Fault
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.As(err, &unknown):
		return badUsage(cmd, err.Error(), suggest.Question(typedFlag(unknown), flagNames(cmd)))
	}
	return badUsage(cmd, withoutGoNames(err))
}

// typedFlag returns the flag that the user meant to type: one with a single dash
// (-dtype) is parsed as several of one letter.
func typedFlag(e *pflag.NotExistError) string {
	if letters := e.GetSpecifiedShortnames(); len(letters) > 1 {
		name, _, _ := strings.Cut(letters, "=")
		return "--" + name
	}
	return "--" + e.GetSpecifiedName()
}

// flagNames lists the flags of a verb, with their dashes.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// withoutGoNames returns the text of an error without the names of Go functions.
func withoutGoNames(err error) string {
	var parse *strconv.NumError
	s := err.Error()
	if errors.As(err, &parse) {
		s = strings.ReplaceAll(s, parse.Error(), parse.Err.Error())
	}
	return s
}

// badData returns the fault of a file that does not hold what is needed.
func badData(thing, why, cure string, err error) error {
	return &probe.Fault{ID: "bad-data", Thing: thing, Cause: why, Cure: cure, Err: err}
}
