package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// smallTest tests kernels of float64 of one level on matrices before a
// protected page.
type smallTest struct {
	*testing.T
	level  Level
	chain  Chain[float64]
	rng    *rand.Rand
	memory []float64
}

// onLevels runs a test of such kernels at every level.
func onLevels(t *testing.T, test func(s smallTest)) {
	memory := numbersBeforeEnd(t, 5000)
	for _, level := range Levels() {
		test(smallTest{t, level, NewChain[float64](level), rand.New(rand.NewPCG(7, 8)), memory})
	}
}

// number returns a number, at times a special one.
func (s smallTest) number() float64 {
	specials := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 0x1p-1074, 0x1p1000}
	if i := s.rng.IntN(40 * len(specials)); i < len(specials) {
		return specials[i]
	}
	return s.rng.NormFloat64()
}

// matrix returns a matrix that ends at the protected page, and a copy.
func (s smallTest) matrix(rows, columns int) (m Operand[float64], a, want []float64) {
	stride := columns + s.rng.IntN(3)
	a = s.memory[len(s.memory)-(rows-1)*stride-columns:]
	for i := range a {
		a[i] = s.number()
	}
	return Operand[float64]{&a[0], stride, 1}, a, slices.Clone(a)
}

// compare compares numbers bit for bit, except the bits of a NaN.
func (s smallTest) compare(name string, got, want []float64) {
	s.Helper()
	for i, v := range got {
		if !same(v, want[i]) {
			s.Fatalf("%v, %s: element %d is %v, want %v", s.level, name, i, v, want[i])
		}
	}
}

// TestReflectSymmetric holds the kernels of ReflectSymmetric against the other
// kernels that they are made of elsewhere.
func TestReflectSymmetric(t *testing.T) {
	onLevels(t, func(s smallTest) {
		for trial := range 400 {
			n := 1 + s.rng.IntN(SymmetricOrder)
			if !s.chain.ReflectsSymmetric(n) {
				return
			}
			m, a, want := s.matrix(n, n)
			x, tau := make([]float64, n), s.number()
			for i := range x {
				x[i] = s.number()
				if trial%50 == 0 {
					x[i] = 0
				}
			}
			s.chain.ReflectSymmetric(trial%2 == 0, tau, x, m)
			reflectSymmetric(trial%2 == 0, tau, x, want, m.Row)
			s.compare("ReflectSymmetric", a, want)
		}
	})
}

// reflectSymmetric is the definition of ReflectSymmetric.
func reflectSymmetric(isUpper bool, tau float64, x, a []float64, stride int) {
	y := make([]float64, len(x))
	symmetricTimes(isUpper, tau, x, y, a, stride)
	if f := float64(-0.5*tau) * ShortDot(len(x), y, 1, x, 1); f != 0 {
		for i, v := range x {
			y[i] = math.FMA(f, v, y[i])
		}
	}
	symmetricUpdate(isUpper, x, y, a, stride)
}

// besideDiagonal returns the columns beside the diagonal of a stored row.
func besideDiagonal(isUpper bool, i, n int) (from, to int) {
	if isUpper {
		return i + 1, n
	}
	return 0, i
}

// symmetricTimes is the definition of SymmetricTimes, for y of zeros.
func symmetricTimes(isUpper bool, alpha float64, x, y, a []float64, stride int) {
	for i, v := range x {
		from, to := besideDiagonal(isUpper, i, len(x))
		var lanes [8]float64
		for j := from; j < to; j++ {
			l := &lanes[(j-from)%8]
			*l = math.FMA(a[i*stride+j], x[j], *l)
		}
		y[i] = math.FMA(alpha, math.FMA(a[i*stride+i], v, Halved(lanes[:])), y[i])
		for j := from; j < to; j++ {
			y[j] = math.FMA(float64(alpha*v), a[i*stride+j], y[j])
		}
	}
}

// symmetricUpdate is the definition of SymmetricUpdate.
func symmetricUpdate(isUpper bool, x, y, a []float64, stride int) {
	for i := range x {
		from, to := besideDiagonal(isUpper, i, len(x))
		for j := min(i, from); j < max(i+1, to); j++ {
			e := &a[i*stride+j]
			*e = math.FMA(-y[i], x[j], math.FMA(-x[i], y[j], *e))
		}
	}
}

