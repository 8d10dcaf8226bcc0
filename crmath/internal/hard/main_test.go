package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/hardest"
	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/mpfr/mpfrtest"
)

// TestKept checks every argument that is kept as test data: each is as hard as
// it should be, and a function has at least 200.
func TestKept(t *testing.T) {
	l := mpfrtest.Open(t)
	files, err := filepath.Glob("../args/hard/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "#") {
				continue
			}
			n++
			var x []float64
			for _, s := range strings.Fields(lines.Text()) {
				v, err := strconv.ParseFloat(s, 64)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				x = append(x, v)
			}
			if d, ok := digits(t, l, name, x); !ok || !hard(d) {
				t.Errorf("%s is not hard at %x: %x", name, x, d)
			}
		}
		if n < 200 {
			t.Errorf("%s: %d arguments", name, n)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func digits(t *testing.T, l *mpfr.Library, name string, x []float64) (mpfr.Digits, bool) {
	t.Helper()
	if binary[name].integer {
		w, err := l.WithInt(name)
		if err != nil {
			t.Fatal(err)
		}
		return w.Digits(x[0], int(x[1]))
	}
	if len(x) == 2 {
		b, err := l.Binary(name)
		if err != nil {
			t.Fatal(err)
		}
		return b.Digits(x[0], x[1])
	}
	u, err := l.Unary(name)
	if err != nil {
		t.Fatal(err)
	}
	return u.Digits(x[0])
}

// TestSearch finds hard arguments of e^x again.
func TestSearch(t *testing.T) {
	l := mpfrtest.Open(t)
	u, err := l.Unary("exp")
	if err != nil {
		t.Fatal(err)
	}
	const known = 0x1.e57912e79cee1p-11
	found := false
	search(u.Digits, next(known, ^uint64(30_000)+1),
		func(x float64) { found = found || x == known })
	if !found {
		t.Errorf("the search passes by %x", known)
	}
}

// TestHardest checks the lists of package hardest: the distance of each result,
// and that both kinds of results are there.
func TestHardest(t *testing.T) {
	l := mpfrtest.Open(t)
	names := hardest.Names()
	if len(names) < 20 {
		t.Errorf("there are only %d lists", len(names))
	}
	for _, name := range names {
		x, y := hardest.Arguments(name)
		var count [classes]int
		for i := range x {
			a := x[i : i+1]
			if y != nil {
				a = []float64{x[i], y[i]}
			}
			d, ok := digits(t, l, name, a)
			distance, class, inexact := distanceOf(d)
			if !ok || !inexact || distance > 0x1p-30 {
				t.Errorf("%s is not hard at %x: 2^%.1f ulp", name, a, math.Log2(distance))
			}
			count[class]++
		}
		if len(x) > 400 || count[midpoint] < 100 || count[representable] < 100 {
			t.Errorf("%s: %v arguments", name, count)
		}
	}
}

// TestSweepFinds finds published cases again, the hardest of their functions
// (LefevreMuller2001), in a part of a binade around them.
func TestSweepFinds(t *testing.T) {
	l := mpfrtest.Open(t)
	for _, c := range []struct {
		name     string
		x        float64
		level    int // of the part
		distance int // log2, in ulps
	}{
		{"log", 0x1.62a88613629b6p+678, 36, -64},
		{"exp", 0x1.9e9cbbfd6080bp-31, 46, -57},
	} {
		u, err := l.Unary(c.name)
		if err != nil {
			t.Fatal(err)
		}
		first := math.Float64frombits(math.Float64bits(c.x) &^ (1<<c.level - 1))
		found := math.Inf(1)
		s := sweep{f: u.Digits, tolerance: func() float64 { return 0x1p25 },
			found: func(x float64, d mpfr.Digits) {
				if x == c.x {
					found, _, _ = distanceOf(d)
				}
			}}
		s.block(first, c.level)
		if s.tried != math.Ldexp(1, c.level) {
			t.Errorf("%s: the sweep tried %v of 2^%d arguments", c.name, s.tried, c.level)
		}
		if found > math.Ldexp(1, c.distance) {
			t.Errorf("%s: the sweep passes by %x, or it is not as hard as it should be: 2^%.1f ulp",
				c.name, c.x, math.Log2(found))
		}
	}
}

// TestTable compares the table of docs/develop/functions.md with the lists.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../../../docs/develop/functions.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range hardest.Names() {
		list, err := os.ReadFile("../../../internal/hardest/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`(?m)^# .*(2\^-?[\d.]+) (?:arguments|ulp)$`).
			FindAllStringSubmatch(string(list), -1)
		if len(found) != 3 {
			t.Errorf("%s: the head of the list has %d numbers", name, len(found))
			continue
		}
		row := fmt.Sprintf("\n| `%s` | %s | %s | %s |", name, found[0][1], found[1][1], found[2][1])
		if !strings.Contains(string(text), row) {
			t.Errorf("docs/develop/functions.md lacks the row %s", row)
		}
	}
}
