// Package stopwatch compares how long functions take, side by side in one run.
package stopwatch

import "time"

// least is how long one measurement takes at least: much longer than reading
// the clock, much shorter than a time slice, so that some of them are not
// disturbed.
const least = 20 * time.Microsecond

// Minima returns the shortest time of one call of each function, in
// nanoseconds. The functions take turns, so that what else the machine does
// meets all of them alike. It runs for as many rounds as fit into the budget,
// but at least for five.
func Minima(budget time.Duration, fs ...func()) []float64 {
	repeats, best := make([]int, len(fs)), make([]float64, len(fs))
	for i, f := range fs {
		f()
		for repeats[i] = 1; ; repeats[i] *= 2 {
			if t := timed(f, repeats[i]); t >= least {
				best[i] = float64(t) / float64(repeats[i])
				break
			}
		}
	}
	begin := time.Now()
	for round := 0; round < 5 || time.Since(begin) < budget; round++ {
		for i, f := range fs {
			best[i] = min(best[i], float64(timed(f, repeats[i]))/float64(repeats[i]))
		}
	}
	return best
}

func timed(f func(), n int) time.Duration {
	begin := time.Now()
	for range n {
		f()
	}
	return time.Since(begin)
}
