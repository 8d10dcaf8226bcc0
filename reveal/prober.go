package reveal

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// prober asks a target questions and counts the calls.
type prober struct {
	ctx   context.Context
	t     probe.Target
	key   probe.Key
	n     int
	batch *probe.Batch
	dirty []int // lanes of the batch that are not zero
	pool  []int // lanes known to share the tree; pool[0] is the one asked about
	calls int
	rng   *rand.Rand
	sc    scale
	opt   Options
	step  string // what is being done, for progress
	todo  int    // calls expected in all

	excluded []string // families whose certificate failed
}

// scale says how masks and counts are written in the target's input format.
type scale struct {
	unit   float64 // stands for 1
	bits   int     // sums of fewer than 2^bits units are exact
	lo, hi int     // exponents of masks; several masks of 2^lo do not overflow
}

func newProber(ctx context.Context, t probe.Target, opt Options) *prober {
	k := t.Key()
	p := &prober{ctx: ctx, t: t, key: k, n: k.N, batch: probe.NewBatch(t), opt: opt,
		rng: rand.New(rand.NewPCG(opt.Seed, 0x6C617374626974))}
	p.pool = []int{mainLane(t)}
	p.sc = firstScale(k)
	return p
}

// mainLane returns the lane that the key asks about: the row of its output index.
// The index of a target with one lane (of a prefix sum, say) is no lane.
func mainLane(t probe.Target) int {
	k := t.Key()
	if t.Lanes() == 1 || len(k.OutIndex) == 0 || k.OutIndex[0] >= t.Lanes() {
		return 0
	}
	return k.OutIndex[0]
}

// firstScale is the widest scale the formats allow; calibrate narrows it.
func firstScale(k probe.Key) scale {
	bits := k.Out.Precision()
	if k.Mean {
		bits -= 4 // the quotient by n and its product by n are rounded
	}
	switch k.DType {
	case fp.Binary64:
		return scale{unit: 1, bits: min(bits, 53), lo: 800, hi: 1015}
	case fp.Binary16:
		if k.Mean {
			return halfMean(k)
		}
		// 2^14 must absorb the counts even in a float32 accumulator: 2^-24·2^13 ≤ 2^(14-24-1).
		return scale{unit: 0x1p-24, bits: min(bits, 12), lo: 13, hi: 14}
	}
	// No accumulator in use may hold mask and counts together: 2^100 ≥ 2^(64+24).
	return scale{unit: 1, bits: min(bits, 24), lo: 100, hi: 118}
}

// halfMean is the scale of float16 means: the quotient of one unit by n must not
// vanish below the format, and masks must absorb all units in a float32.
func halfMean(k probe.Key) scale {
	e := bits.Len(uint(max(k.N, 1) - 1)) // n ≤ 2^e
	return scale{unit: math.Ldexp(1, e-22), bits: 10 - e, lo: 13, hi: 14}
}

// ask runs one input a fill, in the lanes of the pool, as few calls as that
// takes. Every row is zero before its fill. y holds the second factors, nil for
// ones (and for sums).
func (p *prober) ask(y []float64, fills ...func(row []float64)) ([]float64, error) {
	return p.askIn(p.pool, y, fills...)
}

func (p *prober) askIn(pool []int, y []float64, fills ...func(row []float64)) ([]float64, error) {
	out := make([]float64, 0, len(fills))
	for len(fills) > 0 {
		now := fills[:min(len(fills), len(pool))]
		fills = fills[len(now):]
		p.clear()
		for i, fill := range now {
			lane := pool[i]
			p.dirty = append(p.dirty, lane)
			fill(p.row(lane))
		}
		if err := p.call(y); err != nil {
			return nil, err
		}
		for i := range now {
			out = append(out, p.batch.Out[pool[i]])
		}
	}
	return out, nil
}

// askAll runs one input in every lane at once.
func (p *prober) askAll(y []float64, fill func(row []float64)) ([]float64, error) {
	p.clear()
	first := p.row(0)
	fill(first)
	p.dirty = append(p.dirty, 0)
	for lane := 1; lane < p.t.Lanes(); lane++ {
		copy(p.row(lane), first)
		p.dirty = append(p.dirty, lane)
	}
	err := p.call(y)
	return p.batch.Out, err
}

func (p *prober) row(lane int) []float64 { return p.batch.X[lane*p.n : (lane+1)*p.n] }

func (p *prober) clear() {
	for _, lane := range p.dirty {
		clear(p.row(lane))
	}
	p.dirty = p.dirty[:0]
}

func (p *prober) call(y []float64) error {
	p.setY(y)
	if err := p.counted(); err != nil {
		return err
	}
	return p.t.Call(p.ctx, p.batch)
}

// setY sets the second factors of the batch; nil stands for ones.
func (p *prober) setY(y []float64) {
	if !p.key.Op.Products() {
		return
	}
	if y != nil {
		copy(p.batch.Y, y)
		return
	}
	for i := range p.batch.Y {
		p.batch.Y[i] = 1
	}
}

// counted counts a call about to be made, or refuses it.
func (p *prober) counted() error {
	if err := p.ctx.Err(); err != nil {
		return &probe.Fault{ID: "cancelled", Thing: p.key.String(), Cause: "the revelation was cancelled", Err: err}
	}
	if p.opt.MaxCalls > 0 && p.calls >= p.opt.MaxCalls {
		return errBudget(p.opt.MaxCalls)
	}
	p.calls++
	if p.opt.Progress != nil {
		p.opt.Progress(p.step, p.calls, max(p.todo, p.calls))
	}
	return nil
}

func errBudget(limit int) error {
	return &probe.Fault{ID: "call-limit", Thing: "this revelation", Cause: fmt.Sprintf("it needs more than the %d calls allowed", limit), Cure: "raise --max-calls, or take a smaller n"}
}

// expect tells the progress display how many more calls a step will make.
func (p *prober) expect(step string, calls int) {
	p.step, p.todo = step, p.calls+calls
}

// pair is two leaves that carry +M and −M.
type pair struct{ a, b int }

// weights are counts on leaves, in units.
type weights []float64

// randomWeights gives every leaf a random count, total below 2^bits. Where
// there are more leaves than that, a random choice of them has count 1 and the
// others 0. Leaves of first are served first.
func (p *prober) randomWeights(first []int) weights {
	w := make(weights, p.n)
	budget := math.Ldexp(1, p.sc.bits) - 1
	top := min(math.Floor(budget/float64(p.n)), math.Ldexp(1, min(p.key.DType.Precision(), 24)))
	if top >= 1 {
		for i := range w {
			w[i] = 1 + math.Floor(p.rng.Float64()*top)
		}
		return w
	}
	left := int(budget)
	for _, i := range first {
		if left > 0 && w[i] == 0 {
			w[i] = 1
			left--
		}
	}
	for range left {
		w[p.rng.IntN(p.n)] = 1
	}
	return w
}

func (w weights) total() float64 {
	var s float64
	for _, x := range w {
		s += x
	}
	return s
}

// mask returns a random value of 2^lo … 2^(hi+1), so that in general only its own
// opposite cancels it. It has 8 significant bits: an implementation that rounds
// its operands to a shorter format, or aligns them, does not change it.
func (p *prober) mask() float64 {
	return math.Ldexp(float64(128+p.rng.IntN(128)), p.sc.lo+p.rng.IntN(p.sc.hi-p.sc.lo+1)-7)
}

// fill returns a probe input: weights in units, and a mask pair on each pair.
func (p *prober) fill(w weights, pairs []pair) func([]float64) {
	signs := make([]float64, len(pairs))
	for i := range signs {
		signs[i] = p.mask()
		if p.rng.IntN(2) == 0 {
			signs[i] = -signs[i]
		}
	}
	return func(row []float64) {
		for i, c := range w {
			row[i] = c * p.sc.unit
		}
		for i, q := range pairs {
			row[q.a], row[q.b] = signs[i], -signs[i]
		}
	}
}

// count reads an output as a number of units; ok is false when it is none.
func (p *prober) count(out float64) (c float64, ok bool) {
	c = out / p.sc.unit
	if p.key.Mean {
		c *= float64(p.n)
		r := math.Round(c)
		return r, math.Abs(c-r) < 0.25 && r >= 0 && r < math.Ldexp(1, p.sc.bits)
	}
	return c, c == math.Trunc(c) && c >= 0 && c < math.Ldexp(1, p.sc.bits)
}

// expected is the output that stands for a count.
func (p *prober) expected(count float64) float64 {
	out := count * p.sc.unit
	if p.key.Mean {
		out = p.key.Out.Round(out/float64(p.n), fp.NearestEven)
	}
	return out
}

// inconsistent is the error of an algorithm whose probes contradict each other:
// no tree gives those outputs.
type inconsistent struct {
	what    string
	witness *Witness
	verdict Verdict // "" where it takes more questions to tell
	meet    pair    // leaves whose probe is part of the contradiction; none where both are 0
}

func (e *inconsistent) Error() string { return "reveal: " + e.what }

// nonsense makes the inconsistency of an output that is no count.
func (p *prober) nonsense(fill func([]float64), out float64) error {
	if out-out != 0 {
		return &inconsistent{verdict: Unsupported, what: "masks give NaN or an infinity",
			witness: p.witness("huge numbers and their opposites give no finite sum, so no mask can be used", nil, fill, []float64{out}, nil)}
	}
	return &inconsistent{
		what:    fmt.Sprintf("an output %v where masks cancel is no count of summands", out),
		witness: p.witness("masks ±M cancel and counts remain, but the result is no count", nil, fill, []float64{out}, nil),
	}
}

// changed makes the inconsistency of an input that gave two results.
func (p *prober) changed(y []float64, fill func([]float64), first, second float64) *inconsistent {
	const what = "the same input gave different results"
	return &inconsistent{verdict: Nondeterministic, what: what, witness: p.witness(what, y, fill, []float64{first, second}, nil)}
}

// witness records an input.
func (p *prober) witness(what string, y []float64, fill func([]float64), seen []float64, want *float64) *Witness {
	x := make([]float64, p.n)
	fill(x)
	w := &Witness{What: what, X: x, Seen: seen}
	if p.key.Op.Products() {
		w.Y = y
	}
	if want != nil {
		w.Want = &Numbers{*want}
	}
	return w
}
