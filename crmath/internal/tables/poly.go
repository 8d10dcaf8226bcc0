package tables

import (
	"math"
	"math/big"
)

// interpolate returns the coefficients c of the polynomial Σ c[i]·x^powers[i]
// that agrees with f in Chebyshev's nodes of [a, b], which is within a small
// factor of the minimax polynomial for functions whose Taylor series converges
// fast there.
func interpolate(f func(*big.Float) *big.Float, powers []int, a, b float64) []*big.Float {
	return interpolateAt(f, powers, chebyshev(len(powers), a, b))
}

// chebyshev returns Chebyshev's n nodes of [a, b].
func chebyshev(n int, a, b float64) []*big.Float {
	nodes := make([]*big.Float, n)
	for i := range nodes {
		// (a+b)/2 + (b-a)/2·cos((2i+1)π/2n)
		_, c := SinCos(quo(mul(Pi(), real(float64(2*i+1))), real(float64(2*n))))
		nodes[i] = add(mul(c, real((b-a)/2)), real((a+b)/2))
	}
	return nodes
}

// interpolateAt is interpolate with given nodes, one for each power.
func interpolateAt(f func(*big.Float) *big.Float, powers []int, nodes []*big.Float) []*big.Float {
	m := make([][]*big.Float, len(nodes))
	for i, x := range nodes {
		for _, p := range powers {
			m[i] = append(m[i], power(x, p))
		}
		m[i] = append(m[i], f(x))
	}
	return solve(m)
}

func power(x *big.Float, n int) *big.Float {
	z := real(1)
	for range n {
		z = mul(z, x)
	}
	return z
}

// solve returns the solution of the linear system m, whose last column is the
// right-hand side, by Gaussian elimination with partial pivoting.
func solve(m [][]*big.Float) []*big.Float {
	n := len(m)
	for c := range n {
		p := c
		for r := c; r < n; r++ {
			if fresh().Abs(m[r][c]).Cmp(fresh().Abs(m[p][c])) > 0 {
				p = r
			}
		}
		m[c], m[p] = m[p], m[c]
		for r := c + 1; r < n; r++ {
			q := quo(m[r][c], m[c][c])
			for k := c; k <= n; k++ {
				m[r][k] = sub(m[r][k], mul(q, m[c][k]))
			}
		}
	}
	x := make([]*big.Float, n)
	for r := n - 1; r >= 0; r-- {
		s := m[r][n]
		for k := r + 1; k < n; k++ {
			s = sub(s, mul(m[r][k], x[k]))
		}
		x[r] = quo(s, m[r][r])
	}
	return x
}

// coefficients writes float64 constants name0, name1 … for x^powers[0] and so
// on.
func (f *file) coefficients(name, comment string, powers []int, c []*big.Float) {
	f.printf("\n// Coefficients of %s.\nconst (\n", comment)
	for i, p := range powers {
		f.printf("%s%d = %s\n", name, p, float(c[i]))
	}
	f.printf(")\n")
}

// Bound returns an upper bound, rounded up, of the difference between a
// function and a polynomial for |x| ≤ a. The function is given by its Taylor
// series, which is long enough for the precision of this package; a ≤ 1/2. The
// bound is the largest value on a grid, plus the most that the derivative can
// add between its points.
func Bound(taylor []*big.Float, poly []float64, a float64) float64 {
	d := make([]*big.Float, max(len(taylor), len(poly)))
	for k := range d {
		d[k] = real(0)
		if k < len(taylor) {
			d[k] = fresh().Set(taylor[k])
		}
		if k < len(poly) {
			d[k] = sub(d[k], real(poly[k]))
		}
	}
	const half = 512 // grid points on each side
	largest := real(0)
	for i := -half; i <= half; i++ {
		x, y := real(a*float64(i)/half), real(0)
		for k := len(d) - 1; k >= 0; k-- {
			y = add(mul(y, x), d[k])
		}
		if y.Abs(y).Cmp(largest) > 0 {
			largest = y
		}
	}
	slope := real(0)
	for k := len(d) - 1; k > 0; k-- {
		slope = add(mul(slope, real(a)), mul(real(float64(k)), fresh().Abs(d[k])))
	}
	// No grid point is farther than a/(2·half).
	largest = add(largest, mul(slope, real(a/(2*half))))
	v, _ := new(big.Float).SetMode(big.ToPositiveInf).SetPrec(53).Set(largest).Float64()
	return v
}

// Deviation returns the largest difference of a function, given by its Taylor
// series, and a polynomial on a grid of [low, high], over the function's value.
// The series is long enough for 150 bits.
func Deviation(taylor []*big.Float, poly []float64, low, high float64) float64 {
	const grid, bits = 128, 200
	round := func(x *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Set(x) }
	at := func(c []*big.Float, x *big.Float) *big.Float {
		sum := round(real(0))
		for k := len(c) - 1; k >= 0; k-- {
			sum.Add(sum.Mul(sum, x), c[k])
		}
		return sum
	}
	var f, p []*big.Float
	for _, c := range taylor {
		f = append(f, round(c))
	}
	for _, c := range poly {
		p = append(p, round(real(c)))
	}
	largest := 0.0
	for i := range grid + 1 {
		x := round(real(low + float64((high-low)*float64(i)/grid)))
		y := at(f, x)
		d, _ := new(big.Float).Quo(new(big.Float).Sub(at(p, x), y), y).Float64()
		largest = max(largest, math.Abs(d))
	}
	return largest
}

// ExpSeries returns 1/k! for k < n, the Taylor series of e^x.
func ExpSeries(n int) []*big.Float {
	c := []*big.Float{real(1)}
	for k := 1; k < n; k++ {
		c = append(c, quo(c[k-1], real(float64(k))))
	}
	return c
}

// Log1pSeries returns 0, 1, -1/2, 1/3 …, the first n coefficients of the Taylor
// series of ln(1+x).
func Log1pSeries(n int) []*big.Float {
	c := []*big.Float{real(0)}
	for k := 1; k < n; k++ {
		c = append(c, quo(real(float64(2*(k%2)-1)), real(float64(k))))
	}
	return c
}
