package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// manCommand returns the hidden verb that writes the manual pages. make man and
// packagers call it.
func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man FOLDER",
		Short: "Write the manual pages, one for each verb",
		Long: `Man writes the manual pages into a folder, one for each verb. Their date is
SOURCE_DATE_EPOCH, or missing, so that two runs write the same bytes.`,
		Example: "  lastbit man man",
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeManual(a.stdout, cmd.Root(), args[0])
		},
	}
}

// writeManual writes the pages of a command and of the verbs below it.
func writeManual(w io.Writer, root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return sums.Unwritable(folder, err)
	}
	date, err := sourceDate(os.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return err
	}
	documented := withAvailable(root)
	for _, cmd := range documented {
		file := filepath.Join(folder, pageName(cmd)+".1")
		if err := os.WriteFile(file, []byte(manualPage(cmd, date)), 0o666); err != nil {
			return sums.Unwritable(file, err)
		}
	}
	fmt.Fprintln(w, text.Count(len(documented), "page")+" written to "+folder)
	return nil
}

// withAvailable returns a command and all verbs below it, except hidden ones.
func withAvailable(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			all = append(all, withAvailable(c)...)
		}
	}
	return all
}

// sourceDate returns the day of a number of seconds since 1970, in UTC, or ""
// for none.
func sourceDate(epoch string) (string, error) {
	if epoch == "" {
		return "", nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return "", &probe.Fault{
			ID: "bad-usage", Thing: "SOURCE_DATE_EPOCH=" + epoch,
			Cause: "it is not a number of seconds",
			Cure:  "unset it, or set it to the seconds since 1970",
		}
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
}

// pageName returns the name of a verb's page: lastbit-reveal.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }
