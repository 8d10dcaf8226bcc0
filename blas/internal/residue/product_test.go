package residue

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/internal/kernel"
)

// inTurn is a Parallel without goroutines.
func inTurn(n, _ int, do func(i, end int)) { do(0, n) }

// trial is a product of random matrices.
type trial struct {
	left, right Rows
	*Product
	hi, lo []float64
}

func newTrial(k kernel.Residues, m, n, depth int, number func() float64) *trial {
	matrix := func(rows int) Rows {
		r := Rows{make([]float64, rows*(depth+3)+2), 2, depth + 3, rows, depth}
		for i := range r.Data {
			r.Data[i] = number()
		}
		return r
	}
	return &trial{left: matrix(m), right: matrix(n)}
}

// compute computes the rows in two parts. It reports whether there is a plan.
func (t *trial) compute(k kernel.Residues) bool {
	if t.Product = New(k, inTurn, t.left, t.right); t.Product == nil {
		return false
	}
	t.hi = make([]float64, t.left.N*t.Width())
	t.lo = make([]float64, len(t.hi))
	first := min(RowsAtOnce, t.left.N)
	t.Multiply(inTurn, 0, first, t.hi, t.lo)
	t.Multiply(inTurn, first, t.left.N, t.hi[first*t.Width():], t.lo[first*t.Width():])
	return true
}

// exactly returns an element.
func (t *trial) exactly(i, j int) *big.Float {
	sum := new(big.Float).SetPrec(4000)
	y := t.right.Row(j)
	for p, x := range t.left.Row(i) {
		product := new(big.Float).SetPrec(106)
		sum.Add(sum, product.Mul(big.NewFloat(x), big.NewFloat(y[p])))
	}
	return sum
}

// hold compares all elements with their exact values, and returns how many are
// open.
func (t *trial) hold(test *testing.T) (open int) {
	test.Helper()
	dst, bits := make([]float64, t.Width()), make([]byte, t.Width()/8)
	for i := range t.left.N {
		row := i * t.Width()
		t.Round(i, dst, bits, t.hi[row:], t.lo[row:])
		for j := range t.right.N {
			if bits[j/8]>>(j%8)&1 == 1 {
				open++
				continue
			}
			want := t.exactly(i, j)
			if v, _ := want.Float64(); math.Float64bits(dst[j]) != math.Float64bits(v) {
				test.Fatalf("(%d, %d) is %v, want %v", i, j, dst[j], v)
			}
			want.Sub(want, big.NewFloat(t.hi[row+j]))
			want.Sub(want, big.NewFloat(t.lo[row+j]))
			bound := t.Bound(i, j) + math.Abs(t.lo[row+j])*0x1p-53
			if v, _ := want.Abs(want).Float64(); v > bound*(1+0x1p-50) {
				test.Fatalf("(%d, %d) has error %g, bound %g", i, j, v, bound)
			}
		}
	}
	return open
}

// TestProduct holds products of numbers of several kinds against integers of
// any length, on every body.
func TestProduct(t *testing.T) {
	source := rand.NewPCG(31, 32)
	rng := rand.New(source)
	for name, number := range map[string]func() float64{
		"uniform":  func() float64 { return 2*rng.Float64() - 1 },
		"positive": func() float64 { return math.Sqrt(rng.Float64()) },
		"normal":   func() float64 { return rng.NormFloat64() / 3 },
		"integers": func() float64 { return float64(rng.IntN(2001) - 1000) },
		"wide":     func() float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(41)-20) },
		"ties":     func() float64 { return float64(rng.IntN(3)) + 0x1p-53*float64(rng.IntN(2)) },
		"large":    func() float64 { return math.Ldexp(rng.Float64(), 398) },
		"small":    func() float64 { return math.Ldexp(0.5+rng.Float64(), -398) },
	} {
		for _, k := range []kernel.Residues{kernel.NewResidues(kernel.Generic),
			kernel.NewResidues(kernel.Best())} {
			t.Run(fmt.Sprintf("%s/%v", name, k.IsFast()), func(t *testing.T) {
				// The order of the kinds changes no numbers: not all that
				// might come have a plan.
				source.Seed(31, 32)
				for _, s := range [][3]int{{1, 1, 64}, {70, 50, 65}, {9, 100, 130}, {67, 3, 7}} {
					x := newTrial(k, s[0], s[1], s[2], number)
					if !x.compute(k) {
						t.Fatalf("%v: no number of moduli is enough", s)
					}
					if open := x.hold(t); open > s[0]*s[1]/8+1 && s[2] > 7 {
						t.Errorf("%v: %d of %d elements are open", s, open, s[0]*s[1])
					}
					x.Close()
				}
			})
		}
	}
}

