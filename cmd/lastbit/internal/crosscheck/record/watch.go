package record

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// MaxTotal is the time that all calls of a function may take, in limits of a
// call.
const MaxTotal = 20

// MaxWait is the time that a call may take with all waiting, in limits of the
// processor's time.
const MaxWait = 10

// A watch ends the program when a call takes too long.
type watch struct {
	limit time.Duration
	id    atomic.Uint64 // of the function, or 0
	first atomic.Int64  // the processor's time at the function's first call
	start atomic.Int64  // and at the last one, or at a constructor's
	begun atomic.Int64  // the time of day at that call
	maker atomic.Uint64 // the constructor that makes an argument now, or 0
}

func newWatch() *watch {
	w := &watch{}
	var err error
	if w.limit, err = time.ParseDuration(os.Getenv(LimitVariable)); err != nil {
		return w
	}
	go func() {
		for range time.Tick(w.limit / 4) {
			if id := w.id.Load(); id != 0 {
				w.check(id, int64(clock()), time.Now().UnixNano())
			}
		}
	}()
	return w
}

// check ends the program if calls of a function take too long.
func (w *watch) check(id uint64, now, day int64) {
	words := ""
	limit := int64(w.limit)
	switch {
	case now-w.start.Load() > limit, day-w.begun.Load() > MaxWait*limit:
		words = Slow
		if maker := w.maker.Load(); maker != 0 {
			id = maker
		}
	case now-w.first.Load() > MaxTotal*limit:
		words = SlowAll
	default:
		return
	}
	fmt.Fprintf(os.Stderr, "%s%x\n", words, id)
	os.Exit(slow)
}

func (w *watch) begin(id uint64) {
	w.call()
	w.first.Store(w.start.Load())
	w.id.Store(id)
}

// elapsed returns the time of a function's calls up to the last one.
func (w *watch) elapsed() time.Duration {
	return time.Duration(w.start.Load() - w.first.Load())
}

func (w *watch) call() {
	w.start.Store(int64(clock()))
	w.begun.Store(time.Now().UnixNano())
}

// construct begins a call of a constructor, and returns what ends it.
func (w *watch) construct(id uint64) (end func()) {
	w.call()
	w.maker.Store(id)
	return func() {
		w.maker.Store(0)
		w.call()
	}
}

func (w *watch) end() { w.id.Store(0) }
