package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

func targetsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "targets",
		Short: "List the targets on this machine",
		Long: `Targets lists every implementation that lastbit knows by name: its address, its
operations and formats, and its library on this machine, or why there is none.`,
		Example: "  lastbit targets\n  lastbit targets --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listTargets(cmd.Context(), a)
		},
	}
}

func listTargets(ctx context.Context, a *app) error {
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
			rows = append(rows, []string{
				l.Address, text.Spaced(l.Ops), text.Spaced(l.DTypes), l.Library, l.Where,
			})
		}
	}
	p := text.For(w)
	if len(rows) > 0 {
		head := []string{"target", "operations", "formats", "library", "where"}
		for i := range head {
			head[i] = p.Faint(head[i])
		}
		text.Table(w, "", slices.Insert(rows, 0, head))
	}
	fmt.Fprintln(w)
	p.Line("", "and code of your own: "+strings.Join(yours, ", "))
	if absent := describe.Absences(all); len(absent) > 0 {
		fmt.Fprintln(w, "\nnot here:")
		text.Table(w, "  ", absent)
	}
	return nil
}
