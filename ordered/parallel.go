package ordered

import (
	"runtime"
	"sync"

	"github.com/lastbit/lastbit/internal/crew"
	"github.com/lastbit/lastbit/internal/kernel"
)

// Sharing of the work. No constant changes a result: every chunk except the
// last is an aligned power of two of blocks, and so a subtree.
const (
	parallelBytes  = 16 << 20 // of x; one core reads less about as fast
	bytesPerWorker = 2 << 20
	minChunkBlocks = 4
	maxChunks      = 256

	// The least bytes for a goroutine that is ready.
	bytesPerReadyWorker = 256 << 10
)

// workers returns the number of goroutines that n summands are worth, and
// whether only those are that are ready.
func workers[T float32 | float64](n int) (count int, isShort bool) {
	bytes := n / kernel.OrderedLanes[T]() * kernel.OrderedRowBytes
	share := bytesPerWorker
	if bytes < parallelBytes {
		share, isShort = bytesPerReadyWorker, true
	}
	return max(1, min(bytes/share, runtime.GOMAXPROCS(0))), isShort
}

// large sums more than one block with several goroutines, the caller's among
// them.
func large[T float32 | float64](
	level kernel.Level, op kernel.OrderedOp, x, y []T, workers int, isShort bool,
) T {
	p := poolOf[T]()
	j := p.jobs.Get().(*job[T])
	defer j.release()
	if workers < 2 || !j.share(x, y) {
		c := counter[T]{level: level, op: op, stack: j.stack}
		return c.run(blockSize[T](), x, y, nil)
	}
	j.level, j.op = level, op
	j.chunk = minChunkBlocks * blockSize[T]()
	for (len(x)-1)/j.chunk >= maxChunks {
		j.chunk *= 2
	}
	j.chunks = (len(x)-1)/j.chunk + 1
	workers = min(workers, j.chunks)
	j.parts.Reset(j.chunks, workers)
	if isShort {
		crew.RunShort(workers, j.run)
	} else {
		crew.Run(workers, j.run)
	}
	c := counter[T]{level: level, op: kernel.OrderedSum, stack: j.stack}
	lanes := kernel.OrderedLanes[T]()
	return c.run(lanes, j.chunkLanes[:j.chunks*lanes], nil, nil)
}

// job is one sum of many blocks, and its memory. run is the method value work,
// made once: each would allocate.
type job[T float32 | float64] struct {
	level  kernel.Level
	op     kernel.OrderedOp
	x, y   []T
	chunk  int // summands
	chunks int
	parts  crew.Parts
	run    func(worker int)

	stack      []T
	chunkLanes []T
	scaled     []T // one block
}

// share lets the goroutines of the job have x and y, unless one is on the stack
// of this goroutine.
func (j *job[T]) share(x, y []T) (ok bool) {
	if j.x, ok = kernel.Shared(x); !ok || y == nil {
		return ok
	}
	j.y, ok = kernel.Shared(y)
	return ok
}

// work sums chunks until none is left.
func (j *job[T]) work(worker int) {
	p, lanes := poolOf[T](), kernel.OrderedLanes[T]()
	stack := p.stacks.Get().(*stack[T])
	defer p.stacks.Put(stack)
	j.parts.Each(worker, func(k int) {
		from, to := k*j.chunk, min((k+1)*j.chunk, len(j.x))
		var y []T
		if j.y != nil {
			y = j.y[from:to]
		}
		c := counter[T]{level: j.level, op: j.op, stack: stack.rows}
		c.run(blockSize[T](), j.x[from:to], y, j.chunkLanes[k*lanes:(k+1)*lanes])
	})
}

// release puts the job back.
func (j *job[T]) release() {
	j.x, j.y = nil, nil
	poolOf[T]().jobs.Put(j)
}

// stack is the memory of a goroutine.
type stack[T float32 | float64] struct{ rows []T }

// pool keeps jobs and stacks from one sum to the next.
type pool[T float32 | float64] struct{ jobs, stacks sync.Pool }

var (
	pool64 = newPool[float64]()
	pool32 = newPool[float32]()
)

func newPool[T float32 | float64]() *pool[T] {
	lanes := kernel.OrderedLanes[T]()
	p := &pool[T]{}
	p.jobs.New = func() any {
		j := &job[T]{
			stack:      make([]T, maxLevels*lanes),
			chunkLanes: make([]T, maxChunks*lanes),
			scaled:     make([]T, blockSize[T]()),
		}
		j.run = j.work
		return j
	}
	p.stacks.New = func() any { return &stack[T]{make([]T, maxLevels*lanes)} }
	return p
}

// poolOf returns the pool for T.
func poolOf[T float32 | float64]() *pool[T] {
	if p, ok := any(pool64).(*pool[T]); ok {
		return p
	}
	return any(pool32).(*pool[T])
}
