package a

import (
	"math"
	"math/rand"
	"time"
)

func conversions(x float64, n int, s []float64) int {
	i := int(x)             // want `int\(x\) depends on .* bounds of int first`
	i += int(uint32(s[0]))  // want `uint32\(s\[0\]\) depends`
	i += int(math.Floor(x)) // want `depends`
	i += int(float64(n) * 0.5)
	i += int(math.Floor(float64(n) / 3))
	i += int(rand.Float64() * 100)
	i += int(math.Sqrt(float64(len(s))))
	i += int(int8(math.Sin(float64(n)) * 100))
	i += int(int8(float64(n))) // want `int8\(float64\(n\)\) depends`
	const c = 3.0
	return i + int(c)
}

func guarded(x float64, s []float64) int {
	if !(x >= 0 && x < 100) {
		return 0
	}
	i := int(x) + int(math.Floor(x*2))
	if s[0] > 5 {
		return i
	}
	return i + int(x)
}

func bits(x float64) uint64 { return math.Float64bits(x) }

func limited(x float64) int {
	if math.Abs(x) < 1e6 {
		return int(x)
	}
	if math.IsNaN(x) {
		return 0
	}
	return int(min(max(x, 0), 255)) + int(math.Copysign(3, x))
}

func named(x float64) int {
	if math.IsNaN(x) {
		return 0
	}
	return int(x) // want `int\(x\) depends`
}

func late(x float64) int {
	n := int(x) // want `int\(x\) depends on the processor`
	if x < -1e9 || x > 1e9 {
		return 0
	}
	return n
}

func clamp(x, lo, hi float64) float64 {
	if math.IsNaN(x) {
		return lo
	}
	if x < lo {
		return lo
	}
	if x > hi {
		return hi
	}
	return x
}

func clampLate(x float64) float64 {
	if x < 0 {
		return 0
	}
	if x > 255 {
		return 255
	}
	if x != x {
		return 0
	}
	return x
}

// clampNaN passes NaN.
func clampNaN(x float64) float64 {
	if x < 0 {
		return 0
	}
	if x > 255 {
		return 255
	}
	return x
}

func clampAssigned(x float64) (y float64) {
	y = x
	if !(y > 0) {
		y = 0
	} else if y > 255 {
		y = 255
	}
	return y
}

func clampBuiltin(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, 0), 255)
}

func clampMath(x float64) float64 {
	if x == x {
		return math.Max(0, math.Min(x, 255))
	}
	return 0
}

func clampSize(x float64) (float64, bool) {
	if math.Abs(x) <= 127 {
		return x, true
	}
	return 0, false
}

func clampOf[T float32 | float64](x, lo, hi T) T {
	switch {
	case x >= lo && x <= hi:
		return x
	case x > hi:
		return hi
	default:
		return lo
	}
}

type limits struct{ hi float64 }

func (limits) clamp(x float64) float64 { return clamp(x, 0, 255) }

func (l limits) field(x float64) float64 { return clamp(x, 0, l.hi) }

func clamped(x float64, y float32, l limits) (n int) {
	n += int(uint8(clamp(x, 0, 255)))
	n += int(uint8(clamp(x, 0, 255) + 0.5))
	n += int(uint8(clamp(x, 0, 256))) // want `uint8\(clamp\(x, 0, 256\)\) depends`
	n += int(uint8(clamp(x, -2, 9)))  // want `depends`
	n += int(uint8(clampLate(x)))
	n += int(uint8(clampNaN(x))) // want `depends`
	n += int(uint8(clampAssigned(x)))
	n += int(uint8(clampBuiltin(x)))
	n += int(uint8(clampMath(x)))
	n += int(uint8(clampOf(x, 0, 255)))
	n += int(uint8(clampOf(y, 0, 255)))
	n += int(uint8(l.clamp(x)))
	n += int(uint8(l.field(x))) // want `depends`
	s, _ := clampSize(x)
	n += int(int8(s))
	inner := func(x float64) float64 { return clamp(x, 0, 1) }
	return n + int(uint8(inner(x)*255))
}

type rgb struct{ r, g, b uint8 }

func mix(a, b uint8, t float64) float64 { return float64(a)*(1-t) + float64(b)*t }

func convex(a, b uint8, c rgb, m, n int32, x float64, y float32) (s int) {
	t := clamp(x, 0, 1)
	s += int(uint8(float64(a)*(1-t) + float64(b)*t))
	s += int(uint8(t*float64(b) + (1-t)*float64(a)))
	s += int(uint8(float64(a) + t*(float64(b)-float64(a))))
	s += int(uint8(float64(a) + (float64(b)-float64(a))*rand.Float64()))
	s += int(uint8(mix(a, b, t)))
	s += int(uint8(mix(a, b, x))) // want `depends`
	s += int(int32(float64(m)*(1-t) + float64(n)*t))
	s += int(int32(float32(m)*(1-y) + float32(n)*y)) // want `depends`
	s += int(uint8(float64(c.r) + t*(float64(c.g)-float64(c.r))))
	s += int(uint8(0.299*float64(c.r) + 0.587*float64(c.g) + 0.114*float64(c.b) + 0.5))
	s += int(uint8(0.5*float64(c.r) + 0.587*float64(c.g))) // want `depends`
	f := float64(m)/7 - math.Floor(float64(m)/7)
	s += int(uint8(float64(a)*(1-f) + float64(b)*f))
	return s + int(uint8(float32(a)*0.25+float32(b)*0.75))
}

func narrowed(x float64) uint8 {
	return uint8(float32(clamp(x, 0, 255.9999999))) // want `depends`
}

func infinite(x float64) int {
	if math.IsNaN(x) {
		return 0
	}
	return int(math.Sin(x)) // want `depends`
}

func level(i int) float64 { return float64(i) / 9 }

func counters(a, b uint8, n int, u uint32, pix []uint8) (s int) {
	for i := range 10 {
		t := float64(i) / 9
		s += int(uint8(float64(a)*(1-t) + float64(b)*t))
		s += int(uint8(255 * level(i)))
	}
	for i := 0; i <= 255; i++ {
		s += int(uint8(float64(i)))
	}
	for i := 0; i < n; i++ {
		s += int(uint32(float64(i%7) * 3))
	}
	for i := 9; i >= 0; i-- {
		s += int(uint8(float64(i) * 28))
	}
	for i := range pix {
		s += int(uint8(float64(pix[i])*0.5 + float64(i&127)))
	}
	s += int(uint8(float64(n & 0xff)))
	s += int(uint8(float64(u >> 24)))
	s += int(uint8(float64(u >> 23)))        // want `depends`
	s += int(uint8(float64(a) + float64(b))) // want `depends`
	s += int(uint8(float64(a/2) + float64(b>>1)))
	if n < 0 || n > 100 {
		return s
	}
	return s + int(int8(float64(n)))
}

func elapsed(d time.Duration, t time.Time) int64 {
	n := int64(d.Seconds()) + int64(math.Round(d.Minutes()*1000)) + int64(int32(d.Hours()))
	n += int64(int32(d.Seconds())) // want `depends`
	n += int64(uint32(d.Hours()))  // want `depends`
	n += int64(d.Seconds() * 1e10) // want `depends`
	return n + int64(time.Since(t).Seconds()*1000)
}
