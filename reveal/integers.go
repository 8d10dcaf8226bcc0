package reveal

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/lastbit/lastbit/fp/trunc"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// Integers describes sums of integers: no order shows in them.
type Integers struct {
	Results  probe.Integer `json:"results"`  // type of the results
	Overflow string        `json:"overflow"` // what happens beyond Bits; see the constants
	// Bits is the number of bits that sums wrap in or are cut off to. Without
	// an overflow it is the number of bits that the largest sum of N terms has,
	// its sign included where the results have one. It is 0 where the overflow
	// is not known.
	Bits int `json:"bits"`
	// Wrong is the least magnitude of a sum that was not returned, 0 for none.
	Wrong int64 `json:"wrong,omitempty"`
}

// What happens to sums that are too large.
const (
	NoOverflow = "none"      // there are none of N terms
	Wraps      = "wraps"     // sums are taken modulo 2^Bits
	Saturates  = "saturates" // a sum is cut off at the end
	NotKnown   = "unknown"   // results are none of these
)

// meaning explains the sums on one line.
func (g *Integers) meaning() string {
	switch g.Overflow {
	case NoOverflow:
		return fmt.Sprintf("integers are added, so order does not matter; the largest sum takes "+
			"%d bits, and results have %d", g.Bits, g.Results.Bits())
	case Wraps:
		return fmt.Sprintf("integers are added modulo 2^%d, so order does not matter", g.Bits)
	case Saturates:
		return fmt.Sprintf("integers are added, and the sum is cut off to %d bits at the end, so "+
			"order does not matter", g.Bits)
	}
	return fmt.Sprintf("the results are not sums of integers that wrap or are cut off at the end; "+
		"sums below %d were right", g.Wrong)
}

// revealIntegers is Reveal of a target that takes integers: its results are
// compared with exact sums of ordinary and of the largest integers.
func revealIntegers(ctx context.Context, t probe.Target, opt Options) (*Finding, error) {
	if op := t.Key().Op; op != probe.Sum && !op.Products() {
		return nil, &probe.Fault{ID: "unsupported-op", Thing: t.Key().String(),
			Cause: fmt.Sprintf("integers have no %s here", op),
			Cure:  "use --op sum, dot, gemv or gemm"}
	}
	c := ask.NewChannel(ctx, t, ask.Options{
		Seed: opt.Seed, MaxCalls: opt.MaxCalls, Progress: opt.Progress,
	})
	r := &integerRun{c: c, models: integerModels(c.Key.Results)}
	r.least, r.most = c.Key.Integers.Range()
	for lane := range t.Lanes() {
		r.lanes = append(r.lanes, lane)
	}
	f := &Finding{Key: c.Key, Algorithm: "integers", Traits: Unknown(), Warnings: []string{}}
	rounds := (integerKinds + len(r.lanes) - 1) / len(r.lanes)
	rounds = max(rounds, opt.Replays/(len(r.lanes)*len(secondKinds)))
	c.Expect("exact sums", rounds*len(secondKinds)+1)
	for i := range rounds {
		for _, kind := range secondKinds {
			if err := r.try(f, i*len(r.lanes), kind); err != nil {
				return nil, err
			}
		}
	}
	if err := r.repeat(f); err != nil {
		return nil, err
	}
	f.Calls, f.Evidence.Lanes = c.Calls(), len(r.lanes)
	r.conclude(f)
	return f, nil
}

// integerRun is one run of revealIntegers.
type integerRun struct {
	c           *ask.Channel
	lanes       []int // all
	least, most int64
	models      []integerModel // that give all results so far
	inexact     bool           // some result is not the sum
	wrong       int64          // the least magnitude of such a sum
	odd         *Witness       // the first result that no model gives

	// The first call.
	rows [][]float64
	y    []float64
	out  []float64
}

// integerModel is a result for an exact sum.
type integerModel struct {
	overflow string
	bits     int
	result   func(sum int64) int64
}

// integerModels returns what may happen in a type of results: sums that wrap or
// are cut off in it, or in a shorter type of the same kind.
func integerModels(results probe.Integer) []integerModel {
	var all []integerModel
	for size := results.Bits(); size >= 8; size /= 2 {
		least, most := shortened(results, size)
		all = append(all,
			integerModel{Wraps, size, func(sum int64) int64 {
				if results.Signed() {
					return sum << (64 - size) >> (64 - size)
				}
				return int64(uint64(sum) << (64 - size) >> (64 - size))
			}},
			integerModel{Saturates, size, func(sum int64) int64 {
				return max(least, min(sum, most))
			}})
	}
	return all
}

// shortened returns the range of a type of that many bits, with a sign if t has
// one.
func shortened(t probe.Integer, bits int) (least, most int64) {
	return probe.Integer(fmt.Sprintf("%c%d", t[0], bits)).Range()
}

// integerKinds is the number of kinds of inputs.
const integerKinds = 18

// secondKinds are the kinds of second factors that every input comes with.
var secondKinds = [...]int{2, 3, 0, 12, 7}

