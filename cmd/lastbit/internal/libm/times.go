package libm

import (
	"context"
	"time"

	"github.com/lastbit/lastbit/internal/stopwatch"
)

// patience is how long a measurement may take to notice that it is not wanted any more.
const patience = 250 * time.Millisecond

// taking is libraries that take turns: their places, and a pass of each.
type taking struct {
	libraries []int
	passes    []func()
}

// Measure returns how long a call of a function takes in each library, in nanoseconds:
// the shortest of many passes over the arguments, with all libraries taking turns for
// about the given time, and those with wide vector instructions among themselves: a pass
// of another that always followed theirs would have their clock. It is negative where that cannot be told. The error is a
// library's, or the context's.
func Measure[T Float](ctx context.Context, f *Function[T], x, y []T, budget time.Duration, libraries ...Library[T]) ([]float64, error) {
	times := make([]float64, len(libraries))
	var turns [2]taking // not wide, and wide
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
		t := &turns[0]
		if l.Wide {
			t = &turns[1]
		}
		t.libraries = append(t.libraries, i)
		t.passes = append(t.passes, func() {
			if err := loop(out, x, y); err != nil {
				failed = err
			}
		})
	}
	all := len(turns[0].passes) + len(turns[1].passes)
	for begin, left := time.Now(), budget; all > 0; left = budget - time.Since(begin) {
		for _, t := range turns {
			if len(t.passes) == 0 {
				continue
			}
			share := min(left, patience) * time.Duration(len(t.passes)) / time.Duration(all)
			for k, ns := range stopwatch.Minima(share, t.passes...) {
				ns /= float64(len(x))
				if i := t.libraries[k]; times[i] < 0 || ns < times[i] {
					times[i] = ns
				}
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
