package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/probe"
)

func (a *app) mergeCommand() *cobra.Command {
	var f resultFlags
	cmd := &cobra.Command{
		Use:   "merge FILE.acc…",
		Short: "Merge exact sums of parts: the same bits as one run over everything",
		Long: `Merge adds the exact sums that lastbit sum --partial wrote, and rounds once, at the
end. The result has the bits of one run over all the rows, whatever part was summed
where, in whatever order the files are named, also by way of partial merges.

The files must be of the same operation, and of the same columns and keys, by name.
There is no naive sum: it would depend on how the rows are split.`,
		Example: `  lastbit sum data.npy --partial a.acc
  lastbit sum more.npy --partial b.acc
  lastbit merge a.acc b.acc --partial both.acc
  lastbit merge both.acc --json --digest`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(notEmpty(cmd, "partial"), f.check()); err != nil {
				return err
			}
			return a.merge(cmd.Context(), args, &f)
		},
	}
	f.add(cmd)
	return cmd
}

func (a *app) merge(ctx context.Context, files []string, f *resultFlags) error {
	out, err := f.out()
	if err != nil {
		return err
	}
	p := a.newProgress()
	defer p.end()
	var all *accFile
	for i, name := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.show("files merged", i, len(files))
		acc, err := readAcc(name)
		if err != nil {
			return err
		}
		if all == nil {
			all = acc
			continue
		}
		if err := all.accepts(acc, files[0], name); err != nil {
			return err
		}
		if err := all.merge(acc); err != nil {
			return badAcc(name, "it cannot be merged with those before it", "merge fewer files", err)
		}
	}
	p.end()
	return a.finish(ctx, all, &algorithm{name: exactAlgorithm, op: all.op, out: out}, f, false)
}

// accepts refuses to mix sums of different things.
func (f *accFile) accepts(o *accFile, first, name string) error {
	what, mine, theirs := "", "", ""
	switch {
	case f.op != o.op:
		what, mine, theirs = "operation", f.op.name, o.op.name
	case !slices.Equal(f.columns, o.columns):
		what, mine, theirs = "columns", listOrNone(f.columns), listOrNone(o.columns)
	case f.grouped != o.grouped || f.by != o.by:
		what, mine, theirs = "column of keys", orWord(f.by, "none"), orWord(o.by, "none")
	default:
		return nil
	}
	return &probe.Fault{ID: "mixed-sums", Thing: name, Cause: fmt.Sprintf("its %s: %s, and of %s: %s", what, theirs, first, mine), Cure: "merge sums of the same --op, --column and --by"}
}

func listOrNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return list(names)
}

var errTooMany = errors.New("together they are of more than 2^63 − 1 rows")

// merge adds the sums of another file. After an error they are of no use.
func (f *accFile) merge(o *accFile) error {
	for i, s := range f.results {
		for key, g := range o.results[i].groups {
			mine := s.groups[key]
			if mine == nil {
				s.groups[key] = g
				continue
			}
			if mine.count > math.MaxInt64-g.count {
				return errTooMany
			}
			mine.total.(*exactTotal).merge(g.total.(*exactTotal))
			mine.count += g.count
		}
	}
	return nil
}
