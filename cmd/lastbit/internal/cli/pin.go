package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/lock"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
)

func pinCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "pin A.lock [B.lock]",
		Short: "Find the smallest set of settings that makes two lock files agree",
		Long: `Pin compares two profiles: of two lock files, or the two of one file. It then looks
for the fewest settings of the environment under which this machine computes as each
of them: kernels, numbers of threads and vector instructions that the other profile's
libraries reported. It tries up to three settings together, and probes every operation
that both profiles have under the settings that it prints.

Run it on one of the two machines. Where it finds none here, run it on the other.

Exit codes: 0 the two agree, or settings were found for both; 1 none were; 2 it could
not be done.`,
		Example: `  lastbit lock -o a.lock
  lastbit lock -o b.lock
  lastbit pin a.lock b.lock`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.pin(cmd.Context(), args) },
	}
}

func (a *app) pin(ctx context.Context, files []string) error {
	profiles, names, err := twoProfiles(files)
	if err != nil {
		return err
	}
	progress := a.newProgress()
	defer progress.End()
	p, err := a.survey(progress).Pin(ctx, profiles, names)
	progress.End()
	if err != nil {
		return err
	}
	if p.Operations == 0 {
		return &probe.Fault{ID: "not-comparable", Thing: names[0] + " and " + names[1],
			Cause: "they have no operation in common",
			Cure:  "lock the same operations on both machines, by one " + lockfile.ConfigName}
	}
	a.code = same
	if !p.Agrees() {
		a.code = other
	}
	if a.json {
		return a.printJSON(p)
	}
	return lock.WritePin(a.stdout, p)
}

// twoProfiles returns the profiles of one or two files, and names for them: the
// class, or the file where each file has one profile.
func twoProfiles(files []string) (two [2]*lockfile.Profile, names [2]string, err error) {
	count := 0
	for _, name := range files {
		f, err := lockfile.Read(name)
		if err != nil {
			return two, names, err
		}
		for _, p := range f.Profiles {
			if count < 2 {
				two[count], names[count] = p, p.Class
				if len(files) == 2 {
					names[count] = name
				}
			}
			count++
		}
	}
	if count != 2 {
		return two, names, &probe.Fault{ID: "bad-usage", Thing: "lastbit pin",
			Cause: fmt.Sprintf("the files have %d profiles, and two are compared", count),
			Cure:  "give two lock files with one profile each, or one with two"}
	}
	return two, names, nil
}
