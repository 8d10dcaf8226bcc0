package sums

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/fp"
)

// keyedRows draws rows of a key, x and y for two files: plain numbers, integers
// that no float64 holds, numbers that are not finite, and empty cells.
func keyedRows(rng *rand.Rand) (files [2][]string) {
	cell := func() string {
		switch rng.IntN(40) {
		case 0:
			return ""
		case 1:
			return []string{"NaN", "Inf", "-Inf", "-0"}[rng.IntN(4)]
		case 2:
			return strconv.FormatFloat(math.Ldexp(rng.Float64(), rng.IntN(1800)-900), 'g', -1, 64)
		}
		return strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64)
	}
	for i := range files {
		for range 6000 {
			key := []string{"k%d", "%d", "%d.0", "%dé"}[rng.IntN(4)]
			key = fmt.Sprintf(key, rng.IntN(1200*(i+1))-300)
			files[i] = append(files[i], key+","+cell()+","+cell())
		}
	}
	return files
}

// TestGroups compares the groups of --by with sums of the rows of each key
// alone.
func TestGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	files := keyedRows(rand.New(rand.NewPCG(51, 52)))
	rows := map[string][]string{}
	for i, lines := range files {
		write(t, fmt.Sprintf("%d.csv", i), "k,x,y\n"+strings.Join(lines, "\n")+"\n")
		for _, line := range lines {
			key, _, _ := strings.Cut(line, ",")
			rows[key] = append(rows[key], line)
		}
	}
	for _, op := range []string{"sum", "mean", "asum", "norm", "dot", "stdev"} {
		o := dataset.Options{Columns: []string{"x"}, Key: "k", SkipEmpty: true}
		if op == "dot" {
			o.Columns = []string{"x", "y"}
		}
		for _, out := range []fp.Format{fp.Binary64, fp.Binary32} {
			grouped := task(op, o, "0.csv", "1.csv")
			grouped.Algorithm = Exact(FindOperation(op), out)
			compareGroups(t, grouped, rows)
		}
	}
}

func compareGroups(t *testing.T, grouped *Task, rows map[string][]string) {
	t.Helper()
	p, err := grouped.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p.results[0].compact == nil {
		t.Fatal("the groups are not compact")
	}
	lines, err := p.Lines(grouped.Algorithm, true, true)
	if err != nil || len(lines) != len(rows) {
		t.Fatalf("%d groups of %d, %v", len(lines), len(rows), err)
	}
	if !slices.IsSortedFunc(lines, func(a, b Line) int { return compareKeys(*a.Key, *b.Key) }) {
		t.Error("the groups are not in order")
	}
	checked := 0
	for i, line := range lines {
		if i%29 != 0 {
			continue
		}
		o := grouped.Options
		o.Key = ""
		write(t, "one.csv", "k,x,y\n"+strings.Join(rows[*line.Key], "\n")+"\n")
		one := task(grouped.Algorithm.op.name, o, "one.csv")
		one.Algorithm = grouped.Algorithm
		q, err := one.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		alone, err := q.Lines(one.Algorithm, true, true)
		if err != nil {
			t.Fatal(err)
		}
		if everything(line) != everything(alone[0]) {
			t.Errorf("%s of %q: %s, want %s", grouped.Algorithm.op.name, *line.Key,
				everything(line), everything(alone[0]))
		}
		checked++
	}
	if checked < 50 {
		t.Errorf("only %d groups were compared", checked)
	}
	again, err := decodePartial(p.encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if string(again.encode()) != string(p.encode()) {
		t.Error("the groups are written otherwise after they were read")
	}
	keys := slices.Sorted(maps.Keys(again.results[0].groups))
	if !slices.Equal(keys, slices.Sorted(maps.Keys(rows))) {
		t.Error("the accumulator file has other keys")
	}
}

// everything returns all of a line except its key.
func everything(l Line) string {
	return fmt.Sprint(l.Count, l.Missing, l.Bits, l.Digest, l.Exact, l.Naive.String(), *l.ULPs)
}

// TestSortKeys compares the order of sort keys with compareKeys.
func TestSortKeys(t *testing.T) {
	keys := []string{"-Inf", "-3", "0", "-0", "2", "2.0", "10", "1e3", "", "A", "B", "a", "ä",
		"nan", "NaN", "Inf", "-1e-320", "1e999", "abcdefgh", "abcdefghi", "abcdefg",
		"abcdefg\x00", "0x1p3"}
	c := &compactGroups{algo: Exact(FindOperation("sum"), fp.Binary64)}
	for _, k := range keys {
		c.add(k)
	}
	for _, byValue := range []bool{true, false} {
		want := func(a, b string) int { return strings.Compare(a, b) }
		if byValue {
			want = compareKeys
		}
		for i, a := range keys {
			for j, b := range keys {
				got := c.compare(c.sortKeyOf(i, byValue), c.sortKeyOf(j, byValue))
				if cmp.Compare(got, 0) != cmp.Compare(want(a, b), 0) {
					t.Errorf("%q and %q: %d", a, b, got)
				}
			}
		}
	}
}

// TestGrown adds blocks of plain numbers, of integers in two parts and of
// decimals, to compact groups and to others.
func TestGrown(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	for _, op := range []string{"sum", "variance"} {
		algo := Exact(FindOperation(op), fp.Binary64)
		var sums [2]*Partial
		for i := range sums {
			s := newSeries("", algo)
			sums[i] = &Partial{op: algo.op, by: "k", grouped: true, results: []*series{s}}
		}
		sums[0].results[0].compact = &compactGroups{algo: algo}
		for round := range 12 {
			b, x := randomBlock(rng, round)
			for _, p := range sums {
				if round == 6 {
					p.results[0].nextFile()
				}
				if err := p.results[0].add(b, x, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		var want []string
		for i, p := range sums {
			if err := p.results[0].flushAll(); err != nil {
				t.Fatal(err)
			}
			lines, err := p.Lines(algo, true, true)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range lines {
				got = append(got, *line.Key+" "+everything(line))
			}
			if i == 0 {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s: compact groups have %q, others %q", op, want, got)
			}
		}
		if len(sums[0].results[0].compact.grown) == 0 || len(want) < 20 {
			t.Error("no group has grown")
		}
		if string(sums[0].encode()) != string(sums[1].encode()) {
			t.Errorf("%s: the accumulator files differ", op)
		}
	}
}

// randomBlock returns a block of a kind that depends on the round. The second
// file begins with round 6.
func randomBlock(rng *rand.Rand, round int) (*dataset.Block, *dataset.Column) {
	const n = 50
	b, x := new(dataset.Block), new(dataset.Column)
	for k := range 2 + round%6*4 { // keys that are known before this block, and four new ones
		if round%6 == 0 || k >= 2+(round%6-1)*4 {
			b.Fresh = append(b.Fresh, fmt.Sprint("key", k+round/6))
		}
	}
	for i := range n {
		b.Keys = append(b.Keys, rng.IntN(2+round%6*4))
		x.Values = append(x.Values, math.Ldexp(rng.NormFloat64(), rng.IntN(60)))
		if i%11 == 3 {
			x.Values[i] = 0
			x.Empty = append(x.Empty, i)
		}
	}
	switch round % 3 {
	case 1:
		x.Rest = make([]float64, n)
		for i := range 3 {
			x.Values[i], x.Rest[i] = 1<<60, 5
		}
	case 2:
		x.Scale, x.Units = 2, [][]float64{make([]float64, n)}
		for i := range n {
			x.Units[0][i] = float64(rng.IntN(1000))
			x.Values[i] = x.Units[0][i] / 100
		}
	}
	return b, x
}
