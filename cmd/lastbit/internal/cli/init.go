package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/project"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
)

func initCommand(a *app) *cobra.Command {
	file := lockfile.ConfigName
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a lastbit.toml from what is in this folder",
		Long: `Init looks for a Go module, its programs, the libraries that Python files import, and
a lock file. It writes a lastbit.toml with comments: the operations to lock, and what
lastbit report holds. Operations of libraries that are imported are active; programs
are comments, since lastbit does not run a program that nobody has named. Beside a lock
file the operations are comments, too.

It never replaces a file. Exit codes: 0 the file was written; 2 it could not be.`,
		Example: `  lastbit init -o new.toml
  lastbit init -o - --color never`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "output"); err != nil {
				return err
			}
			return a.init(cmd.Context(), file)
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", file, "write to this file; - prints it")
	return cmd
}

func (a *app) init(ctx context.Context, file string) error {
	if file != "-" {
		if _, err := os.Lstat(file); err == nil {
			return &probe.Fault{ID: "config-exists", Thing: file, Cause: "it exists",
				Cure: "edit it, or write another one with -o and compare the two"}
		}
		if err := checkOutput(file); err != nil {
			return err
		}
	}
	found, err := project.Find(ctx, ".")
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, found.Config())
		return err
	}
	if a.json {
		if file != "-" {
			if err := a.write(file, write); err != nil {
				return err
			}
		}
		return a.printJSON(struct {
			File string `json:"file"`
			*project.Found
		}{file, found})
	}
	if err := a.write(file, write); err != nil || file == "-" {
		return err
	}
	a.printFound(file, found)
	return nil
}

// printFound lists what the file was made from.
func (a *app) printFound(file string, f *project.Found) {
	p := text.For(a.stdout)
	p.Line("", "wrote "+file)
	if f.Module != "" {
		p.Line("  ", fmt.Sprintf("Go module %s with %s", f.Module,
			text.Count(len(f.Programs), "program")))
	}
	for _, i := range f.Imports {
		p.Line("  ", text.Visible(fmt.Sprintf("%s imports %s", i.File, i.Module)))
	}
	if f.Lock {
		p.Line("  ", lockfile.Name)
	}
	if f.Module == "" && len(f.Imports) == 0 && !f.Lock {
		p.Line("  ", "nothing was found here: the keys are comments")
	}
}
