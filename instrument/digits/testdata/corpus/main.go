// Command corpus holds computations whose rounding errors are known. Its
// argument names one; it prints the result. A comment "blame" marks the lines
// where errors arise that matter, or where they grow.
package main

import (
	"fmt"
	"math"
	"os"
	"time"
)

var programs = map[string]func() float64{
	"rump": rump, "hilbert": hilbert, "quadratic": quadratic, "logistic": logistic,
	"triangle": triangle, "heron": heron, "derivative": derivative, "ascending": ascending,
	"descending": descending, "variance": variance, "welford": welford,
	"pivotless": pivotless, "newton": newton, "expSeries": expSeries, "expPositive": expPositive,
	"kahan": kahan, "twoSum": twoSum, "integers": integers, "expm1": expm1, "cosine": cosine,
	"lorenz": lorenz, "pi": archimedes, "polynomial": polynomial, "recurrence": recurrence,
	"compound": compound, "single": single, "difference": difference, "horner": horner,
	"cross": cross, "powers": powers,
}

func main() {
	if len(os.Args) == 2 && others[os.Args[1]] != nil {
		others[os.Args[1]]()
		return
	}
	if len(os.Args) != 2 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "corpus: name a program")
		os.Exit(2)
	}
	fmt.Printf("%.17g\n", programs[os.Args[1]]())
}

// rump is Rump's polynomial: -0.827396….
func rump() float64 {
	x, y := 77617.0, 33096.0
	y2 := y * y
	y4 := y2 * y2
	y6 := y4 * y2                                                     // blame
	y8 := y4 * y4                                                     // blame
	return 333.75*y6 + x*x*(11*x*x*y2-y6-121*y4-2) + 5.5*y8 + x/(2*y) // blame
}

// hilbert is the determinant of the 8×8 Hilbert matrix.
func hilbert() float64 {
	const n = 8
	var a [n][n]float64
	for i := range n {
		for j := range n {
			a[i][j] = 1 / float64(i+j+1) // blame
		}
	}
	det := 1.0
	for k := range n {
		det *= a[k][k]
		for i := k + 1; i < n; i++ {
			f := a[i][k] / a[k][k] // blame
			for j := k; j < n; j++ {
				a[i][j] -= f * a[k][j] // blame
			}
		}
	}
	return det
}

// quadratic is the smaller root of x² - 1e8·x + 1 by the textbook's formula.
func quadratic() float64 {
	b := 1e8
	d := math.Sqrt(b*b - 4) // blame
	return (b - d) / 2      // blame
}

// logistic iterates the logistic map 60 times.
func logistic() float64 {
	x := 0.3
	for range 60 {
		x = 3.9 * x * (1 - x) // blame
	}
	return x
}

// triangle is Kahan's formula of the area of a needle.
func triangle() float64 {
	a, b, c := 1e5, 99999.99979, 0.00029
	return math.Sqrt((a+(b+c))*(c-(a-b))*(c+(a-b))*(a+(b-c))) / 4 // blame
}

// heron is Heron's formula of the same area.
func heron() float64 {
	a, b, c := 1e5, 99999.99979, 0.00029
	s := (a + b + c) / 2                              // blame
	return math.Sqrt(s * (s - a) * (s - b) * (s - c)) // blame
}

// derivative is a difference quotient with a small step.
func derivative() float64 {
	const h = 1e-9
	return (math.Sin(1+h) - math.Sin(1)) / h // blame
}

// ascending sums 1/i² from the smallest summand.
func ascending() float64 {
	s := 0.0
	for i := 100000; i > 0; i-- {
		s += 1 / (float64(i) * float64(i)) // blame
	}
	return s
}

// descending sums them from the largest one.
func descending() float64 {
	s := 0.0
	for i := 1; i <= 100000; i++ {
		s += 1 / (float64(i) * float64(i)) // blame
	}
	return s
}

func data() []float64 {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = 1e6 + float64(i%10)*0.125
	}
	return x
}

// variance is E(x²) - E(x)².
func variance() float64 {
	sum, squares := 0.0, 0.0
	for _, x := range data() {
		sum += x
		squares += x * x // blame
	}
	mean := sum / 1000
	return squares/1000 - mean*mean // blame
}

// welford is the variance by Welford's updates.
func welford() float64 {
	mean, m2 := 0.0, 0.0
	for i, x := range data() {
		d := x - mean            // blame
		mean += d / float64(i+1) // blame
		m2 += d * (x - mean)     // blame
	}
	return m2 / 1000
}

// pivotless solves a 2×2 system without pivoting.
func pivotless() float64 {
	a, b, c, d := 1e-14, 1.0, 1.0, 1.0
	f := c / a
	y := (2 - f*1.1) / (d - f*b) // blame
	return (1.1 - b*y) / a       // blame
}

