package exact

// AddInt64 adds v exactly, without rounding it to the 53 bits of a float64.
func (a *Accumulator) AddInt64(v int64) {
	a.all++
	m := uint64(v)
	if v < 0 {
		m = -m
	}
	a.addWide(v < 0, 0, m, 0)
}

// Int64 returns the sum and true, if it is an integer that an int64 holds.
func (a *Accumulator) Int64() (int64, bool) {
	if a.isInfinite() {
		return 0, false
	}
	z := a.products()
	if z.Sign() != 0 && z.TrailingZeroBits() < -unit {
		return 0, false
	}
	z.Rsh(z, -unit)
	return z.Int64(), z.IsInt64()
}