// TestTriangles holds SymmetricTimes and SymmetricUpdate against their
// definitions, at times for tiny numbers: some sums round to −0.
func TestTriangles(t *testing.T) {
	pageX, pageY := numbersBeforeEnd(t, TriangleOrder+2), numbersBeforeEnd(t, TriangleOrder+2)
	onLevels(t, func(s smallTest) {
		for trial := range 8 * TriangleOrder {
			n, isUpper := 1+trial/8, trial%2 == 0
			if !s.chain.HasTriangles(n) {
				return
			}
			m, a, want := s.matrix(n, n)
			scale := 1.0
			if trial%8 >= 6 {
				scale = 0x1p-560
			}
			for _, v := range [][]float64{a, pageX, pageY} {
				for i := range v {
					v[i] = s.number() * scale
				}
			}
			copy(want, a)
			x, y := pageX[len(pageX)-n:], pageY[len(pageY)-n:]
			wantY := append([]float64(nil), pageY...)
			clear(wantY[len(pageY)-n:])
			alpha := s.number()
			symmetricTimes(isUpper, alpha, x, wantY[len(pageY)-n:], want, m.Row)
			s.chain.SymmetricTimes(isUpper, alpha, x, y, m)
			s.compare("SymmetricTimes", pageY, wantY)
			symmetricUpdate(isUpper, x, y, want, m.Row)
			s.chain.SymmetricUpdate(isUpper, x, y, m)
			s.compare("SymmetricUpdate", a, want)
		}
	})
}

// TestRotateRows holds the kernels of RotateRows against single rotations.
func TestRotateRows(t *testing.T) {
	onLevels(t, func(s smallTest) {
		for trial := range 400 {
			rows, columns := 1+s.rng.IntN(9), 1+s.rng.IntN(80)
			if !s.chain.RotatesRows(columns) {
				continue
			}
			m, a, want := s.matrix(rows, columns)
			cos, sin := make([]float64, rows-1), make([]float64, rows-1)
			for i := range cos {
				cos[i], sin[i] = s.number(), s.number()
				if s.rng.IntN(4) == 0 {
					cos[i], sin[i] = 1, math.Copysign(0, s.rng.NormFloat64())
				}
			}
			isForward := trial%2 == 0
			s.chain.RotateRows(cos, sin, isForward, columns, m)
			for k := range cos {
				if !isForward {
					k = len(cos) - 1 - k
				}
				rotateRow(cos[k], sin[k], want[k*m.Row:][:columns], want[(k+1)*m.Row:][:columns])
			}
			s.compare("RotateRows", a, want)
		}
	})
}

// rotateRow rotates two rows.
func rotateRow(c, s float64, x, y []float64) {
	if c == 1 && s == 0 {
		return
	}
	for j := range x {
		x[j], y[j] = float64(s*y[j])+float64(c*x[j]), float64(c*y[j])-float64(s*x[j])
	}
}

// TestReflector holds the kernels of Reflector against its definition.
func TestReflector(t *testing.T) {
	onLevels(t, func(s smallTest) {
		for trial := range 200 {
			n := 1 + trial%20
			h := Reflector{s.number(), s.number(), s.number(), s.number(), s.number()}
			m, a, want := s.matrix(3, n)
			h.Rows(s.chain, n, m)
			for j := range n {
				reflectElements(&h, want[j:], m.Row)
			}
			s.compare("Reflector.Rows", a, want)
			m, a, want = s.matrix(n, 3)
			h.Columns(s.chain, n, m)
			for i := range n {
				reflectElements(&h, want[i*m.Row:], 1)
			}
			s.compare("Reflector.Columns", a, want)
		}
	})
}

// reflectElements is the definition of Reflector for elements some apart.
func reflectElements(h *Reflector, x []float64, apart int) {
	sum := x[0] + float64(h[0]*x[apart]) + float64(h[1]*x[2*apart])
	for i := range 3 {
		x[i*apart] -= float64(sum * h[2+i])
	}
}
