// Package forms holds sums and products in many forms, one in each function.
package forms

import "math"

type F float64
type G float32
type vec struct{ x, y, z float64 }
type box struct{ lo, hi vec }
type acc struct {
	s float64
	n int
}

func (a *acc) add(x, y float64)      { a.s += x * y }
func (a acc) plus(z float64) float64 { return a.s + z }
func (v vec) mul(f float64) vec      { return vec{v.x * f, v.y * f, v.z * f} }
func mul(x, y float64) float64       { return x * y }
func add(x, y float64) float64       { return x + y }

//go:noinline
func mulN(x, y float64) float64 { return x * y }

func a1(x, y, z float64) float64             { p := x * y; return p + z }
func a2(x, y, z float64) float64             { p := x * y; q := p; return q + z }
func a3(x, y, z float64) float64             { p := x * y; return p + z + p }
func a4(x, y, z float64) float64             { p := x * y; q := p - 1; return q + p + z }
func a5(x, y, z float64) float64             { return x*y - z }
func a6(x, y, z float64) float64             { return -(x * y) + z }
func a7(x, y, z float64) float64             { return -(x * y) - z }
func a8(x, y, z float64) float64             { z -= x * y; return z }
func a9(x, y, z float64) float64             { return z + -x*y }
func a10(x, y, z float64) float64            { return z - -(x * y) }
func a11(x, y, z float64) float64            { return (-x)*y + z }
func a12(x, y float64) float64               { return x*y + x*y }
func a13(x, y float64) float64               { return x*x + y*y }
func a14(x, y float64) float64               { return x*x - y*y }
func a15(x, y, z float64) float64            { return float64(x*y) + z }
func a16(x, y, z F) F                        { return x*y + z }
func a17(x, y, z F) F                        { return F(x*y) + z }
func a18(x, y, z F) float64                  { return float64(x*y) + float64(z) }
func a19(x, y, z G) G                        { return x*y + z }
func a20(x, y float32, z float64) float64    { return float64(x*y) + z }
func a21(x, y, z float32) float64            { return float64(x)*float64(y) + float64(z) } // exact
func a22(x, y, z float64) float32            { return float32(x*y) + float32(z) }
func a23(x, y, z float64) float64            { return math.FMA(x, y, z) + x*y }
func a24(x, y complex64) complex64           { return x * y } // exact
func a25(x, y complex128) complex128         { return x*y + x }
func a26(x, y complex128) complex128         { return x / y }
func a27(x complex128, r float64) complex128 { return x * complex(r, 0) }
func a28(x []float64) (s float64) {
	for _, v := range x {
		s += v * v
	}
	return
}
func a29(x []float64) (s float64) {
	for i := range x {
		s = s + x[i]*float64(i)
	}
	return
}
func a30(x, y, z float64) (r float64) { defer func() { r += x * y }(); r = z; return }
func a31(c chan float64, x, y float64) float64 {
	p := x * y
	select {
	case v := <-c:
		return p + v
	default:
		return p - 1
	}
}
func a32(x, y, z float64) func() float64 { return func() float64 { return x*y + z } }
func a33(x, y, z float64) float64 {
	p := x * y
	f := func() float64 { return p + z }
	return f()
}
func a34(x, y, z float64) float64     { var a acc; a.add(x, y); return a.plus(z) }
func a35(x, y, z float64) float64     { return mul(x, y) + z }
func a36(x, y, z float64) float64     { return add(x*y, z) }
func a37(x, y, z float64) float64     { return mulN(x, y) + z }
func a38(x, y, z float64) float64     { f := mul; return f(x, y) + z }
func a39(v vec, x, y float64) float64 { f := v.mul; w := f(x); return w.x + y }
func a40(v vec, x, y float64) float64 { w := v.mul(x); return w.x + y }
func a41(b box, x float64) float64    { b.lo.x = b.hi.x * x; return b.lo.x + b.lo.y }
func a42(b *box, x float64) float64   { b.lo.x = b.hi.x * x; return b.lo.x + b.lo.y }
func a43(b *box, x float64, g func()) float64 {
	b.lo.x = b.hi.x * x
	g()
	return b.lo.x + b.lo.y
}
func a44(x, y, z float64) float64 {
	a := [3]float64{x * y, z, 1}
	return a[0] + a[1]
}
func a45(x, y, z float64, i int) float64 {
	a := [3]float64{x * y, z, 1}
	return a[i] + a[1]
}
func a46[T F | G](x, y, z T) T                   { return x*y + z }
func a47[T float32 | float64 | int](x, y, z T) T { return x*y + z }
func a48(x, y, z float64, b bool) float64 {
	p := x * y
	if b {
		p = z
	}
	return p + z
}
func a49(x, y, z float64, b bool) float64 {
	p := x * y
	if b {
		z = 3
	}
	return p + z
}
func a50(x, z float64) float64             { return 0.5*x + z }
func a51(x, z float64) float64             { return x/8 + z }
func a52(x, z float64) float64             { return x/0.1 + z }
func a53(x, z float64) float64             { const c = 2.0; return c*x + z }
func a54(x, z float64) float64             { return 1*x + z }
func a55(x, z float64) float64             { return 0*x + z } // exact
func a56(x, z float64) float64             { return x*x*x + z }
func a57(x, z float64) float64             { return (x+z*x)*z + 1 }
func a58(x, y, z float64) bool             { return x*y+z > 0 }
func a59(x, y float64, s []float64)        { s[0] += x * y; s[1] -= x * s[0]; s[2] = s[2]*x + y }
func a60(x, y float64, p *float64) float64 { return *p*x + y }
func a61(x, y float64, m map[int]float64)  { m[1] += x * y }
func a62(x, y float64) (float64, float64)  { p := x * y; return p + 1, p + 2 }
func a63(x, y, z float64) any              { return x*y + z }
func a64(x, y, z float64) float64          { p := x * y; println(p); return p + z }
func a65(x, y, z float64) float64          { p, q := x*y, z; p, q = q, p; return p + q }
func a66(x, y, z float64) float64          { p := &z; *p = x * y; return *p + 1 }
func a67(n int, x float64) float64         { return float64(n)*x + 1 }
func a68(x float64) int                    { return int(x*3 + 0.5) }
func a69(x, y, z float64) float64 {
	goto l
l:
	p := x * y
	return p + z
}
func a70(x float64) (s float64) {
	s = 1
	for i := 0; i < 9; i++ {
		s = s*x + 1
	}
	return
}
func a71(x, p float64) (s float64) { p *= x; s = p + x; return }
func a72(x, y, z float64) float64  { return max(x*y, 0) + z }
func a73(x, y, z float64) float64  { return math.Abs(x*y) + z }
func a74(x, y, z float64) float64  { return math.Sqrt(x*y + z) }
func a75(x, y, z float64) float64 {
	if x*y+z == 0 {
		return 1
	}
	return x*y - z
}
func a76(x, y float64) float64    { v := struct{ p float64 }{x * y}; return v.p + y }
func a77(x, y float64) float64    { v := &vec{x: x * y}; return v.x + y }
func a78(x, y float64) float64    { var i any = x * y; return i.(float64) + y }
func a79(x ...float64) float64    { return x[0]*x[1] + x[2] }
func a80(x, y, z float64) float64 { return +(x * y) + z }

var g1, g2, g3 float64
var g4 = func() float64 { return g1*g2 + g3 }()

func a81() float64                 { g1 = g2 * g3; return g1 + g2 }
func a82(x, y float64) (p float64) { p = x * y; p += y; return }

// Use keeps generic functions.
var Use = []any{a46[F], a46[G], a47[float32], a47[float64], a47[int]}
