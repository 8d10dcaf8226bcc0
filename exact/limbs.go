package exact

import "math/bits"

// A fixed is a fixed-point number Σ limb[i]·2^(32i + unit), with signed limbs
// that may exceed 32 bits until carry.
//
// The unit is the product of the two smallest subnormal numbers, and there is
// room for 2^63 products of the two largest numbers: Kulisch's long
// accumulator.
//
// References:
//   - [Kulisch2011] Ulrich Kulisch and Van Snyder. The Exact Dot Product as
//     Basic Tool for Long Interval Arithmetic. Computing 91(3):307–313, 2011.
type fixed [limbs]int64

const (
	unit  = -2 * 1074
	limbs = (2*1024 + 63 - unit + 31) / 32 // 134

	// maxLast bounds the last limb of a state that is decoded. A sum of 2^63
	// products is far below it, and 2^15 states of that size have room in one.
	maxLast = 1 << 16
)

// add adds v·2^e. e is at least unit, and 2^e below 2^1952.
func (x *fixed) add(v int64, e int) {
	sign := v >> 63
	m := uint64((v ^ sign) - sign)
	pos := uint(e - unit)
	shift := pos % 32
	d := x[pos/32 : pos/32+3 : pos/32+3]
	d[0] += (int64(uint32(m<<shift)) ^ sign) - sign
	d[1] += (int64(m<<shift>>32) ^ sign) - sign
	d[2] += (int64(m>>(64-shift)) ^ sign) - sign
}

// addWide adds ±(hi·2^64 + lo)·2^e.
func (x *fixed) addWide(negative bool, hi, lo uint64, e int) {
	var sign int64
	if negative {
		sign = -1
	}
	pos := uint(e - unit)
	shift := pos % 32
	a, b, c := lo<<shift, lo>>(64-shift)|hi<<shift, hi>>(64-shift)
	d := x[pos/32 : pos/32+5 : pos/32+5]
	d[0] += (int64(uint32(a)) ^ sign) - sign
	d[1] += (int64(a>>32) ^ sign) - sign
	d[2] += (int64(uint32(b)) ^ sign) - sign
	d[3] += (int64(b>>32) ^ sign) - sign
	d[4] += (int64(c) ^ sign) - sign
}

// carry brings every limb except the last into [0, 2^32). The last one holds
// the sign. The form is canonical: each value has exactly one.
func (x *fixed) carry() { carry(x[:]) }

// negative reports the sign, after carry.
func (x *fixed) negative() bool { return x[limbs-1] < 0 }

// negate changes the sign of a number, and carries.
func (x *fixed) negate() { negate(x[:]) }

// leading returns a nonnegative number, after carry, as
// (hi·2^64 + lo + s)·2^(e−127) with the top bit of hi set, and s in (0, 1) if
// sticky, otherwise 0. Zero has hi = 0.
func (x *fixed) leading() (hi, lo uint64, e int, sticky bool) {
	top := limbs - 1
	for top >= 0 && x[top] == 0 {
		top--
	}
	if top < 0 {
		return 0, 0, 0, false
	}
	pair := func(i int) uint64 { // digits i and i − 1
		var p uint64
		if i >= 0 {
			p = uint64(x[i]) << 32
		}
		if i >= 1 {
			p |= uint64(x[i-1])
		}
		return p
	}
	a, b, c := uint64(x[top]), pair(top-1), pair(top-3)
	z := bits.LeadingZeros64(a) // at least 1
	hi, lo = a<<z|b>>(64-z), b<<z|c>>(64-z)
	sticky = c<<z != 0
	for i := top - 5; i >= 0 && !sticky; i-- {
		sticky = x[i] != 0
	}
	return hi, lo, 32*top + unit + 63 - z, sticky
}

// int128 is a signed integer of 128 bits.
type int128 struct {
	hi int64
	lo uint64
}

func (a *int128) add(v int64) {
	var c uint64
	a.lo, c = bits.Add64(a.lo, uint64(v), 0)
	a.hi += v>>63 + int64(c)
}

// magnitude returns the sign and the absolute value.
func (a int128) magnitude() (negative bool, hi, lo uint64) {
	if a.hi >= 0 {
		return false, uint64(a.hi), a.lo
	}
	lo, b := bits.Sub64(0, a.lo, 0)
	hi, _ = bits.Sub64(0, uint64(a.hi), b)
	return true, hi, lo
}

// shiftAdd returns a·2^s + b, 0 < s < 64, and whether a and b are small enough
// for the result to be right.
func (a int128) shiftAdd(s uint, b int128) (int128, bool) {
	var c uint64
	r := int128{a.hi<<s | int64(a.lo>>(64-s)), a.lo << s}
	r.lo, c = bits.Add64(r.lo, b.lo, 0)
	r.hi += b.hi + int64(c)
	const small = 1 << 11
	return r, s < 52 && uint64(a.hi+small) < 2*small && uint64(b.hi+small) < 2*small
}

// int256 is a signed integer of 256 bits, the lowest word first.
type int256 [4]uint64

// shiftAdd returns a·2^s + b, 0 < s < 64.
func (a int256) shiftAdd(s uint, b int128) (r int256) {
	sign := uint64(b.hi >> 63)
	var c uint64
	r[0], c = bits.Add64(a[0]<<s, b.lo, 0)
	r[1], c = bits.Add64(a[1]<<s|a[0]>>(64-s), uint64(b.hi), c)
	r[2], c = bits.Add64(a[2]<<s|a[1]>>(64-s), sign, c)
	r[3], _ = bits.Add64(a[3]<<s|a[2]>>(64-s), sign, c)
	return r
}
