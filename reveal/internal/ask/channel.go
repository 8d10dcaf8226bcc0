package ask

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// Options are the parts of reveal.Options that concern asking.
type Options struct {
	Seed     uint64
	MaxCalls int // 0: no limit
	Spent    int // calls made before this channel was opened
	Progress func(step string, done, expected int)
	Memory   *Memory // nil remembers nothing
}

// Channel asks one target and counts the calls.
type Channel struct {
	Key    probe.Key
	N      int        // summands
	Rand   *rand.Rand // the one source of randomness
	Scale  Scale      // narrowed by Calibrate
	Inputs Inputs     // made from Rand and Scale

	ctx      context.Context
	target   probe.Target
	opt      Options
	batch    *batch
	dirty    []int // lanes of the batch that are not zero
	pool     []int // pool[0] is the main lane
	calls    int
	step     string // the current step, for Progress
	expected int    // calls by the end of this step

	others time.Duration   // otherThreads of the target before the first call
	busy   time.Duration   // of all calls
	place  probe.Placement // of the operands: see MoveTo

	divisor float64 // that a sum of squares may have; 0 for none

	leaves []int     // the summands asked about, nil for all: see Within
	short  []float64 // scratch: values of leaves
}

// NewChannel returns a channel to t. Its pool is the main lane.
func NewChannel(ctx context.Context, t probe.Target, opt Options) *Channel {
	const lastbit = 0x6C617374626974 // the second word of the seed, in ASCII
	k := t.Key()
	c := &Channel{
		Key: k, N: k.N, Rand: rand.New(rand.NewPCG(opt.Seed, lastbit)), Scale: widestScale(k),
		ctx: ctx, target: t, opt: opt,
		batch: &batch{Batch: probe.NewBatch(t), ones: true}, pool: []int{mainLane(t)},
		calls: opt.Spent,
	}
	c.Inputs = Inputs{key: k, n: k.N, rng: c.Rand, scale: &c.Scale}
	c.others, _ = otherThreads(t)
	return c
}

// mainLane returns the lane that the key asks about: the row of its output
// index. With one lane (a prefix sum, for example) the index does not name a
// lane.
func mainLane(t probe.Target) int {
	k := t.Key()
	if t.Lanes() == 1 || len(k.OutIndex) == 0 || k.OutIndex[0] >= t.Lanes() {
		return 0
	}
	return k.OutIndex[0]
}

// RandApart returns random numbers apart from Rand, for steps that leave the
// inputs of all others unchanged. The name of the stream, of at most 8 letters,
// is the second word of the seed. No two streams have one name.
func RandApart(c *Channel, name string) *rand.Rand {
	word := uint64(0)
	for _, letter := range []byte(name) {
		word = word<<8 | uint64(letter)
	}
	return rand.New(rand.NewPCG(c.opt.Seed, word))
}

// InputsApart returns inputs made from RandApart.
func InputsApart(c *Channel, name string) *Inputs {
	in := c.Inputs
	in.rng = RandApart(c, name)
	return &in
}

// Err returns the error of the channel's context.
func (c *Channel) Err() error { return c.ctx.Err() }

// Calls returns the number of calls made.
func (c *Channel) Calls() int { return c.calls }

// FullCall returns the shortest time of a call with every lane filled so far.
func FullCall(c *Channel) time.Duration { return c.batch.full }

// Lanes returns the number of lanes of a call.
func (c *Channel) Lanes() int { return c.target.Lanes() }

// A Fill writes an input into a row of zeros.
type Fill func(row []float64)

// Values returns the fill that copies x.
func Values(x []float64) Fill { return func(row []float64) { copy(row, x) } }

// Ask asks one question for each fill, in the lanes of the pool, in as few
// calls as that takes. y holds the second factors: nil for ones, and for sums.
func (c *Channel) Ask(y []float64, fills ...Fill) ([]float64, error) {
	return c.AskIn(c.pool, y, fills...)
}

// AskMain asks the main lane, one question a call.
func (c *Channel) AskMain(y []float64, fills ...Fill) ([]float64, error) {
	return c.AskIn(c.pool[:1], y, fills...)
}

// AskIn is Ask in the given lanes.
func (c *Channel) AskIn(lanes []int, y []float64, fills ...Fill) ([]float64, error) {
	out := make([]float64, 0, len(fills))
	for len(fills) > 0 {
		now := fills[:min(len(fills), len(lanes))]
		fills = fills[len(now):]
		filled := append(c.batch.filled[:0], c.dirty...)
		clearRows(c)
		for i, fill := range now {
			c.dirty = append(c.dirty, lanes[i])
			writeRow(c, lanes[i], fill)
		}
		filled = append(filled, lanes[:len(now)]...)
		slices.Sort(filled)
		c.batch.filled = slices.Compact(filled)
		c.batch.hintLanes(c.Key.N, c.target.Lanes())
		if err := c.call(y); err != nil {
			return nil, err
		}
		for i := range now {
			out = append(out, c.batch.Out[lanes[i]])
		}
	}
	return out, nil
}

// AskSamples asks the main lane the inputs of samples, and stores the outputs.
func AskSamples(c *Channel, samples []Sample) error {
	for k := range samples {
		out, err := c.AskMain(samples[k].Y, Values(samples[k].X))
		if err != nil {
			return err
		}
		samples[k].Out = out[0]
	}
	return nil
}

