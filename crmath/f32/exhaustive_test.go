//go:build exhaustive && !static

package f32

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/tables"
	"github.com/lastbit/lastbit/crmath/internal/vector"
)

// TestExhaustive tries all 2^32 arguments of the functions of one argument that
// LASTBIT_EXHAUSTIVE names, separated by commas, or of all; make exhaustive
// runs it, for hours it may be: hence the build tag.
func TestExhaustive(t *testing.T) {
	names := os.Getenv("LASTBIT_EXHAUSTIVE")
	for _, f := range functions {
		if names != "" && names != "all" && !slices.Contains(strings.Split(names, ","), f.name) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			if g := likeMPFR[f.name]; g != nil {
				f.f = g
			}
			for _, m := range f.exhaust(t) {
				t.Errorf("%s(%x) = %x, want %x", f.name, m.x, f.f(m.x), m.result)
			}
		})
	}
}

// compareLanes fails where a kernel gives other bits than the function, for a
// multiple of vector.Most arguments.
func compareLanes(t *testing.T, what string, kernel vector.Kernel[float32], x, want,
	got []float32) {
	t.Helper()
	for begin := 0; begin < len(x); begin += vector.Most {
		fails := kernel(&got[begin], &x[begin], vector.Most)
		for i := begin; i < begin+vector.Most; i++ {
			if fails>>(i-begin)&1 == 0 && math.Float32bits(got[i]) != math.Float32bits(want[i]) {
				t.Errorf("%s(%x) = %x, want %x", what, x[i], got[i], want[i])
			}
		}
	}
}

// A mistake is an argument whose result is wrong, and the right one.
type mistake struct{ x, result float32 }

// exhaust returns the arguments that f rounds wrongly, in order, with the right
// results. Of an odd or even function it returns the positive ones, and fails
// where the negative ones do not fit.
func (f function) exhaust(t *testing.T) []mistake {
	const workers = 2
	var mu sync.Mutex
	var wrong []mistake
	next, begins := 0, f.parts()
	var wg sync.WaitGroup
	for range workers {
		w := &walker{function: f, t: t, single: oracle.Unary32(t, f.name),
			double: oracle.Unary(t, f.name)}
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(begins) {
					break
				}
				w.part(begins[i])
			}
			mu.Lock()
			wrong = append(wrong, w.wrong...)
			mu.Unlock()
		})
	}
	wg.Wait()
	slices.SortFunc(wrong, func(a, b mistake) int {
		return cmp.Compare(math.Float32bits(a.x), math.Float32bits(b.x))
	})
	return wrong
}

// partSize is the number of encodings that a worker takes: half a binade.
const partSize = 1 << 22

// parts returns the first encodings of the parts that are compared with the
// oracle.
func (f function) parts() []uint32 {
	var begins []uint32
	for u := uint64(0); u < 1<<32; u += partSize {
		if f.parity == 0 || u < 1<<31 {
			begins = append(begins, uint32(u))
		}
	}
	return begins
}

// walker compares one function with references, for one goroutine. Most
// arguments need no call of MPFR: a reference to some ulps of float64, made
// from few values of MPFR's, decides the result, unless a midpoint is close.
// Then MPFR decides.
type walker struct {
	function
	t      *testing.T
	single func(float32) float32 // MPFR's
	double func(float64) float64
	wrong  []mistake
}

// part compares for partSize encodings.
func (w *walker) part(first uint32) {
	if w.parity != 0 {
		w.mirror(first)
	}
	switch magnitude := first &^ (1 << 31); {
	case magnitude >= math.Float32bits(float32(math.Inf(1))):
		for u := first; u-first < partSize; u++ {
			w.direct(u)
		}
	case turnReferences[w.name] != nil && magnitude >= math.Float32bits(1):
		w.turns(first)
	case periodic[w.name] && magnitude >= math.Float32bits(2):
		w.periods(first)
	case negativeReferences[w.name] != nil && first>>31 != 0 && magnitude >= math.Float32bits(64):
		w.negative(first)
	default:
		const block = 1 << 12
		for u := first; u-first < partSize; u += block {
			w.block(u, block)
		}
	}
}

// mirror compares positive arguments with negative ones.
func (w *walker) mirror(first uint32) {
	for u := first; u-first < partSize; u++ {
		x := math.Float32frombits(u)
		positive, negative := w.f(x), w.f(-x)
		if w.parity < 0 {
			negative = -negative
		}
		if !identical(positive, negative) {
			w.t.Errorf("%s(%x) = %x, which does not fit that of -x", w.name, x, positive)
			return
		}
	}
}

// direct asks MPFR about one argument.
func (w *walker) direct(u uint32) {
	x := math.Float32frombits(u)
	w.compare(x, w.single(x))
}

func (w *walker) compare(x, want float32) {
	if got := w.f(x); !identical(got, want) {
		w.wrong = append(w.wrong, mistake{x, want})
	}
}

// decide compares with a reference y whose error is below e.
func (w *walker) decide(u uint32, y, e float64) {
	if r := float32(y - e); r == float32(y+e) {
		w.compare(math.Float32frombits(u), r)
		return
	}
	w.direct(u)
}

