package folded

import "math"

// known has sums whose operands the compiler knows: it computes them itself.
func known() float64 {
	x := 1.1
	y := x * x
	root := math.Sqrt(2)*math.Sqrt(2) - 2
	single := float64(float32(math.Sqrt(3)))*1.1 + 0.3
	n := 3
	third := float64(n) * x / 7
	root += third*third - 1
	return root + single + (y*y + x) + (math.Inf(1)*x - 1) +
		(math.Float64frombits(0x3ff3333333333333)*1.1 + 0.3)
}

func single() float32 {
	x := float32(1.1)
	y := x * x
	return y*y + x/3
}

func open(z float64, b bool) float64 {
	x := 1.1
	if b {
		x = 2.2
	}
	s := x*x - 1           // want `x \* x - 1 fuses`
	s += math.Exp(1)*x + 1 // want `math.Exp\(1\) \* x \+ 1 fuses`
	y := math.Sqrt(3) * z
	return s + y // want `s \+ y fuses`
}

func shadowed(x, y, z float64) float64 {
	float64 := 1
	_ = float64
	return x*y + z // want `where float64 means something else`
}
