// Package stopwatch compares how long functions take, side by side in one run.
package stopwatch

import "time"

// minTime bounds the time of one measurement from below: much longer than
// reading the clock, much shorter than a time slice, so that some measurements
// are not disturbed.
const minTime = 20 * time.Microsecond

// Minima returns the shortest time of one call of each function, in
// nanoseconds. The functions take turns, so that other work of the machine
// disturbs all of them alike. Minima runs as many rounds as fit into the
// budget, and at least five.
func Minima(budget time.Duration, fs ...func()) []float64 {
	repeats, best := make([]int, len(fs)), make([]float64, len(fs))
	for i, f := range fs {
		f()
		for repeats[i] = 1; ; repeats[i] *= 2 {
			if t := timed(f, repeats[i]); t >= minTime {
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

// timed returns the time of n calls of f.
func timed(f func(), n int) time.Duration {
	begin := time.Now()
	for range n {
		f()
	}
	return time.Since(begin)
}
