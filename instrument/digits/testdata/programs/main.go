// Command programs has computations as people write them. want.txt has the
// numbers that they print in real arithmetic, whose literals are float64: by
// mpmath with 120 digits.
package main

import (
	"fmt"
	"math"
	"math/cmplx"
	"os"
)

type kalman struct{ x, p, q, r float64 }

func (k *kalman) update(z float64) float64 {
	k.p += k.q
	g := k.p / (k.p + k.r)
	k.x += g * (z - k.x)
	k.p *= 1 - g
	return k.x
}

var programs = map[string]func(){
	"rk4": func() {
		x, v, h := 1.0, 0.0, 0.05
		f := func(x float64) float64 { return -math.Sin(x) }
		for i := 1; i <= 200; i++ {
			k1, l1 := v, f(x)
			k2, l2 := v+h/2*l1, f(x+h/2*k1)
			k3, l3 := v+h/2*l2, f(x+h/2*k2)
			k4, l4 := v+h*l3, f(x+h*k3)
			x += h / 6 * (k1 + 2*k2 + 2*k3 + k4)
			v += h / 6 * (l1 + 2*l2 + 2*l3 + l4)
			if i%50 == 0 {
				fmt.Println(x, v)
				fmt.Println(v*v/2 - math.Cos(x) + math.Cos(1))
			}
		}
	},
	"vandermonde": func() {
		const n = 9
		var a [n][n + 1]float64
		for i := range n {
			t := float64(i) / 10
			p := 1.0
			for j := range n {
				a[i][j] = p
				p *= t
			}
			a[i][n] = math.Exp(t)
		}
		for k := range n {
			for i := k + 1; i < n; i++ {
				m := a[i][k] / a[k][k]
				for j := k; j <= n; j++ {
					a[i][j] -= m * a[k][j]
				}
			}
		}
		for i := n - 1; i >= 0; i-- {
			for j := i + 1; j < n; j++ {
				a[i][n] -= a[i][j] * a[j][n]
			}
			a[i][n] /= a[i][i]
		}
		for i := range n {
			fmt.Println(a[i][n])
		}
	},
	"romberg": func() {
		var r [8][8]float64
		f := func(x float64) float64 { return 1 / (1 + x*x) }
		h := 4.0
		r[0][0] = h / 2 * (f(0) + f(4))
		for i := 1; i < 8; i++ {
			h /= 2
			s := 0.0
			for k := 1; k < 1<<i; k += 2 {
				s += f(float64(k) * h)
			}
			r[i][0] = r[i-1][0]/2 + h*s
			p := 4.0
			for j := 1; j <= i; j++ {
				r[i][j] = r[i][j-1] + (r[i][j-1]-r[i-1][j-1])/(p-1)
				p *= 4
			}
			fmt.Println(r[i][i], r[i][i]-r[i][i-1])
		}
	},
	"kalman": func() {
		k := kalman{0, 1, 1e-5, 0.01}
		for i := range 60 {
			y := k.update(-0.37727 + 0.1*math.Sin(float64(7*i)))
			if i%10 == 9 {
				fmt.Println(y, k.p, y+0.37727)
			}
		}
	},
	"bessel": func() {
		x := 1.0
		j0, j1 := 0.7651976865579666, 0.4400505857449335
		for n := 1; n < 12; n++ {
			j0, j1 = j1, 2*float64(n)/x*j1-j0
			fmt.Println(j1)
		}
	},
	"continued": func() {
		x := 1.0
		for i := 40; i > 0; i-- {
			x = 1 + 1/x
		}
		fmt.Println(x, x*x-x-1.000001)
		y := 0.0
		for i := 30; i > 0; i-- {
			y = float64(i*i) / (float64(2*i+1) + y)
		}
		fmt.Println(4/(1+y), 4/(1+y)-3.14159265)
	},
	"dft": func() {
		const n = 16
		for k := range 5 {
			var re, im float64
			for t := range n {
				v := 1e3 + math.Sin(2*math.Pi*float64(t)/n)/7
				a := 2 * math.Pi * float64(k*t) / n
				re += v * math.Cos(a)
				im -= v * math.Sin(a)
			}
			if k == 1 {
				fmt.Println(im)
			}
			if k == 0 {
				fmt.Println(re)
			}
		}
	},
	"single": func() {
		var s, c float32
		for i := range 300 {
			v := 1 / float32(i+1)
			s += v
			c += v * v
		}
		fmt.Println(s, c, s*s-39.5)
		var d float32 = 1e-4
		f := func(x float32) float32 { return x * x * x }
		fmt.Println((f(1+d) - f(1)) / d)
		a, b := float32(1e4), float32(1e4+0.01)
		fmt.Println(b*b - a*a)
	},
	"money": func() {
		balance, rate := 250000.0, 0.0375/12
		payment := balance * rate / (1 - math.Pow(1+rate, -360))
		for m := range 360 {
			interest := balance * rate
			balance -= payment - interest
			if m == 119 || m == 358 {
				fmt.Println(balance)
			}
		}
		fmt.Println(payment)
	},
	"geo": func() {
		const r = 6371.0088
		lat1, lon1 := 52.52*math.Pi/180, 13.405*math.Pi/180
		for _, d := range []float64{1e-6, 1e-3, 1} {
			lat2, lon2 := lat1+d*math.Pi/180, lon1+d*math.Pi/180
			both := math.Cos(lat1) * math.Cos(lat2)
			fmt.Println(r * math.Acos(math.Sin(lat1)*math.Sin(lat2)+both*math.Cos(lon2-lon1)))
			h := math.Pow(math.Sin((lat2-lat1)/2), 2) + both*math.Pow(math.Sin((lon2-lon1)/2), 2)
			fmt.Println(2 * r * math.Asin(math.Sqrt(h)))
		}
	},
	"cubic": func() {
		a, b, c := -6.0000001, 11.0000003, -6.0000002
		q, r := (a*a-3*b)/9, (2*a*a*a-9*a*b+27*c)/54
		t := math.Acos(r / math.Sqrt(q*q*q))
		for k := range 3 {
			x := -2*math.Sqrt(q)*math.Cos((t+2*math.Pi*float64(k))/3) - a/3
			fmt.Println(x, ((x+a)*x+b)*x+c+1)
		}
	},
	"complex": func() {
		parts := func(z complex128) { fmt.Println(real(z), imag(z)) }
		parts(cmplx.Tanh(complex(1e-6, 1.5708063)))
		parts(cmplx.Log(complex(0.6, 0.8000001)))
		parts(cmplx.Asin(complex(-300, 0.125)))
		parts(cmplx.Atan(complex(1e-9, -0.5)))
		parts(cmplx.Pow(complex(40, 30), complex(20, 50)))
		parts(cmplx.Rect(cmplx.Polar(complex(1.5, -3))))
		f := cmplx.Acosh
		parts(f(complex(1.0000001, 1e-9)))
	},
	"tails": func() {
		for _, x := range []float64{6, 1e-9} {
			fmt.Println(1-math.Erf(x), 1-math.Tanh(4*x), 1-math.Cos(x), math.Exp(x*x)-1)
		}
		fmt.Println(math.Hypot(1, 1e-9)-1, (1e-9-math.Sin(1e-9))*1e27)
	},
	"special": func() {
		for _, x := range []float64{-2.4570247382208, 1.1953, 30.25} {
			r, _ := math.Lgamma(x)
			fmt.Println(r)
		}
		fmt.Println(math.Jn(5, 2.40482555), math.Yn(35, 38.11753554964416))
		fmt.Println(math.Erfcinv(1e-12), math.Pow(6.1e268, 0.44))
	},
	"regression": func() {
		var n, sx, sy, sxx, sxy, syy float64
		for i := range 50 {
			x := 1e4 + float64(i)/3
			y := 0.5*x + math.Cos(float64(i))
			n++
			sx, sy, sxx, sxy, syy = sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
		}
		b := (n*sxy - sx*sy) / (n*sxx - sx*sx)
		fmt.Println(b, sy/n-b*sx/n)
		fmt.Println((n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy)))
	},
}

func main() { programs[os.Args[1]]() }
