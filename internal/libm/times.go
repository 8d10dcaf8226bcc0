package libm

import (
	"context"
	"time"

	"github.com/lastbit/lastbit/internal/stopwatch"
)

// patience is how long a measurement may take to notice that it is not wanted any more.
const patience = 250 * time.Millisecond

// Measure returns how long a call of a function takes in each library, in nanoseconds:
// the shortest of many passes over the arguments, with all libraries taking turns for
// about the given time. It is negative where that cannot be told. The error is a
// library's, or the context's.
func Measure[T Float](ctx context.Context, f *Function[T], x, y []T, budget time.Duration, libraries ...Library[T]) ([]float64, error) {
	times := make([]float64, len(libraries))
	var timed []int
	var passes []func()
	var failed error
	for i, l := range libraries {
		times[i] = -1
		if !l.Timed(f) {
			continue
		}
		loop, err := l.Find(f)
		if err != nil {
			return nil, err
		}
		if loop == nil {
			continue
		}
		out := make([]T, f.Results*len(x))
		timed = append(timed, i)
		passes = append(passes, func() {
			if err := loop(out, x, y); err != nil {
				failed = err
			}
		})
	}
	for begin, left := time.Now(), budget; len(passes) > 0; left = budget - time.Since(begin) {
		for k, t := range stopwatch.Minima(min(left, patience), passes...) {
			t /= float64(len(x))
			if i := timed[k]; times[i] < 0 || t < times[i] {
				times[i] = t
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if left <= patience {
			break
		}
	}
	return times, failed
}
