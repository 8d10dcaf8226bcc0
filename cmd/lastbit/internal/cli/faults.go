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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/internal/suggest"
	"github.com/lastbit/lastbit/probe"
)

// fail reports an error on one line, and in JSON with --json.
func (a *app) fail(ctx context.Context, cmd *cobra.Command, args []string, err error) {
	fault := asFault(ctx, cmd, err)
	if errors.Is(err, errSaid) || fault.ID == "bad-usage" && silent(args) {
		return
	}
	// Each rank of MPI reports its error, which may be its own alone; JSON
	// comes from one of them.
	fmt.Fprintln(a.stderr, "lastbit: "+onOneLine(fault))
	if (a.json || wantsJSON(args)) && !silent(args) {
		_ = a.printJSON(map[string]*probe.Fault{"error": fault})
	}
}

// onOneLine returns the message of a fault without the name of the program,
// which comes before it.
func onOneLine(fault *probe.Fault) string {
	s := text.Visible(strings.Join(strings.Fields(fault.Error()), " "))
	s = strings.TrimPrefix(s, "lastbit: ")
	return strings.TrimPrefix(s, "lastbit ")
}

// asFault returns err as a fault.
func asFault(ctx context.Context, cmd *cobra.Command, err error) *probe.Fault {
	var f *probe.Fault
	var path *fs.PathError
	switch {
	case ctx.Err() != nil:
		return &probe.Fault{
			ID:    "cancelled",
			Thing: cmd.CommandPath(),
			Cause: "interrupted before it was done",
		}
	case errors.As(err, &f):
		return f
	case !cmd.HasParent(): // cobra's own complaint about a command
		first, _, _ := strings.Cut(err.Error(), "\n")
		return badUsage(cmd, first)
	}
	f = &probe.Fault{ID: "failed", Thing: cmd.CommandPath(), Cause: err.Error()}
	if errors.As(err, &path) {
		f.Cure = "see that the path exists, that you may use it, and that the disk is not full"
	}
	return f
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
		if wanted == "" {
			return badUsage(cmd, "takes no arguments; "+given(args))
		}
		return badUsage(cmd, "needs "+wanted+"; "+given(args),
			"write for example "+firstExample(cmd)+", or")
	}
}

// given returns how many arguments there are: "none was given".
func given(args []string) string {
	switch len(args) {
	case 0:
		return "none was given"
	case 1:
		return "1 argument was given"
	}
	return text.Count(len(args), "argument") + " were given"
}

// firstExample returns the first example of a verb's help that calls the verb.
func firstExample(cmd *cobra.Command) string {
	for line := range strings.Lines(cmd.Example) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, cmd.CommandPath()+" ") {
			return line
		}
	}
	return cmd.UseLine()
}

// refuseUnknownVerb refuses the arguments of a command that has verbs below it,
// and none of their names.
func refuseUnknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	names := verbNames(cmd)
	question := suggest.Question(args[0], names)
	if question == "" && cmd.HasParent() {
		question = "use " + text.List(names) + ", or"
	}
	return unknownVerb(cmd, args[0], question)
}

// refuseUnknown does the same for the command itself. There a target or a file
// may appear in place of its verb.
func (a *app) refuseUnknown(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	verb := ""
	if _, err := a.drivers.Driver(args[0]); err == nil {
		verb = "reveal"
	} else if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
		verb = "sum"
	}
	if verb == "" {
		return refuseUnknownVerb(cmd, args)
	}
	return unknownVerb(cmd, args[0], "did you mean lastbit "+verb+" "+args[0]+"?")
}

// unknownVerb returns the fault of a verb that a command does not have.
func unknownVerb(cmd *cobra.Command, verb, question string) error {
	cause := fmt.Sprintf("unknown command %q for %q", verb, cmd.CommandPath())
	return badUsage(cmd, cause, question)
}

// explainFlag returns the fault of a flag that could not be parsed.
func explainFlag(cmd *cobra.Command, err error) error {
	var fault *probe.Fault
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var bare *pflag.ValueRequiredError
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.As(err, &unknown):
		return badUsage(cmd, err.Error(), meantFlag(cmd, typedFlag(unknown)))
	case errors.As(err, &invalid):
		return badUsage(cmd, explainValue(invalid))
	case errors.As(err, &bare):
		return badUsage(cmd, typed(bare.GetFlag())+" needs a value")
	}
	return badUsage(cmd, err.Error())
}

// typedFlag returns the name of the flag that the user meant to type: one after
// a single dash (-dtype) is parsed as several of one letter.
func typedFlag(e *pflag.NotExistError) string {
	name, _, _ := strings.Cut(text.Or(e.GetSpecifiedShortnames(), e.GetSpecifiedName()), "=")
	return name
}

// meantFlag asks whether a name means a similar flag of a verb; it returns ""
// if none is similar.
func meantFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := suggest.Closest(name, names)
	if len(near) == 0 {
		return ""
	}
	for i := range near {
		near[i] = dashed(near[i])
	}
	return "did you mean " + text.List(near) + "?"
}

// typed returns a flag in its usual form.
func typed(f *pflag.Flag) string { return dashed(f.Name) }

// dashed returns the name of a flag as users type it: -n as in help and
// documents, and all others after two dashes.
func dashed(name string) string {
	if name == "n" {
		return "-n"
	}
	return "--" + name
}

// explainValue explains the error in the value of a flag.
func explainValue(e *pflag.InvalidValueError) string {
	f, cause := e.GetFlag(), errors.Unwrap(e)
	var parse *strconv.NumError
	if errors.As(cause, &parse) {
		cause = parse.Err
	}
	if errors.Is(cause, strconv.ErrRange) {
		return fmt.Sprintf("%s %s is out of range", typed(f), e.GetValue())
	}
	takes := map[string]string{
		"int": "an integer", "uint": "an integer, 0 or more", "uint64": "an integer, 0 or more",
		"intSlice": "integers separated by commas",
		"duration": "a time with its unit, such as 10s or 2m", "bool": "true or false",
	}
	if _, count := f.Value.(*countFlag); count {
		takes["int"] = "an integer, such as 1000000 or 1e6"
	}
	if kind, ok := takes[f.Value.Type()]; ok {
		return fmt.Sprintf("%s takes %s, not %q", typed(f), kind, e.GetValue())
	}
	return fmt.Sprintf("%s %s: %v", typed(f), e.GetValue(), cause)
}

// badData returns the fault of a file without the needed content.
func badData(thing, why, cure string, err error) error {
	return &probe.Fault{ID: "bad-data", Thing: thing, Cause: why, Cure: cure, Err: err}
}
