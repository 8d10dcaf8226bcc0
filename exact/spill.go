package exact

import (
	"math"
	"sync/atomic"
)

// A spill holds the part of an Accumulator that is not in its short: Σ base and
// the first words of log, as many as the Accumulator has logged.
//
// Copies of an Accumulator share it, and nothing tells how many there are. So
// what one of them reads never changes: base is never written to, and words are
// appended to log only. Who appends first, of several copies, takes the words
// that follow by raising used; the others find it raised, and take a spill of
// their own. That is atomic, since copies may be in several goroutines.
type spill struct {
	base *long // carried; its counts are of special numbers only; nil for zero
	log  []uint64
	used atomic.Uint32 // words of log that some Accumulator has
}

// A log is a sequence of summands. A float64 number is a word, its bits. Words
// with the exponent of NaN are others:
const (
	// A sign and a position, and an integer in the two words that follow, the
	// lower one first.
	logWide   = 0x7ff0 << 48
	logNaN    = 0x7ff1 << 48
	logPosInf = 0x7ff2 << 48
	logNegInf = 0x7ff3 << 48

	logExponent = 0x7ff0 << 48
	logKind     = 0x7fff << 48
	logPosition = 1<<16 - 1
)

// Lengths of logs. A sum that goes on growing pays for a base of 1.1 KiB once
// for every maxLog words.
const (
	minLog = 8
	maxLog = 128
)

// special counts a summand that is not finite.
func (a *Accumulator) special(x float64) {
	switch {
	case x > 0:
		a.append(1, logPosInf, 0, 0)
	case x < 0:
		a.append(1, logNegInf, 0, 0)
	default:
		a.append(1, logNaN, 0, 0)
	}
}

// logWide adds ±(hi·2^64 + lo)·2^(pos + unit).
func (a *Accumulator) logWide(negative bool, hi, lo uint64, pos int) {
	sign := uint64(0)
	if negative {
		sign = 1 << 63
	}
	if e := pos - minPos + 1; hi == 0 && lo>>52 == 1 && e > 0 && e < 0x7ff { // a float64
		a.append(1, sign|uint64(e)<<52|lo&(1<<52-1), 0, 0)
		return
	}
	a.append(3, sign|logWide|uint64(pos), lo, hi)
}

// logMagnitude adds ±m·2^(pos + unit).
func (a *Accumulator) logMagnitude(negative bool, m short, pos int) {
	if m[0]|m[1] != 0 {
		a.logWide(negative, m[1], m[0], pos)
	}
	if m[2] != 0 {
		a.logWide(negative, 0, m[2], pos+128)
	}
}

// minPos is the position of the smallest float64.
const minPos = smallest - unit

// logShort moves the short to the spill.
func (a *Accumulator) logShort() {
	negative, m := a.short.magnitude()
	pos := int(a.pos)
	a.short = short{}
	a.logMagnitude(negative, m, pos)
}

// append appends n of three words to the log.
func (a *Accumulator) append(n int, head, lo, hi uint64) {
	log := a.take(n)
	log[0] = head
	if n == 3 {
		log[1], log[2] = lo, hi
	}
}

// maxLogged bounds the summands of a slice that go to the log at once.
const maxLogged = maxLog / 2

// logAll adds the summands of o, which are float64 numbers: up to maxLogged.
func (a *Accumulator) logAll(o *operand) {
	n := o.len()
	a.all += int64(n)
	log := a.take(n)
	for i := range log {
		x := o.at(i)
		switch b := math.Float64bits(x); {
		case b>>52&0x7ff != 0x7ff:
			log[i] = b      // zeros add nothing
			if b == 1<<63 { //lastbit:ignore nankey compared with -0
				a.negZero++
			}
		case x > 0:
			log[i] = logPosInf
		case x < 0:
			log[i] = logNegInf
		default:
			log[i] = logNaN
		}
	}
}

