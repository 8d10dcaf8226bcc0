package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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
