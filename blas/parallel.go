package blas

import (
	"runtime"
	"sync/atomic"

	"github.com/lastbit/lastbit/internal/crew"
)

// minShare bounds the work of a goroutine from below, in some nanoseconds.
const minShare = 1 << 15

// parallel calls do for ranges of n rows, on as many goroutines as pay. A row
// takes some work.
func (k *exactKit[T, F]) parallel(n, work int, do func(i, end int)) {
	threads := k.setting.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	block := max(1, min(n/(4*threads), 32), minShare/max(work, 1))
	threads = min(threads, (n+block-1)/block)
	var next atomic.Int64
	crew.Run(threads, func() {
		for {
			end := int(next.Add(int64(block)))
			if end-block >= n {
				return
			}
			do(end-block, min(end, n))
		}
	})
}
