package crosscheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lastbit/lastbit/internal/overlay"
	"github.com/lastbit/lastbit/internal/scratch"
	"github.com/lastbit/lastbit/vet/fused"
)

// Options choose packages and platforms.
type Options struct {
	Dir      string   // the working folder of the go command; "" is the current one
	Patterns []string // packages, as the go command names them
	Tags     []string // build tags
	Targets  []fused.Target
	Args     []string      // of the test programs, or of the program
	Timeout  time.Duration // of each run of a program
	Calls    int           // of each function with generated arguments, by Check
	NoCause  bool          // leave the cause of a difference open
	// Show is told what is being done; it may be nil, and is called by several
	// goroutines.
	Show func(step string, done, expected int)

	goroot  string
	temp    string
	folders *locks
	skipped *skips // functions without generated calls
	logs    *logs
}

func (o *Options) show(step string, done, expected int) {
	if o.Show != nil {
		o.Show(step, done, expected)
	}
}

// A Platform is one that was asked for.
type Platform struct {
	Name string
	Ran  bool
	Why  string // it did not run, or only a part of the packages did
	// Differ has the functions with other results for the same arguments, in
	// the order of the calls, and Moved the ones with other arguments only.
	Differ, Moved []string
}

// A Report holds the answer.
type Report struct {
	Same      bool
	Platforms []Platform // this machine comes first
	Functions int        // with calls that were compared
	Calls     int
	Made      int         // functions with generated calls
	Panics    int         // generated calls that end in a panic
	LeftOut   []string    // functions without generated calls, with the reason
	Fewer     []string    // functions with fewer of them, and how many
	Lines     int         // of the output of a program
	Files     int         // that it writes
	First     *Difference // nil if Same
	Varying   []string    // functions whose results vary from run to run on one platform
	Notes     []string
}

// Others returns the number of platforms that ran beside this machine.
func (r *Report) Others() int {
	n := 0
	for _, p := range r.Platforms[1:] {
		if p.Ran {
			n++
		}
	}
	return n
}

// A Difference is the first one that was found.
type Difference struct {
	Platforms []string // with other bits than this machine
	Function  string   // "" for a difference of outputs
	// OtherArguments is set if no call has the same arguments and other
	// results: what computes the arguments differs.
	OtherArguments bool
	// Ends is set if a generated call of the function ends the test program on
	// the platforms, and returns on this machine. Lines has its last words.
	Ends      bool
	Arguments []Value
	Results   map[string][]Value // by platform
	// Test is one that fails on the platforms only. Lines has lines of output
	// by platform.
	Test    string
	Package string
	Lines   map[string]string
	Line    int    // the number of the line of a program's output, 0 for the exit code
	File    string // the file that a program writes, "" for standard output
	Cause   *Cause // nil if it was not looked for

	at found     // the call of a function
	by *prepared // the platform of the call

	here, there string // lines of outputs
}

// A Value is an argument or a result.
type Value struct{ Text, Bits string }

// A prepared platform is one with its test programs.
type prepared struct {
	platform
	sources   *sources
	functions map[string]*function
	makers    map[uint64]string // names of constructors of generated arguments
	overlay   string            // the flag of the go command
	files     changes
	dir       string
	programs  []program
	failed    map[string]string    // packages that do not compile
	results   map[string]*result   // by package
	again     map[string][]*result // other runs
	known     map[string]*known    // their calls, of this machine
	outputs   []*programOutput     // of a program, two on this machine
}

// begin finds the Go distribution and makes a temporary folder.
func (o *Options) begin(ctx context.Context) (remove func(), err error) {
	out, err := o.newGo(ctx, host(), "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("crosscheck: go env: %w", cmp.Or(ctx.Err(), err))
	}
	o.goroot = strings.TrimSpace(string(out))
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	o.folders = newLocks()
	o.skipped = newSkips()
	o.logs = &logs{all: map[string][]entry{}}
	o.temp, remove, err = scratch.Dir(ctx, "", "lastbit-check-")
	return remove, err
}

