// An exact sum in the memory of an aggregate's state. It is the Accumulator of
// package exact, in C: a signed integer of 192 bits at a position that moves,
// for numbers whose exponents are near each other, and beside it one in
// memory for all exponents, once others come. exact/short.go derives the
// bounds.

#ifndef LASTBIT_SUM_H
#define LASTBIT_SUM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	LB_LIMBS = 134,          // digits of 32 bits, in units of 2^LB_UNIT
	LB_COUNTS = 5,           // summands, −0, NaN, +Inf, −Inf
	LB_VECTOR = LB_COUNTS + LB_LIMBS, // exact.Limbs
	LB_UNIT = -2148,
	LB_ROOM = 190,           // bits of a magnitude in the short part
	LB_CARRY = 1 << 29,      // additions to the limbs between carries
};

// lb_long has the limbs, signed and in need of a carry, and the counts of
// summands that are not finite.
typedef struct {
	int64_t limb[LB_LIMBS];
	int64_t nan, pos_inf, neg_inf;
	int64_t added;
} lb_long;

typedef struct {
	uint64_t w[3]; // a signed integer, times 2^(pos + LB_UNIT)
	int64_t all, neg_zero;
	lb_long *spill; // NULL, or what is not in w; its owner is this sum
	int16_t pos;
	bool failed;   // memory was not to be had
	bool seen;     // there was a row that is not NULL
	uint8_t scale; // the integers are units of 10^-scale
} lb_sum;

// lb_carry brings every limb except the last into [0, 2^32).
static void lb_carry(lb_long *l) {
	int64_t c = 0;
	for (int i = 0; i < LB_LIMBS - 1; i++) {
		c += l->limb[i];
		l->limb[i] = (int64_t)(uint32_t)c;
		c >>= 32;
	}
	l->limb[LB_LIMBS - 1] += c;
	l->added = 1;
}

static inline void lb_room(lb_long *l) {
	if (++l->added >= LB_CARRY)
		lb_carry(l);
}

// lb_spilled returns the long part, made at its first use, or NULL.
static lb_long *lb_spilled(lb_sum *s) {
	if (!s->spill && !(s->spill = calloc(1, sizeof(lb_long))))
		s->failed = true;
	return s->spill;
}

// lb_long_add adds ±m·2^(pos + LB_UNIT) to the long part, for three words m,
// the lowest first. Digits beyond the last limb are zero.
static void lb_long_add(lb_sum *s, bool negative, const uint64_t m[3], int pos) {
	lb_long *l = lb_spilled(s);
	if (!l)
		return;
	lb_room(l);
	int64_t sign = negative ? -1 : 0;
	unsigned shift = (unsigned)pos % 32;
	uint64_t v = 0;
	for (int i = 0; i < 7; i++) {
		v >>= 32;
		if (i < 6)
			v |= (m[i / 2] >> (32 * (i % 2)) & 0xffffffff) << shift;
		int64_t d = (int64_t)(uint32_t)v;
		if (d)
			l->limb[pos / 32 + i] += (d ^ sign) - sign;
	}
}

static inline void lb_negate(uint64_t m[3]) {
	unsigned __int128 c = (unsigned __int128)~m[0] + 1;
	m[0] = (uint64_t)c;
	c = (unsigned __int128)~m[1] + (uint64_t)(c >> 64);
	m[1] = (uint64_t)c;
	m[2] = ~m[2] + (uint64_t)(c >> 64);
}

// lb_shift multiplies a magnitude by 2^n, for −192 < n < 192.
static inline void lb_shift(uint64_t m[3], int n) {
	if (n >= 0) {
		for (; n >= 64; n -= 64)
			m[2] = m[1], m[1] = m[0], m[0] = 0;
		if (n) {
			m[2] = m[2] << n | m[1] >> (64 - n);
			m[1] = m[1] << n | m[0] >> (64 - n);
			m[0] <<= n;
		}
		return;
	}
	for (n = -n; n >= 64; n -= 64)
		m[0] = m[1], m[1] = m[2], m[2] = 0;
	if (n) {
		m[0] = m[0] >> n | m[1] << (64 - n);
		m[1] = m[1] >> n | m[2] << (64 - n);
		m[2] >>= n;
	}
}

// lb_bits returns the number of bits of a magnitude.
static inline int lb_bits(const uint64_t m[3]) {
	for (int i = 2; i >= 0; i--)
		if (m[i])
			return 64 * i + 64 - __builtin_clzll(m[i]);
	return 0;
}

