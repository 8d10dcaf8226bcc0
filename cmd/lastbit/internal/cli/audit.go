package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// Shapes of an audit's matrix products: large enough for kernels to block, small
// enough for every pair of implementations to be run against each other.
const (
	auditN    = 1000
	gemmN     = 128 // summands of a gemm, fewer where n is smaller
	auditRows = 32  // rows, and columns of gemm
)

// atATime is how many tables of an audit are made at once.
const atATime = 2

// auditVerb is the command line of lastbit audit.
type auditVerb struct {
	n           int
	dtypes, ops []string
	html        string
	seed        uint64
}

func (a *app) auditCommand() *cobra.Command {
	v := &auditVerb{}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Find out how everything on this machine adds, and what agrees",
		Long: `Audit reveals everything on this machine that sums or multiplies matrices: Go,
gonum, Python, NumPy, PyTorch and every BLAS that it finds. Targets under one
letter agreed bit for bit on every input, in their tree and in their arithmetic;
below each table stands how often the others differ from the first, and on which
smallest input. Means are left out. Go's functions are also given data that begins
one element past a multiple of 64 bytes.

Exit codes: 0 all that was found agrees; 1 it differs; 2 it could not be done.`,
		Example: `  lastbit audit
  lastbit audit --ops sum --dtype f64 -n 100
  lastbit audit --ops gemm --html audit.html`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.audit(cmd.Context(), v) },
	}
	fl := cmd.Flags()
	fl.IntVarP(&v.n, "n", "n", auditN, fmt.Sprintf("number of summands (of gemm at most %d)", gemmN))
	fl.StringSliceVar(&v.dtypes, "dtype", []string{"f32", "f64"}, "formats of the inputs")
	fl.StringSliceVar(&v.ops, "ops", []string{"sum", "dot", "gemv", "gemm"}, "operations")
	fl.StringVar(&v.html, "html", "", "write a page with all trees to this file as well")
	fl.Uint64Var(&v.seed, "seed", 0, "seed of the random inputs")
	complete(cmd, "dtype", []string{"f64", "f32", "f16", "bf16"})
	complete(cmd, "ops", []string{"sum", "dot", "gemv", "gemm"})
	return cmd
}

func (a *app) audit(ctx context.Context, v *auditVerb) error {
	tables, err := v.tables()
	if err != nil {
		return err
	}
	progress := a.newProgress()
	defer progress.end()
	progress.show("looking for targets", 0, 1)
	all := a.drivers.List(ctx)
	done, total := 0, 0
	var mu sync.Mutex
	for _, t := range tables {
		t.rows = rowsOf(a.drivers, all, t.spec)
		total += len(t.rows)
	}
	atOnce(len(tables), atATime, func(i int) {
		tables[i].fill(ctx, a, reveal.Options{Seed: v.seed}, func(target string) {
			mu.Lock()
			defer mu.Unlock()
			done++
			progress.show("audit: "+shortened(target, 40), done, total)
		})
	})
	progress.end()
	if err := ctx.Err(); err != nil {
		return err
	}
	tables = slices.DeleteFunc(tables, func(t *auditTable) bool { return len(t.rows) == 0 })
	if len(tables) == 0 {
		return &probe.Fault{ID: "nothing-to-audit", Thing: "lastbit audit", Cause: "nothing on this machine offers these operations in these formats", Cure: "see lastbit targets"}
	}
	for _, t := range tables {
		if len(t.Groups) > 1 {
			a.code = other
		}
	}
	if v.html != "" {
		if err := a.write(v.html, func(w io.Writer) error { return writePage(w, tables) }); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"tables": tables, "absent": absentOf(all)})
	}
	return writeAudit(a.stdout, tables, all)
}

// tables returns the empty tables of an audit.
func (v *auditVerb) tables() (tables []*auditTable, err error) {
	if v.n < 1 {
		return nil, &probe.Fault{ID: "bad-n", Thing: fmt.Sprintf("-n %d", v.n), Cause: "a sum of no summands has no order", Cure: "use 1 or more"}
	}
	for _, name := range v.ops {
		op, err := probe.ParseOp(name)
		if err != nil {
			return nil, err
		}
		for _, name := range v.dtypes {
			format, err := parseFormat("dtype", name)
			if err != nil {
				return nil, err
			}
			s := probe.Spec{Op: op, DType: format, N: v.n}
			switch op {
			case probe.Gemv:
				s.M = auditRows
			case probe.Gemm:
				s.N, s.M, s.Cols = min(v.n, gemmN), auditRows, auditRows
			}
			tables = append(tables, &auditTable{spec: s, Op: op, DType: format, N: s.N, M: s.M, Cols: s.Cols})
		}
	}
	return tables, nil
}

