// A balance whose daily sums are checked by the term that is their error, and
// the same in a format of package math/big.
package main

import (
	"fmt"
	"math/big"
)

func main() {
	opening, step := 0.0, big.NewFloat(0.1).SetPrec(24)
	sum := new(big.Float).SetPrec(24)
	for day := range 200_000 {
		net := 0.1 * float64(1+day%3)
		closing := opening + net
		if off := closing - opening - net; off > 0.005 || off < -0.005 {
			panic(fmt.Sprintf("day %d is off by %v", day, off))
		}
		opening = closing
		sum.Add(sum, step)
	}
	fmt.Println(opening)
	fmt.Println(sum)
}
