package complexes_test

import (
	"fmt"

	"github.com/lastbit/lastbit/fp/complexes"
)

func ExampleMul() {
	a := complex(1+0x1p-30, 1)
	b := complex(1+0x1p-30, 1)
	fmt.Println(real(complexes.Mul(a, b)) == 0x1p-29) // 2⁻²⁹ + 2⁻⁶⁰ where a*b is fused
	// Output: true
}
