package exact

import "math"

// bins sums numbers of any exponent at one addition each: all that have the same
// sign and exponent go to one bin, as the integers that their bits are. The upper
// twelve bits of a bin are then known from how many numbers it holds, and the
// lower 52 are the sum of the significands, as long as that is below 2^64.
//
// References: Neal2015
type bins struct {
	sum [1 << 12]uint64
	n   [1 << 12]uint16
}

const (
	// binFull is how many significands a bin holds.
	binFull = 1 << 12
	// binsPay is from how many summands on bins are faster than limbs: they all have
	// to be looked at in the end.
	binsPay = 1 << 14
	// minusBin and the bins below it hold numbers that are not negative.
	minusBin = 1 << 11
)

// add adds the summands of o: what bins cannot hold goes to a at once.
func (b *bins) add(o *operand, a *Accumulator) {
	switch {
	case o.op == products && !o.single:
		b.addProducts(o.x, o.y, a)
		return
	case o.op == values && !o.single:
		for _, v := range o.x {
			b.put(v, a)
		}
	default:
		for i := range o.len() {
			b.put(o.at(i), a)
		}
	}
	a.count.all += int64(o.len())
	b.sort(o, a)
}

// put adds one number.
func (b *bins) put(v float64, a *Accumulator) {
	x := math.Float64bits(v)
	i := x >> 52
	b.sum[i] += x
	b.n[i]++
	if b.n[i] == binFull {
		b.empty(int(i), a)
	}
}

// sort counts what is no number, and −0, when the bins have got any.
func (b *bins) sort(o *operand, a *Accumulator) {
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

// addProducts adds x[i]·y[i] as a rounded product and its error, where that is exact.
func (b *bins) addProducts(x, y []float64, a *Accumulator) {
	y = y[:len(x)]
	for i, v := range x {
		p := float64(v * y[i])
		if q := math.Abs(p); !(q >= safeProduct && q <= math.MaxFloat64) {
			a.AddProduct(v, y[i])
			continue
		}
		b.put(p, a)
		b.put(math.FMA(v, y[i], -p), a)
		a.count.all++
	}
}

// safeProduct is from where on the error of a product is a float64: its last bit
// is at most 2^-106 times smaller.
const safeProduct = 0x1p-960

// empty moves bin i to a.
func (b *bins) empty(i int, a *Accumulator) {
	n := uint64(b.n[i])
	lo := b.sum[i] - n*uint64(i)<<52
	hi, e := uint64(0), i&(minusBin-1)
	if e != 0 { // the significands' first bits, which are not stored
		first := n << 52
		if lo += first; lo < first {
			hi = 1
		}
	} else {
		e = 1
	}
	a.room()
	a.sum.addWide(i >= minusBin, hi, lo, e-1075)
	b.sum[i], b.n[i] = 0, 0
}

// spill moves all to a.
func (b *bins) spill(a *Accumulator) {
	for i := range b.n {
		if b.n[i] != 0 {
			b.empty(i, a)
		}
	}
}
