package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// formats are what --format takes.
var formats = []string{"text", "brackets", "tree", "family", "json", "svg", "dot", "html"}

// revealVerb is the command line of lastbit reveal.
type revealVerb struct {
	specFlags
	revealFlags
	calls, cells bool
	format, file string
}

func (a *app) revealCommand() *cobra.Command {
	v := &revealVerb{}
	cmd := &cobra.Command{
		Use:   "reveal TARGET",
		Short: "Reveal in which order a target adds, and prove it",
		Long: `Reveal calls a target until it knows the tree of its additions and their
arithmetic. A tree is verified when its certificate holds (structure) and when
replaying it gave the target's own bits on every input tried (arithmetic).
Whatever is not one fixed tree is refused, with an input that shows why.

Targets are ` + addresses + `.

The default is ` + fmt.Sprint(defaultN) + ` summands: few enough that every addition can be drawn, and
enough for vector lanes to show. Orders change with n: ask for the n you use.

Exit codes: 0 a verified tree, or exact; 1 any other verdict; 2 it could not be run.`,
		Example: `  lastbit reveal go:naive -n 8
  lastbit reveal gonum:floats.Sum --dtype f64 -n 1000 --align 8
  lastbit reveal gonum:blas32.Gemm -n 64 --m 20 --cols 20 --cells
  lastbit reveal go:pairwise -n 1000 --format svg -o tree.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.reveal(cmd.Context(), v, args[0]) },
	}
	v.specFlags.add(cmd)
	v.revealFlags.add(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&v.calls, "calls", false, "print only how many calls it took")
	fl.BoolVar(&v.cells, "cells", false, "map which cells of a matrix product are computed alike")
	fl.StringVar(&v.format, "format", "text", text.List(formats))
	fl.StringVarP(&v.file, "output", "o", "", "write to this file")
	complete(cmd, "format", formats)
	return cmd
}

func (a *app) reveal(ctx context.Context, v *revealVerb, address string) error {
	if err := a.settleFormat(v); err != nil {
		return err
	}
	s, err := v.spec()
	if err != nil {
		return err
	}
	if err := checkOutput(v.file); err != nil {
		return err
	}
	progress := a.newProgress()
	defer progress.end()
	opt, err := v.options(progress.of(address))
	if err != nil {
		return err
	}
	t, err := a.open(ctx, address, s, v.dtype != "")
	if err != nil {
		return err
	}
	defer t.Close()
	if v.cells {
		return a.revealCells(ctx, v, t, opt)
	}
	f, err := reveal.Reveal(ctx, t, opt)
	progress.end()
	if err != nil {
		return err
	}
	a.code = code(f)
	return a.write(v.file, func(w io.Writer) error { return a.writeRevealed(w, v, f) })
}

// settleFormat brings the flags that choose what is printed together, and refuses
// those that contradict each other.
func (a *app) settleFormat(v *revealVerb) error {
	a.json = a.json || v.format == "json"
	if a.json && v.format == "text" {
		v.format = "json"
	}
	if err := oneOf("format", v.format, formats); err != nil {
		return err
	}
	choice, with := formats, ""
	switch {
	case a.json:
		choice, with = []string{"json"}, "--json"
	case v.calls:
		choice, with = []string{"text", "json"}, "--calls"
	case v.cells:
		choice, with = []string{"text", "json", "svg"}, "--cells"
	}
	if slices.Contains(choice, v.format) {
		return nil
	}
	return &probe.Fault{ID: "bad-usage", Thing: with + " --format " + v.format, Cause: "the two do not go together", Cure: "leave one out, or use --format " + text.List(choice)}
}

// writeRevealed writes a finding in the format asked for.
func (a *app) writeRevealed(w io.Writer, v *revealVerb, f *reveal.Finding) error {
	if v.calls {
		if v.format == "json" {
			return json.NewEncoder(w).Encode(map[string]int{"calls": f.Calls})
		}
		_, err := fmt.Fprintln(w, f.Calls)
		return err
	}
	switch v.format {
	case "json":
		return json.NewEncoder(w).Encode(f)
	case "brackets", "tree":
		if f.Tree == nil {
			_, err := fmt.Fprintln(a.stderr, "lastbit: there is no tree to print. "+describe.Verdict(f))
			return err
		}
		if err := f.Tree.WriteText(w); err != nil {
			return err
		}
		_, err := fmt.Fprintln(w)
		return err
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

// revealCells maps the cells of a matrix product.
func (a *app) revealCells(ctx context.Context, v *revealVerb, t probe.Target, opt reveal.Options) error {
	c, ok := t.(probe.CellTarget)
	if !ok {
		return &probe.Fault{ID: "no-cells", Thing: t.Key().String(), Cause: "it has no matrix of results to map", Cure: "use --op gemm (or gemv) with a target that offers it"}
	}
	m, err := reveal.Cells(ctx, c, opt)
	if err != nil {
		return err
	}
	a.code = same
	if len(m.Representative) > 1 {
		a.code = other
	}
	return a.write(v.file, func(w io.Writer) error { return writeCells(w, v, m) })
}

func writeCells(w io.Writer, v *revealVerb, m *reveal.CellMap) error {
	switch {
	case v.calls && v.format == "json":
		return json.NewEncoder(w).Encode(map[string]int{"calls": m.Calls})
	case v.calls:
		_, err := fmt.Fprintln(w, m.Calls)
		return err
	case v.format == "json":
		return json.NewEncoder(w).Encode(m)
	}
	c := report.Cells{Rows: m.Rows, Cols: m.Cols, Class: m.Class, Title: m.Key.String()}
	for _, r := range m.Representative {
		c.Names = append(c.Names, fmt.Sprintf("as --out-index %d,%d", r[0], r[1]))
	}
	if v.format == "svg" {
		return c.WriteSVG(w)
	}
	verdict := fmt.Sprintf("all cells agreed, in %d calls", m.Calls)
	if n := len(m.Representative); n > 1 {
		verdict = fmt.Sprintf("cells of %d kinds, which differ in their order or arithmetic, in %d calls", n, m.Calls)
	}
	if _, err := fmt.Fprintln(w, verdict); err != nil {
		return err
	}
	return c.WriteText(w)
}

// write gives f standard output, or writes a file once f has succeeded.
func (a *app) write(file string, f func(io.Writer) error) error {
	if file == "" || file == "-" {
		return f(a.stdout)
	}
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		return &probe.Fault{ID: "write-failed", Thing: file, Cause: "it cannot be written", Cure: "give another file with -o", Err: cause(err)}
	}
	return nil
}

// code is the exit code of a finding.
func code(f *reveal.Finding) int {
	if f.Verified && (f.Verdict == reveal.TreeVerdict || f.Verdict == reveal.Exact) {
		return same
	}
	return other
}
