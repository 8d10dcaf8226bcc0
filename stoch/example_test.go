package stoch_test

import (
	"fmt"

	"github.com/lastbit/lastbit/stoch"
)

// The terms of Rump's polynomial cancel: in double precision no digit of the
// result is right, not even the sign.
func Example() {
	a := stoch.New[float64](stoch.Options{Seed: 1})
	of := stoch.Of[float64]
	x, y := of(77617), of(33096)
	x2, y2 := a.Mul(x, x), a.Mul(y, y)
	y4, y6 := a.Mul(y2, y2), a.Mul(a.Mul(y2, y2), y2)
	p := a.Sub(a.Sub(a.Mul(of(11), a.Mul(x2, y2)), y6), a.Mul(of(121), y4))
	p = a.Add(a.Mul(of(333.75), y6), a.Mul(x2, a.Sub(p, of(2))))
	p = a.Add(p, a.Mul(of(5.5), a.Mul(y4, y4)))
	fmt.Println(a.Add(p, a.Div(x, a.Mul(of(2), y))))
	// Output:
	// @.0
}

// Muller's recurrence has the limit 6. With any rounding it converges to 100,
// and a comparison of the results of several runs shows nothing. Samples side
// by side have no digit in common on the way there.
func ExampleArithmetic_Report() {
	a := stoch.New[float64](stoch.Options{Seed: 1})
	of := stoch.Of[float64]
	u, v := of(5.5), a.Div(of(61), of(11))
	for range 30 {
		w := a.Sub(of(111), a.Div(of(1130), v))
		w = a.Add(w, a.Div(of(3000), a.Mul(v, u)))
		u, v = v, w
	}
	fmt.Printf("%.3g, but reliable: %v\n", v, a.Report().IsReliable())
	// Output:
	// 100, but reliable: false
}

// A number prints its significant digits only.
func ExampleNumber() {
	a := stoch.New[float64](stoch.Options{})
	one := stoch.Of(1.0)
	difference := a.Sub(a.Exp(stoch.Of(1e-10)), one)
	fmt.Printf("%v has %.0f digits\n", difference, difference.Digits())
	fmt.Println(a.Expm1(stoch.Of(1e-10)))
	// Output:
	// 1.0000e-10 has 5 digits
	// 1.00000000005000e-10
}

// Values that differ by noise are equal: neither is less.
func ExampleArithmetic_Less() {
	a := stoch.New[float64](stoch.Options{})
	x := a.Mul(a.Sqrt(stoch.Of(2.0)), a.Sqrt(stoch.Of(2.0)))
	two := stoch.Of(2.0)
	fmt.Println(a.Less(x, two), a.Equal(x, two), a.Less(two, x))
	// Output:
	// false true false
}

// Slices are computed with vector instructions, and have the same samples on
// every processor.
func ExampleArithmetic_Dot() {
	a := stoch.New[float64](stoch.Options{})
	x := stoch.SliceOf([]float64{1e16, -1e16, 1})
	y := stoch.SliceOf([]float64{1, 1, 1})
	fmt.Println(a.Dot(x, y))
	x = stoch.SliceOf([]float64{1, 2, 3})
	fmt.Println(a.Dot(x, y))
	// Output:
	// @.0
	// 6.00000000000000
}

// Stochastic rounding to bfloat16 keeps the mean of many small increments,
// which rounding to nearest loses.
func ExampleOptions() {
	for _, r := range []stoch.Rounding{stoch.Nearest, stoch.Nearness} {
		a := stoch.New[float32](stoch.Options{Rounding: r, Precision: 8, Free: true})
		sum := stoch.Of[float32](1)
		for range 1000 {
			sum = a.Add(sum, stoch.Of[float32](0.001))
		}
		fmt.Printf("%v: near 2: %v\n", r, sum.Mean() > 1.8 && sum.Mean() < 2.2)
	}
	// Output:
	// Nearest: near 2: false
	// Nearness: near 2: true
}