// DefaultTimeout bounds the time of a run of a program, emulated or not.
const DefaultTimeout = 10 * time.Minute

// Check runs the tests of packages on all platforms and compares them.
func Check(ctx context.Context, o Options) (*Report, error) {
	remove, err := o.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	all := o.all()
	if err := o.each(ctx, all, false, "reading packages", o.read); err != nil {
		return nil, err
	}
	share(all)
	// Generated calls leave out functions that this machine finds.
	err = o.each(ctx, all, o.Calls > 0, "building and running tests", o.buildAndRunTests)
	if err != nil {
		return nil, err
	}
	if r := o.compare(all); r.First == nil || r.First.Ends {
		return r, nil
	}
	if err := o.repeatDiffering(ctx, all); err != nil {
		return nil, err
	}
	for {
		r := o.compare(all)
		if r.First == nil || r.First.Ends {
			return r, nil
		}
		if err := o.showCalls(ctx, all, r.First); err != nil {
			return nil, err
		}
		if !r.First.isUnstable(all[0].name) {
			return r, o.explain(ctx, all, r.First)
		}
		all[0].knows(r.First.Package).varies[r.First.at.function] = true
	}
}

// compare compares the platforms, and names what generated calls leave out.
func (o *Options) compare(all []*prepared) *Report {
	r := compare(all)
	names := functionNames(all)
	for _, skipped := range o.skipped.all {
		for id, why := range skipped {
			r.LeftOut = append(r.LeftOut, names[id]+": "+why)
		}
	}
	for pkg, fewer := range o.skipped.fewer {
		for id, n := range fewer {
			if o.skipped.all[pkg][id] == "" {
				r.Fewer = append(r.Fewer, fmt.Sprintf("%s: %d", names[id], n))
			}
		}
	}
	slices.Sort(r.LeftOut)
	slices.Sort(r.Fewer)
	return r
}

// workers is the number of platforms that are built and run at a time.
const workers = 2

// all returns the platforms, this machine first.
func (o *Options) all() []*prepared {
	var all []*prepared
	for _, p := range platforms(o.Targets, o.goroot) {
		all = append(all, &prepared{platform: p})
	}
	return all
}

