package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// libmVerb holds the flags of lastbit libm.
type libmVerb struct {
	dtypes     []string
	save, diff string
}

func libmCommand(a *app) *cobra.Command {
	var v libmVerb
	cmd := &cobra.Command{
		Use:   "libm",
		Short: "Fingerprint this machine's elementary functions: exp, log, sin …",
		Long: `Libm calls the elementary functions of Go, of the C library and of NumPy with 65536
fixed arguments each: half of them typical, the others of any size and where results
overflow, become subnormal or vanish. It compares the results with the correctly rounded ones, which
are the same everywhere (package crmath). For each function it prints the share of wrong
results, the largest error in ULPs with its argument, and the beginning of a hash of all
results. Two machines with the same hash gave the same bits.

It checks crmath first: in each format the hash of its results has to be the one of every
machine, printed on the last line. A build that gives other bits is an error.

A ULP is the distance of the format's numbers around the real value. A correctly rounded
result is off by 0.5 ULP at most, and a wrong one by 0.5 ULP at least.

--save keeps the fingerprint. --diff compares it with a saved one, perhaps of another
machine: every function that both have, crmath's too. Exit codes: 0 no difference, or
no --diff; 1 they differ; 2 it could not be done.`,
		Example: `  lastbit libm --save here.json
  lastbit libm --diff here.json
  lastbit libm --dtype f32`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "dtype", "save", "diff"); err != nil {
				return err
			}
			return a.libm(cmd.Context(), v, cmd.Flags().Changed("dtype"))
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&v.dtypes, "dtype", []string{"f64"},
		"formats: f64, f32 or both (with --diff those of the file)")
	fl.StringVar(&v.save, "save", "", "write the fingerprint to this file")
	fl.StringVar(&v.diff, "diff", "", "compare with the fingerprint in this file")
	complete(cmd, "dtype", mathFormats)
	return cmd
}

// mathFormats are the formats of elementary functions.
var mathFormats = []string{"f64", "f32"}

// mathDTypes parses a list of formats.
func mathDTypes(names []string) (formats []fp.Format, err error) {
	for _, name := range names {
		format, err := fp.Parse(name)
		if err != nil || format != fp.Binary64 && format != fp.Binary32 {
			return nil, &probe.Fault{
				ID: "bad-dtype", Thing: "--dtype " + name,
				Cause: "there are no elementary functions of that format",
				Cure:  "use f64 or f32, or f64,f32 for both",
			}
		}
		if !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	return formats, nil
}

func (a *app) libm(ctx context.Context, v libmVerb, dtypeGiven bool) error {
	formats, err := mathDTypes(v.dtypes)
	if err != nil {
		return err
	}
	if v.save != "" {
		if err := writable(v.save); err != nil {
			return err
		}
	}
	var there *libm.Fingerprint
	if v.diff != "" {
		if there, err = libm.Read(ctx, v.diff); err != nil {
			return err
		}
		if !dtypeGiven {
			formats = there.Formats()
		}
	}
	p := a.newProgress()
	defer p.End()
	here, err := libm.Take(ctx, formats, a.python().Script, p.Show)
	if err != nil {
		return err
	}
	p.End()
	var unsaved error // reported after the findings, which are printed all the same
	if v.save != "" {
		if err := here.Save(v.save); err != nil {
			unsaved = sums.Unwritable(v.save, err)
		}
	}
	switch {
	case there != nil:
		err = a.libmDiff(v.diff, here, there)
	case a.json:
		err = a.printJSON(here)
	default:
		here.Write(a.stdout)
	}
	return cmp.Or(unsaved, err)
}

// libmDiff prints the differences of two fingerprints.
func (a *app) libmDiff(file string, here, there *libm.Fingerprint) error {
	d := here.Diff(there)
	if d.Compared == 0 {
		const cause = "it shares no function, library and format with this machine's fingerprint"
		return badData(file, cause, "make one here with --save, and compare the two files", nil)
	}
	if len(d.Differ) > 0 {
		a.code = other
	}
	if a.json {
		return a.printJSON(d)
	}
	d.Write(a.stdout)
	return nil
}
