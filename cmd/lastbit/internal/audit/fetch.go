package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

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

// maxTables bounds the tables that are made at once.
const maxTables = 2

// Request is what an audit looks at.
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
// of the report. It fails with a *probe.Fault of ID nothing-to-audit when there
// is no target, and with ctx's error when ctx ends.
func Run(ctx context.Context, drivers open.Table, q Request, progress Progress) (*Report, error) {
	listings := drivers.List(ctx)
	report := &Report{Machine: thisMachine(), Absent: absent(listings)}
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
	atOnce(len(report.Tables), func(i int) {
		report.Tables[i].fill(ctx, drivers, q.Options, func(target string) {
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(target, done, expected)
		})
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report.Libraries = librariesOf(report.Tables)
	report.summarise()
	return report, nil
}

// Differs reports whether targets of one table differ.
func (r *Report) Differs() bool {
	return slices.ContainsFunc(r.Tables, func(t *Table) bool { return len(t.Groups) > 1 })
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
	return &Table{spec: s, Op: s.Op, DType: s.DType, N: s.N, M: s.M, Cols: s.Cols}
}

// rowsOf returns the targets that offer the operation of a table, except means,
// which differ from every sum, and targets that their driver keeps out.
func rowsOf(drivers open.Table, listings []probe.Listing, s probe.Spec) (rows []*Row) {
	for _, l := range listings {
		d, err := drivers.Driver(l.Address)
		apart := l.Mean || err != nil || d.Unaudited
		offered := slices.Contains(l.Ops, s.Op) && slices.Contains(l.DTypes, s.DType)
		if l.Absent == "" && offered && !apart {
			rows = append(rows, &Row{address: l.Address})
		}
	}
	return rows
}

// absent returns the listings of what is not here.
func absent(listings []probe.Listing) []probe.Listing {
	list := []probe.Listing{}
	for _, l := range listings {
		if l.Absent != "" {
			list = append(list, l)
		}
	}
	return list
}

// fill reveals and compares all targets of a table. started is called once for
// each.
func (t *Table) fill(ctx context.Context, drivers open.Table, opt reveal.Options,
	started func(target string),
) {
	var live []*watched
	var last *watched
	var told *Row
	step := func(w *watched) {
		last = w
		if w.row != told {
			told = w.row
			started(w.row.address)
		}
	}
	defer func() {
		for _, w := range live {
			_ = w.Close()
		}
	}()
	for _, row := range t.rows {
		list, err := openRow(ctx, drivers, row, t.spec, step)
		row.fault = err
		live = append(live, list...)
	}
	for len(live) > 0 {
		last = nil
		targets := make([]probe.Target, len(live))
		for i, w := range live {
			targets[i] = w
		}
		c, err := reveal.Compare(ctx, targets, opt)
		if err == nil {
			t.take(c, live)
			break
		}
		if last == nil || ctx.Err() != nil {
			for _, w := range live {
				w.row.fault = cmp.Or(w.row.fault, err)
			}
			break
		}
		// The target that was asked last has failed: the others go on.
		bad := last.row
		bad.fault = err
		live = slices.DeleteFunc(live, func(w *watched) bool {
			if w.row == bad {
				_ = w.Close()
			}
			return w.row == bad
		})
	}
	t.group()
}

// openRow opens a target, and where its driver says so once more for data
// shifted by one element.
func openRow(ctx context.Context, drivers open.Table, row *Row, s probe.Spec,
	step func(*watched),
) ([]*watched, error) {
	first, err := drivers.Open(ctx, row.address, s)
	if err != nil {
		return nil, err
	}
	list := []*watched{{Target: first, row: row, step: step}}
	d, err := drivers.Driver(row.address)
	if s.Align = s.DType.Bytes(); err == nil && d.Shifts && s.Align >= 4 {
		if shifted, err := drivers.Open(ctx, row.address, s); err == nil {
			list = append(list, &watched{Target: shifted, row: row, shifted: true, step: step})
		}
	}
	return list, nil
}

// watched is a target that reports its calls, so that a failure has a name.
type watched struct {
	probe.Target
	row     *Row
	shifted bool
	step    func(*watched)
}

// Call calls the target.
func (w *watched) Call(ctx context.Context, b *probe.Batch) error {
	w.step(w)
	return w.Target.Call(ctx, b)
}

// Restarts returns the target's restarts, 0 where it does not count them.
func (w *watched) Restarts() int {
	if r, ok := w.Target.(probe.Restarter); ok {
		return r.Restarts()
	}
	return 0
}

// faultOf returns the fault that a target failed with.
func faultOf(err error) *probe.Fault {
	var f *probe.Fault
	if errors.As(err, &f) {
		return f
	}
	return &probe.Fault{ID: "failed", Thing: "the target", Cause: fmt.Sprint(err)}
}

// atOnce calls f for 0 … n−1, at most maxTables at a time, and waits for all.
func atOnce(n int, f func(i int)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, maxTables)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	wg.Wait()
}
