package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/reveal"
)

// Shapes of an audit's matrix products: large enough for kernels to block,
// small enough for every pair of implementations to be run against each other.
const (
	MaxGemmN = 128 // summands of a gemm
	rows     = 32  // rows, and columns of gemm
)

// maxTables bounds the tables made at the same time, and maxReveals the targets
// of a table revealed at the same time: more than two cores can work on, since
// targets wait for their libraries, and tables for the last of their targets.
const (
	maxTables  = 3
	maxReveals = 2
)

// Request selects the targets and shapes of an audit.
type Request struct {
	Ops     []probe.Op
	DTypes  []fp.Format
	N       int // summands
	Options reveal.Options
}

// Progress is called before the calls of each target, with the targets done and
// expected. It is called by one goroutine at a time.
type Progress func(target string, done, expected int)

// Run audits the targets that drivers find. Targets that cannot be run are part
// of the report. It fails with a *probe.Fault of ID nothing-to-audit if there
// are no targets. When ctx ends, it returns the tables that were done, if any,
// with ctx's error.
func Run(ctx context.Context, drivers open.Table, q Request, progress Progress) (*Report, error) {
	listings := drivers.List(ctx)
	report := &Report{Machine: ThisMachine(), Absent: absent(listings)}
	expected := 0
	for _, t := range q.tables() {
		t.rows = rowsOf(drivers, listings, t.spec)
		expected += len(t.rows)
		if len(t.rows) > 0 {
			report.Tables = append(report.Tables, t)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(report.Tables) == 0 {
		return nil, &probe.Fault{
			ID: "nothing-to-audit", Thing: "lastbit audit",
			Cause: "nothing on this machine offers these operations in these formats",
			Cure:  "see lastbit targets",
		}
	}
	var mu sync.Mutex
	done := 0
	started := func(target string) {
		mu.Lock()
		defer mu.Unlock()
		done++
		progress(target, done, expected)
	}
	var starts stopwatch
	whole := make([]bool, len(report.Tables)) // the tables done before ctx ended
	atOnce(len(report.Tables), maxTables, func(i int) {
		w := &watch{started: started, announced: map[*Row]bool{}}
		starts.begin()
		live := report.Tables[i].open(ctx, drivers, w)
		starts.end()
		whole[i] = report.Tables[i].fill(ctx, live, w, q.Options)
	})
	report.Starts = starts.total
	err := ctx.Err()
	if err != nil {
		if report.Tables = kept(report.Tables, whole); len(report.Tables) == 0 {
			return nil, err
		}
	}
	report.Libraries = librariesOf(report.Tables)
	report.summarise()
	return report, err
}

// kept returns the elements of a list that are marked.
func kept[T any](list []T, marked []bool) (out []T) {
	for i, v := range list {
		if marked[i] {
			out = append(out, v)
		}
	}
	return out
}

// Differs reports whether targets of one table differ, or are not told apart.
func (r *Report) Differs() bool {
	return r.Summary.Conclusion != reveal.Same ||
		slices.ContainsFunc(r.Tables, func(t *Table) bool { return len(t.Groups) > 1 })
}

// tables returns the empty tables of a request.
func (q Request) tables() []*Table {
	var tables []*Table
	for _, op := range q.Ops {
		for _, format := range q.DTypes {
			s := probe.Spec{Op: op, DType: format, N: q.N}
			switch op {
			case probe.Gemv:
				s.M = rows
			case probe.Gemm:
				s.N, s.M, s.Cols = min(q.N, MaxGemmN), rows, rows
			}
			tables = append(tables, newTable(s))
		}
	}
	return tables
}

func newTable(s probe.Spec) *Table {
	return &Table{
		spec: s, Op: s.Op, DType: s.DType, N: s.N, M: s.M, Cols: s.Cols, Matrix: []Cell{},
		Failed: []Failure{},
	}
}

// rowsOf returns the targets that offer the operation of a table, except means,
// which differ from every sum, and targets that their driver keeps out.
func rowsOf(drivers open.Table, listings []probe.Listing, s probe.Spec) (rows []*Row) {
	for _, l := range listings {
		d, err := drivers.Driver(l.Address)
		apart := l.Mean || l.Ranks > 0 || err != nil || d.Unaudited
		offered := slices.Contains(l.Ops, s.Op) && slices.Contains(l.DTypes, s.DType)
		if l.Absent == "" && offered && !apart {
			rows = append(rows, &Row{address: l.Address})
		}
	}
	return rows
}

// absent returns the listings of targets that are not here.
func absent(listings []probe.Listing) []probe.Listing {
	list := []probe.Listing{}
	for _, l := range listings {
		if l.Absent != "" {
			list = append(list, l)
		}
	}
	return list
}

// open opens all targets of a table at the same time, so that their libraries
// load together.
func (t *Table) open(ctx context.Context, drivers open.Table, w *watch) []*watched {
	opened := make([][]*watched, len(t.rows))
	atOnce(len(t.rows), len(t.rows), func(i int) {
		opened[i], t.rows[i].fault = openRow(ctx, drivers, t.rows[i], t.spec, w)
	})
	return slices.Concat(opened...)
}

// fill reveals and compares the targets of a table, and closes them. When one
// fails, the others go on without it. It reports whether it was done before ctx
// ended.
func (t *Table) fill(ctx context.Context, live []*watched, w *watch, opt reveal.Options) bool {
	defer func() { closeAll(live) }()
	opt.Parallel = maxReveals
	for len(live) > 0 {
		w.failed = nil
		c, err := compare(ctx, live, opt)
		if err == nil {
			t.take(c, live)
			break
		}
		if w.failed == nil || ctx.Err() != nil {
			for _, target := range live {
				target.row.fault = cmp.Or(target.row.fault, err)
			}
			break
		}
		w.failed.fault = err
		live = without(live, w.failed)
	}
	t.group()
	return ctx.Err() == nil
}

// openRow opens a target, and if its driver asks for that, once more for data
// shifted by one element.
func openRow(ctx context.Context, drivers open.Table, row *Row, s probe.Spec, w *watch,
) ([]*watched, error) {
	first, err := drivers.Open(ctx, row.address, s)
	if err != nil {
		return nil, err
	}
	list := []*watched{{Target: first, row: row, watch: w}}
	d, err := drivers.Driver(row.address)
	if s.Align = s.DType.Bytes(); err == nil && d.Shifts && s.Align >= 4 {
		if shifted, err := drivers.Open(ctx, row.address, s); err == nil {
			list = append(list, &watched{Target: shifted, row: row, shifted: true, watch: w})
		}
	}
	return list, nil
}

// compare compares targets.
func compare(ctx context.Context, live []*watched, opt reveal.Options) (*reveal.Comparison, error) {
	targets := make([]probe.Target, len(live))
	for i, target := range live {
		targets[i] = target
	}
	return reveal.Compare(ctx, targets, opt)
}

// without closes the targets of a row and returns the others.
func without(live []*watched, row *Row) []*watched {
	ofRow := func(target *watched) bool { return target.row == row }
	for _, target := range live {
		if ofRow(target) {
			_ = target.Close()
		}
	}
	return slices.DeleteFunc(live, ofRow)
}

func closeAll(live []*watched) {
	for _, target := range live {
		_ = target.Close()
	}
}

// watch observes the calls of a table's targets, to name the one that failed.
type watch struct {
	mu        sync.Mutex
	failed    *Row // whose call failed first
	announced map[*Row]bool
	started   func(target string)
}

// announce reports a row when it is called first.
func (w *watch) announce(row *Row) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.announced[row] {
		w.announced[row] = true
		w.started(row.address)
	}
}

// fail records that a call of a row failed.
func (w *watch) fail(row *Row) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = cmp.Or(w.failed, row)
}

