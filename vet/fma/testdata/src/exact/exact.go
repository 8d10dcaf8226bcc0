package exact

import (
	"image/color"
	"math/rand"
)

func integers(a int8, b uint8, c int16, d uint16, e int32, f uint32, z float64) (s float64) {
	s += float64(a) * float64(b)
	s += float64(c) * float64(d)
	s += float64(e) * float64(c)
	s -= float64(d) * float64(f)
	s += float64(e) * 1000
	s += float64(e) * float64(f) // want `fuses`
	s += float64(e) * 0.1        // want `fuses`
	s += float64(a) * 0.75
	s += float64(e) / 1024
	p := float64(a) * float64(b)
	q := p * float64(c)
	return s + q + p*z // want `fuses`
}

func narrow(a int8, b uint8, c int16, z float32) float32 {
	z += float32(a) * float32(b)
	z += float32(c) * float32(a)
	z += float32(c) * float32(c) // want `fuses`
	return z
}

func masked(i, j int, u uint32, z float64) float64 {
	z += float64(i&0xff) * float64(j%1000)
	z += float64(i>>8) * float64(j) // want `fuses`
	z += float64(u>>16) * float64(u>>12)
	z += float64(len("abc")) * z // want `fuses`
	return z
}

func wide(x, y, z float32) float64 {
	return float64(x)*float64(y) + float64(z)/4
}

func wider(x, y, z float32, w float64) float64 {
	return float64(x)*float64(y)*float64(z) + float64(x)*w // want `fuses`
}

func powers(x, y float64, n int64, h float32) float64 {
	y += x / 4    // want `it shows only where the product is subnormal; write float64\(x / 4\)`
	y -= 0.5 * x  // want `shows only where the product is subnormal`
	y += 4 * x    // want `shows only where the product overflows`
	y += x*4 + .5 // want `shows only where the product overflows`
	y += 0.5 * float64(n)
	y += float64(h) / 8
	y += float64(n) * 0x1p-1000
	y += float64(h) * 0x1p-1000 // want `shows only where the product is subnormal`
	y += x*0.75 + x/4           // want `x \* 0.75 \+ x / 4 fuses on [^;]*`
	return y
}

func half(h, k float32) float32 {
	return k + h/2 // want `subnormal`
}

func random(z float64) float64 { return 4*rand.Float64() - 2 + (rand.Float64()-0.5)*z/3 }

func luminance(c color.RGBA, z float64) float64 {
	return float64(c.R)*299 + float64(c.G)*587 + float64(c.B)*0.114 // want `fuses`
}

// far is not inlined, and its result has few digits.
func far(n int16) float64 {
	s := 0
	for i := range n {
		s ^= int(i) * 3
		s ^= int(i) * 5
		s ^= int(i) * 7
		s ^= int(i) * 11
		s ^= int(i) * 13
		s ^= int(i) * 17
		s ^= int(i) * 19
		s ^= int(i) * 23
	}
	return float64(s & 0xffff)
}

func digits(n int16, z float64) float64 {
	z += far(n) / 4
	return far(n)*0.1 + z/3 // want `fuses`
}
