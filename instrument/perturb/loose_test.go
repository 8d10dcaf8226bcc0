package perturb

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestSlack holds the spread of functions that err by many units against real
// values, computed with 60 digits. Exact results do not move.
func TestSlack(t *testing.T) {
	lone := func(f func(float64) float64) func(x, y float64) float64 {
		return func(x, _ float64) float64 { return Func1(f, x, 0) }
	}
	lgamma := func(x, _ float64) float64 { r, _ := Lgamma(x, 0); return r }
	jn := func(x, n float64) float64 { return Jn(int(n), x, 0) }
	yn := func(x, n float64) float64 { return Yn(int(n), x, 0) }
	pow := func(x, y float64) float64 { return Func2(math.Pow, x, y, 0) }
	for _, c := range []struct {
		name string
		f    func(x, y float64) float64
		x, y float64
		real float64
	}{
		{"acos", lone(math.Acos), 0.99999999, 0, 1.4142135671046477e-4},
		{"acos", lone(math.Acos), 0.9999999999999998, 0, 2.1073424255447017e-8},
		{"asin", lone(math.Asin), 0.9999999925568331, 0, 1.5706743172307644},
		{"log2", lone(math.Log2), 1.000000000000001, 0, 1.601713251907458e-15},
		{"J0", lone(math.J0), 2.404825557695773, 0, -6.108765259736730e-17},
		{"sin", lone(math.Sin), math.Pi, 0, 1.2246467991473532e-16},
		{"cos", lone(math.Cos), 45.553093477052, 0, -6.189806365883577e-19},
		{"gamma", lone(math.Gamma), 152.39404955338225, 0, 6.2414235833354875e265},
		{"pow", pow, 0.35439819967675346, -94.86887279564557, 5.4857108588518023e42},
		{"pow", pow, 6.132439164586301e+268, 0.440741520974968, 2.9232792053476043411e118},
		{"pow", pow, 1.0000000001, 1e11, 22026.484008580528926},
		{"erfcinv", lone(math.Erfcinv), 1e-14, 0, 5.4724806248623839967},
		{"lgamma", lgamma, -2.4570247382208, 0, 7.2925506126747033e-16},
		{"lgamma", lgamma, -137.56077990866856, 0, -542.01606481096261642},
		{"log", lone(math.Log), 0x1p-1074, 0, -744.44007192138126},
		{"log10", lone(math.Log10), 0x1p-1074, 0, -323.30621534311581},
		{"lgamma", lgamma, 1.195, 0, -0.083913017428096152161},
		{"lgamma", lgamma, 0.2, 0, 1.5240638224307843},
		{"jn", jn, 2.40482555, 5, 0.01638924296876938853},
		{"jn", jn, 46.47924075514291, 38, -0.13499123396731459886},
		{"yn", yn, 38.11753554964416, 35, -0.0008035406134453184387},
		{"yn", yn, 0.0006667642013560733, 40, -7.847730011201825307e+184},
		{"acos", lone(math.Acos), 1, 0, 0},
		{"log2", lone(math.Log2), 1024, 0, 10},
		{"gamma", lone(math.Gamma), 5, 0, 24},
		{"pow", pow, 10, 22, 1e22},
	} {
		active = false
		err, most := math.Abs(c.f(c.x, c.y)-c.real), 0.0
		for seed := range uint64(64) {
			start(t, seed)
			most = max(most, math.Abs(c.f(c.x, c.y)-c.real))
		}
		if strings.HasPrefix(c.name, "log") && err < 1e-9 {
			continue // on processors without assembly for it
		}
		unit := math.Nextafter(math.Abs(c.real), math.Inf(1)) - math.Abs(c.real)
		if math.IsInf(err, 0) || most < err*1.5 || most > float64(err*50)+2*unit {
			t.Errorf("%s(%v, %v) errs by %g, and by up to %g at random", c.name, c.x, c.y, err,
				most)
		}
	}
}

// TestJn holds that a wrong result of math.Jn stays in the program's own run,
// and is another number in the others.
func TestJn(t *testing.T) {
	const order, zero = 5, 2.404825557695773 // of J0, as a float64
	active = false
	if r := Jn(order, zero, 0); !math.IsInf(r, 0) {
		require.Missing(t, fmt.Sprint("a math.Jn that is infinite there, not ", r))
	}
	start(t, 1)
	if r := Jn(order, zero, 0); !(math.Abs(r) <= 1) {
		t.Error("a run with random roundings gives ", r)
	}
	keys[0] = 0
	if r := Jn(order, zero, 0); !math.IsInf(r, 0) {
		t.Error("a run that leaves the call alone gives ", r)
	}
}
