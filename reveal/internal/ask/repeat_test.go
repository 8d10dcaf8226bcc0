package ask

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
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
		t += time.Duration(c.calls) * 10 * time.Millisecond
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
		{"shorter", minRepeatedFirst - 1, 1, false, 0},
		{"short, one thread", minRepeatedOften - 1, 0, false, 2 * firstRepeats},
		{"short", minRepeatedOften - 1, 1, false, 2 * (1 + oftenRepeats)},
		{"short, unknown", minRepeatedOften - 1, 0, true, 2 * firstRepeats},
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

// TestSharedCalls holds the budget of calls that look for seldom schedules.
func TestSharedCalls(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, from int
		unknown bool
		want    int
	}{
		{"one thread", 1000, 0, false, 0},
		{"threads", 1000, 1, false, maxRepeats / 2},
		{"threads, long calls", sharedValues / 100, 1, false, 100},
		{"threads, longer calls", sharedValues / 10, 1, false, minRepeats},
		{"unknown", 1000, 0, true, minUnknown},
	} {
		target := &crowd{from: c.from, unknown: c.unknown, Target: probetest.FromFunc("crowd", c.n,
			fp.Binary32, func(fp.Format, []float64, int) float64 { return 0 })}
		channel := NewChannel(context.Background(), target, Options{})
		target.calls, channel.calls = 64, 64
		if got := sharedCalls(channel); got != c.want {
			t.Errorf("%s: %d calls, want %d", c.name, got, c.want)
		}
		channel.Key.Threads = 2
		if got := sharedCalls(channel); c.n == 1000 && c.from > 0 && got != maxRepeats {
			t.Errorf("%s: %d calls with two threads, want %d", c.name, got, maxRepeats)
		}
	}
}

// TestHardlyWorkingThreads has a target whose other threads work as little as
// the threads of an idle runtime.
func TestHardlyWorkingThreads(t *testing.T) {
	target := &crowd{from: 1, Target: probetest.FromTree(probetest.Chain(8),
		probetest.Options{Op: probe.Sum, DType: fp.Binary32})}
	for _, c := range []struct {
		calls int
		busy  time.Duration
		want  int
	}{
		{2000, 0, 2000 / doubtfulShare}, // 10 ms of others, 5 µs for each call
		{100, 0, maxRepeats / 2},
		{100, time.Second, 100 / doubtfulShare},
	} {
		target.calls = 0
		channel := NewChannel(context.Background(), target, Options{})
		target.calls, channel.calls, channel.busy = 1, c.calls, c.busy
		if got := sharedCalls(channel); got != c.want {
			t.Errorf("%d calls in %v: %d calls, want %d", c.calls, c.busy, got, c.want)
		}
	}
}

// TestRepeatSharedSeesSeldomChanges asks a target that changes in one of 200
// calls.
func TestRepeatSharedSeesSeldomChanges(t *testing.T) {
	const n = 100
	for seed := range uint64(20) {
		calls := 37 * int(seed)
		sum := func(f fp.Format, x []float64, _ int) (s float64) {
			calls++
			from := 0
			if calls%200 == 0 {
				from = n / 2
			}
			for i := range x {
				s = f.Add(s, x[(from+i)%n], fp.NearestEven)
			}
			return s
		}
		target := &crowd{from: 1, Target: probetest.FromFunc("seldom", n, fp.Binary32, sum)}
		channel := NewChannel(context.Background(), target, Options{Seed: seed})
		channel.Key.Threads = 2
		if _, err := channel.AskMain(nil, Values(make([]float64, n))); err != nil {
			t.Fatal(err)
		}
		_, err := RepeatShared(channel)
		var fact *verdict.Fact
		if !errors.As(err, &fact) || fact.Reason != verdict.Changed {
			t.Errorf("seed %d: %v after %d calls", seed, err, target.calls)
		}
	}
}
