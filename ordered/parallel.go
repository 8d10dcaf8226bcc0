package ordered

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/lastbit/lastbit/internal/kernel"
)

// Sharing of the work. No constant changes a result: every chunk except the
// last is an aligned power of two of blocks, and so a subtree.
const (
	parallelBytes  = 16 << 20 // of x; one core reads less as fast, from its caches
	bytesPerWorker = 2 << 20
	minChunkBlocks = 4
	maxChunks      = 256
)

// workers returns the number of goroutines that n summands are worth.
func workers[T float32 | float64](n int) int {
	bytes := n / kernel.OrderedLanes[T]() * kernel.OrderedRowBytes
	if bytes < parallelBytes {
		return 1
	}
	return min(bytes/bytesPerWorker, runtime.GOMAXPROCS(0))
}

// large sums more than one block with several goroutines, the caller's among
// them.
func large[T float32 | float64](
	level kernel.Level, op kernel.OrderedOp, x, y []T, workers int,
) T {
	p := poolOf[T]()
	j := p.get()
	defer j.release()
	if workers < 2 {
		c := counter[T]{level: level, op: op, stack: j.stack}
		return c.run(blockSize[T](), x, y, nil)
	}
	// Slices this long are on the heap. Hidden, they do not take short ones
	// there.
	j.level, j.op, j.x, j.y = level, op, kernel.Hide(x), kernel.Hide(y)
	j.chunk = minChunkBlocks * blockSize[T]()
	for (len(x)-1)/j.chunk >= maxChunks {
		j.chunk *= 2
	}
	j.chunks = (len(x)-1)/j.chunk + 1
	j.next.Store(0)
	j.undone.Add(j.chunks)
	for range min(workers, j.chunks) - 1 {
		h := p.helpers.Get().(*helper[T])
		h.job = j
		j.users.Add(1)
		go h.run()
	}
	j.work(j.stack)
	j.undone.Wait()
	c := counter[T]{level: level, op: kernel.OrderedSum, stack: j.stack}
	lanes := kernel.OrderedLanes[T]()
	return c.run(lanes, j.chunkLanes[:j.chunks*lanes], nil, nil)
}

// job is one sum of many blocks, and its memory.
type job[T float32 | float64] struct {
	level  kernel.Level
	op     kernel.OrderedOp
	x, y   []T
	chunk  int // summands
	chunks int
	next   atomic.Int64   // the first chunk that no goroutine has taken
	undone sync.WaitGroup // chunks whose lanes are missing
	users  atomic.Int32   // goroutines that hold the job

	stack      []T // of the caller
	chunkLanes []T
	scaled     []T // one block
}

// work sums chunks until none is left.
func (j *job[T]) work(stack []T) {
	lanes := kernel.OrderedLanes[T]()
	for {
		k := int(j.next.Add(1)) - 1
		if k >= j.chunks {
			return
		}
		from, to := k*j.chunk, min((k+1)*j.chunk, len(j.x))
		var y []T
		if j.y != nil {
			y = j.y[from:to]
		}
		c := counter[T]{level: j.level, op: j.op, stack: stack}
		c.run(blockSize[T](), j.x[from:to], y, j.chunkLanes[k*lanes:(k+1)*lanes])
		j.undone.Done()
	}
}

// release drops one user of the job. The caller does not wait for helpers that
// start when all is done: the last user puts the job back.
func (j *job[T]) release() {
	if j.users.Add(-1) == 0 {
		j.x, j.y = nil, nil
		poolOf[T]().jobs.Put(j)
	}
}

// helper is the memory of a goroutine. run is the method value help, made once:
// a go statement with a method would allocate.
type helper[T float32 | float64] struct {
	job   *job[T]
	stack []T
	run   func()
}

// help works on the job and releases both.
func (h *helper[T]) help() {
	j := h.job
	j.work(h.stack)
	h.job = nil
	poolOf[T]().helpers.Put(h)
	j.release()
}

// pool keeps jobs and helpers from one sum to the next.
type pool[T float32 | float64] struct{ jobs, helpers sync.Pool }

var (
	pool64 = newPool[float64]()
	pool32 = newPool[float32]()
)

func newPool[T float32 | float64]() *pool[T] {
	lanes := kernel.OrderedLanes[T]()
	p := &pool[T]{}
	p.jobs.New = func() any {
		return &job[T]{
			stack:      make([]T, maxLevels*lanes),
			chunkLanes: make([]T, maxChunks*lanes),
			scaled:     make([]T, blockSize[T]()),
		}
	}
	p.helpers.New = func() any {
		h := &helper[T]{stack: make([]T, maxLevels*lanes)}
		h.run = h.help
		return h
	}
	return p
}

// poolOf returns the pool for T.
func poolOf[T float32 | float64]() *pool[T] {
	if p, ok := any(pool64).(*pool[T]); ok {
		return p
	}
	return any(pool32).(*pool[T])
}

// get returns a job with one user.
func (p *pool[T]) get() *job[T] {
	j := p.jobs.Get().(*job[T])
	j.users.Store(1)
	return j
}
