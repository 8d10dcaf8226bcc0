// Command quadratic computes the roots of x² - 1e8·x + 1 by the textbook's
// formula, and the smaller one by a formula that keeps its digits:
//
//	lastbit digits --blame ./examples/quadratic
package main

import (
	"fmt"
	"math"
)

func main() {
	const b, c = 1e8, 1.0
	d := root(b, c)
	larger := (b + d) / 2
	smaller := (b - d) / 2
	fmt.Println("larger ", larger)
	fmt.Println("smaller", smaller)
	fmt.Println("stable ", c/larger)
}

// root returns the root of the discriminant.
func root(b, c float64) float64 { return math.Sqrt(b*b - 4*c) } //lastbit:ignore fma cancellation