// block compares for the n encodings from u on, by the polynomial of degree 4
// through MPFR's values for five of them, where a sixth value shows that it is
// close. Else it does so for each half.
func (w *walker) block(u uint32, n uint32) {
	if n <= 16 {
		for i := range n {
			w.direct(u + i)
		}
		return
	}
	x, step := float64(math.Float32frombits(u)),
		float64(math.Float32frombits(u+1))-float64(math.Float32frombits(u))
	at := func(i uint32) float64 { return w.double(x + float64(i)*step) }
	v := [5]float64{at(0), at(n / 4), at(n / 2), at(3 * n / 4), at(n)}
	sixth := at(n / 8)
	constant, least, most := identical64(v[0], sixth), math.Abs(v[0]), math.Abs(v[0])
	for _, v := range v {
		constant = constant && identical64(v, sixth)
		least, most = min(least, math.Abs(v)), max(most, math.Abs(v))
	}
	if constant || most < 0x1p-160 { // infinite, zero, NaN, or the limit of a monotone function
		for i := range n {
			w.compare(math.Float32frombits(u+i), float32(sixth))
		}
		return
	}
	// Newton's form, from divided differences.
	d := v
	for k := 1; k < 5; k++ {
		for i := 4; i >= k; i-- {
			d[i] = (d[i] - d[i-1]) / float64(k)
		}
	}
	poly := func(i uint32) float64 {
		s := float64(i) * (4 / float64(n))
		return v[0] + s*(d[1]+(s-1)*(d[2]+(s-2)*(d[3]+(s-3)*d[4])))
	}
	if !(most <= 2*least && most <= math.MaxFloat64 && math.Abs(poly(n/8)-sixth) <= 0x1p-50*least) {
		w.block(u, n/2)
		w.block(u+n/2, n/2)
		return
	}
	for i := range n {
		y := poly(i)
		w.decide(u+i, y, math.Abs(y)*0x1p-48)
	}
}

// turnReferences make a reference and its error from sin x and cos x, which are
// off by less than 2^-62 and less than u of themselves.
var turnReferences = map[string]func(s, c float64) (y, e float64){
	"sin": func(s, c float64) (y, e float64) { return s, 0x1p-62 + 0x1p-52*math.Abs(s) },
	"cos": func(s, c float64) (y, e float64) { return c, 0x1p-62 + 0x1p-52*math.Abs(c) },
	"tan": func(s, c float64) (y, e float64) {
		return s / c, math.Abs(s/c) * (0x1p-61/math.Abs(s) + 0x1p-61/math.Abs(c) + 0x1p-50)
	},
}

// turnTable has the sine and the cosine of (i+1/2)/4096 turns, each as a sum.
var turnTable = sync.OnceValue(func() *[4096]struct{ s, sLo, c, cLo float64 } {
	t := new([4096]struct{ s, sLo, c, cLo float64 })
	split := func(x *big.Float) (hi, lo float64) {
		hi, _ = x.Float64()
		lo, _ = new(big.Float).Sub(x, big.NewFloat(hi)).Float64()
		return hi, lo
	}
	for i := range t {
		x := new(big.Float).Mul(tables.Pi(), big.NewFloat((float64(i)+0.5)/2048))
		s, c := tables.SinCos(x)
		t[i].s, t[i].sLo = split(s)
		t[i].c, t[i].cLo = split(c)
	}
	return t
})

// turns compares for partSize encodings of positive numbers, from one of sin,
// cos, tan. The fraction of a turn is a multiple of 2^-128; one step of the
// argument adds the same number to it, which is off by less than 2^-128. So
// after 2^24 steps it is off by 2^-104.
func (w *walker) turns(first uint32) {
	x := float64(math.Float32frombits(first))
	step := float64(math.Float32frombits(first+1)) - x
	turn := new(big.Float).SetPrec(1280).Quo(big.NewFloat(step),
		new(big.Float).SetPrec(1280).Mul(tables.Pi(), big.NewFloat(2)))
	i, _ := turn.SetMantExp(turn, 128).Int(nil)
	low := new(big.Int).And(i, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	high := i.Rsh(i, 64).And(i, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	m := uint64(x / step)
	carry, lo := bits.Mul64(m, low)
	hi := m*high + carry
	reference, table := turnReferences[w.name], turnTable()
	for u := first; u-first < partSize; u++ {
		t := &table[hi>>52]
		h := (float64(int64(hi&(1<<52-1))-1<<51) + float64(lo)*0x1p-64) * (2 * math.Pi * 0x1p-64)
		// sin h and cos h - 1, for |h| < 2^-10.3
		h2 := h * h
		sh, ch := h-h*h2*(1.0/6-h2*(1.0/120)), h2*(-0.5+h2*(1.0/24-h2*(1.0/720)))
		y, e := reference(t.s+(t.sLo+(t.s*ch+t.c*sh)), t.c+(t.cLo+(t.c*ch-t.s*sh)))
		w.decide(u, y, e)
		var c uint64
		lo, c = bits.Add64(lo, low, 0)
		hi, _ = bits.Add64(hi, high, c)
	}
}

func identical64(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