// lb_zeros returns the zero bits at the lower end of a magnitude that is not 0.
static inline int lb_zeros(const uint64_t m[3]) {
	for (int i = 0; i < 2; i++)
		if (m[i])
			return 64 * i + __builtin_ctzll(m[i]);
	return 128 + __builtin_ctzll(m[2]);
}

// lb_magnitude returns the sign of the short part, and sets m.
static inline bool lb_magnitude(const lb_sum *s, uint64_t m[3]) {
	memcpy(m, s->w, sizeof s->w);
	bool negative = (int64_t)m[2] < 0;
	if (negative)
		lb_negate(m);
	return negative;
}

// lb_set sets the short part to ±m at a position.
static inline void lb_set(lb_sum *s, bool negative, uint64_t m[3], int pos) {
	if (negative)
		lb_negate(m);
	memcpy(s->w, m, sizeof s->w);
	s->pos = (int16_t)pos;
}

// lb_has_room reports whether one more summand below 2^LB_ROOM has room.
static inline bool lb_has_room(const lb_sum *s) {
	return (s->w[2] + (1ull << (LB_ROOM - 128))) >> 63 == 0;
}

// lb_make_room brings the short part below 2^LB_ROOM.
static void lb_make_room(lb_sum *s) {
	uint64_t m[3];
	bool negative = lb_magnitude(s, m);
	int zeros = lb_zeros(m), pos = s->pos;
	if (zeros > 1) {
		lb_shift(m, -zeros);
		lb_set(s, negative, m, pos + zeros);
		return;
	}
	lb_long_add(s, negative, m, pos);
	memset(s->w, 0, sizeof s->w);
}

// lb_move moves the short part so that a number whose bits are from low to
// high, exclusive, has room beside it. It returns false if it cannot.
static bool lb_move(lb_sum *s, int low, int high) {
	uint64_t m[3];
	bool negative = lb_magnitude(s, m);
	int n = lb_bits(m);
	if (n) {
		int first = s->pos + lb_zeros(m);
		low = first < low ? first : low;
		high = (s->pos + n > high ? s->pos + n : high) + 1;
	}
	int room = LB_ROOM - (high - low);
	if (room < 0)
		return false;
	int below = room / 2;
	if (!n) // half a word from the ends of words, for predicted branches
		below = high - low <= 64 ? 96 : 32;
	if (below > room)
		below = room;
	int pos = low > below ? low - below : 0;
	if (n) {
		lb_shift(m, s->pos - pos);
		lb_set(s, negative, m, pos);
	}
	s->pos = (int16_t)pos;
	return true;
}

// lb_add_wide adds ±m·2^(pos + LB_UNIT).
static void lb_add_wide(lb_sum *s, bool negative, const uint64_t m[3], int pos) {
	int n = lb_bits(m);
	if (!n)
		return;
	int shift = pos - s->pos;
	uint64_t v[3];
	memcpy(v, m, sizeof v);
	if (shift < 0 || shift + n > LB_ROOM) {
		int zeros = lb_zeros(m);
		bool empty = !(s->w[0] | s->w[1] | s->w[2]);
		if ((s->spill && !empty) || !lb_move(s, pos + zeros, pos + n)) {
			lb_long_add(s, negative, m, pos);
			return;
		}
		shift = pos - s->pos;
	}
	lb_shift(v, shift);
	if (negative)
		lb_negate(v);
	unsigned __int128 c = (unsigned __int128)s->w[0] + v[0];
	s->w[0] = (uint64_t)c;
	c = (unsigned __int128)s->w[1] + v[1] + (uint64_t)(c >> 64);
	s->w[1] = (uint64_t)c;
	s->w[2] += v[2] + (uint64_t)(c >> 64);
	if (!lb_has_room(s))
		lb_make_room(s);
}

// lb_add_far adds ±m·2^(pos + LB_UNIT), for m below 2^53, which does not fit
// where the short part is.
static void lb_add_far(lb_sum *s, bool negative, uint64_t m, int pos) {
	lb_long *l = s->spill;
	if (!l || !(s->w[0] | s->w[1] | s->w[2])) {
		lb_add_wide(s, negative, (uint64_t[3]){m, 0, 0}, pos);
		return;
	}
	lb_room(l);
	int64_t sign = negative ? -1 : 0, *d = l->limb + pos / 32;
	unsigned shift = (unsigned)pos % 32;
	unsigned __int128 v = (unsigned __int128)m << shift;
	d[0] += ((int64_t)(uint32_t)v ^ sign) - sign;
	d[1] += ((int64_t)(uint32_t)(v >> 32) ^ sign) - sign;
	d[2] += ((int64_t)(uint64_t)(v >> 64) ^ sign) - sign;
}

