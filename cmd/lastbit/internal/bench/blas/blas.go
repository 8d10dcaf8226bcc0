package blas

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/openblas"

	"github.com/lastbit/lastbit/internal/stopwatch"
)

// Table compares the speed of package blas with other libraries.
type Table struct {
	Cores   []Core   `json:"openblas_cores"` // the types that were tried
	Rows    []Row    `json:"rows"`
	Missing []string `json:"missing"` // what was not compared, and why
}

// Row compares a routine with the same routine of another library.
type Row struct {
	Routine   string  `json:"routine"`
	N         int     `json:"n"`
	Threads   int     `json:"threads"`
	Ours      string  `json:"ours"`
	Theirs    string  `json:"theirs"`
	Core      string  `json:"openblas_core,omitempty"` // of its kernels
	OurTime   float64 `json:"ours_ns"`
	TheirTime float64 `json:"theirs_ns"`
	Ratio     float64 `json:"ratio"`     // our speed over theirs, or our time
	Low       float64 `json:"ratio_low"` // bounds of the ratio
	High      float64 `json:"ratio_high"`
	IsTime    bool    `json:"ratio_is_time"` // the ratio divides times, and the goal is a maximum
	Goal      float64 `json:"goal"`          // 0: none

	// The ratio for the first call after a pause, as Ratio.
	FirstRatio float64 `json:"first_ratio"`
}

// Options selects what BLAS measures.
type Options struct {
	Only   []string      // names of experiments; empty: all
	MinN   int           // smallest order of a matrix
	MaxN   int           // largest order of a matrix
	Budget time.Duration // how long the libraries take turns at each routine

	// Child returns a command that runs lastbit bench blas in a process of its
	// own. nil: OpenBLAS takes the kernels of its own choice, in this process.
	Child func(ctx context.Context, flags ...string) *exec.Cmd
}

// BLAS measures the experiments. It runs each in a process whose OpenBLAS takes
// the kernels that are fastest at it, unless the user has chosen the kernels.
func BLAS(ctx context.Context, o Options, progress experiment.Progress) (*Table, error) {
	if o.Child == nil || os.Getenv(coreVariable) != "" {
		return measureBLAS(ctx, o, progress)
	}
	cores, err := tryCores(ctx, o, progress)
	if err != nil {
		return nil, err
	}
	if len(cores) == 0 {
		return measureBLAS(ctx, o, progress)
	}
	all := newTable()
	all.Cores = cores
	for i, family := range []struct {
		names []string
		time  func(c Core) float64
	}{
		{[]string{"dgemm", "sgemm", "lu", "solvers", "exact"},
			func(c Core) float64 { return c.Products }},
		{[]string{"dgemv", "triangles", "vectors", "few"},
			func(c Core) float64 { return c.Vectors }},
	} {
		names := slices.DeleteFunc(family.names,
			func(s string) bool { return !experiment.Wants(o.Only, s) })
		if len(names) == 0 {
			continue
		}
		fastest := slices.MinFunc(cores,
			func(a, b Core) int { return cmp.Compare(family.time(a), family.time(b)) })
		progress(strings.Join(names, ", "), i, 2)
		cmd := o.Child(ctx, "--json", "--only", strings.Join(names, ","),
			"--min-n", fmt.Sprint(o.MinN), "--max-n", fmt.Sprint(o.MaxN),
			"--budget", o.Budget.String())
		cmd.Env = append(os.Environ(), coreVariable+"="+fastest.Core)
		part := newTable()
		if err := runJSON(ctx, cmd, part); err != nil {
			return nil, err
		}
		all.Rows, all.Missing = append(all.Rows, part.Rows...), part.Missing
	}
	return all, nil
}

func newTable() *Table {
	return &Table{Cores: []Core{}, Rows: []Row{}, Missing: []string{}}
}

// runJSON runs a command and reads its output.
func runJSON(ctx context.Context, cmd *exec.Cmd, to any) error {
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(messages.Bytes()))
	}
	return json.Unmarshal(out, to)
}