// input returns an input of a kind. Sums of kinds 4, 5 and from 14 on leave the
// range of short integers and come back; sums of kinds 12 and 13 are large and
// odd.
func (r *integerRun) input(kind int) []float64 {
	x, rng := make([]float64, r.c.N), r.c.Rand
	least, most := float64(r.least), float64(r.most)
	any := func() float64 { return float64(r.least + rng.Int64N(r.most-r.least+1)) }
	for i := range x {
		half := i < len(x)/2
		switch kind % integerKinds {
		case 0, 1:
			x[i] = any()
		case 2:
			x[i] = most
		case 3:
			x[i] = least
		case 4:
			x[i] = choose(half, most, least)
		case 5:
			x[i] = choose(half, least, most)
		case 6:
			x[i] = choose(i%2 == 0, most, least)
		case 7:
			x[i] = choose(rng.IntN(2) == 0, most, least)
		case 8:
			x[i] = float64(rng.IntN(2))
		case 9:
			x[i] = choose(rng.IntN(len(x)) == 0, most, 0)
		case 10:
			x[i] = choose(rng.IntN(8) == 0, least, any())
		case 11:
			x[i] = choose(half, any(), 1)
		case 12:
			x[i] = most - float64(rng.IntN(4))
		case 13:
			x[i] = least + float64(rng.IntN(4))
		case 14:
			x[i] = choose(i < len(x)-1, most, least)
		case 15:
			x[i] = choose(i < len(x)-1, least, most)
		case 16:
			x[i] = choose(4*i < 3*len(x), most, least)
		default:
			x[i] = choose(4*i < 3*len(x), least, most)
		}
	}
	return x
}

func choose(first bool, a, b float64) float64 {
	if first {
		return a
	}
	return b
}

// try makes a call, with inputs of the kinds from first on and second factors
// of a kind, and drops the models that it contradicts.
func (r *integerRun) try(f *Finding, first, kind int) error {
	rows, fills := make([][]float64, len(r.lanes)), make([]ask.Fill, len(r.lanes))
	for lane := range rows {
		rows[lane] = r.input(first + lane)
		fills[lane] = ask.Values(rows[lane])
	}
	var y []float64
	if r.c.Key.Op.Products() {
		y = r.input(kind)
	}
	out, err := r.c.AskIn(r.lanes, y, fills...)
	if err != nil {
		return err
	}
	if r.out == nil {
		r.rows, r.y, r.out = rows, y, out
	}
	for lane, got := range out {
		f.Evidence.ReplayTried++
		r.judge(f, rows[lane], y, got)
	}
	return nil
}

// judge drops the models that do not give a result.
func (r *integerRun) judge(f *Finding, x, y []float64, got float64) {
	sum := integerSum(x, y)
	if float64(sum) == got {
		f.Evidence.ReplayMatched++
	} else if size := max(sum, -sum); !r.inexact || size < r.wrong {
		r.inexact, r.wrong = true, size
	}
	r.models = slices.DeleteFunc(r.models, func(m integerModel) bool {
		return float64(m.result(sum)) != got
	})
	if len(r.models) == 0 && r.odd == nil {
		want := Numbers{float64(sum)}
		r.odd = &Witness{What: "it does not return the sum", X: x, Y: y, Seen: Numbers{got},
			Want: &want}
	}
}

// integerSum returns Σ x·y, below 2^46: there are at most 2^30 terms.
func integerSum(x, y []float64) int64 {
	var sum int64
	for i, v := range x {
		p := trunc.Int64(v)
		if y != nil {
			p *= trunc.Int64(y[i])
		}
		sum += p
	}
	return sum
}

// repeat makes the first call once more.
func (r *integerRun) repeat(f *Finding) error {
	fills := make([]ask.Fill, len(r.rows))
	for lane, x := range r.rows {
		fills[lane] = ask.Values(x)
	}
	out, err := r.c.AskIn(r.lanes, r.y, fills...)
	if err != nil {
		return err
	}
	f.Evidence.Repeated = 1
	for lane, got := range out {
		if before := r.out[lane]; got != before {
			f.Verdict = Nondeterministic
			f.Witness = &Witness{What: "one input gave two results", X: r.rows[lane], Y: r.y,
				Seen: Numbers{before, got}}
			return nil
		}
	}
	return nil
}

// conclude fills in the verdict.
func (r *integerRun) conclude(f *Finding) {
	g := &Integers{Results: r.c.Key.Results, Overflow: NotKnown, Wrong: r.wrong}
	f.Integers = g
	switch {
	case f.Verdict == Nondeterministic:
		return
	case len(r.models) == 0 || r.inexact && len(r.models) > 1:
		f.Verdict, f.Witness = Unsupported, r.odd
		return
	case !r.inexact:
		g.Overflow, g.Bits = NoOverflow, r.bitsOfLargest()
	default:
		g.Overflow, g.Bits = r.models[0].overflow, r.models[0].bits
	}
	f.Verdict, f.Verified = Exact, true
	f.Evidence.ReplayMatched = f.Evidence.ReplayTried
}

// bitsOfLargest returns the bits of the sum of N terms of largest magnitude.
func (r *integerRun) bitsOfLargest() int {
	largest := max(r.most, -r.least)
	isNegative := largest > r.most
	if r.c.Key.Op.Products() {
		largest, isNegative = largest*largest, false
	}
	sum := uint64(largest) * uint64(r.c.Key.N)
	if isNegative {
		sum-- // −2^k takes no more bits than 2^k − 1
	}
	n := bits.Len64(sum)
	if r.c.Key.Results.Signed() {
		n++
	}
	return n
}
