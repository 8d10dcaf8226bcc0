package record

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Environment variables of generated calls.
const (
	// SkipVariable lists functions that are not called, and constructors, in
	// hexadecimal and with commas between.
	SkipVariable = "LASTBIT_RECORD_SKIP"
	// AfterVariable is a function, in hexadecimal: calls begin after it.
	AfterVariable = "LASTBIT_RECORD_AFTER"
	// LimitVariable is the processor's time that a call may take, as 1s.
	LimitVariable = "LASTBIT_RECORD_LIMIT"
	// TotalVariable is such a time after which a function gets no more calls.
	TotalVariable = "LASTBIT_RECORD_TOTAL"
	// CountsVariable lists functions with fewer calls and how many they get,
	// in hexadecimal, with colons and commas between.
	CountsVariable = "LASTBIT_RECORD_COUNTS"
)

// Words on standard error, before the number of a function: its calls begin, or
// one of them or all together take too long. One call may be a constructor's.
// Constructors are tried before. The number 0 comes at the end of both.
const (
	At      = "lastbit: at "
	Trying  = "lastbit: trying "
	Slow    = "lastbit: slow "
	SlowAll = "lastbit: slow in all "
	// Fewer comes before a function and the number of its calls, with a colon
	// between, where its time is over.
	Fewer = "lastbit: fewer "
)

// slow is the exit code where a call takes too long.
const slow = 4

// Generated calls functions with generated arguments.
type Generated struct {
	n      int
	module string // whose types have all fields set
	skip   []string
	after  string // the function that calls begin after, or ""
	total  time.Duration
	counts map[string]int
	watch  *watch
	makers *makers
	memory *collector // nil where nothing is noted
}

// Generate begins n calls of each function of a module.
func Generate(n int, module string) *Generated {
	w := newWatch()
	g := &Generated{n: n, module: module,
		skip: strings.Split(os.Getenv(SkipVariable), ","), after: os.Getenv(AfterVariable),
		counts: map[string]int{}, watch: w, makers: newMakers(w)}
	if running != nil {
		g.memory = newCollector()
	}
	g.total, _ = time.ParseDuration(os.Getenv(TotalVariable))
	for _, pair := range strings.Split(os.Getenv(CountsVariable), ",") {
		if id, n, ok := strings.Cut(pair, ":"); ok {
			count, _ := strconv.ParseUint(n, 16, 32)
			g.counts[id] = int(count)
		}
	}
	return g
}

// Call calls a function, a method by its expression, if arguments can be made.
// The arguments depend on the number of the function and of the call only.
func (g *Generated) Call(id uint64, f any) {
	number := fmt.Sprintf("%x", id)
	if g.after != "" {
		if g.after == number {
			g.after = ""
		}
		return
	}
	if running == nil || slices.Contains(g.skip, number) ||
		running.alone && running.only != id && running.show != id {
		return
	}
	g.try()
	v := reflect.ValueOf(f)
	for i := range v.Type().NumIn() {
		if !g.makers.canMake(v.Type().In(i), maxNested) {
			return
		}
	}
	fmt.Fprintln(os.Stderr, At+number)
	n, fewer := g.counts[number]
	if !fewer {
		n = g.n
	}
	g.watch.begin(id)
	for i := range n {
		if g.total > 0 && i > 0 && g.watch.elapsed() > g.total {
			fmt.Fprintf(os.Stderr, "%s%s:%x\n", Fewer, number, i)
			break
		}
		g.watch.call()
		g.memory.call()
		g.call(id, v, uint64(i))
	}
	g.watch.end()
}

// End ends the calls: a program without it was ended by one of them.
func (g *Generated) End() {
	if running != nil {
		g.memory.end()
		fmt.Fprintln(os.Stderr, At+"0")
	}
}

// call makes the call with a number. A panic is a result: then the arguments
// are made again, as the call may have changed them.
func (g *Generated) call(id uint64, f reflect.Value, number uint64) {
	defer func() {
		if recover() == nil {
			return
		}
		var h hasher
		for _, a := range g.source(id, number, f.Type()).arguments(f.Type()) {
			h.arguments([]any{a.Interface()})
		}
		running.panicked(id, h.sum)
	}()
	args := g.source(id, number, f.Type()).arguments(f.Type())
	running.generated.Store(id)
	if f.Type().IsVariadic() {
		f.CallSlice(args)
	} else {
		f.Call(args)
	}
}

// panicked notes a call that ended in a panic.
func (r *recorder) panicked(id, args uint64) {
	f := r.function(id)
	if f.other {
		return
	}
	c := Call{function: f, args: args, generated: true}
	if r.show == id && r.showArgs == args {
		r.print("result \"a panic\" \"\"\n")
	}
	if r.note(c, Panic) {
		os.Exit(stopped)
	}
}
