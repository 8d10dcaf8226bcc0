package exact

import (
	"encoding/binary"
	"fmt"
)

// carry brings every digit except the last into [0, 2^32). The last one holds
// the sign.
func carry(digits []int64) {
	var c int64
	last := len(digits) - 1
	for i, d := range digits[:last] {
		c += d
		digits[i] = int64(uint32(c))
		c >>= 32
	}
	digits[last] += c
}

// negate changes the sign of a number, and carries.
func negate(digits []int64) {
	for i := range digits {
		digits[i] = -digits[i]
	}
	carry(digits)
}

// appendDigits appends a number after carry: its sign, the number of 32-bit
// digits at its lower end that are 0, the number of digits that follow, and
// these, each with its lowest byte first. Neither the first nor the last of
// them is 0. The digits lose their sign.
func appendDigits(b []byte, digits []int64) []byte {
	sign := byte(positive)
	if digits[len(digits)-1] < 0 {
		negate(digits)
		sign = negative
	}
	first, last := 0, len(digits)
	for last > 0 && digits[last-1] == 0 {
		last--
	}
	if last == 0 {
		return append(b, zero)
	}
	for digits[first] == 0 {
		first++
	}
	b = append(b, sign)
	b = binary.AppendUvarint(b, uint64(first))
	b = binary.AppendUvarint(b, uint64(last-first))
	for _, d := range digits[first:last] {
		b = binary.LittleEndian.AppendUint32(b, uint32(d))
	}
	return b
}

// digits reads the form that appendDigits writes: a multiple of 2^multiple
// units.
func (d *decoder) digits(x []int64, multiple int) {
	clear(x)
	sign := d.take(1)[0]
	if d.err != nil || sign == zero {
		return
	}
	first, n := d.uvarint(), d.uvarint()
	if d.err == nil &&
		(sign > negative || first >= uint64(len(x)) || n == 0 || n > uint64(len(x))-first) {
		d.fail("a number is out of range")
	}
	if d.err != nil {
		return
	}
	b := d.take(int(4 * n))
	for i := range n {
		x[first+i] = int64(binary.LittleEndian.Uint32(b[4*i:]))
	}
	if x[first] == 0 || x[first+n-1] == 0 {
		d.fail("a number is not in its shortest form")
	}
	if wrongDigit(x, multiple, maxLast) >= 0 {
		d.fail("a number is out of range")
	}
	if sign == negative {
		negate(x)
	}
}

// wrongDigit returns the index of a digit that no sum of maxMerged vectors of
// digits holds, if each is a multiple of 2^multiple units and the magnitude of
// the last digit is below limit; or −1.
func wrongDigit(digits []int64, multiple int, limit int64) int {
	last := len(digits) - 1
	for i, d := range digits[:last] {
		if d < 0 || d >= maxMerged<<32 {
			return i
		}
		if below := min(multiple-32*i, 32); below > 0 && d&(1<<below-1) != 0 {
			return i
		}
	}
	if d := digits[last]; d < -limit || d >= limit {
		return last
	}
	return -1
}

// A number is one of the sums of a state: its digits, and the power of two, in
// units, that it is a multiple of.
type number struct {
	digits   []int64
	multiple int
}

// ofNumbers is the multiple of a sum of numbers, without products.
const ofNumbers = smallest - unit

// appendNumbers appends the bytes of a state. The numbers lose their signs.
func appendNumbers(b []byte, kind byte, counts []int64, numbers []number) []byte {
	b = append(b, magic...)
	b = append(b, kind, version)
	for _, n := range counts {
		b = binary.AppendVarint(b, n)
	}
	for _, x := range numbers {
		b = appendDigits(b, x.digits)
	}
	return b
}

// varint reads a count.
func (d *decoder) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// numbers reads the numbers that appendNumbers wrote after the counts.
func (d *decoder) numbers(numbers []number) {
	for _, x := range numbers {
		d.digits(x.digits, x.multiple)
	}
}

// appendVector appends a state as a vector of integers.
func appendVector(dst, counts []int64, numbers []number) []int64 {
	dst = append(dst, counts...)
	for _, x := range numbers {
		dst = append(dst, x.digits...)
	}
	return dst
}

// setVector sets the numbers from v, a sum of vectors of n elements that
// appendVector returned. The numbers follow the counts.
func setVector(v []int64, n, counts int, numbers []number) error {
	if len(v) != n {
		return fmt.Errorf("exact: a vector of this state has %d elements; this one has %d", n,
			len(v))
	}
	for _, x := range numbers {
		copy(x.digits, v[counts:])
		i := wrongDigit(x.digits, x.multiple, maxMerged*maxLast)
		if carry(x.digits); i < 0 {
			i = wrongDigit(x.digits, x.multiple, maxLast)
		}
		if i >= 0 {
			const what = "more than 2^30 vectors were added up, or it is none of AppendLimbs"
			return fmt.Errorf("exact: element %d is %d: %s", counts+i, v[counts+i], what)
		}
		counts += len(x.digits)
	}
	return nil
}
