package dataset

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// decimal makes the column one of decimals.
func (c *Column) decimal(scale int) {
	c.Scale = scale
	if len(c.Units) == 0 {
		c.addPart()
	}
}

// addPart adds a part of zeros to the units.
func (c *Column) addPart() {
	k := len(c.Units)
	if k == len(c.units) {
		c.units = append(c.units, nil)
	}
	c.units[k] = sized(c.units[k], len(c.Values))
	clear(c.units[k])
	c.Units = c.units[:k+1]
}

// setPart sets a part of the units of number i.
func (c *Column) setPart(k, i int, x float64) {
	for k >= len(c.Units) {
		c.addPart()
	}
	c.Units[k][i] = x
}

// powers are the powers of ten that a float64 holds.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// setUnits sets number i to ±m units.
func (c *Column) setUnits(i int, negative bool, m uint64) {
	const maxExact = 1 << 53
	high, low := float64(m), 0.0
	if m > maxExact {
		high, low = float64(m&^0x7ff), float64(m&0x7ff)
	}
	x := high / powers[min(c.Scale, len(powers)-1)]
	if m > maxExact || c.Scale >= len(powers) {
		x = nearestDecimal(strconv.FormatUint(m, 10), c.Scale)
	}
	if negative {
		x, high, low = -x, -high, -low
	}
	c.Values[i], c.Units[0][i] = x, high
	if low != 0 {
		c.setPart(1, i, low)
	}
}

// nearestDecimal returns the float64 nearest to an integer of units.
func nearestDecimal(digits string, scale int) float64 {
	// ParseFloat's only error here is a number beyond the largest: the result
	// is ±Inf.
	x, _ := strconv.ParseFloat(digits+"e-"+strconv.Itoa(scale), 64)
	return x
}

// setBigUnits sets number i to an integer of units, with the most significant
// byte first.
func (c *Column) setBigUnits(i int, b []byte) {
	if v, ok := shortInteger(b); ok {
		if v < 0 {
			c.setUnits(i, true, -uint64(v))
		} else {
			c.setUnits(i, false, uint64(v))
		}
		return
	}
	v := bigInteger(b)
	c.Values[i] = nearestDecimal(v.String(), c.Scale)
	const digit = 53
	m, part := new(big.Int).Abs(v), new(big.Int)
	mask := new(big.Int).SetUint64(1<<digit - 1)
	top := (m.BitLen() - 1) / digit
	for k := range top + 1 { // from the most significant, which is not 0
		low := digit * (top - k)
		x := math.Ldexp(float64(part.And(part.Rsh(m, uint(low)), mask).Uint64()), low)
		if v.Sign() < 0 && x != 0 {
			x = -x
		}
		c.setPart(k, i, x)
	}
}

// shortInteger returns the value of a signed integer with the most significant
// byte first, if 64 bits hold it.
func shortInteger(b []byte) (v int64, ok bool) {
	fill := byte(int8(b[0]) >> 7)
	for len(b) > 8 {
		if b[0] != fill || (b[1]^fill)&0x80 != 0 {
			return 0, false
		}
		b = b[1:]
	}
	if len(b) == 8 {
		return int64(binary.BigEndian.Uint64(b)), true
	}
	v = int64(int8(fill))
	for _, x := range b {
		v = v<<8 | int64(x)
	}
	return v, true
}

func bigInteger(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if b[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

// decimalText returns an integer of units as a decimal: -1.50.
func decimalText(v *big.Int, scale int) string {
	s := new(big.Int).Abs(v).String()
	if scale > 0 {
		s = strings.Repeat("0", max(0, scale+1-len(s))) + s
		s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	}
	if v.Sign() < 0 {
		s = "-" + s
	}
	return s
}
