package arithmetic_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// joining adds the sum v of a chunk to the sum s before, with its rest.
type joining func(s, rest, v float32) (float32, float32)

// chunked returns a float32 sum that adds chunks one after the other, and the
// sums of the chunks by join, with the last rest in the end when added.
func chunked(n, chunk int, added bool, join joining) probe.Target {
	return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
		var s, rest float32
		for i := 0; i < n; i += chunk {
			var v float32
			for _, w := range x[i:min(i+chunk, n)] {
				v += float32(w)
			}
			s, rest = join(s, rest, v)
		}
		if added {
			s += 0 - rest
		}
		return float64(s)
	})
}

// kahan is a step of Kahan's summation.
func kahan(s, rest, v float32) (float32, float32) {
	y := v - rest
	t := s + y
	return t, (t - s) - y
}

// TestAdditionsThatCarry reveals sums whose chunks are added by Kahan's
// summation, and holds how many additions carry.
func TestAdditionsThatCarry(t *testing.T) {
	for _, c := range []struct {
		n, chunk int
		added    bool
		carries  int
	}{
		{16, 8, true, 1}, {24, 8, true, 2}, {24, 8, false, 2}, {40, 8, true, 4}, {60, 8, false, 7},
		{1000, 128, true, 7},
	} {
		target := chunked(c.n, c.chunk, c.added, kahan)
		f := revealtest.Must(t, target, reveal.Options{}, nil)
		if f.Traits.Carries != c.carries {
			t.Errorf("%+v: %d additions carry: %s", c, f.Traits.Carries, f.Traits)
		}
		revealtest.Replays(t, target, f, 200)
	}
}

// TestOtherCorrectionsAreRefused holds that corrections that are slightly other
// ones are not verified.
func TestOtherCorrectionsAreRefused(t *testing.T) {
	abs := func(x float32) float32 { return max(x, -x) }
	for name, join := range map[string]joining{
		"of the other sign": func(s, rest, v float32) (float32, float32) {
			y := v + rest
			t := s + y
			return t, (t - s) - y
		},
		"from the summand": func(s, rest, v float32) (float32, float32) {
			y := v - rest
			t := s + y
			return t, (t - y) - s
		},
		"from the smaller": func(s, rest, v float32) (float32, float32) {
			y := v - rest
			t := s + y
			if abs(s) < abs(y) {
				return t, (t - y) - s
			}
			return t, (t - s) - y
		},
		"collected": func(s, rest, v float32) (float32, float32) {
			t := s + v
			return t, rest + ((t - s) - v)
		},
		"halved": func(s, rest, v float32) (float32, float32) {
			y := v - rest
			t := s + y
			return t, ((t - s) - y) / 2
		},
	} {
		for seed := range revealtest.Everyday(3) {
			for _, added := range []bool{false, true} {
				if name == "collected" && !added {
					continue // nothing uses what was collected: a plain sum
				}
				f := revealtest.Find(t, chunked(40, 8, added, join), seed)
				if f.Verified {
					t.Errorf("%s, added %v:", name, added)
					revealtest.Wrong(t, f)
				}
			}
		}
	}
}

// TestErrorsThatAreNotFinite holds that a finding names whether an infinite
// error is carried along.
func TestErrorsThatAreNotFinite(t *testing.T) {
	guarded := func(s, rest, v float32) (float32, float32) {
		t, rest := kahan(s, rest, v)
		if rest-rest != 0 {
			rest = 0
		}
		return t, rest
	}
	const most = math.MaxFloat32
	x := make([]float64, 24)
	x[0], x[8], x[16] = most, most, -most
	for name, join := range map[string]joining{"carried": kahan, "dropped": guarded} {
		f := revealtest.Must(t, chunked(24, 8, true, join), reveal.Options{}, nil)
		got, err := f.Tree.Replay(*f.Arithmetic, x, nil)
		if err != nil || math.IsNaN(got) != (name == "carried") {
			t.Errorf("%s: an overflow gives %v (%v)", name, got, err)
		}
	}
}

