package sqlsum

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/exact"
)

// addHeads adds the rows of numbers as heads groups them.
func (r *result) addHeads(x []float64) {
	type sums struct{ n, low, high, zeros int64 }
	heads := map[int64]sums{}
	for _, v := range x {
		b := math.Float64bits(v)
		f, s := int64(b&fraction), heads[int64(b>>52)]
		s.n, s.low, s.high = s.n+1, s.low+f&limb, s.high+f>>limbBits
		if f == 0 {
			s.zeros++
		}
		heads[int64(b>>52)] = s
	}
	for b, s := range heads {
		r.add("", 1, head+b, s.n, s.low, s.high, s.zeros)
	}
}

// Sums of fractions by sign and exponent are the sums of their numbers.
func TestHeads(t *testing.T) {
	fold, err := FoldsUpTo(1)
	if err != nil {
		t.Fatal(err)
	}
	inf, zero, tiny := math.Inf(1), math.Copysign(0, -1), math.SmallestNonzeroFloat64
	for _, x := range [][]float64{
		{1, 1.5, -2.75, 3, 0.1, 0.2, -0.1}, {zero}, {zero, zero}, {zero, 0}, {0},
		{zero, -tiny, -3 * tiny}, {tiny, 0, 0x1p-1022, -0x1p-1022, 0x1.8p-1023},
		{math.MaxFloat64, math.MaxFloat64, -1}, {inf, 1}, {-inf, -inf}, {inf, -inf},
		{math.NaN(), 1}, {math.NaN(), inf}, {math.Copysign(math.NaN(), -1), -inf},
	} {
		for _, op := range []string{"sum", "asum"} {
			n := int64(len(x))
			r := resultOf(sumQuery(t, nil, fold, op+"(x)"), "DOUBLE")
			r.addHeads(x)
			r.add("", 1, unfolded, n+2, 0, 0, 0, n)
			var want exact.Accumulator
			for _, v := range x {
				if op == "asum" {
					v = math.Abs(v)
				}
				want.Add(v)
			}
			g := finished(t, r.text()).groups[""]
			if got := &g.sums[0]; got.Decimal() != want.Decimal() ||
				got.Counts() != want.Counts() ||
				math.Float64bits(got.Float64()) != math.Float64bits(want.Float64()) {
				t.Errorf("%s of %v: %s, %+v, not %s, %+v", op, x, got.Decimal(), got.Counts(),
					want.Decimal(), want.Counts())
			}
			if g.rows[0] != n+2 || g.null[0] != 2 {
				t.Errorf("%v: %d rows, %d of them NULL", x, g.rows[0], g.null[0])
			}
		}
	}
}

// Rows of fractions and of whole groups that no query gives.
func TestHeadsRefuse(t *testing.T) {
	fold, err := FoldsUpTo(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		place int64
		n     int64
		limbs []int64
		cause string
	}{
		{"a fraction below 0", head + 1023, 2, []int64{-1, 0}, "not those of fractions"},
		{"a low fraction", head + 1023, 1, []int64{1 << 27, 0}, "column l0"},
		{"a high fraction", head + 1023, 1, []int64{0, 1<<25 + 1}, "column l1"},
		{"zeros", head + 1023, 1, []int64{0, 0, 2}, "column l2"},
		{"zeros only", head + 1023, 1, []int64{1, 0, 1}, "not those of fractions"},
		{"the last limb", head + 1023, 1, []int64{0, 0, 0, 1}, "column l3"},
		{"a place", head + 4096, 1, nil, "columns part and place"},
		{"numbers", foldedAll, 1, []int64{0, 0, 0, 2}, "2 of 1 rows"},
		{"numbers below 0", unfolded, 1, []int64{0, 0, 0, -1}, "-1 of 1 rows"},
		{"a sum of NULLs", foldedAll, 1, []int64{1}, "column l0"},
		{"a sum of an unfolded group", unfolded, 1, []int64{1}, "column l0"},
	} {
		r := resultOf(sumQuery(t, nil, fold, "sum(x)"), "DOUBLE")
		r.add("", 1, tt.place, tt.n, tt.limbs...)
		_, err := Finish(strings.NewReader(r.text()), "rows", "", nil)
		if err == nil || !strings.Contains(err.Error(), tt.cause) {
			t.Errorf("%s: %v", tt.name, err)
		}
		for _, q := range []*Query{sumQuery(t, nil, nil, "sum(x)"),
			sumQuery(t, nil, fold, "norm(x)")} {
			r := resultOf(q, "DOUBLE")
			r.add("", 1, tt.place, tt.n, slices.Repeat([]int64{0}, len(tt.limbs))...)
			if _, err := Finish(strings.NewReader(r.text()), "rows", "", nil); err == nil {
				t.Errorf("%s: taken in a query without folds", tt.name)
			}
		}
	}
	// Integers of 64 bits that a double may have rounded.
	r := resultOf(sumQuery(t, nil, fold, "sum(x)"), "BIGINT")
	r.add("", 1, head+1076, 1)
	if _, err := Finish(strings.NewReader(r.text()), "rows", "", nil); err == nil ||
		!strings.Contains(err.Error(), "beyond 2^53") {
		t.Error(err)
	}
}

// The number of rows of a query that gave other rows each time it was computed.
func TestOtherFolds(t *testing.T) {
	for _, c := range []struct {
		place, numbers, bits int64
		refused              bool
	}{
		{foldedAll, 3, 0, false}, {unfolded, 3, 3, false}, {unfolded, 0, 0, false},
		{foldedAll, 3, 3, true}, {unfolded, 3, 0, true}, {unfolded, 2, 3, true},
	} {
		fold, err := FoldsUpTo(8)
		if err != nil {
			t.Fatal(err)
		}
		r := resultOf(sumQuery(t, nil, fold, "sum(x)"), "DOUBLE")
		r.add("", 1, c.place, 3, 0, 0, 0, c.numbers)
		if c.bits > 0 {
			r.add("", 1, head+1023, c.bits, 0, 0, c.bits)
		}
		_, err = Finish(strings.NewReader(r.text()), "rows", "", nil)
		isOther := err != nil && strings.Contains(err.Error(), "gave other rows each time")
		if isOther != c.refused || err != nil && !isOther {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
