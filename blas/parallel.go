package blas

import (
	"runtime"

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
	var parts crew.Parts
	parts.Reset((n+block-1)/block, threads)
	crew.Run(threads, func(worker int) {
		parts.Each(worker, func(part int) { do(part*block, min((part+1)*block, n)) })
	})
}
