package record

import (
	"testing"
	"time"
)

// TestWatch holds that a call is slow after its limit, from the first look at
// it on, that all calls of a function are after theirs, and that a constructor
// is named where it takes the time.
func TestWatch(t *testing.T) {
	const ms = int64(time.Millisecond)
	w := &watch{limit: 100 * time.Millisecond}
	w.first.Store(0)
	var last look
	for _, c := range []struct {
		call     bool // one begins before this look
		maker    uint64
		now, day int64
		words    string
		at       uint64
	}{
		{true, 0, 10 * ms, 10 * ms, "", 0},
		{false, 0, 110 * ms, 110 * ms, "", 0},
		{false, 0, 111 * ms, 111 * ms, Slow, 7},
		{true, 0, 120 * ms, 200 * ms, "", 0},
		{false, 0, 121 * ms, 1200 * ms, "", 0},
		{false, 0, 121 * ms, 1201 * ms, Slow, 7}, // it waits
		{true, 9, 300 * ms, 1300 * ms, "", 0},
		{false, 9, 401 * ms, 1400 * ms, Slow, 9},
		{true, 0, 2000 * ms, 3000 * ms, "", 0},
		{true, 0, 2001 * ms, 3001 * ms, SlowAll, 7},
	} {
		if c.call {
			w.call()
		}
		w.maker.Store(c.maker)
		if words, at := w.look(&last, 7, c.now, c.day); words != c.words || at != c.at {
			t.Errorf("%+v: %q %d", c, words, at)
		}
	}
}