// take returns the next n words of the log, which belong to a from then on.
func (a *Accumulator) take(n int) []uint64 {
	s, at := a.spill, int(a.logged)
	if s == nil || at+n > len(s.log) || !s.used.CompareAndSwap(uint32(at), uint32(at+n)) {
		s = a.extended(n)
		a.spill, at = s, int(a.logged)
		s.used.Store(uint32(at + n))
	}
	a.logged = uint16(at + n)
	return s.log[at : at+n]
}

// extended returns a spill that nothing else has, with the content of a's and
// with room for n words, at most maxLogged.
func (a *Accumulator) extended(n int) *spill {
	if a.spill == nil {
		return &spill{log: make([]uint64, max(minLog, n))}
	}
	if size := len(a.spill.log); size < maxLog && int(a.logged)+n <= maxLog {
		size = min(max(4*size, int(a.logged)+n, minLog), maxLog)
		s := &spill{base: a.spill.base, log: make([]uint64, size)}
		copy(s.log, a.spill.log[:a.logged])
		return s
	}
	base := a.based()
	a.short, a.pos, a.logged = short{}, 0, 0 // the next number finds a place for the short
	return &spill{base: base, log: make([]uint64, maxLog)}
}

// based returns the sum as a base.
func (a *Accumulator) based() *long {
	base := new(long)
	a.fill(base)
	base.carry()
	base.count.all, base.count.negZero = 0, 0
	return base
}

// replay adds the summands of a log.
func (a *long) replay(log []uint64) {
	for i := 0; i < len(log); i++ {
		switch w := log[i]; {
		case w&logExponent != logExponent:
			a.addFinite(w)
		case w&logKind == logWide:
			a.addShort(w>>63 != 0, short{log[i+1], log[i+2]}, int(w&logPosition))
			i += 2
		}
	}
	a.count.replay(log)
}

// replay counts the summands of a log that are not finite.
func (c *counts) replay(log []uint64) {
	for i := 0; i < len(log); i++ {
		switch w := log[i]; {
		case w&logExponent != logExponent:
		case w&logKind == logWide:
			i += 2
		case w == logPosInf:
			c.posInf++
		case w == logNegInf:
			c.negInf++
		default:
			c.nan++
		}
	}
}

// counts returns the numbers of summands.
func (a *Accumulator) counts() (c counts) {
	if s := a.spill; s != nil {
		if s.base != nil {
			c = s.base.count
		}
		c.replay(s.log[:a.logged])
	}
	c.all, c.negZero = a.all, a.negZero
	return c
}

// isInfinite reports whether a summand is not finite.
func (a *Accumulator) isInfinite() bool {
	c := a.counts()
	return c.isInfinite()
}

// leading returns the sum of the finite summands as fixed.leading does, and its
// sign.
func (a *Accumulator) leading() (negative bool, hi, lo uint64, e int, sticky bool) {
	if a.spill == nil {
		return a.short.leading(int(a.pos))
	}
	l := a.long()
	return l.leading()
}

// long returns the sum as one in memory for all exponents.
func (a *Accumulator) long() (l long) {
	a.fill(&l)
	return l
}

// fill sets l, which is empty, to the sum.
func (a *Accumulator) fill(l *long) {
	if s := a.spill; s != nil {
		if s.base != nil {
			*l = *s.base
		}
		l.replay(s.log[:a.logged])
	}
	l.count.all, l.count.negZero = a.all, a.negZero
	negative, m := a.short.magnitude()
	l.addShort(negative, m, int(a.pos))
}

// carried returns a copy of the sum in canonical form.
func (a *Accumulator) carried() long {
	l := a.long()
	l.carry()
	return l
}

// combine adds every summand of b, or removes it.
func (a *Accumulator) combine(b *Accumulator, remove bool) {
	if b.spill != nil {
		l := b.carried()
		if remove {
			l.negate()
		}
		a.mergeLong(&l)
		return
	}
	s, pos, c := b.short, int(b.pos), counts{all: b.all, negZero: b.negZero}
	if remove {
		c = c.negated()
	}
	a.all += c.all
	a.negZero += c.negZero
	negative, m := s.magnitude()
	a.addShort(negative != remove, m, pos)
}

