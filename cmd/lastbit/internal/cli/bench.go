package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/fp"
)

func benchCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the cost and the accuracy of each promise here",
		Example: "  lastbit bench sums --only exponential",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, v := range bench.Verbs() {
		cmd.AddCommand(experimentCommand(a, v))
	}
	for _, c := range cmd.Commands() {
		c.Args = usage(c.Args)
	}
	return cmd
}

// experimentVerb is an experiment with its flags.
type experimentVerb struct {
	*app
	experiment.Verb
	experiment experiment.Experiment
	flags      []*experimentFlag
	out        string // the folder of the pictures
}

// experimentCommand returns the verb of an experiment.
func experimentCommand(a *app, of experiment.Verb) *cobra.Command {
	v := &experimentVerb{app: a, Verb: of,
		experiment: of.New(experiment.Setup{Open: a.drivers.Open})}
	cmd := &cobra.Command{
		Use: of.Name, Short: of.Short, Long: of.Long, Example: of.Example, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return v.run(cmd) },
	}
	for _, f := range v.experiment.Flags() {
		v.flags = append(v.flags, addExperimentFlag(cmd, f))
	}
	if _, ok := v.experiment.(experiment.Painter); ok {
		cmd.Flags().StringVar(&v.out, "out", "", "folder to write pictures to, as SVG")
	}
	return cmd
}

// experimentFlag is a flag of an experiment. Lists are kept as words until they
// are checked.
type experimentFlag struct {
	experiment.Flag
	words []string
}

// addExperimentFlag adds a flag to a command.
func addExperimentFlag(cmd *cobra.Command, of experiment.Flag) *experimentFlag {
	f, fl := &experimentFlag{Flag: of}, cmd.Flags()
	switch to := f.To.(type) {
	case *bool:
		fl.BoolVar(to, f.Name, *to, f.Usage)
	case *int:
		fl.IntVar(to, f.Name, *to, f.Usage)
	case *time.Duration:
		fl.DurationVar(to, f.Name, *to, f.Usage)
	case *[]string:
		fl.StringSliceVar(&f.words, f.Name, *to, f.Usage)
	case *[]fp.Format:
		var names []string
		for _, format := range *to {
			names = append(names, format.String())
		}
		fl.StringSliceVar(&f.words, f.Name, names, f.Usage)
	default:
		panic(fmt.Sprintf("--%s of bench has a value of type %T", f.Name, to))
	}
	if f.Hidden {
		if err := fl.MarkHidden(f.Name); err != nil {
			panic(err) // there is no such flag: a mistake in this package
		}
	}
	words := f.Complete
	if words == nil {
		words = f.Values
	}
	if words != nil {
		complete(cmd, f.Name, words)
	}
	return f
}

// set checks the words of a list, and gives them to the experiment.
func (f *experimentFlag) set() (err error) {
	for _, word := range f.words {
		if f.Values == nil {
			break
		}
		if err := oneOf(f.Name, word, f.Values); err != nil {
			return err
		}
	}
	switch to := f.To.(type) {
	case *[]string:
		*to = f.words
	case *[]fp.Format:
		*to, err = mathDTypes(f.words)
	}
	return err
}

// run checks the flags, measures, and prints.
func (v *experimentVerb) run(cmd *cobra.Command) error {
	if err := v.check(cmd); err != nil {
		return err
	}
	if h, ok := v.experiment.(experiment.Helper); ok && h.IsHelper() {
		return h.Help(v.stdout)
	}
	if err := v.experiment.Check(); err != nil {
		return err
	}
	if v.NeedsGo {
		if err := needGo(); err != nil {
			return err
		}
	}
	if p, ok := v.experiment.(experiment.Painter); ok {
		if err := checkPictures(v.out, p.PictureNames()); err != nil {
			return err
		}
	}
	r, err := v.measure(cmd.Context())
	if err != nil {
		return err
	}
	// an error of the pictures is reported after the results
	undrawn := writePictures(v.out, r.Pictures())
	return cmp.Or(undrawn, v.print(r))
}

// check refuses lists that are empty or hold unknown words.
func (v *experimentVerb) check(cmd *cobra.Command) error {
	for _, name := range []string{"dtype", "only", "out"} {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		if err := notEmpty(cmd, name); err != nil {
			return err
		}
	}
	for _, f := range v.flags {
		if err := f.set(); err != nil {
			return err
		}
	}
	return nil
}

// measure measures, with progress on a terminal.
func (v *experimentVerb) measure(ctx context.Context) (experiment.Results, error) {
	p := v.newProgress()
	defer p.End()
	return v.experiment.Measure(ctx, experiment.Reporter{
		Progress: p.Show,
		Note:     func(line string) { fmt.Fprintln(v.stderr, line) },
	})
}

// print prints results, as JSON or for people.
func (v *experimentVerb) print(r experiment.Results) error {
	if v.json {
		return v.printJSON(r.JSON())
	}
	return r.Write(v.stdout)
}

// checkPictures makes the folder that pictures go to, if one is named, and
// refuses pictures that cannot be written there.
func checkPictures(folder string, names []string) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return sums.Unwritable(folder, err)
	}
	for _, name := range names {
		if err := writable(filepath.Join(folder, name+".svg")); err != nil {
			return err
		}
	}
	return nil
}

// writePictures writes pictures to a folder, if one is named.
func writePictures(folder string, pictures []experiment.Picture) error {
	if folder == "" {
		return nil
	}
	for _, p := range pictures {
		var b bytes.Buffer
		if err := p.SVG(&b); err != nil {
			return err
		}
		name := filepath.Join(folder, p.Name+".svg")
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			return sums.Unwritable(name, err)
		}
	}
	return nil
}
