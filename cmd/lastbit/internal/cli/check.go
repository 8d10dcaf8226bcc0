package cli

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/lock"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// checkFormats lists the values of --format of lastbit check.
var checkFormats = []string{"text", "json", "github", "sarif"}

// checkVerb is the command line of lastbit check.
type checkVerb struct {
	*app
	file, config, format string
	allow                []string
	update               bool
}

func checkCommand(a *app) *cobra.Command {
	v := &checkVerb{app: a}
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Compare this machine with a lock file: which operations compute otherwise",
		Long: `Check probes the operations of lastbit.lock again, and reports each one whose order
or arithmetic changed: from which tree to which, with which version or setting, and
an input that gave other bits as locked. Of elementary functions it reports those with
other results, and arguments of one. Versions that changed nothing are listed, and
are no difference.

A lock file has a profile for each class of machines. On a machine of another class
check compares with the nearest profile, and its first line reports another machine.

Where nothing changed, but an operation has no verified tree, the first line is "not
told apart" and names it.

--allow takes the name of an operation or of its target, with * for any text: a change
of it is no difference, and it need not be verified.
--update writes the operations as they are now, unless one of them cannot be probed.

Exit codes: 0 nothing changed, or --update; 1 something did, or not told apart; 2 it
could not be done.`,
		Example: `  lastbit lock
  lastbit check
  lastbit check --allow 'py:torch.*'
  lastbit check --format github
  lastbit check --update`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "file", "config", "allow"); err != nil {
				return err
			}
			return v.run(cmd.Context(), cmd.Flags().Changed("config"))
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&v.file, "file", "f", lockfile.Name, "the lock file")
	fl.StringVar(&v.config, "config", lockfile.ConfigName, "the operations of the project")
	fl.StringArrayVar(&v.allow, "allow", nil, "accept a change of this operation or target")
	fl.BoolVar(&v.update, "update", false, "write the lock file anew after the comparison")
	choiceVar(cmd, fl, &v.format, "format", "text", choices{words: checkFormats},
		text.List(checkFormats))
	return cmd
}

func (v *checkVerb) run(ctx context.Context, configGiven bool) error {
	if v.json && v.format == "text" {
		v.format = "json"
	}
	config, err := readConfig(v.config, configGiven)
	if err != nil {
		return err
	}
	f, err := lockfile.Read(v.file)
	if err != nil {
		return err
	}
	if v.update {
		if err := checkOutput(v.file); err != nil {
			return err
		}
	}
	progress := v.newProgress()
	defer progress.End()
	r, err := v.survey(progress).Check(ctx, f, config, v.allow)
	progress.End()
	if err != nil {
		return err
	}
	v.code = same
	if r.Conclusion != reveal.Same && !v.update {
		v.code = other
	}
	if err := v.print(r); err != nil || !v.update {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Missing)) {
		return r.Missing[name] // an update would drop it from the lock file
	}
	f.Put(r.Now)
	return v.write(v.file, f.Write)
}

// print prints a report in the chosen format.
func (v *checkVerb) print(r *lock.Report) error {
	var w io.Writer = v.stdout
	switch v.format {
	case "json":
		return v.printJSON(r)
	case "github":
		return lock.WriteGitHub(w, r, v.file)
	case "sarif":
		return lock.WriteSARIF(w, r, v.file, moduleVersion())
	}
	return lock.WriteText(w, r)
}

// isMissingLock reports whether an error means that the lock file does not
// exist.
func isMissingLock(err error) bool {
	var f *probe.Fault
	return errors.As(err, &f) && f.ID == "lock-missing"
}
