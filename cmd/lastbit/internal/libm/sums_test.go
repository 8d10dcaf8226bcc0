package libm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestSums changes 1, 2, 1000 and all results of a run, each 200 times. The
// result that the sums lead to is one that changed, with the hash that it had.
// The share of runs without one is less than three in a hundred.
func TestSums(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	const trials = 200
	old := make([]float64, 2048)
	for i := range old {
		old[i] = rng.NormFloat64()
	}
	there := sumsOf(old)
	for _, count := range []int{1, 2, 3, 1000, len(old)} {
		missed := 0
		for range trials {
			now := slices.Clone(old)
			for _, i := range rng.Perm(len(old))[:count] {
				now[i] = math.Nextafter(now[i], math.Inf(rng.IntN(2)*2-1))
			}
			hash := func(i int) uint64 { return sumHash(i, bitsOf(now[i])) }
			i, h, ok := there.changed(sumsOf(now), len(now), hash)
			switch {
			case !ok:
				missed++
			case old[i] == now[i] || h != sumHash(i, bitsOf(old[i])):
				t.Fatalf("of %d changed results, number %d is given with the hash %x", count, i, h)
			}
		}
		// With a chance of 3 in 100, 17 of 200 come once in 7000 runs.
		if count == 1 && missed > 0 || missed > 16 {
			t.Errorf("no result was found %d times of %d with %d changed", missed, trials, count)
		}
	}
	if _, _, ok := there.changed(sumsOf(old), len(old), nil); ok {
		t.Error("a result is said to have changed where none did")
	}
}

// TestWitnesses finds results of Go's functions from the sums of another
// library, and the bits that the library gave: once correctly rounded
// functions, once the C library.
func TestWitnesses(t *testing.T) {
	witnessesOf(t, Crmath[float64]())
	witnessesOf(t, Crmath[float32]())
	witnessesOf(t, c[float64](t))
	witnessesOf(t, c[float32](t))
}

func witnessesOf[T Float](t *testing.T, other Library[T]) {
	t.Helper()
	format := FormatOf[T]()
	var functions []*Function[T]
	for _, f := range Functions[T]() {
		if slices.Contains([]string{"exp", "gamma", "sincos", "pow"}, f.Name) {
			functions = append(functions, f)
		}
	}
	theirs, err := other.call(functions)
	if err != nil {
		t.Fatal(err)
	}
	golang := Go[T]()
	ours, err := golang.call(functions)
	if err != nil {
		t.Fatal(err)
	}
	for k, j := range ours {
		there := theirs[k]
		if slices.EqualFunc(j.Out, there.Out, same) {
			continue
		}
		sums, err := ParseSums(sumsOf(there.Out).String())
		if err != nil {
			t.Fatal(err)
		}
		all, err := Witnesses(t.Context(), "go", format, nil,
			map[string]Sums{j.Function.Name: sums})
		w := all[j.Function.Name]
		if err != nil || len(all) != 1 {
			t.Errorf("%s %s: %v, %v", format, j.Function.Name, all, err)
			continue
		}
		i := slices.IndexFunc(indices(len(j.X)), func(i int) bool {
			return hexOf(j.X[i]) == w.AtBits[0] && (j.Y == nil || hexOf(j.Y[i]) == w.AtBits[1])
		})
		if w.Result == "cos" {
			i += len(j.X)
		}
		if w.HereBits != hexOf(j.Out[i]) || w.ThereBits != hexOf(there.Out[i]) ||
			w.HereBits == w.ThereBits {
			t.Errorf("%s %s of %s: %+v, but the two gave %v and %v", format, j.Function.Name,
				other.Version, w, there.Out[i], j.Out[i])
		}
	}
}

// TestWitnessFarAway names the argument where the other result is too far away
// to be found, and special results where they are none of a number near by.
func TestWitnessFarAway(t *testing.T) {
	var exp *Function[float64]
	for _, f := range Functions[float64]() {
		if f.Name == "exp" {
			exp = f
		}
	}
	here := Job[float64]{Function: exp, Out: []float64{1, 2, 3, 4}, X: []float64{0, 1, 2, 3}}
	for _, c := range []struct {
		there float64
		want  string
	}{
		{3.5, ""}, {math.Nextafter(3, 4), "0x4008000000000001"}, {math.NaN(), "0x7ff8000000000000"},
		{math.Inf(-1), "0xfff0000000000000"}, {math.Copysign(0, -1), "0x8000000000000000"},
		{math.Exp(2), "0x401d8e64b8d4ddae"},
	} {
		there := sumsOf([]float64{1, 2, c.there, 4})
		w, err := here.witness(there)
		if err != nil || w == nil || w.At[0] != "2" || w.ThereBits != c.want || w.Here != "3" {
			t.Errorf("%v: %+v, %v", c.there, w, err)
		}
	}
	if w, err := here.witness(sumsOf(here.Out)); w != nil || err != nil {
		t.Errorf("nothing changed: %+v, %v", w, err)
	}
	if w, err := here.witness(nil); w != nil || err != nil {
		t.Errorf("no sums: %+v, %v", w, err)
	}
}

// TestParseSums refuses texts that are not sums.
func TestParseSums(t *testing.T) {
	good := sumsOf([]float32{1, 2, 3}).String()
	for _, text := range []string{"", "?", good[4:], "////////" + good[8:]} {
		if s, err := ParseSums(text); err == nil {
			t.Errorf("%q: %v", text, s)
		}
	}
	if s, err := ParseSums(good); err != nil || s.String() != good {
		t.Errorf("%v, %v", s, err)
	}
}

// TestSumsOfFormats checks that the bits of results of both formats count, and
// all NaNs as one.
func TestSumsOfFormats(t *testing.T) {
	nans := []float32{math.Float32frombits(0x7fc00001), math.Float32frombits(0xffc00000)}
	if got := bitsOf(nans[0]); got != bitsOf(nans[1]) || fp.Binary32.Bits(math.NaN()) != got {
		t.Errorf("a NaN has the bits %x", got)
	}
	if slices.Equal(sumsOf([]float32{0}), sumsOf([]float32{float32(math.Copysign(0, -1))})) {
		t.Error("the zeros are the same")
	}
}
