package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/probe"
)

func (a *app) targetsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "targets",
		Short: "List what can be looked at on this machine",
		Long: `Targets lists every implementation that lastbit knows by name, with the library that
runs it here, or the reason why none does.`,
		Example: "  lastbit targets\n  lastbit targets --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.targets(cmd.Context()) },
	}
}

func (a *app) targets(ctx context.Context) error {
	all := a.drivers.List(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string][]probe.Listing{"targets": all})
	}
	return writeTargets(a.stdout, all, a.drivers.Yours())
}

func writeTargets(w io.Writer, all []probe.Listing, yours []string) error {
	var rows [][]string
	for _, l := range all {
		if l.Absent == "" {
			rows = append(rows,
				[]string{l.Address, spaced(l.Ops), spaced(l.DTypes), l.Library, l.Where})
		}
	}
	table(w, "", rows, nil)
	fmt.Fprintln(w, "\nand by what you have: "+strings.Join(yours, ", "))
	if absent := absences(all); len(absent) > 0 {
		fmt.Fprintln(w, "\nnot here:")
		table(w, "  ", absent, nil)
	}
	return nil
}

// absences gives one row for each library that is not here, with the reason.
func absences(all []probe.Listing) (rows [][]string) {
	seen := map[[2]string]bool{}
	for _, l := range all {
		if l.Absent != "" && !seen[[2]string{l.Library, l.Absent}] {
			seen[[2]string{l.Library, l.Absent}] = true
			rows = append(rows, []string{l.Library, shortened(l.Absent, 90)})
		}
	}
	return rows
}

// shortened cuts a text that would not fit a line; --json has all of it.
func shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// spaced joins values with spaces.
func spaced[T any](list []T) string {
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = fmt.Sprint(v)
	}
	return strings.Join(s, " ")
}
