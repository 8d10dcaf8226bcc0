package a

import "math"

type vector struct{ x, y float64 }

func sums(x, y, z float64, s []float64) float64 {
	r := x*y + z          // want `amd64 with GOAMD64=v3; write float64\(x \* y\)`
	r += x * y            // want `r \+= x \* y fuses`
	r -= x * y            // want `r -= x \* y fuses on arm64, loong64 and riscv64; write`
	r = z - x*y           // want `fuses`
	r = -(x * y) + z      // want `fuses`
	r = x*y + z*r         // want `fuses`
	r = (x * y) + r       // want `fuses`
	r = x/4 + r           // want `fuses`
	s[0] += x * s[1]      // want `fuses`
	r = float64(x*y) + r  // rounded
	r = math.FMA(x, y, r) // meant
	r = x*2 + r           // an addition
	r = -1*x + r          // a negation
	r = x/3 + r           // a division
	r = x + y
	return r
}

func variables(x, y, z float64, b bool) float64 {
	t := x * y
	u := float64(x * y)
	r := t + z // want `t \+ z fuses.*write float64\(t\)`
	r = u + r
	r = float64(t) + r
	if b {
		t = 0
	}
	r = t + r // one of two values
	return r
}

func fields(x, y float64) float64 {
	v := vector{x * y, x}
	v.y = y * y
	return v.x + v.y // want `fuses`
}

func narrow(x, y, z float32) float32 {
	return x*y + z // want `write float32\(x \* y\)`
}

type length float64

func named(x, y, z length) length {
	return x*y + z // want `write length\(x \* y\)`
}

func generic[T float32 | float64](x, y, z T) T {
	return x*y + z // want `write T\(x \* y\)`
}

func integers[T int | int64](x, y, z T) T {
	return x*y + z
}

func constants(z float64) float64 {
	const x, y = 0.1, 0.2
	return x*y + z
}

func ignored(x, y, z float64) float64 {
	r := x*y + z //lastbit:ignore fma the products are integers
	//lastbit:ignore maporder,fma the next line too
	r += x * y
	r += x * y // want `fuses`
	r += x * y //lastbit:ignore maporder another analyzer // want `fuses`
	r += x * y //lastbit:ignore fma // want `fuses`
	return r
}

// whole is ignored in all its lines.
//
//lastbit:ignore fma the products are exact
func whole(x, y, z float64) float64 {
	r := x*y + z
	return r + x*y
}

func shadowed(x, y, z float64) float64 {
	type float64 = int
	_ = float64(0)
	return x*y + z // want `fuses`
}
