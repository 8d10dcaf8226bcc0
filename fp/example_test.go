package fp_test

import (
	"fmt"
	"log"

	"github.com/lastbit/lastbit/fp"
)

// The sum of 0.5, 512 and 512.5 in half precision depends on the order.
func Example() {
	add := func(a, b float64) float64 { return fp.Binary16.Add(a, b, fp.NearestEven) }
	fmt.Println(add(add(0.5, 512), 512.5), add(0.5, add(512, 512.5)))
	// Output: 1025 1024
}

func ExampleParse() {
	f, err := fp.Parse("bfloat16")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f, f.Precision(), f.Max())
	// Output: bf16 8 3.3895313892515355e+38
}

func ExampleFormat_Round() {
	const x = 1.0 / 3
	for _, m := range []fp.Mode{fp.NearestEven, fp.TowardZero, fp.Up, fp.Down} {
		fmt.Println(m, fp.BFloat16.Round(x, m), fp.BFloat16.Round(-x, m))
	}
	// Output:
	// rne 0.333984375 -0.333984375
	// rz 0.33203125 -0.33203125
	// ru 0.333984375 -0.33203125
	// rd 0.33203125 -0.333984375
}

// A fused multiply-add keeps the bits that a product rounds off.
func ExampleFormat_FMA() {
	a := 1 + 0x1p-12
	f := fp.Binary32
	product := f.Mul(a, a, fp.NearestEven)
	fmt.Println(f.Add(product, -product, fp.NearestEven), f.FMA(a, a, -product, fp.NearestEven))
	// Output: 0 5.960464477539063e-08
}

func ExampleFormat_Distance() {
	f := fp.Binary64
	sum := f.Add(0.1, 0.2, fp.NearestEven)
	fmt.Printf("%d ULP between %#x and %#x\n", f.Distance(sum, 0.3), f.Bits(sum), f.Bits(0.3))
	// Output: 1 ULP between 0x3fd3333333333334 and 0x3fd3333333333333
}