// auditTable is one operation in one format: who computes it, and how.
type auditTable struct {
	spec probe.Spec
	rows []*auditRow

	Op     probe.Op       `json:"op"`
	DType  fp.Format      `json:"dtype"`
	N      int            `json:"n"`
	M      int            `json:"m,omitempty"`
	Cols   int            `json:"cols,omitempty"`
	Tried  int            `json:"tried"` // inputs given to all
	Groups []auditGroup   `json:"groups"`
	Failed []auditFailure `json:"failed"`
	Pairs  []auditPair    `json:"differences"`
}

// auditGroup is a set of targets that agreed in every bit, and in tree and arithmetic.
type auditGroup struct {
	Letter  string      `json:"letter"`
	Words   string      `json:"words"`
	Members []*auditRow `json:"members"`
}

// auditRow is a target: its finding, and the one for data that begins one element
// past a multiple of 64 bytes, if that was tried.
type auditRow struct {
	listing probe.Listing
	group   [2]int // of the comparison, by alignment
	fault   error

	Finding *reveal.Finding `json:"finding"`
	Shifted *reveal.Finding `json:"shifted,omitempty"` // where it is another
}

// auditFailure is a target that could not be run.
type auditFailure struct {
	Target string       `json:"target"`
	Error  *probe.Fault `json:"error"`
}

// auditPair is how the first group differs from another.
type auditPair struct {
	A          string             `json:"a"`
	B          string             `json:"b"`
	Difference *reveal.Difference `json:"difference"` // nil where they differ by alignment, or in no result
	Note       string             `json:"note,omitempty"`
}

// rowsOf returns the targets on this machine that offer what a table is about.
func rowsOf(drivers open.Table, all []probe.Listing, s probe.Spec) (rows []*auditRow) {
	for _, l := range all {
		d, err := drivers.Driver(l.Address)
		apart := l.Mean || err != nil || d.Unaudited // a mean differs from every sum
		if l.Absent == "" && !apart && slices.Contains(l.Ops, s.Op) && slices.Contains(l.DTypes, s.DType) {
			rows = append(rows, &auditRow{listing: l})
		}
	}
	return rows
}

// fill reveals and compares all targets of a table. done is told of each.
func (t *auditTable) fill(ctx context.Context, a *app, opt reveal.Options, done func(target string)) {
	var open []*watched
	var last *watched
	var told *auditRow
	step := func(w *watched) {
		last = w
		if w.row != told {
			told = w.row
			done(w.row.listing.Address)
		}
	}
	defer func() {
		for _, w := range open {
			_ = w.Close()
		}
	}()
	for _, row := range t.rows {
		list, err := a.openRow(ctx, row, t.spec, step)
		row.fault = err
		open = append(open, list...)
	}
	for len(open) > 0 {
		last = nil
		targets := make([]probe.Target, len(open))
		for i, w := range open {
			targets[i] = w
		}
		c, err := reveal.Compare(ctx, targets, opt)
		if err == nil {
			t.take(c, open)
			break
		}
		if last == nil || ctx.Err() != nil {
			for _, w := range open {
				w.row.fault = cmp.Or(w.row.fault, err)
			}
			break
		}
		// The target that was asked last is the one that failed; the others go on.
		bad := last.row
		bad.fault = err
		open = slices.DeleteFunc(open, func(w *watched) bool {
			if w.row == bad {
				_ = w.Close()
			}
			return w.row == bad
		})
	}
	t.group()
}

