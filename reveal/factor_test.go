package reveal_test

import (
	"context"
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// attention models attention with a query of zeros to values of 16 bits: chunks
// in float32 chains that begin with +0, added one after the other, then a last
// step.
type attention struct {
	laned
	chunk     int
	in        func(v float64) float64
	add, join func(a, b float64) float64
	last      func(s float64) float64
}

func (q attention) Call(_ context.Context, b *probe.Batch) error {
	var s float64
	for at := 0; at < q.key.N; at += q.chunk {
		var chunk float64
		for _, v := range b.X[at:min(at+q.chunk, q.key.N)] {
			chunk = q.add(chunk, q.in(v))
		}
		s = q.join(s, chunk)
	}
	b.Out[0] = q.key.Out.Round(q.last(s), fp.NearestEven)
	return nil
}

// sumKept returns a + b, rounded to float32.
func sumKept(a, b float64) float64 { return fp.Binary32.Add(a, b, fp.NearestEven) }

// timesFloat returns the product by a float32 number, rounded.
func timesFloat(f float64) func(float64) float64 {
	f = fp.Binary32.Round(f, fp.NearestEven)
	return func(s float64) float64 { return fp.Binary32.Mul(s, f, fp.NearestEven) }
}

// overFloat returns the quotient by a float32 number, rounded.
func overFloat(d float64) func(float64) float64 {
	d = fp.Binary32.Round(d, fp.NearestEven)
	return func(s float64) float64 { return fp.Binary32.Round(s/d, fp.NearestEven) }
}

// TestFactorsOfShortMeans reveals means in 16 bits whose factor is a little off
// 1/n. Only results next to a rounding boundary show it, and some additions
// flush.
func TestFactorsOfShortMeans(t *testing.T) {
	keep := func(v float64) float64 { return v }
	for _, c := range []struct {
		name      string
		n         int
		f         fp.Format
		in        func(float64) float64
		add, join func(a, b float64) float64
		last      func(float64) float64
		step      float64 // the factor or divisor that has to be found; 0 for n
	}{
		{"a factor", 17, fp.Binary16, keep, sumKept, sumKept,
			timesFloat(1.00004 / 17), 1.00004 / 17},
		{"a divisor", 23, fp.Binary16, keep, sumKept, sumKept, overFloat(22.999), 22.999},
		{"a factor, chains flush", 19, fp.BFloat16, revealtest.Flushed, sumFlushed, sumKept,
			timesFloat(1.00005 / 19), 1.00005 / 19},
		{"n, chains flush", 12, fp.BFloat16, revealtest.Flushed, sumFlushed, sumKept,
			overFloat(12), 0},
	} {
		target := attention{meanOf(c.n, c.f), 8, c.in, c.add, c.join, c.last}
		f := revealtest.Find(t, target, 1)
		if !f.Verified {
			t.Errorf("%s:", c.name)
			revealtest.Wrong(t, f)
			continue
		}
		if got, want := f.Arithmetic.Factor+f.Arithmetic.Divisor, c.step; got !=
			fp.Binary32.Round(want, fp.NearestEven) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
		revealtest.Replays(t, target, f, 200)
	}
}

// TestFactorsThatDeviate holds that no finding is verified where the last step
// is not the same for all sums, or flushes or rounds in a way of its own.
func TestFactorsThatDeviate(t *testing.T) {
	keep := func(v float64) float64 { return v }
	const n = 17
	one, other := timesFloat(1.00004/n), timesFloat(1.00012/n)
	for name, q := range map[string]attention{
		"another factor of negative sums": {meanOf(n, fp.Binary16), 8, keep, sumKept, sumKept,
			func(s float64) float64 {
				if s < 0 {
					return other(s)
				}
				return one(s)
			}},
		"a factor with more bits": {meanOf(n, fp.Binary16), 8, keep, sumKept, sumKept,
			func(s float64) float64 { return s * 1.0000401 / n }},
		"chunks in bf16": {meanOf(n, fp.BFloat16), 8, keep, sumKept,
			func(a, b float64) float64 {
				return sumKept(a, fp.BFloat16.Round(b, fp.NearestEven))
			}, one},
		"chains that flush below 2^-124": {meanOf(n, fp.BFloat16), 8, revealtest.Flushed,
			func(a, b float64) float64 {
				if v := sumKept(a, b); math.Abs(v) >= 0x1p-124 {
					return v
				}
				return 0
			}, sumKept, one},
	} {
		for seed := range uint64(2) {
			if f := revealtest.Find(t, q, seed); f.Verified && f.Verdict == reveal.TreeVerdict {
				t.Errorf("%s, seed %d:", name, seed)
				revealtest.Wrong(t, f)
			}
		}
	}
}
