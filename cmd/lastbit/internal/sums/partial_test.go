package sums

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// FuzzAccumulatorFile decodes any bytes: accepted ones are written back
// unchanged.
func FuzzAccumulatorFile(f *testing.F) {
	for _, c := range []struct {
		op, by  string
		columns []string
	}{{"sum", "", []string{"a"}}, {"variance", "k", []string{"a", "b"}},
		{"dot", "", []string{"a", "b"}}} {
		name := filepath.Join(f.TempDir(), "x.csv")
		write(f, name, "k,a,b\nq,1,0.1\np,-1e300,nan\n")
		p, err := task(c.op, dataset.Options{Columns: c.columns, Key: c.by}, name).Run(f.Context())
		if err != nil {
			f.Fatal(err)
		}
		b := p.encode()
		f.Add(b[:len(b)-32])
	}
	f.Add([]byte(accMagic))
	f.Add([]byte(missingMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = appendChecksum(b)
		acc, err := decodePartial(b, nil)
		if err != nil {
			return
		}
		if !bytes.Equal(acc.encode(), b) {
			t.Errorf("%q is written as %q", b, acc.encode())
		}
		if _, err := acc.Lines(Exact(acc.op, fp.Binary64), true, false); err != nil {
			t.Error(err)
		}
		again, err := decodePartial(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := acc.merge(again); err != nil && !errors.Is(err, errTooMany) {
			t.Error(err)
		}
	})
}

func TestDecodeRefusesAcc(t *testing.T) {
	good := &Partial{op: FindOperation("sum"), columns: []string{"a"}, by: "k", grouped: true,
		results: []*series{{groups: map[string]*keyGroup{
			"p": {key: "p", total: newExactTotal(FindOperation("sum"))},
			"q": {key: "q", total: newExactTotal(FindOperation("sum"))}}}}}
	b := good.encode()
	body := b[:len(b)-32]
	if _, err := decodePartial(b, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		b    []byte
	}{
		{"no checksum", body},
		{"a bit of the checksum", append(slices.Clone(b[:len(b)-1]), b[len(b)-1]^1)},
		{"an unknown operation", appendChecksum(bytes.Replace(body, []byte("\x03sum"),
			[]byte("\x03mum"), 1))},
		{"another version", appendChecksum(bytes.Replace(body, []byte("accumulator 1"),
			[]byte("accumulator 2"), 1))},
		{"keys out of order", appendChecksum(bytes.Replace(bytes.Replace(body, []byte("\x01q"),
			[]byte("\x01o"), 1), []byte("\x01p"), []byte("\x01p"), 1))},
		{"a key twice", appendChecksum(bytes.Replace(body, []byte("\x01q"), []byte("\x01p"), 1))},
		{"a long way to write a number", appendChecksum(bytes.Replace(body, []byte("\x03sum"),
			[]byte("\x83\x00sum"), 1))},
		{"too large a number", appendChecksum(bytes.Replace(body, []byte("\x01a"),
			[]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a"), 1))},
		{"something behind", appendChecksum(append(slices.Clone(body), 0))},
		{"cut off", appendChecksum(body[:len(body)-1])},
	} {
		if _, err := decodePartial(c.b, nil); err == nil {
			t.Errorf("%s is not refused", c.name)
		}
	}
}

// counts is the number of counts at the beginning of exact's vectors.
const counts = 5

// accOf returns a file with one state: a count, and some numbers from a place
// of the vector that it is merged from.
func accOf(t *testing.T, op string, count int64, at int, numbers ...int64) []byte {
	t.Helper()
	v := make([]int64, exact.Limbs)
	v[0] = count
	copy(v[at:], numbers)
	total := newExactTotal(FindOperation(op))
	for i := range total.sums {
		if err := total.sums[i].AddLimbs(v); err != nil {
			t.Fatal(err)
		}
	}
	groups := map[string]*keyGroup{"": {total: total}}
	f := &Partial{op: total.op, results: []*series{{groups: groups}}}
	return f.encode()
}

// TestImpossibleSums decodes states that no rows have.
func TestImpossibleSums(t *testing.T) {
	const digit, last = counts + 66, exact.Limbs - 1 // only the last has a sign
	for _, c := range []struct {
		name     string
		b        []byte
		possible bool
	}{
		{"a sum", accOf(t, "sum", 1, digit, 3), true},
		{"a negative sum", accOf(t, "sum", 1, last, -1), true},
		{"two -0", accOf(t, "sum", 2, 1, 2), true},
		{"a sum of no rows", accOf(t, "sum", 0, digit, 3), false},
		{"two -0 of one row", accOf(t, "sum", 1, 1, 2), false},
		{"-0 and NaN of one row", accOf(t, "sum", 1, 1, 1, 1), false},
		{"NaN", accOf(t, "sum", 1, 2, 1), true},
		{"a negative count", accOf(t, "sum", -1, 1), false},
		{"a negative count of NaN", accOf(t, "sum", 1, 2, -1), false},
		{"a negative sum of magnitudes", accOf(t, "asum", 1, last, -1), false},
		{"a sum of squares", accOf(t, "norm", 1, digit, 3), true},
		{"a negative sum of squares", accOf(t, "norm", 1, last, -1), false},
		{"a square of -Inf", accOf(t, "norm", 1, 4, 1), false},
		{"a square of -0", accOf(t, "norm", 1, 1, 1), false},
	} {
		if _, err := decodePartial(c.b, nil); (err == nil) != c.possible {
			t.Errorf("%s: the error is %v", c.name, err)
		}
	}
}

// TestTooManyRows merges sums of more rows than can be counted.
func TestTooManyRows(t *testing.T) {
	name := filepath.Join(t.TempDir(), "most.acc")
	write(t, name, string(accOf(t, "sum", math.MaxInt64, 1)))
	_, err := Merge(t.Context(), []string{name, name}, nil, func(int) {})
	if err == nil || !strings.Contains(err.Error(), errTooMany.Error()) {
		t.Errorf("the error is %v", err)
	}
}

// TestTooManyDecimals decodes sums of decimals of more rows than can be
// counted. Their counts add to a positive int64 again for three scales.
func TestTooManyDecimals(t *testing.T) {
	v := make([]int64, exact.Limbs)
	v[0] = math.MaxInt64
	for scales := 1; scales <= 4; scales++ {
		total := newExactTotal(FindOperation("sum"))
		for scale := range scales {
			if err := total.of(scale + 1)[0].AddLimbs(v); err != nil {
				t.Fatal(err)
			}
		}
		groups := map[string]*keyGroup{"": {total: total}}
		f := &Partial{op: total.op, results: []*series{{groups: groups}}}
		_, err := decodePartial(f.encode(), nil)
		if want := scales > 1; errors.Is(err, errTooMany) != want {
			t.Errorf("%d scales: the error is %v", scales, err)
		}
	}
}