// addShort adds ±m·2^(pos + unit).
func (a *Accumulator) addShort(negative bool, m short, pos int) {
	n := m.len()
	if n == 0 {
		return
	}
	shift := pos - int(a.pos)
	if shift < 0 || shift+n > maxShort {
		zeros := m.zeros()
		if a.spill != nil && a.short != (short{}) || !a.move(pos+zeros, pos+n) {
			a.logMagnitude(negative, m, pos)
			return
		}
		if shift = pos - int(a.pos); shift < 0 { // only by zeros
			m.shiftRight(uint(-shift))
			shift = 0
		}
	}
	if !a.short.addMagnitude(negative, m, uint(shift)) {
		a.makeRoom()
	}
}

// maxDigits bounds the digits of a long that are added to a short: 192 bits.
const maxDigits = 6

// mergeLong adds l. It changes l.
func (a *Accumulator) mergeLong(l *long) {
	l.carry()
	if c := &l.count; c.areFewSpecial() {
		if negative, m, first, ok := l.sum.short(); ok {
			a.all += c.all
			a.negZero += c.negZero
			a.addSpecial(c)
			a.addShort(negative, m, 32*first)
			return
		}
	}
	base := new(long)
	a.fill(base)
	base.merge(l)
	base.carry()
	a.settle(base)
}

// areFewSpecial reports whether a log may hold all summands that are not
// finite.
func (c *counts) areFewSpecial() bool {
	const few = 4
	return min(c.nan, c.posInf, c.negInf) >= 0 && max(c.nan, c.posInf, c.negInf) <= few
}

// addSpecial adds the summands that are not finite, which are few.
func (a *Accumulator) addSpecial(c *counts) {
	for range c.nan {
		a.append(1, logNaN, 0, 0)
	}
	for range c.posInf {
		a.append(1, logPosInf, 0, 0)
	}
	for range c.negInf {
		a.append(1, logNegInf, 0, 0)
	}
}

// set makes a the sum l, which is carried.
func (a *Accumulator) set(l *long) {
	if !a.setShort(l) {
		base := *l
		a.settle(&base)
	}
}

// settle makes a the sum l, which is carried, and may keep l.
func (a *Accumulator) settle(l *long) {
	if !a.setShort(l) {
		l.count.all, l.count.negZero = 0, 0
		a.spill = &spill{base: l}
	}
}

// setShort makes a the sum l, which is carried. It returns false if that takes
// a base, which a then lacks.
func (a *Accumulator) setShort(l *long) bool {
	*a = Accumulator{all: l.count.all, negZero: l.count.negZero, hint: a.hint}
	if l.count.areFewSpecial() {
		if negative, m, first, ok := l.sum.short(); ok {
			a.addSpecial(&l.count)
			a.addShort(negative, m, 32*first)
			return true
		}
	}
	return false
}

// short returns a number after carry as ±m·2^(32·first + unit), if it has no
// more digits than that.
func (x *fixed) short() (negative bool, m short, first int, ok bool) {
	last := len(x) - 1
	negative = x.negative()
	if negative {
		// All digits above the highest one that counts are 2^32 − 1, and the
		// last one, which has the sign, is −1.
		if x[last] != -1 {
			return false, m, 0, false
		}
		for last--; last >= 0 && x[last] == 1<<32-1; last-- {
		}
		last++
	} else {
		for last >= 0 && x[last] == 0 {
			last--
		}
	}
	for first = 0; first <= last && x[first] == 0; first++ {
	}
	if last-first >= maxDigits {
		return false, m, 0, false
	}
	var d [maxDigits]uint64
	for i := first; i <= last; i++ {
		d[i-first] = uint64(uint32(x[i]))
	}
	m = short{d[0] | d[1]<<32, d[2] | d[3]<<32, d[4] | d[5]<<32}
	if negative {
		// The digits above are all ones.
		for n := 32 * (last - first + 1); n < 192; n += 32 {
			m[n/64] |= (1<<32 - 1) << (n % 64)
		}
		_, m = m.magnitude()
	}
	return negative, m, first, true
}
