package ask

import (
	"time"

	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// repeats is the number of times an input of less than minRepeatedOften
// summands is asked again before its result counts as constant.
const repeats = 8

// restlessInputs is the number of inputs that RepeatMany repeats.
const restlessInputs = 6

// RepeatFirst asks each of its inputs firstRepeats times, of targets with at
// least minRepeatedFirst summands: fewer are seldom shared among threads. Where
// threads may share a sum, inputs are asked oftenRepeats times. DuckDB's sum of
// 300,000 gives another result in one of twenty calls.
const (
	firstRepeats     = 4
	oftenRepeats     = 24
	minRepeatedFirst = 1 << 12
	minRepeatedOften = 1 << 16
)

// idle is a pause that threads fall asleep in, in one of idleRounds rounds. The
// threads of Numba's pool share the next sum in another way then in one of
// three calls, and otherwise in one of thousands.
const (
	idle       = 5 * time.Millisecond
	idleRounds = 4
)

// Repeat asks a witness again. The error is a Fact, Changed or RowsMatter, when
// a result is not the first one that the witness saw. A witness without a
// result is not asked.
func Repeat(c *Channel, w *verdict.Witness) error {
	if w == nil || len(w.Seen) == 0 {
		return nil
	}
	return repeatFill(c, w.Y, Values(w.X), w.Seen[0])
}

// RepeatSample is Repeat for a sample.
func RepeatSample(c *Channel, s *Sample) error { return repeatFill(c, s.Y, Values(s.X), s.Out) }

// RepeatMany asks random inputs again and again. The error is a Fact, Changed
// or RowsMatter, when a result is not the same every time.
func RepeatMany(c *Channel) error {
	c.Expect("repeat", restlessInputs*repeats)
	for k := range restlessInputs {
		s := c.Inputs.Sample(Normal, nil, c.Inputs.SecondFactors())
		y, fill := s.Y, Values(s.X)
		if k%2 == 0 && c.N > 1 {
			y, fill = nil, c.Inputs.Structure(true).Input(c)
		}
		first, err := c.AskMain(y, fill)
		if err != nil {
			return err
		}
		if err := repeatFill(c, y, fill, first[0]); err != nil {
			return err
		}
	}
	return nil
}

// RepeatFirst repeats inputs of many summands before anything else: sums that
// threads share are the ones that change most often, and all that is asked of
// them is lost. Their results are rounding errors alone. The first inputs have
// few summands that are not zero, so that they are witnesses for people.
//
// It draws no number from c.Rand, so the other questions are the same without
// it. The error is a Fact, Changed, when a result is not the same every time.
func RepeatFirst(c *Channel) error {
	if c.N < minRepeatedFirst || c.N < minRepeatedOften && c.Lanes() > 1 {
		return nil // lanes are compared with each other
	}
	counts := []int{FewSummands, c.N}
	if c.N >= minRepeatedOften {
		counts = []int{FewSummands, FewSummands, c.N}
	}
	c.Expect("repeat", len(counts)*firstRepeats)
	in := InputsApart(c, "repeat")
	next := make(chan Patch, len(counts)) // the last one takes longer to make than to ask
	go func() {
		for _, count := range counts {
			next <- Scattered(in, count)
		}
	}()
	for range counts {
		p := <-next
		ask := func() (float64, error) { return askPatch(c, p) }
		first, err := ask()
		if err != nil {
			return err
		}
		again, err := repeat(c, firstRepeats-1, first, ask)
		if err != nil {
			return err
		}
		if !SameBits(again, first) {
			return whyChanged(c, nil, p.Fill(), first, again)
		}
	}
	return nil
}

// askPatch asks the main lane a patch.
func askPatch(c *Channel, p Patch) (float64, error) {
	out, err := c.AskPatched(c.pool[:1], p)
	if err != nil {
		return 0, err
	}
	return out[0], nil
}

// repeatFill asks an input again that gave first. The error is a Fact, Changed
// or RowsMatter, when a result is another one.
func repeatFill(c *Channel, y []float64, fill Fill, first float64) error {
	again, err := repeat(c, repeats, first, func() (float64, error) {
		out, err := c.AskMain(y, fill)
		if err != nil {
			return 0, err
		}
		return out[0], nil
	})
	if err == nil && !SameBits(again, first) {
		return whyChanged(c, y, fill, first, again)
	}
	return err
}

// repeat asks a question again, and returns the first result that is not first,
// or else first. It asks least times, and questions that threads may share
// oftenRepeats times, with pauses.
func repeat(c *Channel, least int, first float64, ask func() (float64, error)) (float64, error) {
	for k := 0; k < least || k < oftenRepeats && mayShare(c); k++ {
		if k%idleRounds == 0 {
			Idle(c)
		}
		if out, err := ask(); err != nil || !SameBits(out, first) {
			return out, err
		}
	}
	return first, nil
}

// mayShare reports whether the target's threads may share a sum: they do, or
// that is unknown and it has enough summands.
func mayShare(c *Channel) bool {
	t := threadsOf(c)
	return t == several || t != oneThread && c.N >= minRepeatedOften
}

// Idle waits until the threads of a target have fallen asleep, if it may have
// any that share the summands.
func Idle(c *Channel) {
	if mayShare(c) {
		pause(c, idle)
	}
}

// pause waits.
func pause(c *Channel, t time.Duration) {
	select {
	case <-c.ctx.Done(): // the next call reports it
	case <-time.After(t):
	}
}

// RepeatStructure asks structure k of the opening once more. The error is a
// Fact, Changed or RowsMatter, when the count is another one.
func (o Opening) RepeatStructure(c *Channel, k int) error {
	fill := o.Structures[k].Input(c)
	out, err := c.AskMain(nil, fill)
	if err != nil {
		return err
	}
	if n, ok := c.Scale.Count(out[0]); !ok || n != o.Counts[k] {
		return whyChanged(c, nil, fill, o.Outputs[k], out[0])
	}
	return nil
}

// Changed returns the fact that a sample gave two results.
func Changed(c *Channel, s Sample, first, second float64) *verdict.Fact {
	return changed(c, s.Y, Values(s.X), first, second)
}

// changed returns the fact that an input gave two results.
func changed(c *Channel, y []float64, fill Fill, first, second float64) *verdict.Fact {
	const what = "the same input gave different results"
	return &verdict.Fact{Reason: verdict.Changed, What: what,
		Witness: c.Witness(what, y, fill, []float64{first, second}, nil)}
}
