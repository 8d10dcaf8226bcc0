package blocks

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

var modes = []fp.Mode{fp.NearestEven, fp.TowardZero, fp.Up, fp.Down, fp.ToOdd}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// TestDecode multiplies every element by every scale.
func TestDecode(t *testing.T) {
	for _, f := range Formats() {
		for s := range 256 {
			for _, tensor := range []float32{1, 0x1.8p-30, math.MaxFloat32} {
				scale := f.Scale().FromBits(uint64(s))
				for c := range uint64(1) << f.Element().Width() {
					var got [1]float64
					f.Decode(got[:], uint8(s), []uint8{uint8(c)}, tensor)
					v := f.Element().FromBits(c)
					if scale != scale || v-v != 0 {
						want := v
						if scale != scale || v != v {
							want = math.NaN()
						} else if scale == 0 {
							want = math.NaN() // infinity by zero
						}
						if got[0] != want && (got[0] == got[0] || want == want) {
							t.Fatalf("%v: %#x times %#x: %v, want %v", f, s, c, got[0], want)
						}
						continue
					}
					want := new(big.Rat).Mul(rat(v), rat(math.Abs(scale)))
					want.Mul(want, rat(float64(tensor)))
					if got[0]-got[0] != 0 || rat(got[0]).Cmp(want) != 0 ||
						math.Signbit(got[0]) != math.Signbit(v) {
						t.Fatalf("%v: scale %#x, element %#x: %v, want %v", f, s, c, got[0], want)
					}
				}
			}
		}
	}
}

// values returns the finite values of a format in ascending order, one zero.
func values(f fp.Format) []float64 {
	var all []float64
	for c := range uint64(1) << f.Width() {
		if v := f.FromBits(c); v-v == 0 && (v != 0 || !math.Signbit(v)) {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return all
}

// nearest returns the value of a list nearest to x, by comparing all, the even
// one of two (the list alternates, and 0 is even).
func nearest(list []float64, x *big.Rat) float64 {
	best, at := new(big.Rat), -1
	zero := slices.Index(list, 0)
	for i, v := range list {
		d := new(big.Rat).Sub(rat(v), x)
		d.Abs(d)
		c := d.Cmp(best)
		if at < 0 || c < 0 || c == 0 && (i-zero)%2 == 0 {
			best, at = d, i
		}
	}
	return list[at]
}

// rounded rounds a quotient to a list of values by comparing it with all.
// beyond is what stands for numbers that round to more than the largest.
func rounded(list []float64, x *big.Rat, m fp.Mode, beyond float64) float64 {
	last := len(list) - 1
	top, next := list[last], 2*list[last]-list[last-1]
	if x.Sign() < 0 {
		opposite := map[fp.Mode]fp.Mode{fp.Up: fp.Down, fp.Down: fp.Up}
		if o, ok := opposite[m]; ok {
			m = o
		}
		return -rounded(list, new(big.Rat).Neg(x), m, beyond)
	}
	at, exact := 0, false
	for i, v := range list {
		if c := rat(v).Cmp(x); c <= 0 {
			at, exact = i, c == 0
		}
	}
	over := x.Cmp(rat(top)) > 0
	switch {
	case exact:
		return list[at]
	case over && (m == fp.TowardZero || m == fp.Down || m == fp.ToOdd):
		return top
	case over && m == fp.Up:
		return beyond
	case over:
		wide := append(slices.Clone(list), next)
		if x.Cmp(rat(next)) > 0 || nearest(wide, x) == next {
			return beyond
		}
		return top
	case m == fp.Up:
		return list[at+1]
	case m == fp.TowardZero, m == fp.Down:
		return list[at]
	case m == fp.ToOdd:
		if (at-slices.Index(list, 0))%2 == 0 {
			at++
		}
		return list[at]
	}
	return nearest(list, x)
}

// naive encodes by the definitions, in rational arithmetic, and returns scale
// and elements as numbers.
func naive(f Format, x []float64, o Options) (float64, []float64) {
	largest := new(big.Rat)
	for _, v := range x {
		if r := new(big.Rat).Abs(rat(v)); r.Cmp(largest) > 0 {
			largest = r
		}
	}
	elements := values(f.Element())
	top := elements[len(elements)-1]
	var scale float64
	tensor := rat(o.tensor())
	if f == NVFP4 {
		q := new(big.Rat).Quo(largest, new(big.Rat).Mul(tensor, rat(6)))
		list := values(fp.E4M3FN)
		scale = min(448, rounded(list, q, fp.NearestEven, 448))
	} else {
		power := math.Ldexp(1, math.Ilogb(top))
		scale = 0x1p-127
		for e := 127; e >= -127; e-- {
			if s := math.Ldexp(1, e); new(big.Rat).Mul(rat(s), rat(power)).Cmp(largest) <= 0 {
				scale = s
				break
			}
		}
	}
	divisor := new(big.Rat).Mul(rat(scale), tensor)
	beyond := map[fp.Format]float64{fp.E5M2: math.Inf(1), fp.E4M3FN: math.NaN()}[f.Element()]
	if o.Saturate || beyond == 0 {
		beyond = top
	}
	out := make([]float64, len(x))
	for i, v := range x {
		if divisor.Sign() == 0 || v == 0 {
			out[i] = math.Copysign(0, v)
			continue
		}
		q := new(big.Rat).Quo(rat(v), divisor)
		out[i] = math.Copysign(rounded(elements, q, o.Mode, beyond), v)
	}
	return scale, out
}

// block draws values: of similar sizes, of very different ones, halfway between
// two elements, or zeros.
func block(rng *rand.Rand, f Format, tensor float64) []float64 {
	x := make([]float64, 1+rng.IntN(f.Size()))
	center := math.Ldexp(1, rng.IntN(40)-20)
	switch rng.IntN(8) {
	case 0:
		center = math.Ldexp(1, rng.IntN(500)-250)
	case 1:
		center = 0
	}
	list := values(f.Element())
	for i := range x {
		switch rng.IntN(4) {
		case 0:
			x[i] = center * rng.NormFloat64()
		case 1: // halfway, if the scale is as guessed
			at := rng.IntN(len(list) - 1)
			x[i] = center * (list[at] + list[at+1]) / 2 * tensor
		case 2:
			x[i] = center * list[rng.IntN(len(list))] * tensor
		case 3:
			x[i] = center * math.Ldexp(rng.NormFloat64(), -rng.IntN(60))
		}
	}
	return x
}

// TestEncode compares with rational arithmetic, in every mode.
func TestEncode(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 16))
	for _, f := range Formats() {
		for range 400 {
			o := Options{Mode: modes[rng.IntN(len(modes))], Saturate: rng.IntN(2) == 0}
			if f == NVFP4 && rng.IntN(2) == 0 {
				o.Tensor = float32(math.Ldexp(1+rng.Float64(), rng.IntN(20)-10))
			}
			x := block(rng, f, o.tensor())
			codes := make([]uint8, len(x))
			got := f.ScaleValue(f.Encode(codes, x, o))
			scale, want := naive(f, x, o)
			if got != scale {
				t.Fatalf("%v of %x, %+v: scale %x, want %x", f, x, o, got, scale)
			}
			for i, c := range codes {
				v := f.Element().FromBits(uint64(c))
				if w := want[i]; math.Float64bits(v) != math.Float64bits(w) && (v == v || w == w) {
					t.Fatalf("%v of %x, %+v, scale %x: element %d is %v, want %v", f, x, o,
						scale, i, v, w)
				}
			}
		}
	}
}

