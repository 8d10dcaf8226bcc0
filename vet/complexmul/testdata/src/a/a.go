package a

const i2 = 1i * 1i

func products(a, b complex128, c complex64, x, y float64) complex128 {
	r := a * b // want `a \* b rounds differently where products are fused`
	r *= a     // want `r \*= a rounds`
	r = r / b  // want `r / b rounds`
	r /= b     // want `r /= b rounds`
	_ = c * c  // the products are exact in float64
	c *= c
	_ = c / c // want `c / c rounds`
	c /= 2    // want `c /= 2 rounds`
	_ = x * y
	return r + a - i2
}

func generic[T complex64 | complex128](a, b T) T {
	return a * b // want `a \* b rounds`
}