// TestOutside holds that rows with elements that are no numbers, or too large
// or too small, leave theirs open and change no others.
func TestOutside(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	k := kernel.NewResidues(kernel.Best())
	x := newTrial(k, 66, 50, 70, rng.NormFloat64)
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 0x1p401}
	for i, v := range special {
		x.left.Row(i)[rng.IntN(70)] = v
		x.right.Row(49 - i)[rng.IntN(70)] = v
	}
	for p := range 70 {
		x.left.Row(5)[p] *= 0x1p-1050
		x.left.Row(6)[p] = 0
		x.right.Row(0)[p] = math.Copysign(0, -1)
	}
	if !x.compute(k) {
		t.Fatal("there is no plan")
	}
	defer x.Close()
	dst, bits := make([]float64, x.Width()), make([]byte, x.Width()/8)
	for i := range x.left.N {
		x.Round(i, dst, bits, x.hi[i*x.Width():], x.lo[i*x.Width():])
		for j := range x.right.N {
			isOut := i < 6 || j >= 50-len(special)
			isOpen := bits[j/8]>>(j%8)&1 == 1
			switch {
			case isOut:
				if !isOpen {
					t.Fatalf("(%d, %d) is not open", i, j)
				}
			case i == 6 || j == 0:
				if isOpen || math.Float64bits(dst[j]) != 0 {
					t.Fatalf("(%d, %d) is %v, open: %v", i, j, dst[j], isOpen)
				}
			case !isOpen:
				if want, _ := x.exactly(i, j).Float64(); dst[j] != want {
					t.Fatalf("(%d, %d) is %v, want %v", i, j, dst[j], want)
				}
			}
		}
	}
}

// TestRefused holds that data that no number of moduli is enough for have no
// plan.
func TestRefused(t *testing.T) {
	source := rand.NewPCG(35, 36)
	rng := rand.New(source)
	k := kernel.NewResidues(kernel.Best())
	for name, number := range map[string]func() float64{
		"wide":   func() float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(601)-300) },
		"no":     math.NaN,
		"beyond": func() float64 { return math.Ldexp(rng.Float64(), 900) },
	} {
		source.Seed(35, 36)
		if newTrial(k, 20, 20, 20, number).compute(k) {
			t.Errorf("%s numbers have a plan", name)
		}
	}
}

// TestDeepest holds products of the greatest depth, of numbers whose sums of
// residues are as large as they get.
func TestDeepest(t *testing.T) {
	k := kernel.NewResidues(kernel.Best())
	for _, v := range []float64{1 - 0x1p-53, -127, 127, 0x1p52 + 1} {
		x := newTrial(k, 8, 17, MaxDepth, func() float64 { return v })
		if !x.compute(k) {
			t.Fatalf("%v: there is no plan", v)
		}
		want := new(big.Float).SetPrec(200).SetFloat64(v)
		want.Mul(want, want).Mul(want, big.NewFloat(MaxDepth))
		sum, _ := want.Float64()
		dst, bits := make([]float64, x.Width()), make([]byte, x.Width()/8)
		x.Round(3, dst, bits, x.hi[3*x.Width():], x.lo[3*x.Width():])
		for j := range x.right.N {
			if dst[j] != sum || bits[j/8]>>(j%8)&1 == 1 {
				t.Fatalf("%d times %v² is %v, want %v", MaxDepth, v, dst[j], sum)
			}
		}
		x.Close()
	}
}