// watched is a target whose calls are observed.
type watched struct {
	probe.Target
	row     *Row
	shifted bool
	watch   *watch
}

// Call calls the target.
func (t *watched) Call(ctx context.Context, b *probe.Batch) error {
	t.watch.announce(t.row)
	err := t.Target.Call(ctx, b)
	if err != nil {
		t.watch.fail(t.row)
	}
	return err
}

// Reach returns the target's reach, none where its operands do not move.
func (t *watched) Reach() probe.Placement {
	if m, ok := t.Target.(probe.Movable); ok {
		return m.Reach()
	}
	return probe.Placement{}
}

// CallAt calls the target with its operands elsewhere.
func (t *watched) CallAt(ctx context.Context, b *probe.Batch, at probe.Placement) error {
	t.watch.announce(t.row)
	err := t.Target.(probe.Movable).CallAt(ctx, b, at)
	if err != nil {
		t.watch.fail(t.row)
	}
	return err
}

// Restarts returns the target's restarts, 0 where it does not count them.
func (t *watched) Restarts() int {
	if r, ok := t.Target.(probe.Restarter); ok {
		return r.Restarts()
	}
	return 0
}

// OtherThreads returns the target's time in other threads, if it is known.
func (t *watched) OtherThreads() (time.Duration, bool) {
	if h, ok := t.Target.(probe.Threaded); ok {
		return h.OtherThreads()
	}
	return 0, false
}

// faultOf returns the fault that a target failed with.
func faultOf(err error) *probe.Fault {
	var f *probe.Fault
	if errors.As(err, &f) {
		return f
	}
	return &probe.Fault{ID: "failed", Thing: "the target", Cause: fmt.Sprint(err)}
}

// atOnce calls f for 0 … n−1, at most limit at a time, and waits for all.
func atOnce(n, limit int, f func(i int)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, limit)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	wg.Wait()
}
