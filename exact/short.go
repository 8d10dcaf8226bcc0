package exact

import "math/bits"

// A short is a signed integer of 192 bits, the lowest word first. In an
// Accumulator it is a multiple of 2^(pos + unit), and its magnitude is below
// 2^maxShort, so that one more summand below that does not overflow.
//
// Let all exponents of float64 summands be in a range of 64 places. The last
// bits of their significands then span 64 places, their sum is a multiple of
// the lowest of these bits, and 2^63 of them are below 2^(64+53+63) = 2^180
// times that. So a short holds the sum, at the right position: move finds it.
type short [3]uint64

// maxShort bounds the bits of a magnitude.
const maxShort = 190

// add adds v·2^shift, for |v| < 2^53 and a shift of at most maxShort − 53. It
// returns false if the magnitude has reached 2^maxShort.
func (s *short) add(v int64, shift uint) bool {
	sign, at := uint64(v>>63), shift%64
	lo, hi := uint64(v)<<at, uint64(v>>1>>(63-at))
	var c uint64
	switch shift / 64 {
	case 0:
		s[0], c = bits.Add64(s[0], lo, 0)
		s[1], c = bits.Add64(s[1], hi, c)
		s[2] += sign + c
	case 1:
		s[1], c = bits.Add64(s[1], lo, 0)
		s[2] += hi + c
	default:
		s[2] += lo
	}
	return s.hasRoom()
}

// addProduct adds (hi·2^64 + lo)·2^shift, which is below 2^106 · 2^shift, for a
// shift of at most maxShort − 106. With a sign of −1 it subtracts.
func (s *short) addProduct(sign int64, hi, lo uint64, shift uint) bool {
	at, flip := shift%64, uint64(sign)
	first, second, third := lo<<at, hi<<at|lo>>1>>(63-at), hi>>1>>(63-at)
	c := flip & 1 // −x is ^x + 1
	if shift < 64 {
		s[0], c = bits.Add64(s[0], first^flip, c)
		s[1], c = bits.Add64(s[1], second^flip, c)
		s[2] += third ^ flip + c
	} else {
		s[1], c = bits.Add64(s[1], first^flip, c)
		s[2] += second ^ flip + c
	}
	return s.hasRoom()
}

// hasRoom reports whether the magnitude is below 2^maxShort, or is that for a
// negative number.
func (s *short) hasRoom() bool { return (s[2]+1<<(maxShort-128))>>63 == 0 }

// addMagnitude adds ±m·2^shift, which is below 2^maxShort.
func (s *short) addMagnitude(negative bool, m short, shift uint) bool {
	m.shiftLeft(shift)
	var c uint64
	if negative {
		s[0], c = bits.Sub64(s[0], m[0], 0)
		s[1], c = bits.Sub64(s[1], m[1], c)
		s[2] -= m[2] + c
	} else {
		s[0], c = bits.Add64(s[0], m[0], 0)
		s[1], c = bits.Add64(s[1], m[1], c)
		s[2] += m[2] + c
	}
	return s.hasRoom()
}

// shiftLeft multiplies by 2^n, for n < 192.
func (s *short) shiftLeft(n uint) {
	switch n / 64 {
	case 1:
		*s = short{0, s[0], s[1]}
	case 2:
		*s = short{0, 0, s[0]}
	}
	n %= 64
	s[2] = s[2]<<n | s[1]>>1>>(63-n)
	s[1] = s[1]<<n | s[0]>>1>>(63-n)
	s[0] <<= n
}

// shiftRight divides a magnitude by 2^n, for n < 192, and rounds down.
func (s *short) shiftRight(n uint) {
	switch n / 64 {
	case 1:
		*s = short{s[1], s[2]}
	case 2:
		*s = short{s[2]}
	}
	n %= 64
	s[0] = s[0]>>n | s[1]<<1<<(63-n)
	s[1] = s[1]>>n | s[2]<<1<<(63-n)
	s[2] >>= n
}

