package libm

import (
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/hardest"
)

// TestSets checks the arguments of measurements: how many there are, that their
// results are finite and not 0, and that the domain has every binade and sign.
func TestSets(t *testing.T) {
	sets[float64](t)
	sets[float32](t)
}

func sets[T Float](t *testing.T) {
	t.Helper()
	for _, f := range Functions[T]() {
		for _, s := range Sets() {
			x, y, err := f.Arguments(s)
			if err != nil {
				t.Fatal(err)
			}
			want := map[Set]int{Typical: typicalCount, Domain: typicalCount, Hard: hardCount}[s]
			if s == Hard && FormatOf[T]() == fp.Binary64 && !hasHardList(f) {
				if x != nil || y != nil {
					t.Errorf("%s: hard arguments without a list", f.Name)
				}
				continue
			}
			if len(x) < want || f.Binary != (y != nil) || y != nil && len(y) != len(x) {
				t.Errorf("%s %s, set %d: %d and %d arguments", f.Name, FormatOf[T](), s, len(x),
					len(y))
			}
			if s == Domain {
				checkDomain(t, f, x, y)
			}
		}
	}
}

// hasHardList reports whether a function has a list of hard arguments.
func hasHardList[T Float](f *Function[T]) bool {
	return f.Results == 2 || slices.Contains(hardest.Names(), f.hardName())
}

// TestHardLists holds that each list of package hardest belongs to a function.
func TestHardLists(t *testing.T) {
	unused := hardest.Names()
	for _, f := range Functions[float64]() {
		unused = slices.DeleteFunc(unused, func(name string) bool { return name == f.hardName() })
	}
	if len(unused) > 0 {
		t.Errorf("no function has the lists %q", unused)
	}
}

func checkDomain[T Float](t *testing.T, f *Function[T], x, y []T) {
	t.Helper()
	out := make([]T, f.Results*len(x))
	if err := f.right(out, x, y); err != nil {
		t.Fatal(err)
	}
	format := FormatOf[T]()
	seen := map[int]bool{}
	for i, v := range x {
		if r := math.Abs(float64(out[i])); !(r > 0 && r <= format.Max()) {
			t.Fatalf("%s(%v) = %v", f.Name, v, out[i])
		}
		_, e := math.Frexp(float64(v))
		seen[e] = true
	}
	least := format.MinExp() - format.Precision() + 2
	if f.Whole > 0 {
		least = 0 // most powers of others are not in the domain
	}
	if f.Name == "gamma" {
		least = 1 - format.MaxExp() // Γ of smaller numbers is infinite
	}
	for e := least; e <= 0; e++ {
		// The smallest number over π rounds to 0, and so does log10(e)
		// times it.
		if e == format.MinExp()-format.Precision()+2 &&
			slices.Contains([]string{"asinpi", "atanpi", "log10p1"}, f.Name) {
			continue
		}
		if inside := f.Name != "acosh"; seen[e] != inside {
			t.Errorf("%s %s: arguments of exponent %d: %v", f.Name, format, e, seen[e])
		}
	}
	if f.Name == "log" && (!seen[format.MaxExp()+1] || len(seen) < format.MaxExp()*2) {
		t.Errorf("log %s: %d binades", format, len(seen))
	}
}

// TestHardSinglesAreHard checks that results of the hard arguments of float32
// are next to midpoints.
func TestHardSinglesAreHard(t *testing.T) {
	for _, f := range Functions[float32]() {
		x, y, err := f.Arguments(Hard)
		if err != nil {
			t.Fatal(err)
		}
		j := Job[float32]{Function: f, X: x, Y: y, Out: make([]float32, f.Results*len(x))}
		if err := f.right(j.Out, x, y); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			a, b, _ := j.arguments(i)
			if d := math.Abs(f.deviation(0, j.Out[i], a, b)); d < 0.49 || d > 0.5 {
				t.Errorf("%s %s: %v is off by %v ULPs", f.Name, fp.Binary32, a, d)
				break
			}
		}
	}
}