// each does something for every platform that can run, two at a time. With
// hostFirst this machine is done before the others begin.
func (o *Options) each(
	ctx context.Context, all []*prepared, hostFirst bool, what string,
	do func(context.Context, *prepared) error,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	var done atomic.Int64
	work := func(i int) {
		q := all[i]
		o.show(what+" for "+q.name, int(done.Load()), len(all))
		if q.why == "" {
			if err := do(ctx, q); err != nil && !q.refuse(err, i == 0) {
				cancel(err)
			}
		}
		done.Add(1)
	}
	next := make(chan int)
	for range workers {
		wait.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range all {
		if i == 0 && hostFirst {
			work(i)
		} else {
			next <- i
		}
	}
	close(next)
	wait.Wait()
	return context.Cause(ctx)
}

// refuse notes why a platform cannot be compared. It reports false for errors
// that end everything.
func (q *prepared) refuse(err error, isHost bool) bool {
	var load *LoadError
	var build *BuildError
	var limit *LimitError
	var slow *SlowError
	switch {
	case isHost:
		return false
	case errors.As(err, &load):
		q.why = oneLine(load.Package + ": " + load.Cause)
	case errors.As(err, &build):
		q.why = oneLine(build.Output)
	case errors.As(err, &slow):
		q.why = slow.reason() + " there"
	case errors.As(err, &limit):
		q.why = fmt.Sprintf("%s takes more than %v there; --timeout allows more", limit.Name,
			limit.Limit)
	default:
		return false
	}
	return true
}

// oneLine returns the beginning of a text on a line.
func oneLine(s string) string {
	const most = 200
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// buildAndRunTests builds and runs the test programs of a platform.
func (o *Options) buildAndRunTests(ctx context.Context, q *prepared) error {
	if err := o.prepare(q); err != nil {
		return err
	}
	var paths []string
	for _, p := range q.sources.paths() {
		if q.sources.hasTests(p) || o.Calls > 0 && q.hasFunctions(p) {
			paths = append(paths, p)
		}
	}
	var err error
	q.programs, q.failed, err = o.buildTests(ctx, q.platform, q.sources, paths, q.dir,
		[]string{q.overlay})
	if err != nil {
		return err
	}
	isHost := q.name == host().name
	for pkg, output := range q.failed {
		if isHost {
			return &LoadError{pkg, output}
		}
	}
	q.results, q.again = map[string]*result{}, map[string][]*result{}
	q.known = map[string]*known{}
	for _, t := range q.programs {
		run := o.runTests
		if isHost {
			run = o.runLeavingOut
		}
		if q.results[t.pkg], err = run(ctx, q, t); err != nil {
			return err
		}
		o.logs.share(t.pkg, q.results[t.pkg])
		if id := q.results[t.pkg].slow; id != 0 {
			return &SlowError{functionNames([]*prepared{q})[id], q.results[t.pkg].inAll}
		}
		if isHost {
			if err := o.repeat(ctx, q, t, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// read reads the packages for a platform.
func (o *Options) read(ctx context.Context, q *prepared) error {
	var err error
	if q.sources, err = o.load(ctx, q.platform, true, o.Patterns...); err != nil {
		return err
	}
	q.sources.inlined, err = o.findInlined(ctx, q.platform, q.sources.paths())
	q.functions = q.sources.functions()
	return err
}

// share lets all platforms note the same calls: of functions that are there on
// every platform. Inside of the packages, a function counts as inlined if it is
// on one of them.
func share(all []*prepared) {
	count, inlined := map[string]int{}, map[string]bool{}
	read := 0
	for _, q := range all {
		if q.functions != nil {
			read++
		}
		for name, f := range q.functions {
			count[name]++
			inlined[name] = inlined[name] || f.inlined
		}
	}
	for _, q := range all {
		for name, f := range q.functions {
			f.inlined = inlined[name]
			if count[name] < read {
				delete(q.functions, name)
			}
		}
	}
}

// prepare writes the overlay that notes calls.
func (o *Options) prepare(q *prepared) error {
	q.files = changes{}
	if err := q.sources.record(q.files, q.functions); err != nil {
		return err
	}
	if o.Calls > 0 {
		q.makers = q.sources.addCalls(q.files, q.functions, o.Calls)
	}
	var err error
	if q.dir, err = os.MkdirTemp(o.temp, "platform-"); err != nil {
		return err
	}
	q.overlay, err = o.overlay(q.files, filepath.Join(q.dir, "overlay"))
	return err
}

// overlay writes changed files and package record to a new folder.
func (o *Options) overlay(c changes, dir string) (flag string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	files, err := c.texts()
	if err != nil {
		return "", err
	}
	if err := addRecord(files, o.goroot); err != nil {
		return "", err
	}
	return overlay.Write(dir, files)
}

// hasFunctions reports whether a package has functions whose calls are noted.
func (q *prepared) hasFunctions(pkg string) bool {
	for _, f := range q.functions {
		if f.pkg == pkg {
			return true
		}
	}
	return false
}

// program returns the test program of a package, or nil.
func (q *prepared) program(pkg string) *program {
	i := slices.IndexFunc(q.programs, func(t program) bool { return t.pkg == pkg })
	if i < 0 {
		return nil
	}
	return &q.programs[i]
}

// locks lets one program at a time run in a folder.
type locks struct {
	mu  sync.Mutex
	all map[string]*sync.Mutex
}

func newLocks() *locks { return &locks{all: map[string]*sync.Mutex{}} }

func (l *locks) of(dir string) *sync.Mutex {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all[dir] == nil {
		l.all[dir] = new(sync.Mutex)
	}
	return l.all[dir]
}

func (l *locks) lock(dir string)   { l.of(dir).Lock() }
func (l *locks) unlock(dir string) { l.of(dir).Unlock() }
