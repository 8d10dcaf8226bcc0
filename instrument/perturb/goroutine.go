package perturb

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A routine is a goroutine of a profile. Its key comes from the path of its
// creation: that of the goroutine that started it, the statement, and how often
// that goroutine had executed the statement before. So it is the same in every
// run, whatever the schedule is. Executions of an operation are numbered in
// each goroutine.
//
// The first fields are an empty set of labels of package runtime/pprof, as
// which Go's profilers read them: a goroutine passes its labels on to those
// that it starts, and they cost nothing.
type routine struct {
	list    unsafe.Pointer // nil
	length  int            // 0
	mark    int            // routineMark: the capacity of a slice that nobody made
	key     uint64
	parent  *routine // until the goroutine is started
	mu      sync.Mutex
	started map[uint32]uint64 // goroutines, by statement
	pages   atomic.Pointer[[]atomic.Pointer[page]]
}

// A page has the executions of some operations in a goroutine, by site.
type page [pageSize]uint64

const pageSize = 64

const routineMark = 0x6c617374626974

//go:linkname labels runtime/pprof.runtime_getProfLabel
func labels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(unsafe.Pointer)

// firstRoutine is the goroutine that starts the program, and all that code
// outside of rewritten packages starts there.
var firstRoutine = newRoutine(0)

func newRoutine(key uint64) *routine {
	return &routine{mark: routineMark, key: key, started: make(map[uint32]uint64)}
}

// current returns the goroutine that calls it.
func current() *routine {
	r := (*routine)(labels())
	if r == nil || r.mark != routineMark {
		return firstRoutine // with labels of its own
	}
	return r
}

// isForked is set when a second goroutine starts, by fork.
var (
	isForked atomic.Bool
	fork     sync.Once
)

// Fork prepares the goroutine that the next go statement starts.
func Fork(statement uint32) {
	if recording {
		r := current()
		child := r.child(statement)
		child.parent = r
		setLabels(unsafe.Pointer(child))
	}
}

// Forked ends what Fork began.
func Forked() {
	if !recording {
		return
	}
	child := current()
	if child.parent != nil {
		setLabels(unsafe.Pointer(child.parent))
		child.parent = nil
	}
	yield(child.key)
}

// Started returns f for a goroutine that a function of the standard library
// starts.
func Started(f func(), statement uint32) func() {
	if !recording {
		return f
	}
	child := current().child(statement)
	return func() {
		setLabels(unsafe.Pointer(child))
		f()
	}
}

// child returns a goroutine that r starts.
func (r *routine) child(statement uint32) *routine {
	fork.Do(func() {
		r.split()
		atomic.StoreUint64(&header.Forked, 1)
		isForked.Store(true)
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started[statement]++
	return newRoutine(mix(r.key^mix(uint64(statement)<<32|r.started[statement])) | 1)
}

// split gives the goroutine the executions so far, when it was alone.
func (r *routine) split() {
	for i := range records {
		if n := atomic.LoadUint64(&records[i].Count); n > 0 {
			*r.executions(uint32(i)) = n
		}
	}
}

// executions returns the count of a site's executions in a goroutine.
func (r *routine) executions(site uint32) *uint64 {
	pages := r.pages.Load()
	if pages == nil {
		made := make([]atomic.Pointer[page], (header.Sites+pageSize-1)/pageSize)
		r.pages.CompareAndSwap(nil, &made)
		pages = r.pages.Load()
	}
	at := &(*pages)[site/pageSize]
	p := at.Load()
	if p == nil {
		at.CompareAndSwap(nil, new(page))
		p = at.Load()
	}
	return &p[site%pageSize]
}

// number counts an execution of a site, and returns its goroutine and its
// number there.
func number(rec *Record, site uint32) (key, n uint64) {
	all := count(&rec.Count)
	if !isForked.Load() {
		return 0, all
	}
	r := current()
	n = count(r.executions(site))
	if header.Jitter != 0 && all%64 == 0 {
		yield(r.key + n)
	}
	return r.key, n
}

// yield lets another goroutine run, at times, if Header.Jitter is set.
func yield(key uint64) {
	if header.Jitter != 0 && mix(key+header.Jitter)&1 != 0 {
		runtime.Gosched()
	}
}
