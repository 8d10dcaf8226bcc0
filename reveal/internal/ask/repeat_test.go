package ask

import (
	"context"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
)

// crowd is a target whose other threads work from a call on; never is 0.
type crowd struct {
	probe.Target
	from, calls int
	unknown     bool
}

func (c *crowd) Call(ctx context.Context, b *probe.Batch) error {
	c.calls++
	return c.Target.Call(ctx, b)
}

func (c *crowd) OtherThreads() (time.Duration, bool) {
	t := 70 * time.Millisecond // of its start
	if c.from > 0 && c.calls >= c.from {
		t += time.Duration(c.calls) * time.Microsecond
	}
	return t, !c.unknown
}

// TestRepeatFirst counts the calls: an input of a sum that threads share is
// asked oftenRepeats times.
func TestRepeatFirst(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, from int
		unknown bool
		want    int
	}{
		{"short", minRepeatedOften - 1, 1, false, 2 * firstRepeats},
		{"one thread", minRepeatedOften, 0, false, 3 * firstRepeats},
		{"threads", minRepeatedOften, 1, false, 3 * (1 + oftenRepeats)},
		{"threads from the third call on", minRepeatedOften, 3, false, 3 * (1 + oftenRepeats)},
		{"threads from the second input on", minRepeatedOften, firstRepeats + 1, false,
			firstRepeats + 2*(1+oftenRepeats)},
		{"unknown", minRepeatedOften, 0, true, 3 * (1 + oftenRepeats)},
	} {
		target := &crowd{from: c.from, unknown: c.unknown, Target: probetest.FromTree(
			probetest.Chain(c.n), probetest.Options{Op: probe.Sum, DType: fp.Binary32})}
		channel := NewChannel(context.Background(), target, Options{})
		if err := RepeatFirst(channel); err != nil {
			t.Fatal(err)
		}
		if target.calls != c.want {
			t.Errorf("%s: %d calls, want %d", c.name, target.calls, c.want)
		}
	}
}
