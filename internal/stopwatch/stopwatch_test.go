package stopwatch

import "testing"

func TestMinima(t *testing.T) {
	calls := make([]int, 2)
	times := Minima(0, func() { calls[0]++ }, func() { calls[1]++ })
	if len(times) != 2 || times[0] < 0 || times[1] < 0 {
		t.Errorf("Minima = %v", times)
	}
	if calls[0] < 6 || calls[1] < 6 {
		t.Errorf("functions were called %v times", calls)
	}
}
