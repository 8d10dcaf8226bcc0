package stopwatch

import (
	"runtime"
	"slices"
	"time"
)

// Turns selects how Pairs measures.
type Turns struct {
	Budget time.Duration // rounds go on for so long; there are at least five
	Length time.Duration // least length of a turn: short calls are repeated

	// Settle waits after each turn until this process is idle, at most so long.
	// Threads that spin while they wait for work take the processor from the
	// next turn otherwise.
	Settle time.Duration

	// Processor measures the time that a processor spent on this thread, or on
	// this process, where the system counts it: other programs do not disturb
	// that. It is right for functions that compute on the calling thread.
	Processor bool
}

// Pairs compares functions that take turns, in rounds. It returns the median
// time of one call of each, in nanoseconds, and for each function the median
// over the rounds of its time divided by that of the first. Other work of the
// machine disturbs the turns of a round nearly alike, so ratios are steadier
// than times.
func Pairs(t Turns, fs ...func()) (ns, ratios []float64) {
	if t.Processor {
		runtime.LockOSThread() // calls of a library may come back on another
		defer runtime.UnlockOSThread()
	}
	repeats, all := make([]int, len(fs)), make([][]float64, len(fs))
	for i, f := range fs {
		f()
		for repeats[i] = 1; t.measure(f, repeats[i]) < t.Length; repeats[i] *= 2 {
		}
		Settle(t.Settle)
	}
	over := make([][]float64, len(fs))
	begin := time.Now()
	for round := 0; round < 5 || time.Since(begin) < t.Budget; round++ {
		for i, f := range fs {
			took := float64(t.measure(f, repeats[i])) / float64(repeats[i])
			Settle(t.Settle)
			all[i] = append(all[i], took)
			over[i] = append(over[i], took/all[0][round])
		}
	}
	for i := range fs {
		ns, ratios = append(ns, median(all[i])), append(ratios, median(over[i]))
	}
	return ns, ratios
}

// settlingStep is long enough for the system to count the time of threads that
// are running: it may do so at its ticks only, up to 10 ms apart.
const settlingStep = 20 * time.Millisecond

// Settle waits until the process is idle, at most some time, and that long
// where the system does not count the time of the process.
func Settle(most time.Duration) {
	for ; most > 0; most -= settlingStep {
		step := min(most, settlingStep)
		before, isCounted := processorTime()
		time.Sleep(step)
		if after, _ := processorTime(); isCounted && after-before < step/8 {
			return
		}
	}
}

// measure returns the time of n calls, at least a nanosecond.
func (t Turns) measure(f func(), n int) time.Duration {
	before, isCounted := threadTime()
	took := timed(f, n)
	if after, _ := threadTime(); t.Processor && isCounted {
		took = after - before
	}
	return max(took, 1)
}

// median sorts values and returns the one in the middle.
func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
