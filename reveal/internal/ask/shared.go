package ask

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lastbit/lastbit/probe"
)

// The budget of RepeatShared: a schedule that comes up in one of 200 calls is
// missed by 1000 calls once in 150 times. Calls take time about in proportion
// to their values; long ones are repeated less often, until sharedTime is over.
const (
	minRepeats   = 48
	maxRepeats   = 1200
	maxUnknown   = 192
	minUnknown   = 16
	unknownShare = 4       // of the calls so far that may be repeated then
	sharedValues = 1 << 26 // summands of all calls together
	sharedTime   = 3 * time.Second

	// doubtfulShare is the number of calls that RepeatShared adds one to, where
	// other threads have hardly computed.
	doubtfulShare = 32
)

// sharedInputs is the number of inputs that RepeatShared repeats.
const sharedInputs = 2

// RepeatShared repeats inputs of a target whose threads share a sum, or may, in
// a hurry, with pauses, and while other work keeps the processors busy in
// bursts: each makes other schedules. All results are rounding errors alone. It
// returns the number of calls, 0 where one thread alone has computed so far.
// The error is a Fact, Changed, when a result is not the same every time.
func RepeatShared(c *Channel) (int, error) {
	total := sharedCalls(c)
	if total == 0 {
		return 0, nil
	}
	c.Expect("repeat", total)
	r := &repeater{c: c, rng: RandApart(c, "gap"), until: time.Now().Add(sharedTime),
		hurry: threadsOf(c) != several}
	in, before := InputsApart(c, "shared"), c.calls
	for range sharedInputs {
		r.patches = append(r.patches, Scattered(in, c.N))
	}
	err := r.run(total)
	var fault *probe.Fault
	if errors.As(err, &fault) && fault.ID == "call-limit" {
		err = nil
	}
	return c.calls - before, err
}

// sharedCalls returns the number of calls that RepeatShared makes.
func sharedCalls(c *Channel) int {
	most := max(minRepeats, sharedValues/(c.N*c.Lanes()))
	switch threadsOf(c) {
	case several:
		if c.Key.Threads == 1 { // the threads may be the library's way to run one
			return min(maxRepeats/2, most)
		}
		return min(maxRepeats, most)
	case unknown:
		return min(maxUnknown, most, max(minUnknown, c.calls/unknownShare))
	case doubtful:
		return c.calls / doubtfulShare
	}
	return 0
}

// repeater repeats inputs.
type repeater struct {
	c       *Channel
	rng     *rand.Rand
	patches []Patch
	first   []float64 // results of the patches
	until   time.Time
	hurry   bool // without pauses
	loaded  bool // beside a load, which makes pauses by itself
}

// run makes a number of calls, a third of them beside a load, or an eighth in a
// hurry.
func (r *repeater) run(calls int) error {
	loaded := calls / 3
	if r.hurry {
		loaded = calls / 8
	}
	if err := r.phase((calls - loaded) / len(r.patches)); err != nil {
		return err
	}
	r.loaded = true
	defer startLoad()()
	return r.phase(loaded / len(r.patches))
}

// phase asks each input a number of times.
func (r *repeater) phase(calls int) error {
	for k := range r.patches {
		for range calls {
			if len(r.first) > k && time.Now().After(r.until) {
				return nil
			}
			r.gap()
			if err := r.ask(k); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxGap bounds a short pause between calls. Threads fall asleep in it, and are
// awake soon enough to take a part of the next sum.
const maxGap = 500 * time.Microsecond

// gap waits before a call: often for a short time, seldom for a long one. Two
// threads of Numba share a sum of 10,000 after one of 200 short pauses, and not
// once in 1000 calls without any.
func (r *repeater) gap() {
	if r.hurry {
		return
	}
	short := 6
	if r.loaded {
		short = 2
	}
	switch k := r.rng.IntN(8); {
	case k == 0 && !r.loaded:
		pause(r.c, idle)
	case k < short:
		pause(r.c, time.Duration(r.rng.Int64N(int64(maxGap))))
	}
}

// ask asks a patch, and compares its result with the first one.
func (r *repeater) ask(k int) error {
	out, err := askPatch(r.c, r.patches[k])
	if err != nil {
		return err
	}
	if k == len(r.first) {
		r.first = append(r.first, out)
	} else if !SameBits(out, r.first[k]) {
		return changed(r.c, nil, r.patches[k].Fill(), r.first[k], out)
	}
	return nil
}

// Bounds of a burst of load, and of the rest after it.
const (
	maxBurst   = 2 * time.Millisecond
	maxRespite = time.Millisecond
)

// startLoad keeps every processor busy in bursts until stop is called, which
// waits for their end.
func startLoad() (stop func()) {
	var done atomic.Bool
	var work sync.WaitGroup
	for k := range runtime.GOMAXPROCS(0) {
		rng := rand.New(rand.NewPCG(uint64(k), 1))
		work.Go(func() {
			for !done.Load() {
				burst := time.Duration(rng.Int64N(int64(maxBurst)))
				for begun := time.Now(); time.Since(begun) < burst && !done.Load(); {
				}
				time.Sleep(time.Duration(rng.Int64N(int64(maxRespite))))
			}
		})
	}
	return func() {
		done.Store(true)
		work.Wait()
	}
}
