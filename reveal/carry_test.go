package reveal_test

import (
	"math"
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
	return sum(n, fp.Binary32, func(x []float64) float64 {
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
		for seed := range uint64(3) {
			for _, added := range []bool{false, true} {
				if name == "collected" && !added {
					continue // nothing uses what was collected: a plain sum
				}
				f := find(t, chunked(40, 8, added, join), seed)
				if f.Verified {
					t.Errorf("%s, added %v:", name, added)
					wrong(t, f)
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