// TestKahanOfFewSummands holds that Kahan's summation of 3 to 7 summands is
// recognised, also where its last error is taken off the sum, and that sums in
// a wider accumulator and sums that correct only some additions are not taken
// for it.
func TestKahanOfFewSummands(t *testing.T) {
	by := func(d fp.Format, from int, added bool) func(x []float64) float64 {
		return func(x []float64) float64 {
			sub := func(a, b float64) float64 { return d.Add(a, -b, fp.NearestEven) }
			var s, rest float64
			for k, v := range x {
				y := sub(v, rest)
				t := d.Add(s, y, fp.NearestEven)
				rest = sub(sub(t, s), y)
				if k < from {
					rest = 0
				}
				s = t
			}
			if added {
				s = sub(s, rest)
			}
			return s
		}
	}
	wide := func(x []float64) float64 { // as in registers of 64 bits
		s := new(big.Float).SetPrec(64)
		for _, v := range x {
			s.Add(s, big.NewFloat(v))
		}
		v, _ := s.Float64()
		return v
	}
	for n := 3; n < 8; n++ {
		for _, c := range []struct {
			name   string
			target probe.Target
			want   bool
		}{
			{"Kahan, f32", revealtest.Sum(n, fp.Binary32, by(fp.Binary32, 0, false)), true},
			{"Kahan, f64", revealtest.Sum(n, fp.Binary64, by(fp.Binary64, 0, false)), true},
			{"error added", revealtest.Sum(n, fp.Binary64, by(fp.Binary64, 0, true)), true},
			{"all but one", revealtest.Sum(n, fp.Binary32, by(fp.Binary32, n-1, false)), false},
			{"64 bits", revealtest.Sum(n, fp.Binary64, wide), false},
		} {
			for seed := range uint64(4) {
				f := revealtest.Find(t, c.target, uint64(n)+100*seed)
				if got := f.Verdict == reveal.Compensated; got != c.want {
					t.Errorf("%s, n = %d, seed %d:", c.name, n, seed)
					revealtest.Wrong(t, f)
				}
			}
		}
	}
}

// TestOneAdditionThatDoesNotCarry reveals Kahan's summation of chunks, where
// one chunk is added plainly.
func TestOneAdditionThatDoesNotCarry(t *testing.T) {
	const n, chunk = 768, 16
	for _, plain := range []int{1, 5, 24} {
		k := 0
		target := chunked(n, chunk, false, func(s, rest, v float32) (float32, float32) {
			k++
			if (k-1)%(n/chunk) == plain {
				return s + v, 0
			}
			return kahan(s, rest, v)
		})
		f := revealtest.Must(t, target, reveal.Options{}, nil)
		if want := n/chunk - 2; f.Traits.Carries != want {
			t.Errorf("plain chunk %d: %d additions carry, not %d", plain, f.Traits.Carries, want)
		}
		revealtest.Replays(t, target, f, 50)
	}
}

// TestCallsForCarries bounds the calls that find which additions of a large sum
// carry: additions of one height share them.
func TestCallsForCarries(t *testing.T) {
	const n, ways, chunk = 1 << 14, 64, 16
	target := revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
		var sums [ways]float32
		for i := range sums {
			var s, rest float32
			for j := i; j < n; j += ways * chunk {
				var v float32
				for k := range chunk {
					v += float32(x[j+k*ways])
				}
				s, rest = kahan(s, rest, v)
			}
			sums[i] = s - rest
		}
		for width := ways / 2; width > 0; width /= 2 {
			for i := range width {
				sums[i] += sums[i+width]
			}
		}
		return float64(sums[0])
	})
	f := revealtest.Must(t, target, reveal.Options{}, nil)
	if want := ways * (n/ways/chunk - 1); f.Traits.Carries != want {
		t.Errorf("%d additions carry, not %d", f.Traits.Carries, want)
	}
	if most := 1500; f.Calls > most {
		t.Errorf("%d calls, more than %d", f.Calls, most)
	}
}