// TestRoundTrip encodes what decodes: the codes may change where the scale
// does, the values may not.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 16))
	for _, f := range Formats() {
		for range 200 {
			codes := make([]uint8, f.Size())
			for i := range codes {
				codes[i] = uint8(rng.Uint32()) & (1<<f.Element().Width() - 1)
				if v := f.Element().FromBits(uint64(codes[i])); v-v != 0 {
					codes[i] = 0
				}
			}
			codes[0] = uint8(f.Element().Bits(f.Element().Max())) // so that the scale is the same
			x, y := make([]float64, len(codes)), make([]float64, len(codes))
			scale := uint8(f.Scale().Bits(0x1p-3))
			f.Decode(x, scale, codes, 1)
			again := f.Encode(codes, x, Options{})
			f.Decode(y, again, codes, 1)
			if again != scale || !slices.Equal(x, y) {
				t.Fatalf("%v: %v with scale %#x becomes %v with %#x", f, x, scale, y, again)
			}
		}
	}
}

// TestSpecials encodes NaN and infinities.
func TestSpecials(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, f := range Formats() {
		for _, saturate := range []bool{false, true} {
			for _, special := range []float64{nan, inf, -inf} {
				x, y, codes := []float64{1, special, -3}, make([]float64, 3), make([]uint8, 3)
				scale := f.Encode(codes, x, Options{Saturate: saturate})
				f.Decode(y, scale, codes, 1)
				want := special
				switch {
				case special == special && saturate:
					want = math.Copysign(f.Element().Max()*f.ScaleValue(scale), special)
				case f.Element() != fp.E5M2:
					want = nan
				}
				wholeBlock := !f.Element().HasNaN() && (special != special || !saturate)
				if y[1] != want && (y[1] == y[1] || want == want) || wholeBlock != (y[0] != y[0]) {
					t.Errorf("%v saturate=%v: %v becomes %v", f, saturate, x, y)
				}
			}
		}
		for s := range 256 { // a scale that is NaN spoils all
			if f.Scale().FromBits(uint64(s)) == f.Scale().FromBits(uint64(s)) {
				continue
			}
			var y [2]float64
			f.Decode(y[:], uint8(s), []uint8{0, 1}, 1)
			if y[0] == y[0] || y[1] == y[1] {
				t.Errorf("%v: scale %#x gives %v", f, s, y)
			}
		}
	}
}

func TestTensorScale(t *testing.T) {
	for _, tt := range []struct {
		x    []float64
		want float32
	}{
		{nil, 1},
		{[]float64{0, math.NaN()}, 1},
		{[]float64{1, -5376, math.Inf(1)}, 2},
		{[]float64{1}, 1.0 / 2688},
		{[]float64{0x1p-200}, 1},
	} {
		if got := TensorScale(tt.x); got != tt.want {
			t.Errorf("TensorScale(%v) = %v, want %v", tt.x, got, tt.want)
		}
	}
}
