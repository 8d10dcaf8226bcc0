package fp

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// description is a format as its publication describes it.
type description struct {
	format            Format
	exp, frac, bias   int
	noSign            bool
	specials          map[uint64]float64 // encodings that are no numbers
	overflow          float64            // what stands for +Inf, and for a number rounded to it
	minusZero, noZero bool
}

// described are the formats of 8 bits and less.
//
// References:
//   - [MicikeviciusOFP8] Paulius Micikevicius, Stuart Oberman, Pradeep Dubey,
//     Marius Cornea, Andres Rodriguez, Ian Bratt, Richard Grisenthwaite, Norm
//     Jouppi, Chiachen Chou, Amber Huffman, Michael Schulte, Ralph Wittig,
//     Dharmesh Jani and Summer Deng. OCP 8-bit Floating Point Specification
//     (OFP8), revision 1.0. Open Compute Project, 2023.
//   - [OCPMX] Bita Darvish Rouhani, Nitin Garegrat, Tom Savell, Ankit More and
//     others. OCP Microscaling Formats (MX) Specification, version 1.0. Open
//     Compute Project, 2023.
//   - [Noune2022] Badreddine Noune, Philip Jones, Daniel Justus, Dominic
//     Masters and Carlo Luschi. 8-bit Numerical Formats for Deep Neural
//     Networks. arXiv:2206.02915, 2022.
func described() []description {
	inf, nan := math.Inf(1), math.NaN()
	return []description{
		{format: E5M2, exp: 5, frac: 2, bias: 15, overflow: inf, minusZero: true,
			specials: map[uint64]float64{0x7c: inf, 0xfc: -inf, 0x7d: nan, 0x7e: nan, 0x7f: nan,
				0xfd: nan, 0xfe: nan, 0xff: nan}},
		{format: E4M3FN, exp: 4, frac: 3, bias: 7, overflow: nan, minusZero: true,
			specials: map[uint64]float64{0x7f: nan, 0xff: nan}},
		{format: E4M3FNUZ, exp: 4, frac: 3, bias: 8, overflow: nan,
			specials: map[uint64]float64{0x80: nan}},
		{format: E5M2FNUZ, exp: 5, frac: 2, bias: 16, overflow: nan,
			specials: map[uint64]float64{0x80: nan}},
		{format: E3M2, exp: 3, frac: 2, bias: 3, overflow: 28, minusZero: true},
		{format: E2M3, exp: 2, frac: 3, bias: 1, overflow: 7.5, minusZero: true},
		{format: E2M1, exp: 2, frac: 1, bias: 1, overflow: 6, minusZero: true},
		{format: E8M0, exp: 8, bias: 127, noSign: true, noZero: true, overflow: nan,
			specials: map[uint64]float64{0xff: nan}},
	}
}

func (d description) width() int {
	w := d.exp + d.frac
	if !d.noSign {
		w++
	}
	return w
}

// value decodes one encoding by the definition.
func (d description) value(code uint64) float64 {
	if v, ok := d.specials[code]; ok {
		return v
	}
	e := int(code >> d.frac & (1<<d.exp - 1))
	m := new(big.Rat).SetFrac64(int64(code&(1<<d.frac-1)), 1<<d.frac)
	switch {
	case e > 0 || d.noZero:
		m.Add(m, big.NewRat(1, 1))
		e -= d.bias
	default:
		e = 1 - d.bias
	}
	two := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
	if e < 0 {
		two.Inv(two)
	}
	x, _ := m.Mul(m, two).Float64()
	if !d.noSign && code>>(d.exp+d.frac) != 0 {
		x = -x
	}
	return x
}

