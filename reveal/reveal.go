package reveal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
)

// Options of Reveal. The zero value is the default of each.
type Options struct {
	Algorithm string // one of Algorithms; "" is auto
	Seed      uint64 // of the random inputs; the same seed asks the same questions
	// Replays is the number of inputs replayed. 0 is 64, 128 for results of 16
	// bits. Beyond 2^18 summands it is fewer, but one of every kind, 16, up to
	// 2^22 summands, and never fewer than 12.
	Replays  int
	MaxCalls int  // more end in an error; 0 for no limit
	OneLane  bool // asks one lane only, as the paper's tool does
	// Progress is called after every call with the name of the step, the number
	// of calls made, and the number expected by the end of this step.
	Progress func(step string, done, expected int)
	// Parallel is the number of targets that Compare reveals at the same time;
	// 0 is one. Then no call of one target may change anything that another
	// one uses, and Progress is called by several goroutines.
	Parallel int

	memory *ask.Memory // of the calls of one Reveal
}

// Algorithms returns the names that Options.Algorithm takes, auto first.
func Algorithms() []string {
	var names []string
	for _, a := range order.Table() {
		names = append(names, a.Name)
	}
	return names
}

// Reveal finds out how t accumulates. The error is a *probe.Fault when the
// target could not be run or was cancelled. That the implementation is not one
// fixed tree is not an error but a verdict.
//
// Promise of a verified finding of verdict tree: the certificate held, and
// replaying tree and arithmetic gave the implementation's own bits on every
// input tried.
//
// References:
//   - [Xie2025] Peichen Xie, Yanjie Gao, Yang Wang and Jilong Xue. Revealing
//     Floating-Point Accumulation Orders in Software/Hardware Implementations.
//     2025 USENIX Annual Technical Conference (USENIX ATC 25), 2025.
func Reveal(ctx context.Context, t probe.Target, opt Options) (*Finding, error) {
	one, err := reveal(ctx, t, opt)
	return one.finding, err
}

// revealed is a finding, with the channel for further questions, and those that
// were asked.
type revealed struct {
	finding *Finding
	channel *ask.Channel
	asked   asked
}

// reveal is Reveal, and returns what else is known of the target.
func reveal(ctx context.Context, t probe.Target, opt Options) (one revealed, err error) {
	if err := opt.check(t.Key()); err != nil {
		return one, err
	}
	if t.Key().Integers != "" {
		one.finding, err = revealIntegers(ctx, t, opt)
		return one, err
	}
	opt.memory = new(ask.Memory)
	memory := opt.memory
	f, r, err := find(ctx, t, opt)
	if err == nil {
		f, err = confirm(ctx, t, opt, r, f)
	}
	if err != nil {
		return one, err
	}
	one.asked = asked{decided: r.decided, all: memory.Samples(), left: memory.Left(r.c.Lanes())}
	if r, ok := t.(probe.Restarter); ok && r.Restarts() > 0 {
		f.Warnings = append(f.Warnings,
			fmt.Sprintf("the target died and was started again %d times", r.Restarts()))
	}
	ask.Forget(r.c)
	if err := describeNaN(r, f); err != nil {
		return one, err
	}
	if err := describeAccelerator(r, f); err != nil {
		return one, err
	}
	one.finding, one.channel = f, r.c
	return one, nil
}

// find makes the finding, and returns the run with the channel to t.
func find(ctx context.Context, t probe.Target, opt Options) (*Finding, *run, error) {
	r := newRun(ctx, t, opt, 0)
	f, err := r.finding()
	if len(r.c.Pool()) > 1 && err == nil && !f.Verified {
		// The contradiction may come from other lanes than the main one.
		opt.OneLane = true
		decided := r.decided
		r = newRun(ctx, t, opt, r.c.Calls())
		decide(r, decided)
		f, err = r.finding()
	}
	other := weigh
	if err == nil && mayBeNarrow(f) {
		other = narrow
	}
	if err == nil && (f.Verdict == NotASum || mayBeNarrow(f)) {
		opt.memory = nil // its targets are others
		if f, err = other(ctx, t, opt, f); err == nil {
			decided := r.decided
			r = newRun(ctx, t, opt, f.Calls)
			decide(r, decided)
		}
	}
	return f, r, err
}

// Replays by default: short results show fewer of the roundings. Beyond
// manySummands an input shows as many roundings as several shorter ones do.
const (
	defaultReplays      = 64
	defaultReplaysShort = 128
	manySummands        = 1 << 18
	hugeSummands        = 1 << 22 // beyond this n memory is scarce: inputs are kept
	minReplays          = 16      // one of every kind of input
	minReplaysHuge      = 12
)

// check fills in defaults and refuses meaningless values.
func (o *Options) check(k probe.Key) error {
	if o.Algorithm == "" {
		o.Algorithm = "auto"
	}
	if o.Replays <= 0 {
		o.Replays = defaultReplays
		if k.Out.Valid() && k.Out.Precision() <= fp.Binary16.Precision() {
			o.Replays = defaultReplaysShort
		}
		if k.N > manySummands {
			o.Replays = max(minReplays, o.Replays*manySummands/k.N)
		}
		if k.N > hugeSummands {
			o.Replays = max(minReplaysHuge, o.Replays*hugeSummands/k.N)
		}
	}
	names := Algorithms()
	switch {
	case !slices.Contains(names, o.Algorithm):
		return &probe.Fault{ID: "bad-algorithm", Thing: fmt.Sprintf("algorithm %q", o.Algorithm),
			Cause: "there is none of that name", Cure: "use one of " + strings.Join(names, ", ")}
	case k.Op.Positive() && o.Algorithm != "auto" && o.Algorithm != order.TriplesName:
		return &probe.Fault{ID: "bad-algorithm", Thing: "algorithm " + o.Algorithm,
			Cause: fmt.Sprintf("it masks summands by their opposites, and those of %s are never "+
				"negative", k.Op),
			Cure: "use auto or " + order.TriplesName}
	case k.N < 1:
		return &probe.Fault{ID: "no-summands", Thing: k.Target,
			Cause: "a sum of no summands has no order", Cure: "take n of at least 1"}
	}
	return nil
}
