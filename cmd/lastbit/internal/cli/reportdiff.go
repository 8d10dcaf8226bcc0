package cli

import (
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/overview"
	"github.com/lastbit/lastbit/reveal"
)

// runDiff compares two reports.
func (v *reportVerb) runDiff(files []string) error {
	for _, name := range []string{"sections", "n", "ops", "dtype", "op", "input", "second", "lhs",
		"rhs", "axis"} {
		if v.cmd.Flags().Changed(name) {
			return badUsage(v.cmd, "--"+name+" has no effect with --diff")
		}
	}
	if err := notEmpty(v.cmd, "output"); err != nil {
		return err
	}
	var reports [2]*overview.Report
	for i, name := range files {
		r, err := overview.Read(name)
		if err != nil {
			return err
		}
		reports[i] = r
	}
	if err := checkOutput(v.html); err != nil {
		return err
	}
	ctx := v.cmd.Context()
	progress := v.newProgress()
	defer progress.End()
	d, err := overview.Compare(ctx, reports[0], reports[1], [2]string(files))
	if err == nil && !v.noSettings {
		err = d.Pin(ctx, v.survey(progress))
	}
	progress.End()
	if err != nil {
		return err
	}
	if d.Conclusion != reveal.Same {
		v.code = other
	}
	if v.html != "" {
		page := func(w io.Writer) error { return d.WriteHTML(w) }
		if err := v.write(v.html, page); err != nil || v.html == "-" {
			return err
		}
	}
	if v.json {
		return v.printJSON(d)
	}
	return d.WriteText(v.stdout)
}
