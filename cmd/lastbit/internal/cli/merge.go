package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
)

func mergeCommand(a *app) *cobra.Command {
	var f resultFlags
	cmd := &cobra.Command{
		Use:   "merge FILE.acc…",
		Short: "Merge exact sums of parts: the same bits as one run over everything",
		Long: `Merge adds the exact sums that lastbit sum --partial wrote, and rounds once, at the
end. The result has the bits of one run over all the rows. Neither the split into parts
nor the order of the files matters, and parts may be merged in several steps.

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
			return merge(cmd.Context(), a, args, &f)
		},
	}
	f.add(cmd)
	return cmd
}

func merge(ctx context.Context, a *app, files []string, f *resultFlags) error {
	out, err := f.out()
	if err != nil {
		return err
	}
	a.warn(sums.Repeated(files))
	bar := a.newProgress()
	defer bar.End()
	all, err := sums.Merge(ctx, files, f.budget(),
		func(i int) { bar.Show("files merged", i, len(files)) })
	bar.End()
	if err != nil {
		return err
	}
	return a.finish(ctx, all, sums.Exact(all.Operation(), out), f, false)
}
