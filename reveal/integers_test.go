package reveal_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// integerTarget is a sum or a dot product of integers: combine adds a term to
// the sum so far, and result is the result of the last one.
type integerTarget struct {
	key     probe.Key
	lanes   int
	combine func(sum, term int64) int64
	result  func(sum int64) int64
	calls   int
}

func (t *integerTarget) Key() probe.Key { return t.key }
func (t *integerTarget) Lanes() int     { return t.lanes }
func (t *integerTarget) Close() error   { return nil }

func (t *integerTarget) Call(_ context.Context, b *probe.Batch) error {
	t.calls++
	least, most := t.key.Integers.Range()
	for lane := range t.lanes {
		var sum int64
		for i, v := range b.X[lane*t.key.N : (lane+1)*t.key.N] {
			if v < float64(least) || v > float64(most) || v != math.Trunc(v) {
				panic("not an integer of the type")
			}
			term := int64(v)
			if b.Y != nil {
				term *= int64(b.Y[i])
			}
			sum = t.combine(sum, term)
		}
		b.Out[lane] = float64(t.result(sum))
	}
	return nil
}

// The ways to add.
func plainly(sum, term int64) int64 { return sum + term }
func inFloat32(sum, term int64) int64 {
	return int64(float32(sum) + float32(term))
}
func cutTo32(sum, term int64) int64 { return max(math.MinInt32, min(sum+term, math.MaxInt32)) }
func cutTo16(sum, term int64) int64 { return max(math.MinInt16, min(sum+term, math.MaxInt16)) }
func as32(sum int64) int64          { return int64(int32(sum)) }

// TestIntegers holds what is found of sums of integers, for one lane and for
// several.
func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		name     string
		n        int
		in, out  probe.Integer
		op       probe.Op
		combine  func(sum, term int64) int64
		result   func(sum int64) int64
		overflow string
		bits     int
	}{
		{"products", 64, "i8", "i32", probe.Dot, plainly, as32, reveal.NoOverflow, 22},
		{"many products", 200_000, "i8", "i32", probe.Dot, plainly, as32, reveal.Wraps, 32},
		{"saturating", 200_000, "i8", "i32", probe.Dot, plainly,
			func(s int64) int64 { return cutTo32(0, s) }, reveal.Saturates, 32},
		{"saturating at each step", 200_000, "i8", "i32", probe.Dot, cutTo32, as32,
			reveal.NotKnown, 0},
		{"saturating in 16 bits", 64, "i8", "i32", probe.Dot, cutTo16, as32, reveal.NotKnown, 0},
		{"wrapping in 16 bits", 64, "i8", "i32", probe.Dot, plainly,
			func(s int64) int64 { return int64(int16(s)) }, reveal.Wraps, 16},
		{"float32", 2048, "i8", "i32", probe.Dot, inFloat32, as32, reveal.NotKnown, 0},
		{"short float32", 1000, "i8", "i32", probe.Dot, inFloat32, as32, reveal.NoOverflow, 25},
		{"unsigned", 100, "u8", "u8", probe.Dot, plainly,
			func(s int64) int64 { return s & 255 }, reveal.Wraps, 8},
		{"a sum", 100, "i8", "i64", probe.Sum, plainly, func(s int64) int64 { return s },
			reveal.NoOverflow, 15},
		{"one", 1, "i8", "i32", probe.Dot, plainly, as32, reveal.NoOverflow, 16},
		{"one summand", 1, "i8", "i8", probe.Sum, plainly, as32, reveal.NoOverflow, 8},
		{"summands of 2^5", 32, "i8", "i64", probe.Sum, plainly, as32, reveal.NoOverflow, 13},
		{"unsigned summands", 2, "u8", "u64", probe.Sum, plainly, as32, reveal.NoOverflow, 9},
		{"the first left out", 10, "i8", "i32", probe.Dot,
			func(sum, term int64) int64 { return max(sum, term) }, as32, reveal.NotKnown, 0},
	} {
		for _, lanes := range []int{1, 3, 20} {
			if c.n > 10_000 && lanes == 20 {
				continue
			}
			key := probe.Spec{Op: c.op, DType: fp.Binary64, Integers: c.in, N: c.n}.Key("test")
			key.Results = c.out
			target := &integerTarget{key: key, lanes: lanes, combine: c.combine, result: c.result}
			f, err := reveal.Reveal(t.Context(), target, reveal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			g := f.Integers
			isExact := c.overflow != reveal.NotKnown
			if g == nil || g.Overflow != c.overflow || g.Bits != c.bits || g.Results != c.out ||
				(f.Verdict == reveal.Exact) != isExact || f.Verified != isExact ||
				(f.Witness == nil) != isExact || f.Calls != target.calls {
				t.Errorf("%s, %d lanes: %+v, %+v", c.name, lanes, g, f)
			}
		}
	}
}

// TestIntegersOp refuses operations that integers are not compared in.
func TestIntegersOp(t *testing.T) {
	key := probe.Spec{Op: probe.SumSq, DType: fp.Binary64, Integers: probe.Int8, N: 4}.Key("test")
	key.Results = probe.Int32
	target := &integerTarget{key: key, lanes: 1, combine: plainly, result: as32}
	_, err := reveal.Reveal(t.Context(), target, reveal.Options{})
	var f *probe.Fault
	if !errors.As(err, &f) || f.ID != "unsupported-op" || target.calls != 0 {
		t.Errorf("%v after %d calls", err, target.calls)
	}
}
