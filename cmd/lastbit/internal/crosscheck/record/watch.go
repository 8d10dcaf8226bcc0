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

// A watch ends the program when a call takes too long. It looks at the calls a
// few times in the limit of one: asking for the time at each call takes longer
// than most calls.
type watch struct {
	limit time.Duration
	id    atomic.Uint64 // of the function, or 0
	first atomic.Int64  // the processor's time at the function's first call
	calls atomic.Uint64 // begun so far, of functions and constructors
	maker atomic.Uint64 // the constructor that makes an argument now, or 0
}

func newWatch() *watch {
	w := &watch{}
	var err error
	if w.limit, err = time.ParseDuration(os.Getenv(LimitVariable)); err != nil {
		return w
	}
	go func() {
		var last look
		for range time.Tick(w.limit / 4) {
			id := w.id.Load()
			if id == 0 {
				continue
			}
			words, at := w.look(&last, id, int64(clock()), time.Now().UnixNano())
			if words != "" {
				fmt.Fprintf(os.Stderr, "%s%x\n", words, at)
				os.Exit(slow)
			}
		}
	}()
	return w
}

// look holds what the watch saw when it first looked at a call.
type look struct {
	calls uint64
	start int64 // the processor's time
	begun int64 // the time of day
}

// look returns the words and the number for calls that take too long.
func (w *watch) look(last *look, id uint64, now, day int64) (words string, at uint64) {
	if n := w.calls.Load(); n != last.calls {
		*last = look{n, now, day}
	}
	limit := int64(w.limit)
	switch {
	case now-last.start > limit, day-last.begun > MaxWait*limit:
		if maker := w.maker.Load(); maker != 0 {
			id = maker
		}
		return Slow, id
	case now-w.first.Load() > MaxTotal*limit:
		return SlowAll, id
	}
	return "", 0
}

func (w *watch) begin(id uint64) {
	w.call()
	w.first.Store(int64(clock()))
	w.id.Store(id)
}

// elapsed returns the time of a function's calls.
func (w *watch) elapsed() time.Duration { return clock() - time.Duration(w.first.Load()) }

func (w *watch) call() { w.calls.Add(1) }

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
