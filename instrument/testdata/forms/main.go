// Command forms has floating-point operations in all forms of the language.
package main

import (
	"fmt"
	"math"
	m "math"
	"math/cmplx"
	"sync"
)

type meters float64

type point struct{ x, y float64 }

func (p *point) scale(f float64) {
	p.x *= f // sites: product
	p.y *= f // sites: product
}

type number interface{ ~float32 | ~float64 }

func norm[T number](a, b T) T {
	return a*a + b*b // sites: product, product, sum
}

type anyNumber interface{ ~int | ~float64 }

func twice[T anyNumber](a, b T) T { return a + b } // sites: sum

func total[T number](x ...T) (s T) {
	for _, v := range x {
		s += v // sites: sum
	}
	return s
}

func mean[T anyNumber](x []T) (s T) {
	for _, v := range x {
		s += v // sites: sum
	}
	if s > 100 { // sites: comparison
		s++ // sites: sum
	}
	return s / T(len(x)) // sites: quotient
}

func join[T ~string | ~float64](a, b T) T { return a + b } // sites: sum

func count[M ~map[K]V, K ~string, V number](m M) M {
	m["x"] += 0.1 // sites: sum
	m["x"] /= 3   // sites: quotient
	return m
}

func whole[T number](x T) int { return int(x) }

func fraction[T number](n int64) T { return T(n) }

func z2(x float64) float64 { return x }

const half = 1.0 / 2 // a constant

var global = math.Sqrt(2) * 3 // sites: function, product

type truth bool

func main() {
	x, y := 0.1, 0.7
	fmt.Println("~global", global)
	fmt.Println("constant", half+0.25, 1.0/3)
	fmt.Println("~sum", x+y+1e-3, "difference", x-1e-20) // sites: sum, sum, sum
	fmt.Println("~product", x*y, x/y, -(x * y))          // sites: product, quotient, product
	fmt.Println("~products", x*y+3*x)                    // sites: product, product, sum
	fmt.Println("~products", x*x-y*(2*y))                // sites: product, product, product, sum
	fmt.Println("equal products", x*y-y*x)               // sites: product, product, sum

	d := meters(3)
	d /= 7 // sites: quotient
	d++    // sites: sum
	d--    // sites: sum
	fmt.Println("~named", float64(d))

	f := float32(x)        // sites: conversion
	f = f*3 + float32(0.1) // sites: product, sum
	fmt.Println("~float32", f)

	p := &point{1.1, 2}
	p.scale(0.3)
	(*p).x -= 0.1 // sites: sum
	fmt.Println("~fields", *p)

	t := map[string]float64{"a": 1}
	t["a"] += 0.1  // sites: sum
	t["b"] -= 1e-3 // sites: sum
	t["c"]++       // sites: sum
	t["a"] *= 0.3  // sites: product
	fmt.Println("~map", t)

	calls := 0
	next := func() int { calls++; return 0 }
	s := []float64{0.3, 0.4}
	s[next()] *= 0.1 // sites: product
	fmt.Println("~slice", s, calls)

	z := complex(x, y)
	z *= z         // sites: product
	z = z/3 + z*1i // sites: quotient, product, sum
	fmt.Println("~complex", z)

	for t := 0.0; t < 1; t += 0.125 { // sites: comparison, sum
		y = math.Exp(y * 0.1) // sites: function, product
	}
	fmt.Println("~functions",
		y, math.Pow(x, 0.3), math.Atan2(x, y)) // sites: function, function
	sin, cos := math.Sincos(x)                            // sites: function
	fmt.Println("~sincos", sin, cos, math.FMA(x, y, 0.1)) // sites: function
	fmt.Println("exact functions",
		math.Floor(3.7), math.Abs(-x), math.Max(x, 3)) // sites: to integer

	fmt.Println("~generic", norm(0.3, 0.1), norm[float32](0.3, 0.1), total(0.1, 0.2, 0.3))
	fmt.Println("either", twice(3, 4))
	fmt.Println("~either", twice(0.1, 0.7), twice(0.2, 0.7), twice(0.3, 0.8))

	k := int64(1<<53 + 1)
	fmt.Println("~int", float64(k)/3) // sites: conversion, quotient
	fmt.Println("same", int(x*1e6))   // sites: to integer, product
	var b truth = x < y
	fmt.Println("same", x < y, y >= x, x == y, b) // sites: comparison, comparison, comparison

	var held any = x
	fmt.Println("same", held == x, x != held, z == 0, held == z) // sites: comparison

	var wait sync.WaitGroup
	parts := make([]float64, 4)
	for i := range parts {
		wait.Go(func() {
			for j := range 100 {
				parts[i] += 1 / float64(j+1) // sites: sum, quotient, conversion
			}
		})
	}
	wait.Wait()
	fmt.Println("~goroutines", parts)

	func() {
		defer func() { fmt.Println("recovered", recover() != nil) }()
		var none []float64
		none[0] += 1 // sites: sum
	}()

	fs := []func(float64) float64{math.Sin, math.Sqrt, math.Floor} // sites: function, function
	fmt.Println("~values", fs[0](x), fs[1](y), fs[2](x), m.Exp(x)) // sites: function
	fmt.Println("~cmplx",
		cmplx.Exp(z), cmplx.Abs(z/3)) // sites: quotient
	fused, both, root := math.FMA, math.Sincos, cmplx.Sqrt // none of these has a site here
	fmt.Println("~root", root(0.1+0.7i))
	left, right := both(x)
	fmt.Println("left", fused(x, 0.7, 0.1), left, right,
		complex64(complex(x, 0.7)), whole(3.7), fraction[float32](1<<53+1), point{} == *new(point))
	switch x {
	case 0.1:
		fmt.Println("case")
	}
	fmt.Println("whole",
		math.Floor(x*10), math.Trunc(-y)) // sites: to integer, to integer, product
	fmt.Println("~any", mean([]float64{0.1, 0.2, 0.7}), mean([]int{3, 5}), join("a", "b"))
	fmt.Println("~keys",
		count(map[string]float64{}), 1/3.0+x*y-s[next()]*x) // sites: sum, product, sum, product
	s[next()] += x * y // sites: sum, product
	s[0] -= x * y      // sites: sum, product
	fmt.Println("~fused",
		s[0], x*y+z2(x), z2(y)-x*x) // sites: sum, product, sum, product

	long := x + // sites: sum
		// a comment between
		y*(  // sites: product
		x-y) // sites: sum
	fmt.Println("~long", long)
}
