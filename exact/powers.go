package exact

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
)

// cubes and fourths are fixed-point numbers like fixed, in units of
// 2^(3·smallest) and 2^(4·smallest). There is room for 2^63 powers of the
// largest number, and for nine digits from the lowest digit of each power.
type (
	cubes   [200]int64
	fourths [266]int64
)

// words is a nonnegative integer, the lowest word first.
type words [4]uint64

// squared returns m², for m < 2^53.
func squared(m uint64) words {
	hi, lo := bits.Mul64(m, m)
	return words{lo, hi}
}

// times returns a·m, for a below 2^128.
func times(a words, m uint64) words {
	h0, l0 := bits.Mul64(a[0], m)
	h1, l1 := bits.Mul64(a[1], m)
	l1, c := bits.Add64(l1, h0, 0)
	return words{l0, l1, h1 + c}
}

// fourthPower returns a², for a below 2^127.
func fourthPower(a words) words {
	h0, l0 := bits.Mul64(a[0], a[0])
	h1, l1 := bits.Mul64(2*a[1], a[0])
	h2, l2 := bits.Mul64(a[1], a[1])
	l1, c := bits.Add64(l1, h0, 0)
	l2, c = bits.Add64(l2, h1, c)
	return words{l0, l1, l2, h2 + c}
}

// addWords adds ±w·2^pos units to the digits. No digit changes by more than
// 2^32.
func addWords(digits []int64, negative bool, pos int, w words) {
	var sign int64
	if negative {
		sign = -1
	}
	shift := uint(pos) % 32
	d := digits[pos/32:][:2*len(w)+1]
	var low uint64
	for i, v := range w {
		v, low = v<<shift|low, v>>(64-shift)
		d[2*i] += (int64(uint32(v)) ^ sign) - sign
		d[2*i+1] += (int64(v>>32) ^ sign) - sign
	}
	d[2*len(w)] += (int64(low) ^ sign) - sign
}

// powers holds Σ x³ and Σ x⁴ of finite numbers.
type powers struct {
	cube   cubes
	fourth fourths
	// added counts the additions since the last carry.
	added int
}

// room makes room for one more addition.
func (p *powers) room() {
	if p.added++; p.added >= maxAdds {
		p.carry()
	}
}

func (p *powers) carry() {
	carry(p.cube[:])
	carry(p.fourth[:])
	p.added = 1
}

// carried returns a copy in canonical form.
func (p *powers) carried() powers {
	c := *p
	c.carry()
	return c
}

// add adds the powers of x, which is finite.
func (p *powers) add(x float64) {
	m, e := significand(x)
	s := squared(m)
	p.room()
	addWords(p.cube[:], x < 0, 3*(e-smallest), times(s, m))
	addWords(p.fourth[:], false, 4*(e-smallest), fourthPower(s))
}

// merge adds sign·q.
func (p *powers) merge(q *powers, sign int64) {
	c := q.carried()
	p.room()
	for i, d := range c.cube {
		p.cube[i] += sign * d
	}
	for i, d := range c.fourth {
		p.fourth[i] += sign * d
	}
}

// A powerBin holds Σ m³ and Σ m⁴ over the significands m of numbers with the
// same sign and exponent.
type powerBin struct {
	cube   [3]uint64
	fourth words
	key    uint64 // sign and exponent as in a number's bits, plus 1; 0 for an empty bin
}

// maxBinned bounds the numbers in bins: even 2^33 cubes of 159 bits stay below
// 2^192.
const maxBinned = 1 << 30

// powerBins holds numbers of up to 64 signs and exponents, each in the one
// place it hashes to. Most data has no more.
type powerBins [64]powerBin

// addPowers adds the powers of the finite numbers of x. Large slices use all
// cores.
func addPowers[T Float](p *powers, x []T) {
	parts := min(runtime.GOMAXPROCS(0), len(x)/minPowersShare)
	if parts < 2 {
		addPowersAlone(p, x)
		return
	}
	sums := make([]powers, parts)
	var done sync.WaitGroup
	for i := range sums {
		part := x[i*len(x)/parts : (i+1)*len(x)/parts]
		done.Go(func() { addPowersAlone(&sums[i], part) })
	}
	done.Wait()
	for i := range sums {
		p.merge(&sums[i], 1)
	}
}

// minPowersShare is the least number of numbers that one more core speeds up.
const minPowersShare = 1 << 13

// addPowersAlone is addPowers on one core.
func addPowersAlone[T Float](p *powers, x []T) {
	if len(x) < 2*len(powerBins{}) {
		for _, v := range x {
			if v-v == 0 {
				p.add(float64(v))
			}
		}
		return
	}
	var b powerBins
	for part := range slices.Chunk(x, maxBinned) {
		addBinned(&b, p, part)
		b.empty(p)
	}
}

// addBinned adds the powers of the finite numbers of x to b. A bin that another
// exponent needs is emptied to p.
func addBinned[T Float](b *powerBins, p *powers, x []T) {
	const infinite = 0x7ff
	for _, v := range x {
		u := math.Float64bits(float64(v))
		key := u >> 52
		if key&infinite == infinite {
			continue
		}
		bin := &b[key%32|key>>11<<5]
		if bin.key != key+1 {
			bin.empty(p)
			bin.key = key + 1
		}
		m := u & (1<<52 - 1)
		if key&infinite != 0 {
			m |= 1 << 52
		}
		bin.add(m)
	}
}

// add adds the powers of m, which is below 2^53.
func (b *powerBin) add(m uint64) {
	// (h·2^64 + l)·m and (h·2^64 + l)², in variables: an array of words would
	// be in memory.
	h, l := bits.Mul64(m, m)
	h0, l0 := bits.Mul64(l, m)
	h1, l1 := bits.Mul64(h, m)
	var c, d uint64
	b.cube[0], c = bits.Add64(b.cube[0], l0, 0)
	l1, d = bits.Add64(l1, h0, 0)
	b.cube[1], c = bits.Add64(b.cube[1], l1, c)
	b.cube[2] += h1 + c + d

	h0, l0 = bits.Mul64(l, l)
	h1, l1 = bits.Mul64(2*h, l)
	h2, l2 := bits.Mul64(h, h)
	l1, c = bits.Add64(l1, h0, 0)
	l2, c = bits.Add64(l2, h1, c)
	h2 += c
	b.fourth[0], c = bits.Add64(b.fourth[0], l0, 0)
	b.fourth[1], c = bits.Add64(b.fourth[1], l1, c)
	b.fourth[2], c = bits.Add64(b.fourth[2], l2, c)
	b.fourth[3] += h2 + c
}

// empty moves the sums of the bin to p.
func (b *powerBin) empty(p *powers) {
	if b.key == 0 {
		return
	}
	key := int(b.key - 1)
	pos := max(key&0x7ff, 1) - 1 // exponent of the significand's last bit, above smallest
	p.room()
	addWords(p.cube[:], key>>11 != 0, 3*pos, words{b.cube[0], b.cube[1], b.cube[2]})
	addWords(p.fourth[:], false, 4*pos, b.fourth)
	*b = powerBin{}
}

// empty moves the sums of all bins to p.
func (b *powerBins) empty(p *powers) {
	for i := range b {
		b[i].empty(p)
	}
}
