package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/overview"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/terminal"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/lockfile"
)

// reportName is the name of a report's files without their extension.
const reportName = "lastbit"

// reportVerb is the command line of lastbit report.
type reportVerb struct {
	*app
	cmd *cobra.Command

	contents lockfile.Contents
	config   *lockfile.Config
	html     string
	jsonFile string // "" for standard output

	explain, diff               bool
	op, input, second, lhs, rhs string
	axis                        int
	noSettings                  bool
	sections, ops, dtypes       []string
	n                           int
}

func reportCommand(a *app) *cobra.Command {
	v := &reportVerb{app: a}
	v.cmd = &cobra.Command{
		Use:   "report [A B]",
		Short: "Write one page of everything: this machine, this project, this run",
		Long: `Report writes one page, and the same content as JSON: the ways to add of this machine
(audit), its elementary functions (libm), the invariance of the project's shapes
(invariant), what changed since the lock file (check), places in Go code that compute
other bits elsewhere (vet), the digits of programs (digits), and the differences of
pairs of results (explain). The first screen answers in sentences; each links to its
evidence. The page loads nothing.

A section is left out, with the reason, if there is nothing for it here: Go code without a
go.mod. A section that fails keeps its cause and its cure, and the others
stay. After an interrupt the report has the sections that were done, and is marked.

lastbit.toml says what a report holds, in the table [report]; lastbit init writes one.
--sections chooses sections, by the verbs in brackets above, with lock for the lock
file. --explain A B adds the differences of two results, with --op and its inputs as
for lastbit explain.

-o names the page, and --json FILE.json the JSON; --json alone prints it, and writes a
page only with -o. Without either, the files are lastbit.html and lastbit.json.

--diff A.json B.json compares two reports: of two machines, or of two days. It lists
only what differs, with the smallest input that shows it, and the settings that end it,
where this is one of the two machines.

Exit codes: 0 the report was made, with --diff nothing differs; 1 --diff found
differences; 2 it could not be made, or was interrupted.`,
		Example: `  lastbit report --sections libm -o report.html --json before.json
  lastbit report --sections libm --json > after.json
  lastbit report --diff before.json after.json
  lastbit report --sections explain --explain a.npy b.npy --op exp --input x.npy`,
		Args: cobra.MaximumNArgs(3),
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	v.addFlags()
	return v.cmd
}

func (v *reportVerb) addFlags() {
	fl := v.cmd.Flags()
	fl.StringVarP(&v.html, "output", "o", "", "the page (default lastbit.html)")
	fl.StringSliceVar(&v.sections, "sections", nil,
		"only these: "+text.List(lockfile.Sections)+" (default those of lastbit.toml, or all)")
	fl.BoolVar(&v.diff, "diff", false, "compare two reports in JSON, A and B")
	fl.BoolVar(&v.noSettings, "no-settings", false,
		"with --diff: do not look for the settings that end the differences")
	fl.BoolVar(&v.explain, "explain", false, "add the differences of two results, A and B")
	choiceVar(v.cmd, fl, &v.op, "op", "", choices{words: explained()},
		"with --explain: the operation that gave A and B")
	fl.StringVar(&v.input, "input", "", "with --op: the input of a sum, a mean or a function")
	fl.StringVar(&v.second, "second", "", "with --op: the second input of pow, atan2 or hypot")
	fl.StringVar(&v.lhs, "lhs", "", "with --op: the first factor of dot or matmul")
	fl.StringVar(&v.rhs, "rhs", "", "with --op: the second factor of dot or matmul")
	fl.IntVar(&v.axis, "axis", -1, "with --op: sum or mean over this axis")
	countVar(fl, &v.n, "n", "n", defaultAuditN, "audit: number of summands")
	fl.StringSliceVar(&v.dtypes, "dtype", []string{"f32", "f64"}, "audit, libm: formats")
	fl.StringSliceVar(&v.ops, "ops", []string{"sum", "dot", "gemv", "gemm"},
		"audit: operations")
	complete(v.cmd, "sections", lockfile.Sections)
	complete(v.cmd, "dtype", []string{"f64", "f32"})
	complete(v.cmd, "ops", []string{"sum", "dot", "gemv", "gemm"})
}

func (v *reportVerb) run(args []string) error {
	pair, err := v.arguments(args)
	if err != nil {
		return err
	}
	if v.diff {
		return v.runDiff(pair)
	}
	if err := v.configure(pair); err != nil {
		return err
	}
	steps, err := v.steps()
	if err != nil {
		return err
	}
	if err := v.checkFiles(); err != nil {
		return err
	}
	ctx := v.cmd.Context()
	progress := v.newProgress()
	if v.jsonFile != "" { // standard output is free for people
		progress = terminal.NewProgress(v.stderr)
	}
	defer progress.End()
	r := overview.Make(ctx, steps, progress.Show)
	progress.End()
	if err := v.writeFiles(r); err != nil {
		return err
	}
	return ctx.Err()
}

// arguments takes the file of --json from the arguments, and returns the two
// files of --diff or --explain.
func (v *reportVerb) arguments(args []string) ([]string, error) {
	switch {
	case v.diff && v.explain:
		return nil, badUsage(v.cmd, "--diff and --explain exclude each other")
	case v.diff:
		if len(args) != 2 {
			return nil, badUsage(v.cmd, "--diff needs two reports, A.json and B.json; "+given(args))
		}
		return args, nil
	}
	isFile := func(s string) bool { return strings.EqualFold(filepath.Ext(s), ".json") }
	if i := slices.IndexFunc(args, isFile); v.json && i >= 0 {
		v.jsonFile = args[i]
		args = slices.Delete(slices.Clone(args), i, i+1)
	}
	switch {
	case v.explain && len(args) != 2:
		return nil, badUsage(v.cmd, "--explain needs two results, A and B; "+given(args))
	case !v.explain && len(args) > 0:
		return nil, badUsage(v.cmd, "two files need --diff or --explain, and a file of JSON "+
			"needs --json and the extension .json; "+given(args))
	}
	if v.noSettings {
		return nil, badUsage(v.cmd, "--no-settings has no effect without --diff")
	}
	for _, name := range []string{"op", "input", "second", "lhs", "rhs", "axis"} {
		if v.cmd.Flags().Changed(name) && !v.explain {
			return nil, badUsage(v.cmd, "--"+name+" has no effect without --explain")
		}
	}
	return args, nil
}

// configure reads lastbit.toml, and lets flags replace its values. pair holds
// the files of --explain.
func (v *reportVerb) configure(pair []string) error {
	if err := notEmpty(v.cmd, "output", "sections", "ops", "dtype"); err != nil {
		return err
	}
	config, err := lockfile.ReadConfig(lockfile.ConfigName)
	if err != nil {
		return err
	}
	if config != nil {
		v.config, v.contents = config, config.Report
	}
	c := &v.contents
	changed := v.cmd.Flags().Changed
	if c.N == 0 || changed("n") {
		c.N = v.n
	}
	if len(c.Ops) == 0 || changed("ops") {
		c.Ops = v.ops
	}
	if len(c.DType) == 0 || changed("dtype") {
		c.DType = v.dtypes
	}
	if changed("sections") {
		c.Sections = v.sections
	}
	if len(c.Sections) == 0 {
		c.Sections = lockfile.Sections
	}
	for _, s := range c.Sections {
		if !slices.Contains(lockfile.Sections, s) {
			return choices{words: lockfile.Sections}.refuse("sections", s)
		}
	}
	if v.explain {
		p := lockfile.PairText{A: pair[0], B: pair[1], Op: v.op, Input: v.input, Second: v.second,
			LHS: v.lhs, RHS: v.rhs}
		if changed("axis") {
			p.Axis = &v.axis
		}
		c.Explain = append(c.Explain, p)
		if !slices.Contains(c.Sections, "explain") {
			c.Sections = append(slices.Clone(c.Sections), "explain")
		}
	}
	return nil
}

// checkFiles chooses the names of the files, and refuses those that cannot be
// written.
func (v *reportVerb) checkFiles() error {
	if !v.json {
		v.jsonFile = reportName + ".json"
		switch {
		case v.html == "-":
			v.jsonFile = ""
		case v.html != "":
			v.jsonFile = strings.TrimSuffix(v.html, filepath.Ext(v.html)) + ".json"
		}
		v.html = cmp.Or(v.html, reportName+".html")
	}
	if v.html != "" && v.html == v.jsonFile {
		return badUsage(v.cmd, "the page and the JSON have one name, "+v.html)
	}
	if v.html == "-" && v.json && v.jsonFile == "" {
		return badUsage(v.cmd, "-o - and --json both print to standard output")
	}
	if err := checkOutput(v.html); err != nil {
		return err
	}
	return checkOutput(v.jsonFile)
}

// writeFiles writes the page and the JSON, and prints the answers.
func (v *reportVerb) writeFiles(r *overview.Report) error {
	var wrote []string
	if v.html != "" {
		page := func(w io.Writer) error { return overview.WriteHTML(w, r) }
		if err := v.write(v.html, page); err != nil || v.html == "-" {
			return err
		}
		wrote = append(wrote, v.html)
	}
	if v.json && v.jsonFile == "" {
		return v.printJSON(r)
	}
	if v.jsonFile != "" {
		err := v.write(v.jsonFile, func(w io.Writer) error { return overview.WriteJSON(w, r) })
		if err != nil {
			return err
		}
		wrote = append(wrote, v.jsonFile)
	}
	overview.WriteText(v.stdout, r)
	_, err := fmt.Fprintln(v.stdout, "\nwrote "+strings.Join(wrote, " and "))
	return err
}

// within returns a copy of the command whose programs read nothing.
func (v *reportVerb) within() *app {
	a := *v.app
	a.stdin, a.json = strings.NewReader(""), false
	return &a
}

// parse parses the command line of another verb, in ctx.
func parse(ctx context.Context, cmd *cobra.Command, args []string) ([]string, error) {
	cmd.SetContext(ctx)
	if err := cmd.ParseFlags(args); err != nil {
		return nil, explainFlag(cmd, err)
	}
	return cmd.Flags().Args(), nil
}
