package stoch

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Narrow returns x rounded to float32.
func Narrow(a *Arithmetic[float32], x Float64) Float32 {
	c := a.again(a.toss(math.Float64bits(x.r1), 0))
	return Float32{
		a.settle(exact{hi: x.r1}.normalized(), c, 0),
		a.settle(exact{hi: x.r2}.normalized(), c, 1),
		a.settle(exact{hi: x.r3}.normalized(), c, 2),
	}
}

// FromInt returns an integer, rounded.
func (a *Arithmetic[T]) FromInt(n int64) Number[T] {
	// n is the sum of its upper and lower halves, both exact in float64.
	high, low := float64(n>>32)*0x1p32, float64(uint32(n))
	c := a.again(a.toss(uint64(n), 0))
	e := sum(high, low)
	return Number[T]{a.settle(e, c, 0), a.settle(e, c, 1), a.settle(e, c, 2)}
}

// Int returns the integer part of the mean. It detects that samples have
// different integer parts. It fails where the mean is NaN or not an int64.
func (a *Arithmetic[T]) Int(x Number[T]) (int64, error) {
	a.Trunc(x)
	m := math.Trunc(float64(x.Mean()))
	if !(m >= -0x1p63 && m < 0x1p63) {
		return 0, fmt.Errorf("stoch: %v is not an int64: check it before the conversion", m)
	}
	return int64(m), nil
}

// Parse reads a decimal or hexadecimal number, as strconv.ParseFloat does. A
// number that the format does not have becomes R- or R+ in each sample.
func (a *Arithmetic[T]) Parse(s string) (Number[T], error) {
	near, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(near, 0) {
		return Number[T]{}, fmt.Errorf("stoch: %q is not a number: use the syntax of Go's "+
			"floating-point literals", s)
	}
	if near-near != 0 && err == nil {
		return Of(T(near)), nil // Inf or NaN, by name
	}
	e := exact{hi: math.Copysign(0.5, near), k: 1026}
	if err == nil {
		e = exact{hi: near}.normalized()
		e.lo, err = rest(s, near)
	} else {
		err = nil // beyond the largest number
	}
	c := a.again(a.toss(math.Float64bits(near), math.Float64bits(e.lo)))
	if err == nil && near == 0 && e.lo != 0 {
		e = exact{hi: math.Copysign(0.5, near), k: -1080} // below the smallest
	}
	return Number[T]{a.settle(e, c, 0), a.settle(e, c, 1), a.settle(e, c, 2)}, err
}

// Pow10 returns 10^n, R- or R+ where the format does not have it.
func (a *Arithmetic[T]) Pow10(n int) Number[T] {
	x, err := a.Parse("1e" + strconv.Itoa(min(max(n, -9999), 9999)))
	if err != nil {
		panic(err) // of no number of this form
	}
	return x
}

// rest returns the difference of the number s and near, its nearest float64,
// relative to the power of two above near. It is exact in its sign.
func rest(s string, near float64) (float64, error) {
	marks := "eE"
	if strings.ContainsAny(s, "xX") {
		marks = "pP"
	}
	if i := strings.IndexAny(s, marks); i >= 0 && near == 0 {
		if !strings.ContainsAny(s[:i], "123456789abcdefABCDEF") {
			return 0, nil
		}
		n, err := strconv.Atoi(strings.ReplaceAll(s[i+1:], "_", ""))
		if err != nil || n < -5000 {
			return math.Copysign(1, near), nil // a huge power of ten is not computed
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return 0, fmt.Errorf("stoch: %q is not a number: use the syntax of Go's "+
			"floating-point literals", s)
	}
	_, k := math.Frexp(near)
	r.Sub(r, new(big.Rat).SetFloat64(near))
	scale := new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), uint(max(-k, 0))),
		new(big.Int).Lsh(big.NewInt(1), uint(max(k, 0))))
	d, _ := r.Mul(r, scale).Float64()
	if d == 0 {
		d = tiny * float64(r.Sign())
	}
	return d, nil
}
