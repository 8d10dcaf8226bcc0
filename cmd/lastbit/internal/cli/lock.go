package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/lock"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/terminal"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// lockVerb is the command line of lastbit lock.
type lockVerb struct {
	*app
	file, config string
	audit        bool
}

func lockCommand(a *app) *cobra.Command {
	v := &lockVerb{app: a}
	cmd := &cobra.Command{
		Use:   "lock",
		Short: "Write a lock file: how every operation of a project computes here",
		Long: `Lock probes every operation that lastbit.toml names, and writes what it finds to
lastbit.lock: the hash and the family of the tree, the arithmetic, whether these
depend on threads, position and alignment, a fingerprint of the elementary functions,
and the versions probed. It holds no results. Commit the file; lastbit check compares.

Without a lastbit.toml it takes sums and matrix products of NumPy, PyTorch and the
BLAS libraries that are here, and larger ones where the number of threads changes these
only; with --audit, every target that lastbit audit examines. Both take a minute or two.
The number of threads is the library's own default, unless
lastbit.toml names another.

A lock file has a profile for each class of machines. Lock writes that of this
machine and keeps the others.

Exit codes: 0 the file was written; 2 it could not be.`,
		Example: `  lastbit lock
  lastbit lock -o haswell.lock`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "output", "config"); err != nil {
				return err
			}
			return v.run(cmd.Context(), cmd.Flags().Changed("config"))
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&v.file, "output", "o", lockfile.Name, "write to this file")
	fl.StringVar(&v.config, "config", lockfile.ConfigName, "the operations of the project")
	fl.BoolVar(&v.audit, "audit", false, "lock every target that lastbit audit examines")
	return cmd
}

func (v *lockVerb) run(ctx context.Context, configGiven bool) error {
	config, err := readConfig(v.config, configGiven)
	if err != nil {
		return err
	}
	if v.audit && config != nil {
		return &probe.Fault{ID: "bad-usage", Thing: "--audit",
			Cause: v.config + " names the operations to lock",
			Cure:  "leave --audit out, or run it in a folder without " + lockfile.ConfigName}
	}
	if err := checkOutput(v.file); err != nil {
		return err
	}
	f, err := lockfile.Read(v.file)
	if isMissingLock(err) {
		f, err = &lockfile.File{}, nil
	}
	if err != nil {
		return err
	}
	progress := v.newProgress()
	defer progress.End()
	s := v.survey(progress)
	formats := []fp.Format{fp.Binary64}
	var p *lock.Findings
	switch {
	case config != nil:
		p, err = s.Profile(ctx, config.Requests, config.Libm)
	case v.audit:
		p, err = s.Profile(ctx, s.Audited(ctx), formats)
	default:
		p, err = s.Standard(ctx, formats)
	}
	progress.End()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(p.Missing)) {
		if config != nil { // the user named it
			return p.Missing[name]
		}
		fmt.Fprintf(v.stderr, "lastbit: %s is left out: %s\n", name, p.Missing.Reasons()[name])
	}
	if len(p.Operations)+len(p.Libraries) == 0 {
		return &probe.Fault{ID: "nothing-to-lock", Thing: "lastbit lock",
			Cause: "no operation is named, and nothing of the standard list is on this machine",
			Cure:  "name operations in " + lockfile.ConfigName + ", as docs/use/lock.md shows"}
	}
	f.Put(p.Profile)
	return v.finish(f, p.Profile)
}

// finish writes the lock file, and reports it.
func (v *lockVerb) finish(f *lockfile.File, p *lockfile.Profile) error {
	if err := v.write(v.file, f.Write); err != nil || v.file == "-" {
		return err
	}
	unverified := []string{}
	for _, o := range p.Operations {
		if !lock.Settled(o) {
			unverified = append(unverified, o.Name())
		}
	}
	if v.json {
		written := map[string]any{
			"file": v.file, "class": p.Class, "operations": len(p.Operations),
			"profiles": len(f.Profiles), "conclusion": reveal.Same,
		}
		if len(unverified) > 0 {
			written["conclusion"], written["doubts"] = reveal.Open, unverified
		}
		return v.printJSON(written)
	}
	out := text.For(v.stdout)
	line := fmt.Sprintf("wrote %s: %s", v.file, text.Count(len(p.Operations), "operation"))
	if n := len(unverified); n > 0 {
		line += fmt.Sprintf(", %d of them without a verified tree: %s", n,
			strings.Join(unverified, ", "))
	}
	out.Line("", line)
	out.Line("  ", "class     "+p.Class)
	if len(f.Profiles) > 1 {
		out.Line("  ", "profiles  "+fmt.Sprint(len(f.Profiles)))
	}
	return nil
}

// readConfig reads the operations of a lastbit.toml. It returns nil if the file
// names none, or does not exist and was not given by the user.
func readConfig(name string, given bool) (*lockfile.Config, error) {
	config, err := lockfile.ReadConfig(name)
	if err == nil && config != nil && !config.Locks() {
		return nil, nil
	}
	if err == nil && config == nil && given {
		err = &probe.Fault{ID: "bad-config", Thing: name, Cause: "there is no such file",
			Cure: "write it as docs/use/lock.md shows, or leave --config out"}
	}
	return config, err
}

// survey returns a survey of this machine's operations.
func (a *app) survey(progress *terminal.Progress) *lock.Survey {
	return a.surveyShown(progress.Show)
}

// surveyShown is survey for another display of progress.
func (a *app) surveyShown(show func(step string, done, steps int)) *lock.Survey {
	return &lock.Survey{
		Drivers: a.drivers, Python: a.python().Script, Options: reveal.Options{}, Show: show,
	}
}
