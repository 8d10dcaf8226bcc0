package exact

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// fractions reads pairs of arrays, each after their length, and prints the
// statistics of each pair, computed in Python's fractions; roots in 1500
// decimal digits, which is more than any number halfway between two floats has.
const fractions = `
import statistics, struct, sys
from decimal import Decimal, getcontext
from fractions import Fraction
getcontext().prec = 1500
getcontext().Emax = 10**6
getcontext().Emin = -10**6

def number(q):
    try:
        return float(q).hex()
    except OverflowError:
        return '-inf' if q < 0 else 'inf'

def root(q, sign=1):
    return number(sign * (Decimal(q.numerator) / Decimal(q.denominator)).sqrt())

def quotient(f, p, q):
    return f(p / q) if q else 'nan'

data = sys.stdin.buffer
while head := data.read(8):
    n, = struct.unpack('<q', head)
    floats = struct.unpack('<%dd' % n, data.read(8 * n))
    x = [Fraction(v) for v in floats]
    y = [Fraction(v) for v in struct.unpack('<%dd' % n, data.read(8 * n))]
    mx, my = sum(x) / n, sum(y) / n
    dx, dy = [v - mx for v in x], [v - my for v in y]
    m2, m3, m4 = (sum(v ** k for v in dx) / n for k in (2, 3, 4))
    xx, xy, yy = (sum(a * b for a, b in zip(u, v)) for u, v in ((dx, dx), (dx, dy), (dy, dy)))
    sign = 1 if m3 > 0 else -1
    out = [number(mx), number(m2), root(m2),
        quotient(number, xx, n - 1), quotient(root, xx, n - 1),
        quotient(lambda q: root(q, sign), m3 ** 2, m2 ** 3),
        quotient(lambda q: number(q - 3), m4, m2 ** 2),
        quotient(number, xy, n - 1),
        quotient(lambda q: root(q, 1 if xy > 0 else -1), xy ** 2, xx * yy),
        quotient(number, xy, xx), quotient(lambda b: number(my - b * mx), xy, xx)]
    if sys.version_info >= (3, 11) and n > 1: # before, variance was rounded twice
        assert out[0] == statistics.mean(floats).hex(), (out, floats)
        for i, f in ((1, statistics.pvariance), (2, statistics.pstdev),
                     (3, statistics.variance), (4, statistics.stdev)):
            try:
                assert out[i] == float(f(floats)).hex(), (f, out, floats)
            except OverflowError:
                pass
    # Python writes −0.0 for the product of a sign and the root 0.
    print(*(v.replace('-0x0.0p+0', '0x0.0p+0') for v in out))
`

// TestFractions holds the statistics against Python's fractions, decimals and
// statistics.
func TestFractions(t *testing.T) {
	python := require.Program(t, "python3")
	rng := rand.New(rand.NewPCG(15, 16))
	var in bytes.Buffer
	var want []string
	rounds(rng, 500, func(name string, x []float64) {
		if len(x) == 0 || len(x) > 12 && strings.Contains(name, "±") {
			return // long fractions take long
		}
		y := distributions[rng.IntN(len(distributions))].draw(rng, len(x))
		_ = binary.Write(&in, binary.LittleEndian, int64(len(x)))
		_ = binary.Write(&in, binary.LittleEndian, x)
		_ = binary.Write(&in, binary.LittleEndian, y)
		var m Moments
		m.AddSlice(x)
		var c Pairs
		c.AddSlice(x, y)
		var line []string
		for _, v := range []float64{Mean(x, nil), m.PopVariance(), m.PopStdDev(), Variance(x, nil),
			StdDev(x, nil),
			m.PopSkew(), m.PopExKurtosis(), c.Covariance(), c.Correlation(), c.Slope(),
			c.Intercept()} {
			line = append(line, strings.Replace(pythonHex(v), "-0x0.0p+0", "0x0.0p+0", 1))
		}
		want = append(want, strings.Join(line, " "))
	})
	cmd := exec.Command(python, "-c", fractions)
	cmd.Stdin = &in
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, complaint.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(want) || len(want) < 400 {
		t.Fatalf("Python computed %d lines of %d", len(lines), len(want))
	}
	for i, line := range lines {
		if line != want[i] {
			t.Errorf("array %d:\nhere   %s\nPython %s", i, want[i], line)
		}
	}
}
