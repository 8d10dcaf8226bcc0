package reveal

import (
	"context"
	"errors"
	"math"
	"os"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// Table holds how long it took to reveal targets, in two ways: as
// lastbit reveal does, with certificate and replay, and by FPRev's algorithm,
// which proves nothing.
type Table struct {
	Rows    []Row           `json:"rows"`
	Figures []*plots.Figure `json:"figures"`
}

// Row is one target.
type Row struct {
	Name    string   `json:"name"`
	Address string   `json:"address"`
	Op      probe.Op `json:"op"`
	DType   string   `json:"dtype"`
	N       int      `json:"n"`
	Goal    *float64 `json:"goal_seconds"` // of lastbit; null for none
	Lastbit Time     `json:"lastbit"`
	FPRev   Time     `json:"fprev"`
	Missing string   `json:"missing"` // why the target could not be opened, or ""
}

// Time is one way to reveal a target.
type Time struct {
	Seconds *float64 `json:"seconds"` // null if it did not end
	Calls   int      `json:"calls"`
	Result  string   `json:"result"` // of it, or why there is none
}

// parts returns the names of the parts of Reveal.
func parts() []string { return []string{"goals", "sums", "products"} }

// Reveal measures the experiments whose names are in only, or all of them:
// targets with a goal, and curves of time over n, up to maxN, for the targets
// of Xie2025's figures. No reveal takes longer than the budget; the curve of
// one that does ends there. The time to open a target, such as the start of an
// interpreter, does not count.
//
// References:
//   - [Xie2025] Peichen Xie, Yanjie Gao, Yang Wang and Jilong Xue. Revealing
//     Floating-Point Accumulation Orders in Software/Hardware Implementations.
//     2025 USENIX Annual Technical Conference (USENIX ATC 25), 2025.
func Reveal(ctx context.Context, open probe.Opener, only []string, maxN int, budget time.Duration,
	progress experiment.Progress) (*Table, error) {
	m := revealer{ctx: ctx, open: open, budget: budget, progress: progress,
		table: &Table{Rows: []Row{}, Figures: []*plots.Figure{}}}
	if experiment.Wants(only, "goals") {
		if err := m.goals(); err != nil {
			return nil, err
		}
	}
	for _, f := range curves() {
		if experiment.Wants(only, f.name) {
			if err := m.figure(f, maxN); err != nil {
				return nil, err
			}
		}
	}
	return m.table, nil
}

// revealer measures.
type revealer struct {
	ctx      context.Context
	open     probe.Opener
	budget   time.Duration
	progress experiment.Progress
	table    *Table
}

// goals measures the cases that have a goal.
func (m *revealer) goals() error {
	folder, err := os.MkdirTemp("", "lastbit-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	all := goals(folder)
	for i, c := range all {
		if err := m.goal(c, i, len(all)); err != nil {
			return err
		}
	}
	return nil
}

// goal measures one case that has a goal.
func (m *revealer) goal(c subject, done, of int) error {
	m.progress(c.name, done, of)
	row := Row{Name: c.name, Address: c.address, Op: c.spec.Op, DType: c.spec.DType.String(),
		N: c.spec.N, Goal: &c.goal}
	target, err := c.opened(m.ctx, m.open)
	if err != nil {
		row.Missing = err.Error()
		m.table.Rows = append(m.table.Rows, row)
		return m.ctx.Err()
	}
	defer target.Close()
	row.Lastbit = m.measure(target, wholeReveal)
	row.FPRev = m.measure(target, structureOnly)
	m.table.Rows = append(m.table.Rows, row)
	return m.ctx.Err()
}

// figure measures the curves of a figure.
func (m *revealer) figure(f curveSet, maxN int) error {
	fig := &plots.Figure{Name: "reveal-" + f.name, Title: f.title, X: "n", Y: "seconds"}
	for i, c := range f.cases {
		m.progress(c.name, i, len(f.cases))
		late := map[string]bool{}
		for n := 16; n <= maxN; n *= 2 {
			c.spec.N = n
			target, err := c.opened(m.ctx, m.open)
			if err != nil {
				fig.Notes = append(fig.Notes, c.name+": "+err.Error())
				break
			}
			for _, way := range []way{wholeReveal, structureOnly} {
				line := c.name + ", " + way.name
				if late[line] {
					continue
				}
				took := m.measure(target, way)
				if took.Seconds == nil {
					late[line] = true
					fig.Notes = append(fig.Notes, line+": "+took.Result)
					continue
				}
				fig.Add(line, float64(n), *took.Seconds)
			}
			if err := errors.Join(m.ctx.Err(), target.Close()); err != nil {
				return err
			}
		}
	}
	m.table.Figures = append(m.table.Figures, fig)
	return nil
}

// way is one way to reveal a target.
type way struct {
	name string
	opt  reveal.Options
	last string // the step that the time ends before; "" for none
}

var (
	wholeReveal   = way{name: "lastbit"}
	structureOnly = way{
		name: "FPRev's algorithm",
		opt:  reveal.Options{Algorithm: "fprev", OneLane: true},
		last: "certificate",
	}
)

// maxRuns bounds the runs of a measurement, begunWithin the time that another
// one begins in: the first runs of a target are slower, and other programs
// disturb some.
const (
	maxRuns     = 9
	begunWithin = 2 * time.Second
)

// measure returns the shortest time of a few runs.
func (m *revealer) measure(target probe.Target, way way) Time {
	var best Time
	for begin, k := time.Now(), 0; k < maxRuns && (k == 0 || time.Since(begin) < begunWithin); k++ {
		t := m.run(target, way)
		if t.Seconds == nil {
			return t
		}
		if best.Seconds == nil || *t.Seconds < *best.Seconds {
			best = t
		}
	}
	return best
}

// errEnough ends a reveal at the step that is not measured.
var errEnough = errors.New("the order is known")

// run reveals a target once.
func (m *revealer) run(target probe.Target, way way) Time {
	limited, cancel := context.WithTimeout(m.ctx, m.budget)
	defer cancel()
	ctx, stop := context.WithCancelCause(limited)
	defer stop(nil)
	var t Time
	begin := time.Now()
	took := math.NaN()
	end := func(calls int) {
		if took != took {
			took, t.Calls = time.Since(begin).Seconds(), calls
		}
	}
	opt := way.opt
	opt.Progress = func(step string, done, _ int) {
		if step == way.last {
			end(done - 1)
			stop(errEnough)
		}
	}
	f, err := reveal.Reveal(ctx, target, opt)
	switch {
	case errors.Is(context.Cause(ctx), errEnough):
		t.Result = "unproven"
	case err != nil && limited.Err() != nil:
		t.Result = "not done in " + m.budget.String()
		return t
	case err != nil:
		t.Result = err.Error()
		return t
	case !f.Verified:
		t.Result = string(f.Verdict) + ", unverified"
		return t
	default:
		end(f.Calls)
		t.Result = "verified by " + f.Algorithm
	}
	t.Seconds = &took
	return t
}
