package record

import (
	"runtime"
	"runtime/debug"
)

// A sync.Pool loses its elements when memory is collected, so a function that
// takes its workspace from one gets other memory after another collection. All
// platforms collect after the same calls.
const (
	callsBetween = 1000
	// mostMemory is a limit of the memory, beyond which the runtime collects at
	// any time.
	mostMemory = 1 << 30
)

// collector collects memory between generated calls.
type collector struct {
	calls   int
	percent int // of the runtime, before
	limit   int64
}

func newCollector() *collector {
	c := &collector{percent: debug.SetGCPercent(-1), limit: debug.SetMemoryLimit(-1)}
	debug.SetMemoryLimit(min(c.limit, mostMemory))
	return c
}

// call counts a call, and collects if it is time to.
func (c *collector) call() {
	if c.calls++; c.calls%callsBetween == 0 {
		runtime.GC()
	}
}

// end lets the runtime collect again.
func (c *collector) end() {
	debug.SetGCPercent(c.percent)
	debug.SetMemoryLimit(c.limit)
}
