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
// least minRepeatedFirst summands: fewer are seldom shared among threads. From
// minRepeatedOften on it asks them oftenRepeats times. DuckDB's sum of 300,000
// gives another result in one of twenty calls.
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

// Repeat asks a witness again. The error is a Fact, Changed, when a result is
// not the first one that the witness saw. A witness without a result is not
// asked.
func Repeat(c *Channel, w *verdict.Witness) error {
	if w == nil || len(w.Seen) == 0 {
		return nil
	}
	return repeat(c, w.Y, Values(w.X), w.Seen[0])
}

// RepeatSample is Repeat for a sample.
func RepeatSample(c *Channel, s *Sample) error { return repeat(c, s.Y, Values(s.X), s.Out) }

// RepeatMany asks random inputs again and again. The error is a Fact, Changed,
// when a result is not the same every time.
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
		if err := repeat(c, y, fill, first[0]); err != nil {
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
	rounds, counts := firstRepeats, []int{FewSummands, c.N}
	if c.N >= minRepeatedOften {
		rounds, counts = oftenRepeats, []int{FewSummands, FewSummands, c.N}
	}
	c.Expect("repeat", len(counts)*rounds)
	in := InputsApart(c, 0x726570656174)
	for _, count := range counts {
		p := Scattered(in, count)
		first, err := c.AskPatched(c.pool[:1], p)
		if err != nil {
			return err
		}
		for round := 1; round < rounds; round++ {
			if round%idleRounds == 0 {
				Idle(c)
			}
			out, err := c.AskPatched(c.pool[:1], p)
			if err != nil {
				return err
			}
			if !SameBits(out[0], first[0]) {
				return changed(c, nil, p.Fill(), first[0], out[0])
			}
		}
	}
	return nil
}

// Idle waits until the threads of a target have fallen asleep. It does not wait
// where there are too few summands for threads.
func Idle(c *Channel) {
	if c.N < minRepeatedOften {
		return
	}
	select {
	case <-c.ctx.Done(): // the next call reports it
	case <-time.After(idle):
	}
}

// RepeatStructure asks a structure once more. The error is a Fact, Changed,
// when the count is another one.
func RepeatStructure(c *Channel, s Structure, count float64) error {
	fill := s.Input(c)
	out, err := c.AskMain(nil, fill)
	if err != nil {
		return err
	}
	if n, ok := c.Scale.Count(out[0]); !ok || n != count {
		return changed(c, nil, fill, c.Scale.Output(count), out[0])
	}
	return nil
}

// repeat asks an input again, one of many summands as often as RepeatFirst
// does.
func repeat(c *Channel, y []float64, fill Fill, first float64) error {
	times, isLong := repeats, c.N >= minRepeatedOften
	if isLong {
		times = oftenRepeats
	}
	for k := range times {
		if isLong && k%idleRounds == 0 {
			Idle(c)
		}
		out, err := c.AskMain(y, fill)
		if err != nil {
			return err
		}
		if !SameBits(out[0], first) {
			return changed(c, y, fill, first, out[0])
		}
	}
	return nil
}

// changed returns the fact that an input gave two results.
func changed(c *Channel, y []float64, fill Fill, first, second float64) *verdict.Fact {
	const what = "the same input gave different results"
	return &verdict.Fact{Reason: verdict.Changed, What: what,
		Witness: c.Witness(what, y, fill, []float64{first, second}, nil)}
}
