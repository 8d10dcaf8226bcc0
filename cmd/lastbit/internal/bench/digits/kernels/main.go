//lastbit:ignore fma programs to measure, as users write them

// Command kernels runs one of four computations: its arguments are the name and
// the size. It prints a number, and to standard error the nanoseconds. lastbit
// bench digits builds it as it is and instrumented.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	f := map[string]func(int) float64{
		"matmul": matmul, "solve": solve, "mandelbrot": mandelbrot, "stencil": stencil,
	}[os.Args[1]]
	t := time.Now()
	v := f(n)
	d := time.Since(t)
	fmt.Println(v)
	fmt.Fprintln(os.Stderr, d.Nanoseconds())
}

func matrix(n int) [][]float64 {
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
		for j := range a[i] {
			a[i][j] = 1 / float64(i+j+1)
			if i == j {
				a[i][j] += float64(n)
			}
		}
	}
	return a
}

func matmul(n int) float64 {
	a, b := matrix(n), matrix(n)
	c := make([][]float64, n)
	for i := range c {
		c[i] = make([]float64, n)
		for j := range n {
			s := 0.0
			for k := range n {
				s += a[i][k] * b[k][j]
			}
			c[i][j] = s
		}
	}
	return c[n/2][n/3]
}

func solve(n int) float64 {
	a := matrix(n)
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 + float64(i)/7
	}
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if a[i][k]*a[i][k] > a[p][k]*a[p][k] {
				p = i
			}
		}
		a[k], a[p] = a[p], a[k]
		x[k], x[p] = x[p], x[k]
		for i := k + 1; i < n; i++ {
			f := a[i][k] / a[k][k]
			for j := k; j < n; j++ {
				a[i][j] -= f * a[k][j]
			}
			x[i] -= f * x[k]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x[0]
}

func mandelbrot(n int) float64 {
	total := 0
	for i := range n {
		for j := range n {
			cr, ci := -2+3*float64(i)/float64(n), -1.5+3*float64(j)/float64(n)
			zr, zi := 0.0, 0.0
			k := 0
			for ; k < 200 && zr*zr+zi*zi <= 4; k++ {
				zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
			}
			total += k
		}
	}
	return float64(total)
}

func stencil(n int) float64 {
	u, v := make([]float64, n*n*n), make([]float64, n*n*n)
	for i := range u {
		u[i] = float64(i%17) / 3
	}
	for range 4 {
		for i := 1; i < n-1; i++ {
			for j := 1; j < n-1; j++ {
				for k := 1; k < n-1; k++ {
					at := (i*n+j)*n + k
					v[at] = 0.4*u[at] + 0.1*(u[at-1]+u[at+1]+u[at-n]+u[at+n]+u[at-n*n]+u[at+n*n])
				}
			}
		}
		u, v = v, u
	}
	return u[n*n*n/2+n*n/2+n/2]
}