// positive returns the positive numbers in ascending order.
func (d description) positive() []float64 {
	var all []float64
	for code := range uint64(1) << d.width() {
		if v := d.value(code); v > 0 && !math.IsInf(v, 1) {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return all
}

// rounded rounds a number above 0 to one of its neighbours in the list of the
// format's positive numbers, or to the number that would follow them.
func (d description) rounded(list []float64, x float64, m Mode) float64 {
	last := len(list) - 1
	beyond := list[last] + (list[last] - list[last-1])
	if d.noZero {
		beyond = 2 * list[last]
	}
	at, found := slices.BinarySearch(list, x)
	switch {
	case found:
		return x
	case at == 0:
		return d.choose(list, x, 0, list[0], false, m)
	case at <= last:
		return d.choose(list, x, list[at-1], list[at], at%2 == 1 || d.noZero, m)
	}
	return d.choose(list, x, list[last], beyond, last%2 == 0 || d.noZero, m)
}

// choose rounds x, which lies between neighbours.
func (d description) choose(list []float64, x, low, high float64, lowIsOdd bool, m Mode) float64 {
	up, most := false, list[len(list)-1]
	over := high > most
	switch m {
	case Up:
		up = true
	case ToOdd:
		up = !lowIsOdd && !over
	case NearestEven, NearestAway:
		rat := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
		twice := new(big.Rat).Mul(rat(x), big.NewRat(2, 1))
		c := twice.Cmp(new(big.Rat).Add(rat(low), rat(high)))
		up = c > 0 || c == 0 && (lowIsOdd || m == NearestAway)
	}
	switch {
	case up && over:
		return d.overflow
	case up || low == 0 && d.noZero:
		return high
	case over:
		return most
	}
	return low
}

// TestShortEncodings decodes and encodes every encoding of the short formats.
func TestShortEncodings(t *testing.T) {
	for _, d := range described() {
		f := d.format
		if f.Width() != d.width() || f.IsIEEE() != (f == E5M2) || f.HasNaN() != (d.exp*d.frac > 6 ||
			f == E8M0) {
			t.Errorf("%v: %d bits, IEEE %v, NaN %v", f, f.Width(), f.IsIEEE(), f.HasNaN())
		}
		for code := range uint64(1) << d.width() {
			want := d.value(code)
			got := f.FromBits(code | 0xabc<<8)
			if d.width() < 8 {
				got = f.FromBits(code | 0xabc<<d.width())
			}
			if !same(got, want) {
				t.Fatalf("%v.FromBits(%#x) = %v, want %v", f, code, got, want)
			}
			if back := f.Bits(want); back != code && want == want {
				t.Fatalf("%v: %#x becomes %#x", f, code, back)
			}
			if want != want && f.FromBits(f.Bits(want)) == f.FromBits(f.Bits(want)) {
				t.Fatalf("%v: NaN becomes a number", f)
			}
			if !f.Contains(want) {
				t.Fatalf("%v does not contain %v", f, want)
			}
		}
		if got := f.Bits(math.NaN()); !f.HasNaN() && f.FromBits(got) != f.Max() {
			t.Errorf("%v.Bits(NaN) = %#x, want that of Max", f, got)
		}
		if f.Contains(math.NaN()) != f.HasNaN() {
			t.Errorf("%v.Contains(NaN) = %v", f, f.Contains(math.NaN()))
		}
	}
}

// halfway returns the positive numbers of the format, the points halfway
// between them and their neighbours in binary64, and numbers beyond the ends.
func (d description) halfway() []float64 {
	list := d.positive()
	last := list[len(list)-1]
	all := []float64{0x1p-1000, list[0] / 4, last * 1.25, last * 2, last * 100, 0x1p1000}
	low := 0.0
	for _, v := range append(list, 2*last-list[len(list)-2], 2*last) {
		middle := (low + v) / 2
		all = append(all, v, middle, math.Nextafter(middle, 0), math.Nextafter(middle, v),
			math.Nextafter(v, 0), math.Nextafter(v, 2*v))
		low = v
	}
	return all
}

// TestShortRounding rounds the numbers at and beside every boundary in every
// mode, and compares with a search through all values.
func TestShortRounding(t *testing.T) {
	mirrored := map[Mode]Mode{Up: Down, Down: Up}
	for _, d := range described() {
		f, list := d.format, d.positive()
		for _, x := range d.halfway() {
			for _, m := range modes {
				want := d.rounded(list, x, m)
				if got := f.Round(x, m); !same(got, want) {
					t.Fatalf("%v.Round(%x, %v) = %v, want %v", f, x, m, got, want)
				}
				if got := f.Add(x/2, x/2, m); !same(got, want) {
					t.Fatalf("%v.Add(%x, %x, %v) = %v, want %v", f, x/2, x/2, m, got, want)
				}
				if got := f.Mul(x/2, 2, m); !same(got, want) {
					t.Fatalf("%v.Mul(%x, 2, %v) = %v, want %v", f, x/2, m, got, want)
				}
				saturated := want
				if want-want != 0 {
					saturated = f.Max()
				}
				if got := f.RoundSaturated(x, m); got != saturated {
					t.Fatalf("%v.RoundSaturated(%x, %v) = %v, want %v", f, x, m, got, saturated)
				}
				opposite, ok := mirrored[m]
				if !ok {
					opposite = m
				}
				want = -d.rounded(list, x, opposite)
				switch {
				case d.noSign:
					want = math.NaN()
				case want == 0 && !d.minusZero:
					want = 0
				}
				if got := f.Round(-x, m); !same(got, want) {
					t.Fatalf("%v.Round(%x, %v) = %v, want %v", f, -x, m, got, want)
				}
			}
		}
	}
}

// TestShortSpecials rounds zeros, infinities and NaN.
func TestShortSpecials(t *testing.T) {
	for _, d := range described() {
		f := d.format
		zero, minus := 0.0, 0.0
		if d.minusZero {
			minus = math.Copysign(0, -1)
		}
		if d.noZero {
			zero, minus = math.NaN(), math.NaN()
		}
		negative := -d.overflow
		for _, tt := range []struct{ x, want, saturated float64 }{
			{0, zero, zero},
			{math.Copysign(0, -1), minus, minus},
			{math.Inf(1), d.overflow, f.Max()},
			{math.Inf(-1), negative, -f.Max()},
			{math.NaN(), math.NaN(), math.NaN()},
		} {
			if d.noSign && tt.x < 0 {
				tt.saturated = math.NaN()
			}
			for _, m := range modes {
				if got := f.Round(tt.x, m); !same(got, tt.want) {
					t.Errorf("%v.Round(%v, %v) = %v, want %v", f, tt.x, m, got, tt.want)
				}
				if got := f.RoundSaturated(tt.x, m); !same(got, tt.saturated) {
					t.Errorf("%v.RoundSaturated(%v, %v) = %v, want %v", f, tt.x, m, got,
						tt.saturated)
				}
			}
		}
	}
}

// TestShortNeighbours walks through all numbers of the short formats.
func TestShortNeighbours(t *testing.T) {
	for _, d := range described() {
		f, list := d.format, d.positive()
		all := list
		if !d.noZero {
			all = append([]float64{0}, list...)
		}
		for i, v := range all[:len(all)-1] {
			next := all[i+1]
			if up := f.NextUp(v); up != next {
				t.Errorf("%v.NextUp(%v) = %v, want %v", f, v, up, next)
			}
			if down := f.NextDown(next); down != v {
				t.Errorf("%v.NextDown(%v) = %v, want %v", f, next, down, v)
			}
			if f.Distance(v, next) != 1 || f.Distance(next, all[0]) != uint64(i+1) {
				t.Errorf("%v: distances of %v and %v", f, v, next)
			}
			if f.ULP(v) != next-v {
				t.Errorf("%v.ULP(%v) = %v, want %v", f, v, f.ULP(v), next-v)
			}
			if d.noSign {
				continue
			}
			if up := f.NextUp(-next); up != -v || math.Signbit(up) != (v != 0 || d.minusZero) {
				t.Errorf("%v.NextUp(%v) = %v, want %v", f, -next, up, -v)
			}
		}
		if up := f.NextUp(f.Max()); !same(up, math.NaN()) && f != E5M2 {
			t.Errorf("%v.NextUp(Max) = %v", f, up)
		}
		if down := f.NextDown(f.Smallest()); d.noZero && down == down {
			t.Errorf("%v.NextDown(Smallest) = %v", f, down)
		}
	}
}
