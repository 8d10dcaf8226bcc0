package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// formats lists the values of --format.
var formats = []string{"text", "brackets", "tree", "family", "json", "svg", "dot", "html"}

// revealVerb is the command line of lastbit reveal.
type revealVerb struct {
	*app
	specFlags
	revealFlags
	calls, cells bool
	format, file string
}

func revealCommand(a *app) *cobra.Command {
	v := &revealVerb{app: a}
	cmd := &cobra.Command{
		Use:   "reveal TARGET",
		Short: "Reveal the order of a target's additions, and prove it",
		Long: `Reveal calls a target until it knows the tree of its additions and their
arithmetic. A tree is verified when its certificate holds (structure) and when
replaying it gave the target's own bits on every input tried (arithmetic).
A target that is not one fixed tree is refused, with an input that shows why.

Targets are ` + a.drivers.Examples() + `.

The default is ` + fmt.Sprint(defaultN) + ` summands: few enough to draw every addition, and enough
for vector lanes to show. Orders change with n: ask for the n you use.

Exit codes: 0 a verified tree, or exact; 1 any other verdict; 2 it could not be
run.`,
		Example: `  lastbit reveal go:naive -n 8
  lastbit reveal gonum:floats.Sum --dtype f64 -n 1000 --align 8
  lastbit reveal gonum:blas32.Gemm -n 64 --m 20 --cols 20 --cells
  lastbit reveal go:pairwise -n 1000 --format svg -o tree.svg`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeTargets(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd.Context(), args[0])
		},
	}
	v.specFlags.add(cmd)
	v.integers = true
	dtype := cmd.Flags().Lookup("dtype")
	dtype.Usage += "; or i8 or u8, integers, for py: and exec:"
	v.revealFlags.add(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&v.calls, "calls", false, "print only the number of calls it took")
	fl.BoolVar(&v.cells, "cells", false, "map which cells of a matrix product are computed alike")
	choiceVar(cmd, fl, &v.format, "format", "text", choices{words: formats}, text.List(formats))
	fl.StringVarP(&v.file, "output", "o", "", "write to this file")
	return cmd
}

func (v *revealVerb) run(ctx context.Context, address string) error {
	if err := v.settleFormat(); err != nil {
		return err
	}
	s, err := v.spec()
	if err != nil {
		return err
	}
	progress := v.newProgress()
	defer progress.End()
	opt, err := v.options(progress.For(address))
	if err != nil {
		return err
	}
	if err := checkOutput(v.file); err != nil {
		return err
	}
	t, err := v.open(ctx, address, s, v.dtype != "")
	if err != nil {
		return err
	}
	defer t.Close()
	if v.cells {
		return v.runCells(ctx, t, opt)
	}
	f, err := reveal.Reveal(ctx, t, opt)
	progress.End()
	if err != nil {
		return err
	}
	v.code = exitCode(f)
	if v.code != same && slices.Contains([]string{"svg", "dot", "html"}, v.format) {
		fmt.Fprintln(v.stderr, "lastbit: "+describe.Verdict(f))
	}
	return v.write(v.file, func(w io.Writer) error { return v.writeFinding(w, f) })
}

// settleFormat chooses the output, and refuses flags that contradict each
// other.
func (v *revealVerb) settleFormat() error {
	v.json = v.json || v.format == "json"
	if v.json && v.format == "text" {
		v.format = "json"
	}
	choice, with := formats, ""
	switch {
	case v.json:
		choice, with = []string{"json"}, "--json"
	case v.calls:
		choice, with = []string{"text", "json"}, "--calls"
	case v.cells:
		choice, with = []string{"text", "json", "svg"}, "--cells"
	}
	if slices.Contains(choice, v.format) {
		return nil
	}
	return &probe.Fault{
		ID: "bad-usage", Thing: with + " --format " + v.format, Cause: "the two do not go together",
		Cure: "leave one out, or use --format " + text.List(choice),
	}
}

// exitCode returns the exit code of a finding.
func exitCode(f *reveal.Finding) int {
	if f.Verified && (f.Verdict == reveal.TreeVerdict || f.Verdict == reveal.Exact) {
		return same
	}
	return other
}

// writeFinding writes a finding in the requested format.
func (v *revealVerb) writeFinding(w io.Writer, f *reveal.Finding) error {
	if v.calls {
		return v.writeCalls(w, f.Calls)
	}
	switch v.format {
	case "json":
		return json.NewEncoder(w).Encode(f)
	case "brackets", "tree":
		return v.writeBrackets(w, f)
	case "family":
		name := f.Family
		if f.Verdict != reveal.TreeVerdict {
			name = string(f.Verdict)
		}
		_, err := fmt.Fprintln(w, text.Or(name, "none"))
		return err
	case "svg":
		return report.SVG(w, describe.Drawing(f))
	case "dot":
		return report.DOT(w, describe.Drawing(f))
	case "html":
		return report.HTML(w, report.Page{Drawings: []report.Drawing{describe.Drawing(f)}})
	}
	return describe.WriteFinding(w, f)
}

// writeCalls writes a number of calls, and nothing else.
func (v *revealVerb) writeCalls(w io.Writer, calls int) error {
	if v.format == "json" {
		return json.NewEncoder(w).Encode(map[string]int{"calls": calls})
	}
	_, err := fmt.Fprintln(w, calls)
	return err
}

// writeBrackets writes the tree in brackets. If there is none, standard error
// has the verdict.
func (v *revealVerb) writeBrackets(w io.Writer, f *reveal.Finding) error {
	if f.Tree == nil {
		_, err := fmt.Fprintln(v.stderr, "lastbit: there is no tree to print. "+describe.Verdict(f))
		return err
	}
	if err := f.Tree.WriteText(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// runCells maps the cells of a matrix product.
func (v *revealVerb) runCells(ctx context.Context, t probe.Target, opt reveal.Options) error {
	c, ok := t.(probe.CellTarget)
	if !ok {
		return &probe.Fault{
			ID: "no-cells", Thing: t.Key().String(), Cause: "it has no matrix of results to map",
			Cure: "use --op gemm (or gemv) with a target that offers it",
		}
	}
	m, err := reveal.Cells(ctx, c, opt)
	if err != nil {
		return err
	}
	v.code = same
	if len(m.Representative) > 1 {
		v.code = other
	}
	return v.write(v.file, func(w io.Writer) error { return v.writeCells(w, m) })
}

// writeCells writes a map of cells in the requested format.
func (v *revealVerb) writeCells(w io.Writer, m *reveal.CellMap) error {
	if v.calls {
		return v.writeCalls(w, m.Calls)
	}
	if v.format == "json" {
		return json.NewEncoder(w).Encode(m)
	}
	c := report.Cells{Rows: m.Rows, Cols: m.Cols, Class: m.Class, Title: m.Key.String()}
	for _, r := range m.Representative {
		c.Names = append(c.Names, fmt.Sprintf("as --out-index %d,%d", r[0], r[1]))
	}
	if v.format == "svg" {
		return report.CellSVG(w, c)
	}
	if _, err := fmt.Fprintln(w, describe.Cells(text.For(w), m)); err != nil {
		return err
	}
	return report.CellText(w, c)
}
