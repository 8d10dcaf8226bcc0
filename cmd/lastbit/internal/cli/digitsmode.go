package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/digits"
)

// addRoundings adds the flags that choose the runs and their roundings.
func (v *digitsVerb) addRoundings(fl *pflag.FlagSet) {
	fl.IntVar(&v.options.Runs, "runs", digits.DefaultRuns, "runs with random rounding")
	fl.Uint64Var(&v.options.Seed, "seed", 1, "fixes every rounding of every run")
	fl.BoolVar(&v.options.Off, "off", false, "run once, without random rounding")
	fl.StringVar(&v.mode, "mode", "random", "the rounding: random, mca:P, vprec:P,E or sr")
	fl.Float64Var(&v.options.Share, "share", 1,
		"perturb this part of the operations only, at random")
}

// checkRoundings checks the flags of addRoundings.
func (v *digitsVerb) checkRoundings(cmd *cobra.Command) error {
	if v.options.Runs < 1 || v.options.Runs > 1000 {
		return badUsage(cmd, "--runs takes a number from 1 to 1000")
	}
	if !(v.options.Share > 0 && v.options.Share <= 1) {
		return badUsage(cmd, "--share takes a number above 0, up to 1")
	}
	mode, err := instrument.ParseMode(v.mode)
	if err != nil {
		return badUsage(cmd, "--mode: "+err.Error())
	}
	v.options.Mode = mode
	if mode.IsFixed() && cmd.Flags().Changed("runs") && v.options.Runs > 1 {
		return badUsage(cmd, "--mode "+v.mode+" rounds alike in all runs: leave out --runs")
	}
	return nil
}

// modeAndShare returns the roundings of a report with some runs: "" and 0 where
// they are the usual ones.
func (v *digitsVerb) modeAndShare(runs int) (mode string, share float64) {
	if runs == 0 {
		return "", 0
	}
	if v.options.Mode.Rounding != 0 {
		mode = v.options.Mode.String()
	}
	if v.options.Share < 1 {
		share = v.options.Share
	}
	return mode, share
}

// inRuns ends a statement on what the runs of a report show.
func inRuns(r *digits.Report) string {
	return " in " + count(r.Runs, "run", "runs") + rounded(r.Mode, r.Share)
}

// rounded names the roundings of runs, where they are not the usual ones.
func rounded(mode string, share float64) string {
	text := ""
	if mode != "" {
		text += " with " + mode
	}
	if share != 0 {
		text += fmt.Sprintf(", with %g of the operations perturbed", share)
	}
	return text
}

// isUsual reports whether the runs of a report are those that an estimate of
// digits takes: several, with all operations rounded up or down at random.
func isUsual(r *digits.Report) bool { return r.Runs > 1 && r.Mode == "" && r.Share == 0 }
