package audit

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestStopwatch measures two times that overlap, and a third one.
func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s stopwatch
		s.begin()
		time.Sleep(time.Second)
		s.begin()
		time.Sleep(time.Second)
		s.end()
		time.Sleep(time.Second)
		s.end()
		time.Sleep(time.Hour)
		s.begin()
		time.Sleep(time.Second)
		s.end()
		if s.total != 4*time.Second {
			t.Errorf("%v, not 4 s", s.total)
		}
	})
}
