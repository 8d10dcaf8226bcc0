// Lines that lose digits, whether they cost the output some or not.
package main

import (
	"fmt"
	"math"

	"example.com/ranking/decide"
)

// add returns a + b and its error term, which costs the output nothing.
func add(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	e = (a - (s - t)) + (b - t) // error term
	return s, e
}

// unused returns differences that nothing depends on.
func unused(x float64) (d float64) {
	d += math.Sin(x) - math.Sin(x+1e-12)
	d += math.Cos(x) - math.Cos(x+1e-12)
	d += math.Exp(x) - math.Exp(x+1e-12)
	d += math.Tan(x) - math.Tan(x+1e-12)
	d += math.Log(x) - math.Log(x+1e-12)
	d += math.Sqrt(x) - math.Sqrt(x+1e-12)
	d += math.Atan(x) - math.Atan(x+1e-12)
	d += math.Cosh(x) - math.Cosh(x+1e-12)
	d += math.Sinh(x) - math.Sinh(x+1e-12)
	d += math.Asinh(x) - math.Asinh(x+1e-12)
	return d
}

func main() {
	s, c := 0.0, 0.0
	for i := range 50 {
		var e float64
		s, e = add(s, 1/float64(i+1))
		c += e
	}
	fmt.Println(s + c)
	if unused(0.3) > 1 {
		fmt.Println("never")
	}
	x := 0.0
	for range 10 {
		x += 0.1
	}
	if decide.Beyond(x, 1) {
		fmt.Println("one", 5.0)
	} else {
		fmt.Println("less", 3.0)
	}
}
