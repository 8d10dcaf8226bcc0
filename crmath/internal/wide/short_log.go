package wide

// logShort returns ln x, or with base2 log2 x, for positive x, with a relative
// error below 2^-121.
func logShort(x short, base2 bool) short {
	m, k := x.significand()
	return logSum(m, m.minus(shortOne), k, base2)
}

// significand returns m and k with x = m·2^k and 0.70 < m < 1.42.
func (x short) significand() (m short, k int) {
	m, k = x, x.exp
	m.exp = 0
	// Not hi>>32 < 0xb504f334: Go's compiler for s390x takes that to hold.
	if m.hi < 0xb504f334<<32 { // √½
		m.exp, k = 1, k-1
	}
	return m, k
}

// log1pShort returns ln(1+x) for x > -1, with a relative error below 2^-120
// beyond the relative error of x. Where k is not 0, the result is at least
// 0.34, and 1+x may be rounded.
func log1pShort(x short) short {
	if x.exp <= -13 {
		return logNear(x)
	}
	m, k := shortOne.plus(x).significand()
	if k != 0 {
		x = m.minus(shortOne)
	}
	return logSum(m, x, k, false)
}

// logSum returns ln(m·2^k), or with base2 its quotient by ln 2, for 0.70 < m <
// 1.42 and m - 1 in two words, whatever its size.
//
// With r = r1·r2 near 1/m, r1 of 9 bits from the table and r2 = 1 - j/8192,
//
//	ln m = -ln r1 - ln r2 + ln(1+e),  e = m·r - 1 = (m-1)·r + (r-1),
//
// where e is below 2^-12.8, and off by 2^-123.5 of m-1: |m·r1 - 1 - j/8192| is
// at most 2^-14, and j at most 69. Products and sums lose 2^-124 each. The
// first of k·ln 2, -ln r1 and -ln r2 that is not 0 is about twice as large as
// the rest, at least.
//
// It returns 0, which rounded refuses, where m is 0.
func logSum(m, m1 short, k int, base2 bool) short {
	switch {
	case m.hi == 0:
		return m
	case m1.hi == 0:
		return logScaled(m1, k, base2)
	}
	one := m.hi >> (1 - m.exp) // m in units of 2^-63
	row := &shortLogs[(one+1<<55)>>56-shortLogFirst]
	z := int64(mulHigh(one, row.reciprocal<<55)) - 1<<62 // m·r1 - 1 in units of 2^-62
	j := (z + 1<<48) >> 49
	r := row.reciprocal * uint64(8192-j)
	rest := shortInt(int64(r) - 1<<21).scaled(-21)
	e := m1.times(shortInt(int64(r)).scaled(-21)).plus(rest)
	sum := shortSmallLogs[j+shortSmallLogMiddle].plus(logNear(e))
	return logScaled(row.log.plus(sum), k, base2)
}

// logScaled returns z + k·ln 2, or z/ln 2 + k.
func logScaled(z short, k int, base2 bool) short {
	if base2 {
		return z.times(shortInverseLn2).plus(shortInt(int64(k)))
	}
	if k == 0 {
		return z
	}
	return z.plus(shortInt(int64(k)).times(shortLn2Float))
}

// shortInt returns i, which is exact.
func shortInt(i int64) short {
	if i < 0 {
		return fixed{uint64(-i), 0}.normalized(true, 64)
	}
	return fixed{uint64(i), 0}.normalized(false, 64)
}

// logNear returns ln(1+e) = e·(1 - e/2 + e²/3 - …) for |e| < 2^-12.8, with a
// relative error below 2^-122, as in sinCosShort.
func logNear(e short) short {
	if e.hi == 0 {
		return e
	}
	a := fixed{e.hi, e.lo}.shifted(-12 - e.exp)
	c := &shortLogTerms
	if e.neg {
		low := c[7].lo + mulHigh(a.hi, c[8].lo)
		low = c[6].lo + mulHigh(a.hi, low)
		low = c[5].lo + mulHigh(a.hi, low)
		p := c[4].plus(a.times(fixed{0, low}))
		p = c[3].plus(a.times(p))
		p = c[2].plus(a.times(p))
		p = c[1].plus(a.times(p))
		p = c[0].plus(a.times(p))
		return e.times(a.times(p).above())
	}
	low := c[7].lo - mulHigh(a.hi, c[8].lo)
	low = c[6].lo - mulHigh(a.hi, low)
	low = c[5].lo - mulHigh(a.hi, low)
	p := c[4].minus(a.times(fixed{0, low}))
	p = c[3].minus(a.times(p))
	p = c[2].minus(a.times(p))
	p = c[1].minus(a.times(p))
	p = c[0].minus(a.times(p))
	p = a.times(p)
	return e.times(short{hi: ^p.hi, lo: ^p.lo})
}

// asinhShort, acoshShort and atanhShort are SetAsinh, SetAcosh and SetAtanh
// with relative errors below 2^-119.
func asinhShort(x float64) short {
	a := shortFloat(x)
	a.neg = false
	s := a.times(a)
	z := log1pShort(a.plus(s.over(s.plus(shortOne).root().plus(shortOne))))
	z.neg = x < 0
	return z
}

func acoshShort(x float64) short {
	d := shortFloat(x).minus(shortOne)
	return log1pShort(d.plus(d.times(d.plus(shortOne.scaled(1))).root()))
}

func atanhShort(x float64) short {
	a := shortFloat(x)
	a.neg = false
	z := log1pShort(a.over(shortOne.minus(a)).scaled(1)).scaled(-1)
	z.neg = x < 0
	return z
}