// openRow opens a target, and for Go's own once more with data shifted by one
// element.
func (a *app) openRow(ctx context.Context, row *auditRow, s probe.Spec, step func(*watched)) ([]*watched, error) {
	first, err := a.open(ctx, row.listing.Address, s, true)
	if err != nil {
		return nil, err
	}
	list := []*watched{{Target: first, row: row, step: step}}
	d, err := a.drivers.Driver(row.listing.Address)
	if s.Align = s.DType.Bytes(); err == nil && d.Shifts && s.Align >= 4 {
		if shifted, err := a.open(ctx, row.listing.Address, s, true); err == nil {
			list = append(list, &watched{Target: shifted, row: row, shifted: true, step: step})
		}
	}
	return list, nil
}

// watched is a target that says when it is asked, so that a failure has a name.
type watched struct {
	probe.Target
	row     *auditRow
	shifted bool
	step    func(*watched)
}

// Call calls the target.
func (w *watched) Call(ctx context.Context, b *probe.Batch) error {
	w.step(w)
	return w.Target.Call(ctx, b)
}

// Restarts is the target's, 0 where it does not count.
func (w *watched) Restarts() int {
	if r, ok := w.Target.(interface{ Restarts() int }); ok {
		return r.Restarts()
	}
	return 0
}

// take gives every row its findings and its groups.
func (t *auditTable) take(c *reveal.Comparison, open []*watched) {
	t.Tried = c.Tried
	for i, w := range open {
		g := groupOf(c, i)
		if w.shifted {
			w.row.group[1] = g
			if g != w.row.group[0] {
				w.row.Shifted = c.Findings[i]
			}
			continue
		}
		w.row.Finding, w.row.group = c.Findings[i], [2]int{g, g}
	}
	t.Pairs = nil
	for i := range c.Differences {
		d := &c.Differences[i]
		t.Pairs = append(t.Pairs, auditPair{A: fmt.Sprint(groupOf(c, d.A)), B: fmt.Sprint(groupOf(c, d.B)), Difference: d})
	}
}

// group gives letters to what agrees, and keeps the differences from the first.
func (t *auditTable) group() {
	byClass := map[string]int{}
	for _, r := range t.rows {
		if r.Finding == nil {
			t.Failed = append(t.Failed, auditFailure{r.listing.Address, faultOf(r.fault)})
			continue
		}
		class := r.class()
		g, ok := byClass[class]
		if !ok {
			g = len(t.Groups)
			byClass[class] = g
			t.Groups = append(t.Groups, auditGroup{Letter: groupName(g), Words: r.words()})
		}
		t.Groups[g].Members = append(t.Groups[g].Members, r)
	}
	all := t.Pairs
	t.Pairs = nil
	for _, g := range t.Groups[min(1, len(t.Groups)):] {
		t.Pairs = append(t.Pairs, pairOf(t.Groups[0], g, all))
	}
}

// class is the same for rows that belong under one letter.
func (r *auditRow) class() string {
	return fmt.Sprint(r.group, r.Finding.Verdict, r.Finding.Verified, arithmeticOf(r.Finding), arithmeticOf(r.Shifted))
}

