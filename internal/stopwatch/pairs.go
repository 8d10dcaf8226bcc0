package stopwatch

import (
	"math"
	"slices"
	"time"
)

// Turns selects how Pairs measures.
type Turns struct {
	Budget time.Duration // rounds go on for so long; there are at least five

	// Doubt reports whether a ratio between two bounds leaves a question open:
	// then rounds go on, for ten times the budget at most. nil: never. The
	// functions have numbers from 1 on, as the first one's ratio is 1.
	Doubt func(function int, low, high float64) bool

	Length time.Duration // least length of a turn: short calls are repeated

	// Settle waits before each turn until this process is idle, at most so
	// long. Threads that spin while they wait for work take the processor from
	// the next turn otherwise. All pauses are as long as the longest so far.
	Settle time.Duration

	// Processor measures the time that processors spent on this process, on
	// all its threads, where the system counts it: other programs do not
	// disturb that. A caller waits for less if several threads compute
	// at once.
	Processor bool
}

// Time holds the times of a function, medians over the rounds.
type Time struct {
	Call  float64 // of one call, in nanoseconds
	Ratio float64 // of Call to the first function's Call in the same round

	// Low and High are bounds of Ratio, by the spread of the rounds: another
	// measurement has its median between them, with a probability of 0.94.
	Low, High float64

	// The same of the first call of each turn, which wakes threads and fills
	// caches. It is not among the calls that Call counts.
	First, FirstRatio float64
}

// Pairs compares functions that take turns, in rounds: a pause, a first call,
// then calls one after another for the length of a turn. Other work of the
// machine disturbs the turns of a round nearly alike, so ratios are steadier
// than times.
func Pairs(t Turns, fs ...func()) []Time {
	repeats := make([]int, len(fs))
	for i, f := range fs {
		f()
		for repeats[i] = 1; t.measure(f, repeats[i]) < t.Length; repeats[i] *= 2 {
		}
	}
	calls, firsts := make([][]float64, len(fs)), make([][]float64, len(fs))
	var longest time.Duration
	begin := time.Now()
	for round := 0; round < minRounds || t.goOn(time.Since(begin), calls); round++ {
		for i, f := range fs {
			longest = max(longest, pause(t.Settle, longest))
			firsts[i] = append(firsts[i], float64(t.measure(f, 1)))
			took := float64(t.measure(f, repeats[i])) / float64(repeats[i])
			calls[i] = append(calls[i], took)
		}
	}
	times := make([]Time, len(fs))
	for i := range fs {
		ratios := quotients(calls[i], calls[0])
		low, high := bounds(ratios)
		times[i] = Time{median(calls[i]), median(ratios), low, high,
			median(firsts[i]), median(quotients(firsts[i], firsts[0]))}
	}
	return times
}

// minRounds bounds the number of rounds from below.
const minRounds = 5

// goOn reports whether another round follows, after some time.
func (t Turns) goOn(after time.Duration, calls [][]float64) bool {
	if t.Doubt == nil || after < t.Budget || after >= 10*t.Budget {
		return after < t.Budget
	}
	for i := 1; i < len(calls); i++ {
		if low, high := bounds(quotients(calls[i], calls[0])); t.Doubt(i, low, high) {
			return true
		}
	}
	return false
}

// bounds returns bounds of the median that n values are drawn from. The number
// of values below it is binomial, with a deviation of √n/2.
func bounds(x []float64) (low, high float64) {
	x = slices.Sorted(slices.Values(x))
	n := float64(len(x))
	k := max(0, int((n-float64(1.96*math.Sqrt(n)))/2))
	return x[k], x[len(x)-1-k]
}

// quotients divides each value by another.
func quotients(x, y []float64) []float64 {
	q := make([]float64, len(x))
	for i := range x {
		q[i] = x[i] / y[i]
	}
	return q
}

// pause waits until the process is idle, as Settle does, at least some time,
// and returns how long it took. Other programs empty the caches meanwhile: the
// turn after a longer pause would be slower.
func pause(most, least time.Duration) time.Duration {
	begin := time.Now()
	Settle(most)
	time.Sleep(least - time.Since(begin))
	return time.Since(begin)
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
	before, isCounted := processorTime()
	took := timed(f, n)
	if after, _ := processorTime(); t.Processor && isCounted {
		took = after - before
	}
	return max(took, 1)
}

// median returns the value in the middle.
func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