// newton seeks the double root of (x-1)²: x³ - x² - x + 1.
func newton() float64 {
	x := 1.5
	for range 20 {
		p := ((x-1)*x-1)*x + 1 // blame
		q := (3*x-2)*x - 1     // blame
		x -= p / q
	}
	return x
}

// expSeries is the Taylor series of e^-20.
func expSeries() float64 {
	s, t := 1.0, 1.0
	for i := 1; i < 150; i++ {
		t *= -20 / float64(i) // blame
		s += t                // blame
	}
	return s
}

// expPositive is 1/e^20 by the series of e^20.
func expPositive() float64 {
	s, t := 1.0, 1.0
	for i := 1; i < 150; i++ {
		t *= 20 / float64(i)
		s += t
	}
	return 1 / s
}

// kahan sums 0.1 a hundred thousand times, with compensation.
func kahan() float64 {
	s, c := 0.0, 0.0
	for range 100000 {
		y := 0.1 - c
		t := s + y
		c = (t - s) - y
		s = t
	}
	return s
}

// twoSum is the error of a sum.
func twoSum() float64 {
	a, b := 1e16, 3.14159
	s := a + b
	t := s - a
	return s + ((a - (s - t)) + (b - t))
}

// integers counts in floating point.
func integers() float64 {
	s := 0.0
	for i := range 1000 {
		s += float64(i) * float64(i)
	}
	return s
}

// expm1 is e^x - 1 for a small x.
func expm1() float64 {
	x := 1e-10
	return math.Exp(x) - 1 // blame
}

// cosine is (1 - cos x)/x² for a small x.
func cosine() float64 {
	x := 1.2e-5
	return (1 - math.Cos(x)) / (x * x) // blame
}

// lorenz follows the Lorenz system for some time.
func lorenz() float64 {
	x, y, z := 1.0, 1.0, 1.0
	const h = 0.01
	for range 2000 {
		dx := 10 * (y - x)    // blame
		dy := x*(28-z) - y    // blame
		dz := x*y - 8.0/3.0*z // blame
		x += h * dx           // blame
		y += h * dy           // blame
		z += h * dz           // blame
	}
	return x
}

// archimedes approximates π by polygons, with a cancellation at each step.
func archimedes() float64 {
	t := 1 / math.Sqrt(3) // blame
	n := 6.0
	for range 20 {
		t = (math.Sqrt(t*t+1) - 1) / t // blame
		n *= 2
	}
	return n * t
}

// polynomial is (x-1)^7, expanded, near 1.
func polynomial() float64 {
	x := 1.01
	x2 := x * x                            // blame
	x3, x4 := x2*x, x2*x2                  // blame
	s := x4*x3 - 7*x3*x3 + 21*x4*x - 35*x4 // blame
	return s + 35*x3 - 21*x2 + 7*x - 1     // blame
}

// recurrence is I(n) = 1 - n·I(n-1), which multiplies its error by n.
func recurrence() float64 {
	i := 1 - 1/math.E
	for n := 1; n <= 14; n++ {
		i = 1 - float64(n)*i // blame
	}
	return i
}

// compound is interest for many years.
func compound() float64 {
	x := 100.0
	for range 3650 {
		x *= 1 + 0.05/365 // blame
	}
	return x
}

// single sums in float32.
func single() float64 {
	var s float32
	for i := range 10000 {
		s += 1 / float32(i+1) // blame
	}
	return float64(s)
}

// difference subtracts square roots of neighbours.
func difference() float64 {
	x := 1e10
	return math.Sqrt(x+1) - math.Sqrt(x) // blame
}

// horner evaluates a polynomial without a cancellation.
func horner() float64 {
	s, x := 0.0, 0.7
	for i := range 30 {
		s = s*x + 1/float64(i+1)
	}
	return s
}

// cross is a 2×2 determinant of close rows.
func cross() float64 {
	a, b, c, d := 1.0/3, 2.0/7, 1.0/3+1e-9, 2.0/7+1e-9
	return a*d - b*c // blame
}

// powers is x^n - y^n of neighbours.
func powers() float64 {
	x, y := 1.0000001, 1.0000002
	return math.Pow(y, 50) - math.Pow(x, 50) // blame
}

// others print for themselves.
var others = map[string]func(){"branch": branch, "clock": clock}

// branch takes another way if 0.1·3 is rounded down.
func branch() {
	x := 0.1
	y := x * 3 // blame
	fmt.Println("z", 0.7*x)
	if y <= 0.3 {
		os.Exit(3)
	}
	fmt.Println("above")
}

// clock prints a time.
func clock() { fmt.Println("now", float64(time.Now().UnixNano())/7) }