// lb_special counts a summand that is not finite.
static void lb_special(lb_sum *s, double x) {
	lb_long *l = lb_spilled(s);
	if (!l)
		return;
	if (x > 0)
		l->pos_inf++;
	else if (x < 0)
		l->neg_inf++;
	else
		l->nan++;
}

// lb_bits_of returns the bits of x.
static inline uint64_t lb_bits_of(double x) {
	uint64_t b;
	memcpy(&b, &x, sizeof b);
	return b;
}

// lb_add adds x.
static inline void lb_add(lb_sum *s, double x) {
	uint64_t b = lb_bits_of(x), m = b & ((1ull << 52) - 1);
	int e = (int)(b >> 52 & 0x7ff);
	s->all++;
	if (e == 0x7ff) {
		lb_special(s, x);
		return;
	}
	if (e)
		m |= 1ull << 52;
	else if (!m) {
		s->neg_zero += (int64_t)(b >> 63);
		return;
	} else
		e = 1;
	int pos = e - 1075 - LB_UNIT;
	unsigned shift = (unsigned)(pos - s->pos);
	if (shift > LB_ROOM - 53) {
		lb_add_far(s, b >> 63, m, pos);
		return;
	}
	int64_t sign = (int64_t)b >> 63, v = ((int64_t)m ^ sign) - sign;
	unsigned at = shift % 64;
	uint64_t lo = (uint64_t)v << at, hi = (uint64_t)(v >> 1 >> (63 - at));
	unsigned __int128 c;
	switch (shift / 64) {
	case 0:
		c = (unsigned __int128)s->w[0] + lo;
		s->w[0] = (uint64_t)c;
		c = (unsigned __int128)s->w[1] + hi + (uint64_t)(c >> 64);
		s->w[1] = (uint64_t)c;
		s->w[2] += (uint64_t)sign + (uint64_t)(c >> 64);
		break;
	case 1:
		c = (unsigned __int128)s->w[1] + lo;
		s->w[1] = (uint64_t)c;
		s->w[2] += hi + (uint64_t)(c >> 64);
		break;
	default:
		s->w[2] += lo;
	}
	if (!lb_has_room(s))
		lb_make_room(s);
}

// lb_significand returns |x| as m·2^e with an integer m below 2^53.
static inline uint64_t lb_significand(double x, int *e) {
	uint64_t b = lb_bits_of(x), m = b & ((1ull << 52) - 1);
	*e = (int)(b >> 52 & 0x7ff);
	if (!*e) {
		*e = -1074;
		return m;
	}
	*e -= 1075;
	return m | 1ull << 52;
}

static inline bool lb_is_finite(double x) { return (lb_bits_of(x) >> 52 & 0x7ff) != 0x7ff; }

// lb_add_product adds x·y, unrounded.
static inline void lb_add_product(lb_sum *s, double x, double y) {
	s->all++;
	if (!lb_is_finite(x) || !lb_is_finite(y)) {
		lb_special(s, x * y);
		return;
	}
	int e, f;
	uint64_t m = lb_significand(x, &e), k = lb_significand(y, &f);
	bool negative = (lb_bits_of(x) ^ lb_bits_of(y)) >> 63;
	unsigned __int128 p = (unsigned __int128)m * k;
	if (!p) {
		s->neg_zero += negative;
		return;
	}
	unsigned shift = (unsigned)(e + f - LB_UNIT - s->pos);
	if (shift <= LB_ROOM - 106) {
		// −x is ~x + 1, and the words below shift are 0.
		uint64_t flip = negative ? ~0ull : 0, lo = (uint64_t)p, hi = (uint64_t)(p >> 64);
		unsigned at = shift % 64;
		uint64_t first = lo << at, second = hi << at | lo >> 1 >> (63 - at);
		uint64_t third = hi >> 1 >> (63 - at);
		unsigned __int128 c = flip & 1;
		if (shift < 64) {
			c += (unsigned __int128)s->w[0] + (first ^ flip);
			s->w[0] = (uint64_t)c;
			c = (unsigned __int128)s->w[1] + (second ^ flip) + (uint64_t)(c >> 64);
			s->w[1] = (uint64_t)c;
			s->w[2] += (third ^ flip) + (uint64_t)(c >> 64);
		} else {
			c += (unsigned __int128)s->w[1] + (first ^ flip);
			s->w[1] = (uint64_t)c;
			s->w[2] += (second ^ flip) + (uint64_t)(c >> 64);
		}
		if (!lb_has_room(s))
			lb_make_room(s);
		return;
	}
	lb_add_wide(s, negative, (uint64_t[3]){(uint64_t)p, (uint64_t)(p >> 64), 0}, e + f - LB_UNIT);
}

