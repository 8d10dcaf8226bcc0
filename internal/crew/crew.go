package crew

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// patience bounds the time that a goroutine spins for work, about as long as
// the system takes to wake a thread.
const patience = 50 * time.Microsecond

// polls is the number of looks at a variable between two at the clock: some
// microseconds. maxRounds bounds the looks at the clock, which may stand still
// (testing/synctest).
const (
	polls     = 1 << 11
	maxRounds = 1 << 9
)

// crew holds the helpers of one computation at a time.
type crew struct {
	helpers []*helper
	last    time.Time // the end of its last computation
}

// Crews without a computation. Their helpers may be ready.
var idle = sync.Pool{New: func() any { return new(crew) }}

// Run calls do on at most n goroutines, with their numbers from 0 on. The first
// is the caller's.
func Run(n int, do func(worker int)) { run(n, false, do) }

// RunShort is Run for a computation of microseconds, which does not pay for
// goroutines that are not ready unless others follow soon: they are started
// only if one came before so soon.
func RunShort(n int, do func(worker int)) { run(n, true, do) }

func run(n int, isShort bool, do func(worker int)) {
	if n <= 1 {
		do(0)
		return
	}
	c := idle.Get().(*crew)
	mayStart := !isShort || time.Since(c.last) < patience
	for len(c.helpers) < n-1 {
		c.helpers = append(c.helpers, newHelper(len(c.helpers)+1))
	}
	helpers := c.helpers[:n-1]
	for _, h := range helpers {
		h.give(do, mayStart)
	}
	hasten(helpers)
	do(0)
	for _, h := range helpers {
		h.finish()
	}
	c.last = time.Now()
	idle.Put(c)
}

// maxYields bounds the attempts to let threads run that wait.
const maxYields = 3

// hasten lets helpers with work run soon whose threads may wait for the
// processor of the caller: the system may wake a thread there, or move the
// caller to it. They would wait for some milliseconds while another processor
// is idle.
//
// Threads that look for work sleep before they take the last goroutine of a
// running thread, which might soon run it itself. So that is an empty one.
func hasten(helpers []*helper) {
	isFirst := true
	for _, h := range helpers {
		for i := 0; i < maxYields && h.mayWait.Load() && h.state.Load() == given; i++ {
			if isFirst {
				go func() {}()
				isFirst = false
			}
			yield()
		}
	}
}

// processor is the number of a processor.
type processor uint32

// helper is a goroutine, or the place of one.
type helper struct {
	state  atomic.Int32
	worker int // its number
	do     func(worker int)
	done   sync.Mutex // unlocked after awaited; not bound to a test, as channels are
	run    func()     // serve, bound once: a go statement would allocate

	// mayWait tells that the thread may wait for the processor of the caller:
	// the goroutine has not run since it was started, or was late.
	mayWait atomic.Bool
	caller  atomic.Uint32 // the caller's processor, if mayWait
}

// The states of a helper.
const (
	absent  = iota // there is no goroutine
	ready          // the goroutine looks for work, or will
	given          // there is work
	working        // the goroutine works
	awaited        // it works, and Run sleeps until it has done
)

func newHelper(worker int) *helper {
	h := &helper{worker: worker}
	h.done.Lock()
	h.run = h.serve
	return h
}

// give gives work to the helper, if it is ready or may start.
func (h *helper) give(do func(worker int), mayStart bool) {
	h.do = do
	if h.mayWait.Load() {
		h.caller.Store(uint32(thisProcessor()))
	}
	if !h.state.CompareAndSwap(ready, given) && mayStart {
		h.caller.Store(uint32(thisProcessor()))
		h.mayWait.Store(true)
		h.state.Store(given)
		go h.run()
	}
}

// finish takes work back that has not begun, or waits for its end.
func (h *helper) finish() {
	if h.state.CompareAndSwap(given, ready) {
		h.mayWait.Store(true)
	} else if !spin(func() bool { return h.state.Load() != working }) {
		h.mayWait.Store(true)
		if h.state.CompareAndSwap(working, awaited) {
			h.done.Lock()
		}
	}
	h.do = nil
}

// serve works until no work has come for a while.
func (h *helper) serve() {
	h.leave()
	for {
		isGiven := spin(func() bool { return h.state.Load() == given })
		switch {
		case isGiven && h.state.CompareAndSwap(given, working):
			h.leave()
			h.do(h.worker)
			if h.state.Swap(ready) == awaited {
				h.done.Unlock()
				runtime.Gosched() // to the one who waits
			}
		case !isGiven && h.state.CompareAndSwap(ready, absent):
			return
		}
	}
}

// leave leaves the processor of the caller, if the thread may wait there.
func (h *helper) leave() {
	if h.mayWait.Load() {
		h.mayWait.Store(false)
		processor(h.caller.Load()).leave()
	}
}

// spin waits for a condition, and reports whether it has come before the end of
// patience. Other goroutines may run meanwhile.
func spin(isTrue func() bool) bool {
	begin := time.Now()
	for range maxRounds {
		for range polls {
			if isTrue() {
				return true
			}
		}
		if time.Since(begin) > patience {
			break
		}
		runtime.Gosched()
	}
	return false
}

// Await waits until a counter has a value that running goroutines bring it to.
func Await(counter *atomic.Int64, value int64) {
	for !spin(func() bool { return counter.Load() == value }) {
		yield()
	}
}