// AskSample asks the main lane the input of a sample. Where that is the only
// lane, the input takes the place of the last one without zeros between them.
func (c *Channel) AskSample(s *Sample) (float64, error) {
	if c.Lanes() > 1 || c.leaves != nil {
		out, err := c.AskMain(s.Y, Values(s.X))
		if err != nil {
			return 0, err
		}
		return out[0], nil
	}
	c.batch.patched, c.batch.Changed = c.batch.patched[:0], nil
	c.dirty = append(c.dirty[:0], 0)
	copy(c.row(0), s.X)
	err := c.call(s.Y)
	return c.batch.Out[0], err
}

// AskAll runs one input in every lane at once. The result is valid until the
// next call.
func (c *Channel) AskAll(y []float64, fill Fill) ([]float64, error) {
	start := time.Now()
	fillAll(c, fill)
	err := c.call(y)
	if took := time.Since(start); c.batch.full == 0 || took < c.batch.full {
		c.batch.full = took
	}
	return c.batch.Out, err
}

// AskCells runs one input in every lane and stores all cells of the matrix of
// outputs, row by row. The target has to be a probe.CellTarget.
func (c *Channel) AskCells(y []float64, fill Fill, all []float64) error {
	fillAll(c, fill)
	c.batch.setSecond(y)
	c.batch.held = false
	if err := c.spend(); err != nil {
		return err
	}
	return c.target.(probe.CellTarget).CallCells(c.ctx, c.batch.Batch, all)
}

// fillAll writes one input into every lane.
func fillAll(c *Channel, fill Fill) {
	clearRows(c)
	writeRow(c, 0, fill)
	first := c.row(0)
	c.dirty = append(c.dirty, 0)
	for lane := 1; lane < c.target.Lanes(); lane++ {
		copy(c.row(lane), first)
		c.dirty = append(c.dirty, lane)
	}
}

func (c *Channel) row(lane int) []float64 { return c.batch.X[lane*c.Key.N : (lane+1)*c.Key.N] }

// clearRows makes every lane zero.
func clearRows(c *Channel) {
	c.batch.patched, c.batch.Changed = c.batch.patched[:0], nil
	for _, lane := range c.dirty {
		clear(c.row(lane))
	}
	c.dirty = c.dirty[:0]
}

func (c *Channel) call(y []float64) error {
	c.batch.setSecond(y)
	c.batch.held = false
	if err := c.spend(); err != nil {
		return err
	}
	begun := time.Now()
	err := callTarget(c)
	c.busy += time.Since(begun)
	if err != nil {
		return err
	}
	c.batch.held = true
	if c.place != (probe.Placement{}) {
		return nil
	}
	main := mainLane(c.target)
	c.opt.Memory.keep(c.row(main), c.batch.Y, c.batch.Out[main])
	return nil
}

// batch is the inputs and outputs of a call.
type batch struct {
	*probe.Batch
	ones bool          // the second factors are ones
	full time.Duration // the shortest call with every lane filled

	held    bool        // the target has seen the batch, in its last call
	patched []heldPatch // the lanes, where the last call asked patches
	filled  []int       // lanes that the last call or this one filled
	changed []int       // scratch for Changed
}

// setSecond sets the second factors; nil sets ones. Sums have none.
func (b *batch) setSecond(y []float64) {
	if y != nil {
		copy(b.Y, y)
		b.ones = false
		return
	}
	if b.ones {
		return
	}
	for i := range b.Y {
		b.Y[i] = 1
	}
	b.ones = true
}

// spend counts a call about to be made, or refuses it.
func (c *Channel) spend() error {
	if err := c.ctx.Err(); err != nil {
		return &probe.Fault{ID: "cancelled", Thing: c.Key.String(),
			Cause: "it was cancelled", Err: err}
	}
	if c.opt.MaxCalls > 0 && c.calls >= c.opt.MaxCalls {
		return &probe.Fault{ID: "call-limit", Thing: c.Key.Target,
			Cause: fmt.Sprintf("more calls are needed than --max-calls %d allows", c.opt.MaxCalls),
			Cure:  "raise it, or take a smaller n"}
	}
	c.calls++
	if c.opt.Progress != nil {
		c.opt.Progress(c.step, c.calls, max(c.expected, c.calls))
	}
	return nil
}

// Expect announces a step, and the number of its calls, to the progress
// display.
func (c *Channel) Expect(step string, calls int) {
	c.step, c.expected = step, c.calls+calls
}

// ExpectQuestions announces a step, and the number of its questions to the
// pool.
func (c *Channel) ExpectQuestions(step string, questions int) {
	c.Expect(step, (questions+len(c.pool)-1)/len(c.pool))
}

// Witness records an input and the outputs seen, with the fact they show.
func (c *Channel) Witness(
	what string, y []float64, fill Fill, seen []float64, want *float64,
) *verdict.Witness {
	x := make([]float64, c.N)
	fill(x)
	w := &verdict.Witness{What: what, X: x, Seen: seen, Want: want}
	if c.Key.Op.Products() {
		w.Y = y
	}
	return w
}
