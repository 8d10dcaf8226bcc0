package exact

import (
	"math"
	"math/bits"
)

// bins sums numbers of any exponent at one addition each. There is a bin for
// each sign and exponent, which adds the bits of its numbers as integers. All
// numbers of a bin have the same upper twelve bits, so that the sum of their
// significands follows from the sum of the bits and the count, provided that it
// is below 2^64. Neal calls this a large superaccumulator.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
type bins struct {
	sum  [1 << 12]uint64
	n    [1 << 12]uint16
	used bool // whether a bin may hold something
}

const (
	// maxBin bounds the significands in a bin. The sum of their stored bits is
	// below 2^64, and so is the sum of their leading bits, which are not
	// stored.
	maxBin = 1<<12 - 1
	// minBins is the least number of summands that bins add faster than limbs:
	// spill reads all bins, for however few numbers.
	minBins = 1 << 10
	// minusBin is the first bin of negative numbers.
	minusBin = 1 << 11
)

// add adds the summands of o. Those that bins cannot hold go to a.
func (b *bins) add(o *operand, a *long) {
	b.used = true
	if n := o.len(); n >= maxBin {
		// A full bin is emptied, and sort would miss its numbers. Fewer than
		// maxBin numbers fill no bin.
		p, q := o.part(0, n/2), o.part(n/2, n)
		b.add(&p, a)
		b.add(&q, a)
		return
	}
	switch {
	case o.op == products && !o.single:
		b.addProducts(o.x, o.y, a)
		return
	case o.op == values && !o.single:
		b.addSlice(o.x, a)
	default:
		var block [128]float64
		for i, n := 0, o.len(); i < n; i += len(block) {
			m := min(len(block), n-i)
			for j := range m {
				block[j] = o.at(i + j)
			}
			b.addSlice(block[:m], a)
		}
	}
	a.count.all += int64(o.len())
	b.sort(o, a)
}

// addSlice adds every number of x.
func (b *bins) addSlice(x []float64, a *long) {
	for _, v := range x {
		u := math.Float64bits(v)
		i := u >> 52
		b.sum[i] += u
		n := b.n[i] + 1
		b.n[i] = n
		if n == maxBin {
			b.empty(int(i), a)
		}
	}
}

// sort counts infinities, NaN and −0, if the bins hold any, and empties their
// bins.
func (b *bins) sort(o *operand, a *long) {
	const last = minusBin - 1 // NaN and infinities
	if b.n[last]|b.n[minusBin|last] != 0 {
		for i := range o.len() {
			if v := o.at(i); math.Float64bits(v)>>52&last == last {
				a.count.special(v)
			}
		}
		b.sum[last], b.n[last], b.sum[minusBin|last], b.n[minusBin|last] = 0, 0, 0, 0
	}
	if b.n[minusBin] != 0 {
		a.count.negZero += o.negZeros()
		b.empty(minusBin, a)
	}
}

// addProducts adds x[i]·y[i] as a rounded product and its error, where that is
// exact.
func (b *bins) addProducts(x, y []float64, a *long) {
	y = y[:len(x)]
	for i, v := range x {
		p := float64(v * y[i])
		if q := math.Abs(p); !(q >= safeProduct && q < 0x1p1023) {
			a.addProduct(v, y[i])
			continue
		}
		pair := [2]float64{p, math.FMA(v, y[i], -p)}
		b.addSlice(pair[:], a)
		a.count.all++
	}
}

// safeProduct is a magnitude above which the errors of products are exact
// float64 numbers. The last bit of an error is 2^-106 times smaller at most,
// far above 2^-1074.
const safeProduct = 0x1p-900

// significands returns the sum of the significands in bin i, as integers.
func (b *bins) significands(i int) (hi, lo uint64) {
	n := uint64(b.n[i])
	lo = b.sum[i] - n*uint64(i)<<52
	if i&(minusBin-1) == 0 { // subnormal: all of a significand is stored
		return 0, lo
	}
	lo, hi = bits.Add64(lo, n<<52, 0)
	return hi, lo
}

// empty moves bin i to a.
func (b *bins) empty(i int, a *long) {
	hi, lo := b.significands(i)
	a.addWide(i >= minusBin, hi, lo, max(i&(minusBin-1), 1)-1075)
	b.sum[i], b.n[i] = 0, 0
}

// spill moves everything to a. Bins whose exponents differ by less than 32 go
// together.
func (b *bins) spill(a *long) {
	if !b.used {
		return
	}
	b.used = false
	const group = 32
	for first := 0; first < len(b.n); first += group {
		var hi, lo uint64
		for i := first; i < first+group; i++ {
			if b.n[i] == 0 {
				continue
			}
			h, l := b.significands(i)
			shift := uint(i - first)
			if i&(minusBin-1) == 0 {
				shift = 1
			}
			var c uint64
			lo, c = bits.Add64(lo, l<<shift, 0)
			hi += h<<shift | l>>(64-shift) + c
			b.sum[i], b.n[i] = 0, 0
		}
		if hi|lo != 0 {
			a.addWide(first >= minusBin, hi, lo, first&(minusBin-1)-1075)
		}
	}
}
