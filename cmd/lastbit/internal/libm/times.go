package libm

import (
	"context"
	"time"

	"github.com/lastbit/lastbit/internal/stopwatch"
)

// patience bounds the time that a measurement takes to notice a cancelled
// context.
const patience = 250 * time.Millisecond

// turns are libraries that take turns: their indices, and a pass of each.
type turns struct {
	libraries []int
	passes    []func()
}

// Measure returns the time of a call of a function in each library, in
// nanoseconds: the shortest of many passes over the arguments. It is negative
// where it cannot be measured. All libraries take turns for about the given
// time, those with wide vector instructions among themselves: their lower clock
// would slow down a pass that always followed theirs. The error is a library's,
// or the context's.
func Measure[T Float](ctx context.Context, f *Function[T], x, y []T, budget time.Duration,
	libraries ...Library[T]) ([]float64, error) {
	times := make([]float64, len(libraries))
	var groups [2]turns // not wide, and wide
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
		t := &groups[0]
		if l.Wide {
			t = &groups[1]
		}
		t.libraries = append(t.libraries, i)
		t.passes = append(t.passes, func() {
			if err := loop(out, x, y); err != nil {
				failed = err
			}
		})
	}
	all := len(groups[0].passes) + len(groups[1].passes)
	for begin, left := time.Now(), budget; all > 0; left = budget - time.Since(begin) {
		for _, t := range groups {
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
