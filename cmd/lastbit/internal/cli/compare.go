package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// compareVerb is the command line of lastbit compare.
type compareVerb struct {
	specFlags
	revealFlags
}

func (a *app) compareCommand() *cobra.Command {
	v := &compareVerb{}
	cmd := &cobra.Command{
		Use:   "compare A B [C…]",
		Short: "Compare targets: which agree bit for bit, and where they differ",
		Long: `Compare reveals every target and runs all of them on the same inputs. Targets of
one group agreed in every bit. For every two groups it prints how often they
differ on random inputs, the smallest input found on which they do, both results,
and where the trees part.

Exit codes: 0 all agree; 1 they differ; 2 it could not be done.`,
		Example: `  lastbit compare go:naive go:pairwise --dtype f64 -n 100
  lastbit compare go:naive py:numpy.sum gonum:floats.Sum --dtype f64 -n 1000`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.compare(cmd.Context(), v, args) },
	}
	v.specFlags.add(cmd)
	v.revealFlags.add(cmd)
	return cmd
}

func (a *app) compare(ctx context.Context, v *compareVerb, addresses []string) error {
	s, err := v.spec()
	if err != nil {
		return err
	}
	progress := a.newProgress()
	defer progress.end()
	opt, err := v.options(progress.of("compare"))
	if err != nil {
		return err
	}
	targets, err := a.openAll(ctx, addresses, s)
	var f *probe.Fault
	if v.dtype == "" && errors.As(err, &f) && slices.Contains([]string{"unsupported", "unsupported-dtype"}, f.ID) {
		s.DType = fp.Binary64
		if again, no := a.openAll(ctx, addresses, s); no == nil {
			targets, err = again, nil
		}
	}
	if err != nil {
		return err
	}
	defer closeAll(targets)
	c, err := reveal.Compare(ctx, targets, opt)
	progress.end()
	if err != nil {
		return err
	}
	a.code = same
	if len(c.Groups) > 1 {
		a.code = other
	}
	if a.json {
		return a.printJSON(c)
	}
	return writeComparison(a.stdout, c)
}

// openAll opens targets for one key, all or none.
func (a *app) openAll(ctx context.Context, addresses []string, s probe.Spec) ([]probe.Target, error) {
	var targets []probe.Target
	for _, address := range addresses {
		t, err := a.open(ctx, address, s, true)
		if err != nil {
			closeAll(targets)
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

func closeAll(targets []probe.Target) {
	for _, t := range targets {
		_ = t.Close()
	}
}

// writeComparison writes a comparison for people.
func writeComparison(w io.Writer, c *reveal.Comparison) error {
	if len(c.Groups) == 1 {
		fmt.Fprintf(w, "the same: all %d agree bit for bit, on %d inputs\n", len(c.Findings), c.Tried)
	} else {
		fmt.Fprintf(w, "different: %d groups of %d implementations\n", len(c.Groups), len(c.Findings))
	}
	var groups []group
	var keys []string
	for g, members := range c.Groups {
		letter := groupName(g)
		for _, i := range members {
			f := c.Findings[i]
			// Those of a group have the same results, and may differ in what no input showed.
			if words := wordsOf(f); letter != "" || groups[len(groups)-1].words != words {
				groups = append(groups, group{letter: letter, words: words})
				letter = ""
			}
			last := &groups[len(groups)-1]
			last.members = append(last.members, member{f.Key.Target, fmt.Sprint(f.Calls), shortProof(f)})
			if key := f.Key.String(); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	writeGroups(w, groups)
	for _, key := range keys {
		fmt.Fprintln(w, "     "+key)
	}
	for _, d := range c.Differences {
		writeDifference(w, c, d)
	}
	return nil
}

// groupName is A, B … Z, AA, AB …
func groupName(g int) string {
	if g < 26 {
		return string(rune('A' + g))
	}
	return groupName(g/26-1) + string(rune('A'+g%26))
}

// groupOf returns the group of a finding.
func groupOf(c *reveal.Comparison, i int) int {
	return slices.IndexFunc(c.Groups, func(g []int) bool { return slices.Contains(g, i) })
}

func writeDifference(w io.Writer, c *reveal.Comparison, d reveal.Difference) {
	a, b := c.Findings[d.A], c.Findings[d.B]
	fmt.Fprintf(w, "\n%s and %s differ on %s of random inputs", groupName(groupOf(c, d.A)), groupName(groupOf(c, d.B)), share(d))
	if d.Witness == nil {
		fmt.Fprintln(w, ". "+noWitness(a, b))
		return
	}
	v := d.Witness
	fmt.Fprintf(w, ". The smallest input found: %s\n", witnessSize(v))
	fmt.Fprintf(w, "  %-8s %s\n", "x", sparse(v.X, a.Key.DType))
	if len(v.Y) > 0 {
		fmt.Fprintf(w, "  %-8s %s\n", "y", sparse(v.Y, a.Key.DType))
	}
	for k, f := range []*reveal.Finding{a, b} {
		fmt.Fprintf(w, "  %-8s %s  %s  %s\n", "result", v.Bits[k], decimal(v.Outs[k], f.Key.Out), f.Key.Target)
	}
	if a.Key.Out == b.Key.Out {
		fmt.Fprintf(w, "  %-8s %s\n", "apart", ulps(v.ULPs))
	} else {
		fmt.Fprintf(w, "  %-8s the results are of different formats, %s and %s\n", "apart", a.Key.Out, b.Key.Out)
	}
	if d.FirstNode != "" {
		fmt.Fprintf(w, "  %-8s %s\n", "trees", d.FirstNode)
	}
}

// noWitness says why two groups are two without an input that shows it.
func noWitness(a, b *reveal.Finding) string {
	if a.Verdict == reveal.Nondeterministic || b.Verdict == reveal.Nondeterministic {
		return "One of them gives different results for the same input"
	}
	return "The trees are different, but no input was found on which the results are"
}

func witnessSize(v *reveal.PairWitness) string {
	if v.Summands == 1 {
		return "1 summand that is not zero"
	}
	return fmt.Sprintf("%d summands that are not zero", v.Summands)
}

// share is the share of random inputs on which two groups differ.
func share(d reveal.Difference) string {
	if d.Differ > 0 && 100*d.Differ < d.Tried {
		return "less than 1 %"
	}
	return fmt.Sprintf("%d %%", 100*d.Differ/max(d.Tried, 1))
}

func ulps(n uint64) string {
	switch n {
	case 1:
		return "1 ULP"
	case ^uint64(0):
		return "one is not a number"
	}
	return fmt.Sprintf("%d ULPs", n)
}