// negated returns −s.
func (s *short) negated() (m short) {
	var b uint64
	m[0], b = bits.Sub64(0, s[0], 0)
	m[1], b = bits.Sub64(0, s[1], b)
	m[2], _ = bits.Sub64(0, s[2], b)
	return m
}

// magnitude returns the sign and the absolute value.
func (s *short) magnitude() (negative bool, m short) {
	if int64(s[2]) >= 0 {
		return false, *s
	}
	return true, s.negated()
}

// len returns the number of bits of a magnitude.
func (s *short) len() int {
	switch {
	case s[2] != 0:
		return 128 + bits.Len64(s[2])
	case s[1] != 0:
		return 64 + bits.Len64(s[1])
	}
	return bits.Len64(s[0])
}

// zeros returns the number of zero bits at the lower end of a number that is
// not zero.
func (s *short) zeros() int {
	switch {
	case s[0] != 0:
		return bits.TrailingZeros64(s[0])
	case s[1] != 0:
		return 64 + bits.TrailingZeros64(s[1])
	}
	return 128 + bits.TrailingZeros64(s[2])
}

// leading returns the number at a position as fixed.leading does, and its sign.
func (s *short) leading(pos int) (negative bool, hi, lo uint64, e int, sticky bool) {
	negative, m := s.magnitude()
	n := m.len()
	if n == 0 {
		return false, 0, 0, 0, false
	}
	m.shiftLeft(uint(192 - n))
	return negative, m[2], m[1], pos + unit + n - 1, m[0] != 0
}

// addWide adds ±(hi·2^64 + lo)·2^e.
func (a *Accumulator) addWide(negative bool, hi, lo uint64, e int) {
	pos := e - unit
	m := short{lo, hi}
	if shift := pos - int(a.pos); shift >= 0 && shift+m.len() <= maxShort {
		if !a.short.addMagnitude(negative, m, uint(shift)) {
			a.makeRoom()
		}
		return
	}
	a.addFar(negative, hi, lo, pos)
}

// addFar adds ±(hi·2^64 + lo)·2^(pos + unit), which does not fit where the
// short is.
func (a *Accumulator) addFar(negative bool, hi, lo uint64, pos int) {
	m := short{lo, hi}
	n := m.len()
	if n == 0 {
		return
	}
	if (a.spill == nil || a.short == short{}) && a.move(pos, pos+n) {
		if !a.short.addMagnitude(negative, m, uint(pos-int(a.pos))) {
			a.makeRoom()
		}
		return
	}
	a.logWide(negative, hi, lo, pos)
}

// move moves the short so that it has room for a number whose bits are from low
// to high, exclusive. It returns false if there is no such position.
func (a *Accumulator) move(low, high int) bool {
	negative, m := a.short.magnitude()
	n := m.len()
	if n > 0 {
		low = min(low, int(a.pos)+m.zeros())
		high = max(high, int(a.pos)+n) + 1
	}
	room := maxShort - (high - low)
	if room < 0 {
		return false
	}
	below := room / 2
	if n == 0 {
		below = min(firstShift(high-low), room)
	}
	pos := max(low-below, 0)
	if n > 0 {
		a.shift(negative, m, pos)
	}
	a.pos = int16(pos)
	return true
}

// firstShift returns where in the short its first summand goes, by its bits:
// half a word from the ends of words, so that summands near it go to the same
// words, and the branches of add and addProduct are predicted.
func firstShift(bits int) int {
	if bits <= 64 {
		return 96
	}
	return 32
}

// shift moves the short, which is ±m, to a position where it fits.
func (a *Accumulator) shift(negative bool, m short, pos int) {
	if n := pos - int(a.pos); n > 0 {
		m.shiftRight(uint(n))
	} else {
		m.shiftLeft(uint(-n))
	}
	if negative {
		m = m.negated()
	}
	a.short, a.pos = m, int16(pos)
}

// makeRoom brings the magnitude of the short below 2^maxShort.
func (a *Accumulator) makeRoom() {
	negative, m := a.short.magnitude()
	if zeros := m.zeros(); zeros > 1 {
		a.shift(negative, m, int(a.pos)+zeros)
		return
	}
	a.logShort()
}
