package directed_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/directed"
	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/curve"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/fp"
)

// results are those for one argument, by direction.
type results [fp.ToOdd + 1]float64

// A section is a function of one argument: of its only one, or of one of two,
// while the other is fixed.
type section struct {
	f         func(x float64, m fp.Mode) float64
	near      func(x float64) float64 // to nearest, which may have code of its own
	correct   func(x float64) [fp.ToOdd + 1]float64
	value     func(x float64, precision uint) *big.Float
	arguments func(x float64) []any // for messages
}

// results returns the results of the functions in every direction, and of near.
func (s *section) results(x float64) (r results, near float64) {
	for m := range r {
		r[m] = s.f(x, fp.Mode(m))
	}
	return r, s.near(x)
}

// tally counts the arguments of a function.
type tally struct {
	name   string
	count  int
	direct int // decided by an evaluation of their own
	wrong  [fp.ToOdd + 1]int
	levels map[uint64]int // of curves, by sign and exponent of the argument
}

func newTally(name string) *tally { return &tally{name: name, levels: map[uint64]int{}} }

// check compares the results for one argument with MPFR's, and reports whether
// all are right.
func (c *tally) check(t testing.TB, s *section, x float64) bool {
	t.Helper()
	c.counted(t)
	c.direct++
	want := s.correct(x)
	got, near := s.results(x)
	right := true
	report := func(m fp.Mode, got float64, how string) {
		if args.Identical(got, want[m]) {
			return
		}
		right = false
		if c.wrong[m]++; c.wrong[m] <= 3 {
			t.Errorf("%s%x %v%s = %x, want %x", c.name, s.arguments(x), m, how, got, want[m])
		}
	}
	for m, y := range got {
		report(fp.Mode(m), y, "")
	}
	report(fp.NearestEven, near, ", the function of crmath,")
	return right
}

// counted counts an argument. With its log a test that takes hours shows how
// far it is.
func (c *tally) counted(t testing.TB) {
	const step = 10_000_000
	if c.count++; c.count%step == 0 {
		c.log(t)
	}
}

func (c *tally) log(t testing.TB) {
	t.Helper()
	t.Logf("%s: %d arguments, %d of them with an evaluation of their own; "+
		"wrong: nearest %d, toward zero %d, up %d, down %d, odd %d", c.name, c.count, c.direct,
		c.wrong[fp.NearestEven], c.wrong[fp.TowardZero], c.wrong[fp.Up], c.wrong[fp.Down],
		c.wrong[fp.ToOdd])
}

// maxStretch bounds the arguments that are tried around one, and maxDirect
// those with evaluations of their own.
const (
	maxStretch = 1024
	maxDirect  = 64
)

// stretch tries random arguments around x, n at most: points of a curve, or
// some with evaluations of their own if there is none, or if it refuses as
// many. It returns how many it tried.
func (c *tally) stretch(t testing.TB, rng *rand.Rand, s *section, x float64, n int) int {
	t.Helper()
	y := c.curve(rng, s, x)
	if y == nil {
		n = min(n, maxDirect)
		for range n {
			c.check(t, s, math.Float64frombits(math.Float64bits(x)^rng.Uint64()>>44))
		}
		return n
	}
	first := c.direct
	for k := range n {
		if c.direct-first == maxDirect {
			return k
		}
		i := rng.Uint64() & (y.Size() - 1)
		x := y.Argument(i)
		want, ok := y.Rounded(i)
		got, near := s.results(x)
		switch {
		case ok && got == want && near == want[fp.NearestEven] && (near != 0 || same(got, want)):
			c.counted(t)
		case c.check(t, s, x) && ok:
			t.Errorf("%s: the curve is off at %x", c.name, s.arguments(x))
		}
	}
	return n
}

// same compares bits.
func same(a, b results) bool { return slices.EqualFunc(a[:], b[:], args.Identical) }

// Levels of curves. Most functions have wide ones, and some have none where
// they oscillate.
const (
	maxLevel = 46
	minLevel = 12
	levels   = 4 // between an attempt and the next
)

// curve returns a wide curve around x, or nil: it begins with the width that
// served before for the exponent of x, or a little more.
func (c *tally) curve(rng *rand.Rand, s *section, x float64) *curve.Curve {
	exponent := math.Float64bits(x) >> 52
	level, ok := c.levels[exponent]
	switch {
	case !ok:
		level = maxLevel
	case level < minLevel && rng.IntN(16) != 0:
		return nil
	default:
		level = min(max(level, minLevel)+2, maxLevel)
	}
	for ; level >= minLevel; level -= levels {
		if y, ok := curve.Through(s.value, x, level); ok {
			c.levels[exponent] = level
			return y
		}
	}
	c.levels[exponent] = level
	return nil
}

// sections tries n arguments of a function in stretches. draw returns a random
// section and argument of it; a number of them is tried alone.
func (c *tally) sections(t testing.TB, rng *rand.Rand, n, alone int,
	draw func() (*section, float64)) {
	t.Helper()
	length := max(16, min(maxStretch, n/100))
	alone = max(1, alone*length/maxStretch)
	for n > 0 {
		for range min(n, alone) {
			s, x := draw()
			c.check(t, s, x)
		}
		n -= min(n, alone)
		s, x := draw()
		n -= c.stretch(t, rng, s, x, min(n, length))
	}
}

// recorder counts failures instead of failing.
type recorder struct {
	testing.TB
	failures int
}

func (r *recorder) Errorf(string, ...any) { r.failures++ }

// TestWrongResults puts wrong results, and a wrong curve, before the tally.
func TestWrongResults(t *testing.T) {
	t.Parallel()
	exact, value := oracle.EveryDirection(t, "exp"), oracle.UnaryValue(t, "exp")
	right := section{directed.Exp, crmath.Exp, exact, value, func(x float64) []any { return nil }}
	rare := func(x float64) bool { return math.Float64bits(x)%256 == 77 }
	wrongUp, wrongNear, wrongCurve := right, right, right
	wrongUp.f = func(x float64, m fp.Mode) float64 {
		if rare(x) && m == fp.Up {
			m = fp.Down
		}
		return directed.Exp(x, m)
	}
	wrongNear.near = func(x float64) float64 {
		if rare(x) {
			return math.Exp(x) * (1 + 0x1p-50)
		}
		return crmath.Exp(x)
	}
	wrongCurve.value = func(x float64, precision uint) *big.Float {
		y := value(x, precision)
		return y.Mul(y, big.NewFloat(1+0x1p-50))
	}
	for _, c := range []struct {
		name       string
		s          *section
		least      int // failures
		most       int
		wrongAt    fp.Mode
		wrongCount bool
	}{
		{"right", &right, 0, 0, 0, false},
		{"wrong upwards", &wrongUp, 1, 3, fp.Up, true},
		{"wrong to nearest", &wrongNear, 1, 3, fp.NearestEven, true},
		{"wrong curve", &wrongCurve, 20, 2000, 0, false},
	} {
		r, counts := &recorder{TB: t}, newTally("exp")
		rng := args.Generator(c.name)
		for range 4 {
			counts.stretch(r, rng, c.s, 1.1, maxStretch)
		}
		for m, n := range counts.wrong {
			if wrong := c.wrongCount && fp.Mode(m) == c.wrongAt; wrong != (n > 0) {
				t.Errorf("%s: %d wrong results %v", c.name, n, fp.Mode(m))
			}
		}
		if r.failures < c.least || r.failures > c.most {
			t.Errorf("%s: %d failures", c.name, r.failures)
		}
	}
}