// lb_add_integer adds ±m.
static inline void lb_add_integer(lb_sum *s, bool negative, unsigned __int128 m) {
	s->all++;
	lb_add_wide(s, negative, (uint64_t[3]){(uint64_t)m, (uint64_t)(m >> 64), 0}, -LB_UNIT);
}

// lb_add_integers adds ±m·k.
static void lb_add_integers(lb_sum *s, bool negative, unsigned __int128 m, unsigned __int128 k) {
	s->all++;
	for (int i = 0; i < 2; i++) {
		// m times one word of k has three words.
		uint64_t word = (uint64_t)(k >> (64 * i));
		unsigned __int128 lo = (unsigned __int128)(uint64_t)m * word;
		unsigned __int128 hi = (unsigned __int128)(uint64_t)(m >> 64) * word + (uint64_t)(lo >> 64);
		uint64_t p[3] = {(uint64_t)lo, (uint64_t)hi, (uint64_t)(hi >> 64)};
		lb_add_wide(s, negative, p, 64 * i - LB_UNIT);
	}
}

// lb_merge adds every summand of t. It does not change t.
static void lb_merge(lb_sum *s, const lb_sum *t) {
	uint64_t m[3];
	s->all += t->all;
	s->neg_zero += t->neg_zero;
	s->failed |= t->failed;
	s->seen |= t->seen;
	if (t->seen)
		s->scale = t->scale;
	bool negative = lb_magnitude(t, m);
	lb_add_wide(s, negative, m, t->pos);
	if (!t->spill)
		return;
	lb_long *l = lb_spilled(s);
	if (!l)
		return;
	// The limbs of t may need a carry, which must not happen in t.
	lb_long c = *t->spill;
	lb_carry(&c);
	lb_room(l);
	for (int i = 0; i < LB_LIMBS; i++)
		l->limb[i] += c.limb[i];
	l->nan += c.nan;
	l->pos_inf += c.pos_inf;
	l->neg_inf += c.neg_inf;
}

// lb_vector sets v to the vector of the sum, as exact.Accumulator.AddLimbs
// takes it.
static void lb_vector(const lb_sum *s, int64_t v[LB_VECTOR]) {
	lb_long c;
	lb_sum t = {.spill = &c};
	uint64_t m[3];
	if (s->spill)
		c = *s->spill;
	else
		memset(&c, 0, sizeof c);
	bool negative = lb_magnitude(s, m);
	lb_long_add(&t, negative, m, s->pos);
	lb_carry(&c);
	v[0] = s->all;
	v[1] = s->neg_zero;
	v[2] = c.nan;
	v[3] = c.pos_inf;
	v[4] = c.neg_inf;
	memcpy(v + LB_COUNTS, c.limb, sizeof c.limb);
}

// lb_add_vector merges a vector that exact.Accumulator.AppendLimbs wrote.
static void lb_add_vector(lb_sum *s, const int64_t v[LB_VECTOR]) {
	s->all += v[0];
	s->neg_zero += v[1];
	int first = 0, last = LB_LIMBS - 1;
	while (last > 0 && !v[LB_COUNTS + last])
		last--;
	while (first < last && !v[LB_COUNTS + first])
		first++;
	const int64_t *d = v + LB_COUNTS + first;
	if (!v[2] && !v[3] && !v[4] && last - first < 6 && v[LB_COUNTS + LB_LIMBS - 1] >= 0) {
		uint64_t m[3] = {0};
		for (int i = 0; i <= last - first; i++)
			m[i / 2] |= (uint64_t)(uint32_t)d[i] << (32 * (i % 2));
		lb_add_wide(s, false, m, 32 * first);
		return;
	}
	lb_long *l = lb_spilled(s);
	if (!l)
		return;
	lb_room(l);
	for (int i = 0; i < LB_LIMBS; i++)
		l->limb[i] += v[LB_COUNTS + i];
	l->nan += v[2];
	l->pos_inf += v[3];
	l->neg_inf += v[4];
}

// lb_free frees what the sum owns.
static inline void lb_free(lb_sum *s) {
	free(s->spill);
	s->spill = NULL;
}

#endif
