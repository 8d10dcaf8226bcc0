package recording

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/reveal"
)

// Config describes a recording to make.
type Config struct {
	Dir    string        // of the files; it is created
	Device string        // cpu or cuda
	Budget time.Duration // for all steps; 0 is 9 minutes
	Limit  time.Duration // for one step; 0 is 40 s
	Steps  []Step
	Log    func(line string) // gets one line for each step; may be nil
}

// Step is one piece of work: the sweep over Rows of the first address where
// Rows is set, a comparison of several addresses, or a finding of one.
type Step struct {
	Name      string            `json:"name"` // of the file, without .json
	Addresses []string          `json:"addresses"`
	Spec      probe.Spec        `json:"spec"`
	Op        string            `json:"op"` // of the Spec; unknown ones are skipped
	Rows      []int             `json:"rows,omitempty"`
	Env       map[string]string `json:"env,omitempty"` // of the processes
}

// Result is the outcome of a step, one file.
type Result struct {
	Step
	Finding    *reveal.Finding    `json:"finding,omitempty"`
	Bank       []string           `json:"bank,omitempty"` // bits of the outputs, in hexadecimal
	Comparison *reveal.Comparison `json:"comparison,omitempty"`
	Invariance *reveal.Invariance `json:"invariance,omitempty"`
}

// The statuses of a step.
const (
	Done    = "done"
	Skipped = "skipped" // the target is absent, or the budget is spent
	Failed  = "failed"
)

// Entry is a step in the manifest.
type Entry struct {
	Name    string  `json:"name"`
	Status  string  `json:"status"`
	Reason  string  `json:"reason,omitempty"` // of a step that was not done
	Seconds float64 `json:"seconds"`
}

// Manifest describes a recording.
type Manifest struct {
	Device  string            `json:"device"`
	System  string            `json:"system"`
	About   map[string]string `json:"about"` // what the machine reports about itself
	Began   time.Time         `json:"began"`
	Seconds float64           `json:"seconds"`
	Steps   []Entry           `json:"steps"`
}

// Record runs the steps one after the other and writes a file for each. A step
// that fails, or takes too long, does not end the recording: the manifest,
// which is written after every step, has the reason. The error is one of the
// file system.
func Record(ctx context.Context, c Config) (*Manifest, error) {
	if c.Budget <= 0 {
		c.Budget = 9 * time.Minute
	}
	if c.Limit <= 0 {
		c.Limit = 40 * time.Second
	}
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return nil, err
	}
	began := time.Now()
	m := &Manifest{Device: c.Device, System: runtime.GOOS + "/" + runtime.GOARCH,
		About: about(ctx, c.Device, c.Steps), Began: began.UTC()}
	ctx, cancel := context.WithDeadline(ctx, began.Add(c.Budget))
	defer cancel()
	r := &recorder{Config: c}
	for _, s := range c.Steps {
		start := time.Now()
		result, err := r.run(ctx, s)
		e := entry(s.Name, err)
		if err == nil {
			if err := writeJSON(filepath.Join(c.Dir, s.Name+".json"), result); err != nil {
				return m, err
			}
		}
		e.Seconds = time.Since(start).Seconds()
		m.Steps, m.Seconds = append(m.Steps, e), time.Since(began).Seconds()
		if err := writeJSON(filepath.Join(c.Dir, manifestFile), m); err != nil {
			return m, err
		}
		if c.Log != nil {
			c.Log(fmt.Sprintf("%-8s %5.1f s  %s  %s", e.Status, e.Seconds, e.Name, e.Reason))
		}
	}
	return m, nil
}

// manifestFile is the name of the manifest in the folder of a recording.
const manifestFile = "manifest.json"

// entry returns the entry of a step that ended with an error, or nil.
func entry(name string, err error) Entry {
	if err == nil {
		return Entry{Name: name, Status: Done}
	}
	absent := []string{
		"unknown-function", "unknown-target", "bad-address", "bad-op", "module-missing",
		"python-missing", "unsupported", "unsupported-dtype", "unsupported-option", "worker-start",
	}
	e := Entry{Name: name, Status: Failed, Reason: err.Error()}
	var f *probe.Fault
	if errors.Is(err, errSpent) || errors.As(err, &f) && slices.Contains(absent, f.ID) {
		e.Status = Skipped
	}
	return e
}

// errSpent is the reason of steps that did not begin.
var errSpent = errors.New("the budget is spent")

// recorder runs steps. Steps of one environment share interpreters.
type recorder struct {
	Config
	table open.Table
	env   map[string]string // of the table's processes
}

// run runs one step within its limit.
func (r *recorder) run(ctx context.Context, s Step) (*Result, error) {
	if ctx.Err() != nil {
		return nil, errSpent
	}
	ctx, cancel := context.WithTimeout(ctx, r.Limit)
	defer cancel()
	op, err := probe.ParseOp(s.Op)
	if err != nil {
		return nil, err
	}
	s.Spec.Op, s.Spec.Device = op, r.Device
	for name, value := range s.Env {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
		defer os.Unsetenv(name)
	}
	if r.table == nil || !maps.Equal(r.env, s.Env) {
		r.env = s.Env
		r.table = open.Drivers(open.Config{Python: os.Getenv("LASTBIT_PYTHON"), Share: true})
	}
	result := &Result{Step: s}
	switch {
	case len(s.Rows) > 0:
		result.Invariance, err = r.sweep(ctx, s)
	case len(s.Addresses) > 1:
		result.Comparison, err = r.compare(ctx, s)
	default:
		err = r.find(ctx, s, result)
	}
	return result, err
}

// find reveals a target and asks it the bank.
func (r *recorder) find(ctx context.Context, s Step, result *Result) error {
	t, err := r.table.Open(ctx, s.Addresses[0], s.Spec)
	if err != nil {
		return err
	}
	defer t.Close()
	if result.Finding, err = reveal.Reveal(ctx, t, reveal.Options{}); err != nil {
		return err
	}
	k := t.Key()
	b, lane := probe.NewBatch(t), 0
	if len(k.OutIndex) > 0 && k.OutIndex[0] < t.Lanes() && t.Lanes() > 1 {
		lane = k.OutIndex[0]
	}
	for _, in := range Bank(k.DType, k.N, k.Op.Products()) {
		copy(b.X[lane*k.N:], in.X)
		copy(b.Y, in.Y)
		if err := t.Call(ctx, b); err != nil {
			return err
		}
		result.Bank = append(result.Bank, bitsOf(k.Out, b.Out[lane]))
	}
	return nil
}

// compare compares the targets of a step.
func (r *recorder) compare(ctx context.Context, s Step) (*reveal.Comparison, error) {
	var targets []probe.Target
	defer func() {
		for _, t := range targets {
			_ = t.Close()
		}
	}()
	for _, address := range s.Addresses {
		t, err := r.table.Open(ctx, address, s.Spec)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return reveal.Compare(ctx, targets, reveal.Options{})
}

// sweep groups the rows of a step.
func (r *recorder) sweep(ctx context.Context, s Step) (*reveal.Invariance, error) {
	sweep := reveal.Sweep{Axis: "m"}
	for _, m := range s.Rows {
		sweep.Values = append(sweep.Values, fmt.Sprint(m))
	}
	sweep.Open = func(ctx context.Context, i int) (probe.Target, error) {
		spec := s.Spec
		spec.M = s.Rows[i]
		return r.table.Open(ctx, s.Addresses[0], spec)
	}
	return reveal.Invariant(ctx, sweep, reveal.Options{})
}

// writeJSON writes a value to a file, all of it or nothing.
func writeJSON(file string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", b, 0o666); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