// arithmeticOf is a finding's arithmetic as text.
func arithmeticOf(f *reveal.Finding) string {
	if f == nil || f.Arithmetic == nil {
		return ""
	}
	b, err := json.Marshal(f.Arithmetic)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// words says what a row is: the family, and what is unusual in its arithmetic.
func (r *auditRow) words() string {
	if r.Shifted == nil {
		return wordsOf(r.Finding)
	}
	s := "depends on the address"
	if a, b := wordsOf(r.Finding), wordsOf(r.Shifted); a != b {
		s += ": " + a + ", or " + b
	}
	return s
}

// pairOf finds how group b differs from group a.
func pairOf(a, b auditGroup, all []auditPair) auditPair {
	p := auditPair{A: a.Letter, B: b.Letter}
	x, y := a.Members[0], b.Members[0]
	if f, g := x.Finding.Key.Out, y.Finding.Key.Out; f != g {
		p.Note = fmt.Sprintf("the results are of different formats, %s and %s", f, g)
		return p
	}
	for side := range 2 {
		g, h := fmt.Sprint(x.group[side]), fmt.Sprint(y.group[side])
		for _, d := range all {
			if d.A == g && d.B == h || d.A == h && d.B == g {
				p.Difference = d.Difference
				if d.A == h {
					p.Difference = turned(d.Difference)
				}
				if side == 1 {
					p.Note = fmt.Sprintf("only where data begins %d bytes past a multiple of 64", y.Finding.Key.DType.Bytes())
				}
				return p
			}
		}
	}
	p.Note = "agreed on every input tried; " + apart(x.Finding, y.Finding)
	return p
}

// turned is a difference seen from the other side.
func turned(d *reveal.Difference) *reveal.Difference {
	t := *d
	t.A, t.B = d.B, d.A
	if d.Witness != nil {
		v := *d.Witness
		v.Outs, v.Bits = slices.Clone(v.Outs), [2]string{v.Bits[1], v.Bits[0]}
		slices.Reverse(v.Outs)
		t.Witness = &v
	}
	return &t
}

// apart says why two findings are not the same although no input of the
// comparison told them apart.
func apart(f, g *reveal.Finding) string {
	if f.Verdict != g.Verdict || f.Verified != g.Verified {
		return fmt.Sprintf("one is %s and the other %s", familyOf(f), familyOf(g))
	}
	if f.Arithmetic != nil && g.Arithmetic != nil {
		a := *f.Arithmetic
		a.PlusZero = g.Arithmetic.PlusZero
		if reflect.DeepEqual(a, *g.Arithmetic) {
			return fmt.Sprintf("where all summands are −0 one gives %s and the other %s", f.Traits.Initial, g.Traits.Initial)
		}
	}
	a, _ := arithmeticWords(f)
	b, _ := arithmeticWords(g)
	return fmt.Sprintf("the arithmetic is not the same: %s against %s", a, b)
}

// absentOf returns the listings of what is not here.
func absentOf(all []probe.Listing) []probe.Listing {
	absent := []probe.Listing{}
	for _, l := range all {
		if l.Absent != "" {
			absent = append(absent, l)
		}
	}
	return absent
}

// writeAudit writes the tables for people.
func writeAudit(w io.Writer, tables []*auditTable, all []probe.Listing) error {
	for _, t := range tables {
		fmt.Fprintln(w, t.title())
		t.write(w)
		fmt.Fprintln(w)
	}
	writeLibraries(w, tables)
	if absent := absences(all); len(absent) > 0 {
		fmt.Fprintln(w, "not here:")
		table(w, "  ", absent, nil)
	}
	return nil
}

// writeLibraries says which libraries were looked at, with which kernels, and where.
func writeLibraries(w io.Writer, tables []*auditTable) {
	type parts struct{ kernels, runtimes []string }
	add := func(list []string, s string) []string {
		if s == "" || slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	var names []string
	all := map[string]parts{}
	for _, t := range tables {
		for _, r := range t.rows {
			if r.Finding == nil {
				continue
			}
			k := r.Finding.Key
			names = add(names, library(k))
			p := all[library(k)]
			all[library(k)] = parts{add(p.kernels, k.Kernel), add(p.runtimes, k.Runtime)}
		}
	}
	if len(names) == 0 {
		return
	}
	fmt.Fprintln(w, "libraries:")
	for _, name := range names {
		s := name
		if p := all[name]; len(p.kernels) > 0 {
			s += " (" + strings.Join(p.kernels, ", ") + ")"
		}
		if p := all[name]; len(p.runtimes) > 0 {
			s += ": " + strings.Join(p.runtimes, ", ")
		}
		writeWrapped(w, "  ", s)
	}
}

// title names the operation, its format and its shape.
func (t *auditTable) title() string {
	s := fmt.Sprintf("%s · %s · n = %d", t.Op, longName(t.DType), t.N)
	switch {
	case t.Cols > 0:
		s += fmt.Sprintf(" · %d × %d results, the first of them", t.M, t.Cols)
	case t.M > 0:
		s += fmt.Sprintf(" · %d results, the first of them", t.M)
	}
	if t.Tried > 0 {
		s += fmt.Sprintf(" · %d inputs to each", t.Tried)
	}
	return s
}

func longName(f fp.Format) string {
	return map[fp.Format]string{fp.Binary64: "float64", fp.Binary32: "float32", fp.Binary16: "float16", fp.BFloat16: "bfloat16"}[f]
}

func (t *auditTable) write(w io.Writer) {
	if len(t.Groups) > 0 {
		groups := make([]group, len(t.Groups))
		for i, g := range t.Groups {
			groups[i] = group{letter: g.Letter, words: g.Words}
			for _, r := range g.Members {
				groups[i].members = append(groups[i].members, member{r.listing.Address, fmt.Sprint(r.calls()), r.proof()})
			}
		}
		writeGroups(w, groups)
	}
	for _, f := range t.Failed {
		writeWrapped(w, "  –  ", f.Target+" could not be run: "+f.Error.Cause+" [docs/errors.md#"+f.Error.ID+"]")
	}
	t.writePairs(w)
}

// writePairs writes how the first group differs from the others, and how to see it.
func (t *auditTable) writePairs(w io.Writer) {
	rows := [][]string{{"", "differs from A on", "smallest input found", "A gives", "it gives", "apart"}}
	var notes []string
	for _, p := range t.Pairs {
		d := p.Difference
		if d == nil {
			notes = append(notes, p.A+" and "+p.B+": "+p.Note)
			continue
		}
		row := []string{p.B, share(*d), "none", "", "", ""}
		if v := d.Witness; v != nil {
			row = []string{p.B, share(*d), count(v.Summands, "summand"), v.Bits[0], v.Bits[1], ulps(v.ULPs)}
		}
		rows = append(rows, row)
		if p.Note != "" {
			notes = append(notes, p.A+" and "+p.B+" differ "+p.Note+": "+t.command(p))
		}
	}
	if len(rows) > 1 {
		table(w, "  ", rows, nil)
	}
	for _, s := range notes {
		writeWrapped(w, "     ", s)
	}
	if i := slices.IndexFunc(t.Pairs, func(p auditPair) bool { return p.Difference != nil && p.Note == "" }); i >= 0 {
		fmt.Fprintln(w, "     see: "+t.command(t.Pairs[i]))
	}
}

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// calls is what it took to find out.
func (r *auditRow) calls() int {
	if r.Shifted != nil {
		return r.Finding.Calls + r.Shifted.Calls
	}
	return r.Finding.Calls
}

// proof is the row's proof on a table's line.
func (r *auditRow) proof() string {
	f, g := r.Finding, r.Shifted
	switch {
	case g == nil:
		return shortProof(f)
	case f.Verdict != reveal.TreeVerdict || g.Verdict != reveal.TreeVerdict:
		return "2 verdicts, by alignment"
	}
	return "2 trees, by alignment"
}

// faultOf makes a fault of what a target failed with.
func faultOf(err error) *probe.Fault {
	var f *probe.Fault
	if errors.As(err, &f) {
		return f
	}
	return &probe.Fault{ID: "failed", Thing: "the target", Cause: fmt.Sprint(err)}
}

// command is the command line that shows a difference.
func (t *auditTable) command(p auditPair) string {
	name := func(letter string) string {
		i := slices.IndexFunc(t.Groups, func(g auditGroup) bool { return g.Letter == letter })
		return t.Groups[i].Members[0].listing.Address
	}
	s := fmt.Sprintf("lastbit compare %s %s --op %s --dtype %s -n %d", name(p.A), name(p.B), t.Op, t.DType, t.N)
	if t.M > 0 {
		s += fmt.Sprintf(" --m %d", t.M)
	}
	if t.Cols > 0 {
		s += fmt.Sprintf(" --cols %d", t.Cols)
	}
	if p.Difference != nil && p.Note != "" {
		s += fmt.Sprintf(" --align %d", t.DType.Bytes())
	}
	return s
}

// writePage writes the tree of every group.
func writePage(w io.Writer, tables []*auditTable) error {
	var all []report.Drawing
	add := func(f *reveal.Finding, title string) {
		d := drawing(f)
		d.Title = title
		if f.Verdict == reveal.TreeVerdict {
			d.Family = wordsOf(f)
		}
		all = append(all, d)
	}
	for _, t := range tables {
		for _, g := range t.Groups {
			var names []string
			for _, r := range g.Members {
				names = append(names, r.listing.Address)
			}
			title := fmt.Sprintf("%s · %s · %s: %s", t.Op, longName(t.DType), g.Letter, strings.Join(names, ", "))
			add(g.Members[0].Finding, title)
			if s := g.Members[0].Shifted; s != nil {
				add(s, fmt.Sprintf("%s (data %d bytes past a multiple of 64)", title, s.Key.Align))
			}
		}
	}
	return report.HTML(w, all...)
}
