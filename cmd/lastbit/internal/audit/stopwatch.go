package audit

import (
	"sync"
	"time"
)

// stopwatch measures how long something is under way. Times that overlap count
// once.
type stopwatch struct {
	mu       sync.Mutex
	underWay int
	since    time.Time
	total    time.Duration
}

func (s *stopwatch) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.underWay++; s.underWay == 1 {
		s.since = time.Now()
	}
}

func (s *stopwatch) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.underWay--; s.underWay == 0 {
		s.total += time.Since(s.since)
	}
}