// measureBLAS measures the experiments with one thread and with two, side by
// side in this process: each routine of package blas, of OpenBLAS and, where
// there is a goal, of gonum.
func measureBLAS(ctx context.Context, o Options, progress experiment.Progress) (*Table, error) {
	t := newTable()
	open, err := openblas.Load()
	if err != nil {
		t.miss("OpenBLAS", err.Error())
	}
	if !isPortable() || !isGonumPortable {
		t.miss("portable Go beside portable gonum", "a build with -tags noasm,purego compares them")
	} else if asksForFMA {
		t.miss("portable Go with FMA instructions", "a build with GOAMD64=v3 has them")
	}
	threads := []int{1, 2}
	if runtime.NumCPU() < 2 {
		threads = threads[:1]
		t.miss("two threads", "there is one processor")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	l := newLibraries(open)
	for _, count := range threads {
		runtime.GOMAXPROCS(count)
		if open != nil {
			open.SetThreads(int32(count))
		}
		for i, name := range parts() {
			if !experiment.Wants(o.Only, name) || name == "exact" && open == nil ||
				count > 1 && (name == "exact" || name == "few") {
				continue
			}
			progress(fmt.Sprintf("%s, threads: %d", name, count), i, len(parts()))
			for _, c := range l.cases(name, orders{o.MinN, o.MaxN}) {
				for _, r := range c.measure(count, o.Budget) {
					if r.Theirs == nameOpenBLAS {
						r.Core = open.Core
					}
					t.Rows = append(t.Rows, r)
				}
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
		}
	}
	return t, nil
}

func (t *Table) miss(thing, reason string) {
	t.Missing = append(t.Missing, thing+": "+reason)
}

// maxSpin bounds the time that an idle thread of OpenBLAS spins before it
// sleeps: 2^28 ticks of the processor's clock, of 0.9 GHz or more.
const maxSpin = 300 * time.Millisecond

// turnLength bounds the length of a turn from below.
const turnLength = 10 * time.Millisecond

// measure runs our way and theirs in turn. Each turn begins with a pause until
// the process is idle, and a call that counts as the first only: then the
// threads of both libraries are ready. On one thread the time that processors
// spend on all threads of the process counts, so that other programs do not
// disturb and goroutines are not missed; with more, the time of the clock. A
// turn takes turnLength: in its first milliseconds the thread that watches over
// Go's scheduler wakes often, and its time would count as the routine's.
func (c *contest) measure(threads int, budget time.Duration) (rows []Row) {
	if len(c.theirs) == 0 {
		return nil
	}
	turns := stopwatch.Turns{Budget: budget, Length: min(turnLength, budget), Processor: true}
	if threads > 1 {
		turns.Processor, turns.Settle = false, min(maxSpin, budget)
	}
	fs := []func(){c.ours.run}
	for _, w := range c.theirs {
		fs = append(fs, w.run)
	}
	turns.Doubt = func(i int, low, high float64) bool {
		w := c.theirs[i-1]
		if w.isTime {
			low, high = 1/high, 1/low
		}
		return low < w.goal && w.goal < high
	}
	times := stopwatch.Pairs(turns, fs...)
	for i, w := range c.theirs {
		r := Row{Routine: c.routine, N: c.n, Threads: threads, Ours: c.ours.library,
			Theirs: w.library, OurTime: times[0].Call, TheirTime: times[i+1].Call,
			Ratio: times[i+1].Ratio, Low: times[i+1].Low, High: times[i+1].High,
			FirstRatio: times[i+1].FirstRatio, IsTime: w.isTime, Goal: w.goal}
		if w.isTime {
			r.Ratio, r.Low, r.High = 1/r.Ratio, 1/r.High, 1/r.Low
			r.FirstRatio = 1 / r.FirstRatio
		}
		rows = append(rows, r)
	}
	return rows
}
