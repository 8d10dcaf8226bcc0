package reveal_test

import (
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestUnverifiedReasons holds that a finding states the inputs that no
// arithmetic reproduces, where they have something in common.
func TestUnverifiedReasons(t *testing.T) {
	overflows := func(x []float64, s float64) float64 {
		if math.IsInf(s, 0) && !math.IsInf(x[0], 0) && !math.IsInf(x[1], 0) {
			return math.NaN()
		}
		return s
	}
	for name, c := range map[string]struct {
		end  func(x []float64, s float64) float64
		want string
	}{
		"overflow": {overflows, "the sum of finite summands overflows"},
		"infinity": {func(_ []float64, s float64) float64 {
			if math.IsInf(s, 0) {
				return math.NaN()
			}
			return s
		}, "or a summand is infinite"},
		"zero": {func(x []float64, s float64) float64 {
			if s == 0 && x[0] > 0 {
				return math.Copysign(0, -1)
			}
			return s
		}, "the result is zero"},
		"another": {func(_ []float64, s float64) float64 {
			if v := math.Abs(s); v > 1 && v < 1.25 {
				return math.Nextafter(s, 0)
			}
			return s
		}, "no arithmetic known here"},
	} {
		target := revealtest.Sum(2, fp.Binary64, func(x []float64) float64 {
			return c.end(x, x[0]+x[1])
		})
		for seed := range revealtest.Everyday(3) {
			f := revealtest.Find(t, target, seed)
			got := strings.Join(f.Warnings, " ")
			if f.Verified || !strings.Contains(got, c.want) || !strings.HasSuffix(got, f.Except) ||
				f.Except != "" && !strings.Contains(f.Meaning(), c.want) {
				t.Errorf("%s, seed %d: verified %v, warnings %q, except %q", name, seed, f.Verified,
					got, f.Except)
			}
		}
	}
}

// TestRunningMeans holds that a running mean is not a sum divided by n,
// also where it cancels opposite summands, and that another mean is not called
// a running one.
func TestRunningMeans(t *testing.T) {
	const running = "the result is a running mean"
	for _, d := range []fp.Format{fp.Binary32, fp.Binary64} {
		for _, n := range []int{2, 4} {
			for _, share := range []float64{1, 1 + 0x1p-20} {
				target := laned{key: meanOf(n, d).key, lanes: 1}
				target.f = func(_ int, x []float64) float64 {
					var m float64
					for k, v := range x {
						by := share * d.Add(v, -m, fp.NearestEven) / float64(k+1)
						by = d.Round(by, fp.NearestEven)
						m = d.Add(m, by, fp.NearestEven)
					}
					return m
				}
				f := revealtest.Find(t, target, 1)
				said := ""
				if f.Witness != nil {
					said = f.Witness.What
				}
				named := strings.Contains(said, running)
				if share == 1 { // sums of opposite summands may show it first
					named = strings.Contains(said, "running mean")
				}
				if f.Verified || named != (share == 1) || named && f.Verdict != reveal.NotASum {
					t.Errorf("%v, n = %d, times %v: %s, verified %v", d, n, share, f.Verdict,
						f.Verified)
				}
			}
		}
	}
}

// TestAddedTwice holds that a trapezoidal rule which subtracts half of the ends
// from the sum of all is refused for that, and one that halves them first is
// not.
func TestAddedTwice(t *testing.T) {
	for _, d := range []fp.Format{fp.Binary32, fp.Binary64} {
		for _, n := range []int{3, 8, 33} {
			chain := func(x []float64) float64 {
				var s float64
				for _, v := range x {
					s = d.Add(s, v, fp.NearestEven)
				}
				return s
			}
			after := revealtest.Find(t, revealtest.Sum(n, d, func(x []float64) float64 {
				ends := d.Add(x[0], x[n-1], fp.NearestEven)
				return d.Add(chain(x), -d.Mul(ends, 0.5, fp.NearestEven), fp.NearestEven)
			}), 1)
			before := revealtest.Find(t, revealtest.Sum(n, d, func(x []float64) float64 {
				x = append([]float64(nil), x...)
				x[0] = d.Mul(x[0], 0.5, fp.NearestEven)
				x[n-1] = d.Mul(x[n-1], 0.5, fp.NearestEven)
				return chain(x)
			}), 1)
			const twice = "is added twice"
			if after.Verified || !strings.Contains(strings.Join(after.Warnings, " "), twice) {
				t.Errorf("%v, n = %d, halved after the sum: verified %v, %q", d, n, after.Verified,
					after.Warnings)
			}
			if strings.Contains(strings.Join(before.Warnings, " "), twice) ||
				n >= 8 && !before.Verified {
				t.Errorf("%v, n = %d, halved before the sum: verified %v, %q", d, n,
					before.Verified, before.Warnings)
			}
		}
	}
}

// TestWeightsOfMany holds that a finding states that weights of so many
// summands, or in a format this short, are not looked for.
func TestWeightsOfMany(t *testing.T) {
	for _, c := range []struct {
		n    int
		d    fp.Format
		want string
	}{
		{5000, fp.Binary32, "at most"}, {33, fp.Binary16, "so few bits"},
	} {
		f := revealtest.Find(t, revealtest.Sum(c.n, c.d, func(x []float64) float64 {
			var s float64
			for i, v := range x {
				s = c.d.Add(s, c.d.Mul(v, float64(3+i%2), 0), 0)
			}
			return s
		}), 1)
		if f.Verified || !strings.Contains(strings.Join(f.Warnings, " "), c.want) {
			t.Errorf("n = %d, %v: verified %v, %q", c.n, c.d, f.Verified, f.Warnings)
		}
	}
}

// TestWiderRest holds that a finding states the summands whose squares are
// added in a wider format than others.
func TestWiderRest(t *testing.T) {
	for _, c := range []struct {
		n, loop int
		want    string
	}{{40, 32, "summands 32-39 are"}, {30, 8, "summands 8-29 are"}, {30, 30, ""}} {
		target := gofunc.NewSquares("loop and rest", func(x []float32) float32 {
			var lanes [4]float32
			for i, v := range x[:c.loop] {
				lanes[i%4] += float32(v * v)
			}
			var rest float64
			for _, v := range x[c.loop:] {
				rest += float64(float32(v * v))
			}
			sum := lanes[0] + lanes[1] + (lanes[2] + lanes[3])
			return float32(math.Sqrt(float64(float32(rest + float64(sum)))))
		}, c.n)
		f := revealtest.Find(t, target, 1)
		got := strings.Join(f.Warnings, " ")
		if f.Verified != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("n = %d: %s, verified %v, %q", c.n, f.Verdict, f.Verified, got)
		}
	}
}
