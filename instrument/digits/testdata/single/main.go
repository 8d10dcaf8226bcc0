// Command single prints numbers that each hang on one rounding error, or ends
// with a code that does.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) > 1 {
		x := 1e-9
		if y := (1 + x) - 1; y < x {
			os.Exit(3)
		}
		return
	}
	const numbers = 1000
	for i := range numbers {
		x := float64(i+1) * 1.2345e-12
		fmt.Println((1 + x) - 1)
	}
}
