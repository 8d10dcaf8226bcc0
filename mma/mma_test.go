package mma

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// value draws a value of the format: of ordinary size, of a small or any size,
// subnormal, or zero.
func value(rng *rand.Rand, f fp.Format) float64 {
	switch rng.IntN(10) {
	case 0:
		return 0
	case 1, 2:
		for {
			if v := f.FromBits(rng.Uint64()); v-v == 0 {
				return v
			}
		}
	case 3:
		return f.Round(math.Ldexp(rng.NormFloat64(), f.MinExp()+rng.IntN(3)), fp.TowardZero)
	case 4:
		return f.Round(math.Ldexp(rng.NormFloat64(), -rng.IntN(12)), fp.NearestEven)
	}
	return f.RoundSaturated(rng.NormFloat64(), fp.NearestEven)
}

// operands holds the inputs of a product of one row and one column.
type operands struct {
	x, y            []float64
	c               float64
	scalesX, scaleY []float64
}

// draw returns random operands of one group, often with a sum near zero or an
// accumulator of the products' size.
func draw(rng *rand.Rand, u Unit) operands {
	n := u.Terms
	if rng.IntN(4) == 0 {
		n = 1 + rng.IntN(u.Terms)
	}
	o := operands{x: make([]float64, n), y: make([]float64, n)}
	for i := range n {
		o.x[i], o.y[i] = value(rng, u.In), value(rng, u.In)
		if i > 0 && rng.IntN(4) == 0 {
			o.x[i], o.y[i] = -o.x[i-1], o.y[i-1]
		}
	}
	sum := 0.0
	for i := range n {
		sum += o.x[i] * o.y[i]
	}
	for range u.blocks(n) {
		o.scalesX = append(o.scalesX, scaleOf(rng, u.Scale))
		o.scaleY = append(o.scaleY, scaleOf(rng, u.Scale))
	}
	if len(o.scalesX) > 0 {
		sum *= o.scalesX[0] * o.scaleY[0]
	}
	switch rng.IntN(4) {
	case 0:
		o.c = value(rng, fp.Binary32)
	case 1:
		o.c = -sum
	case 2:
		o.c = math.Ldexp(sum, rng.IntN(60)-30)
	}
	if o.c = fp.Binary32.Round(o.c, fp.NearestEven); o.c-o.c != 0 {
		o.c = 1
	}
	return o
}

func scaleOf(rng *rand.Rand, f fp.Format) float64 {
	if rng.IntN(3) == 0 {
		for {
			if v := math.Abs(f.FromBits(rng.Uint64())); v == v {
				return v
			}
		}
	}
	return math.Ldexp(1, rng.IntN(9)-4)
}

func (u *Unit) blocks(n int) int {
	if u.Block == 0 {
		return 0
	}
	return (n + u.Block - 1) / u.Block
}

// groups returns the number of random groups for each row.
func groups() int {
	if os.Getenv("LASTBIT_SWEEP") == "all" {
		return 1_000_000
	}
	return 10_000
}

// check computes one group both ways.
func check(t *testing.T, u Unit, o operands) {
	t.Helper()
	var d [1]float64
	u.MultiplyScaled(d[:], o.x, o.y, []float64{o.c}, o.scalesX, o.scaleY, 1, 1, len(o.x))
	want := naive{u}.group(o.x, o.y, o.c, [2][]float64{o.scalesX, o.scaleY})
	if want == 0 && u.Structure != Fused && d[0] == 0 && u.Structure != TwoStage {
		return // the naive way does not follow signs of zeros there
	}
	if math.Float64bits(d[0]) != math.Float64bits(want) && (d[0] == d[0] || want == want) {
		t.Fatalf("%s %v %+v\nx = %x\ny = %x\nc = %x, scales %x %x\n%x, want %x", u.Name, u.In,
			u.Arithmetic, o.x, o.y, o.c, o.scalesX, o.scaleY, d[0], want)
	}
}

// TestExact compares every row with the same arithmetic in integers of any
// size, on random groups.
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for _, u := range Units() {
		t.Run(fmt.Sprintf("%s/%v/%s", u.Name, u.In, u.Structure), func(t *testing.T) {
			if err := u.Check(); err != nil {
				t.Fatal(err)
			}
			for range groups() {
				check(t, u, draw(rng, u))
			}
		})
	}
}

// RandomArithmetic draws an arithmetic that no accelerator needs to have.
func randomArithmetic(rng *rand.Rand) Arithmetic {
	modes := []fp.Mode{fp.TowardZero, fp.Down, fp.NearestEven}
	return Arithmetic{
		Structure: []Structure{Fused, FusedThenAdded, TwoStage}[rng.IntN(3)],
		Terms:     1 + rng.IntN(32), Bits: 10 + rng.IntN(31), Align: modes[rng.IntN(3)],
		Normalise: rng.IntN(2) == 0, Zero: -126 - rng.IntN(20), SumBits: 31, AccBits: 24,
		Round: modes[rng.IntN(3)], Precision: 24 - 10*rng.IntN(2),
	}
}

// TestRandomArithmetics is TestExact for arithmetics outside the table.
func TestRandomArithmetics(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 2))
	for range groups() / 20 {
		u := Unit{Name: "random", In: []fp.Format{fp.Binary16, fp.BFloat16, fp.E4M3FN,
			fp.TF32}[rng.IntN(4)], Arithmetic: randomArithmetic(rng)}
		for range 10 {
			check(t, u, draw(rng, u))
		}
	}
}

// TestSpecials gives every row infinities and NaN.
func TestSpecials(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, u := range Units() {
		for _, tt := range []struct{ x, y, c, want float64 }{
			{1, 1, inf, inf}, {1, 1, -inf, -inf}, {1, 1, nan, nan}, {0, 0, inf, inf},
			{inf, 1, 0, inf}, {-inf, 1, 0, -inf}, {inf, 0, 0, nan}, {nan, 1, 0, nan},
			{inf, 1, -inf, nan},
		} {
			if u.In.Round(tt.x, fp.NearestEven) != tt.x && tt.x == tt.x || !u.In.HasNaN() {
				continue
			}
			var d [1]float64
			one := []float64{1}
			if u.Block == 0 {
				one = nil
			}
			u.MultiplyScaled(d[:], []float64{tt.x}, []float64{tt.y}, []float64{tt.c}, one, one,
				1, 1, 1)
			if d[0] != tt.want && (d[0] == d[0] || tt.want == tt.want) {
				t.Errorf("%s %v: %v·%v + %v = %v, want %v", u.Name, u.In, tt.x, tt.y, tt.c, d[0],
					tt.want)
			}
		}
		if u.Block > 0 {
			var d [1]float64
			u.MultiplyScaled(d[:], []float64{1}, []float64{1}, nil, []float64{nan},
				[]float64{1}, 1, 1, 1)
			if d[0] == d[0] {
				t.Errorf("%s %v: a scale of NaN gives %v", u.Name, u.In, d[0])
			}
		}
	}
}

// TestMultiply compares matrices with their products of rows and columns.
func TestMultiply(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 3))
	for _, u := range Units() {
		m, n, k := 3, 4, 2*u.Terms+u.Terms/2+1
		a, b, c := make([]float64, m*k), make([]float64, k*n), make([]float64, m*n)
		blocks := u.blocks(k)
		sa, sb := make([]float64, m*blocks), make([]float64, n*blocks)
		for _, list := range [][]float64{a, b} {
			for i := range list {
				list[i] = u.In.RoundSaturated(rng.NormFloat64(), fp.NearestEven)
			}
		}
		for _, list := range [][]float64{sa, sb} {
			for i := range list {
				list[i] = math.Ldexp(1, rng.IntN(5)-2)
			}
		}
		for i := range c {
			c[i] = float64(float32(rng.NormFloat64()))
		}
		d := make([]float64, m*n)
		u.MultiplyScaled(d, a, b, c, sa, sb, m, n, k)
		for i := range m {
			for j := range n {
				acc := c[i*n+j]
				for from := 0; from < k; from += u.Terms {
					to := min(from+u.Terms, k)
					x, y := a[i*k+from:i*k+to], make([]float64, to-from)
					for l := range y {
						y[l] = b[(from+l)*n+j]
					}
					var s [2][]float64
					if u.Block > 0 {
						first, last := from/u.Block, (to+u.Block-1)/u.Block
						s = [2][]float64{sa[i*blocks+first : i*blocks+last],
							sb[j*blocks+first : j*blocks+last]}
					}
					acc = naive{u}.group(x, y, acc, s)
				}
				if d[i*n+j] != acc {
					t.Fatalf("%s %v %v: element %d %d is %x, want %x", u.Name, u.In, u.Structure,
						i, j, d[i*n+j], acc)
				}
			}
		}
	}
}

// TestTable finds units by name, and refuses what is not in the table.
func TestTable(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   fp.Format
		want string
	}{
		{"h100", fp.BFloat16, "h100"}, {"Hopper", fp.E4M3FN, "h100"}, {"ampere", fp.TF32, "a100"},
		{"v100", fp.BFloat16, ""}, {"k80", fp.Binary16, ""}, {"h100", fp.E2M1, ""},
	} {
		u, ok := Find(tt.name, tt.in)
		if ok != (tt.want != "") || u.Name != tt.want {
			t.Errorf("Find(%q, %v) = %q, %v", tt.name, tt.in, u.Name, ok)
		}
	}
	for _, a := range []Arithmetic{{Precision: 24}, {Terms: 65, Precision: 24},
		{Terms: 1, Bits: 41, Precision: 24}, {Terms: 1}, {Terms: 1, Precision: 25}} {
		if a.Check() == nil {
			t.Errorf("%+v was not refused", a)
		}
	}
	for s := Fused; s <= GroupScaled; s++ {
		var back Structure
		text, _ := s.MarshalText()
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%v as text is %q, and back %v, %v", s, text, back, err)
		}
	}
	if new(Structure).UnmarshalText([]byte("magic")) == nil {
		t.Error("there is a structure called magic")
	}
}

// BenchmarkMultiply reports multiply-adds in a second, for every row.
func BenchmarkMultiply(b *testing.B) {
	for _, u := range Units() {
		b.Run(fmt.Sprintf("%s/%v/%s", u.Name, u.In, u.Structure), func(b *testing.B) {
			const m, n, k = 16, 16, 512
			rng := rand.New(rand.NewPCG(1, 1))
			fill := func(list []float64) []float64 {
				for i := range list {
					list[i] = u.In.RoundSaturated(rng.NormFloat64(), fp.NearestEven)
				}
				return list
			}
			x, y, d := fill(make([]float64, m*k)), fill(make([]float64, n*k)), make([]float64, m*n)
			s := make([]float64, m*u.blocks(k))
			for i := range s {
				s[i] = 1
			}
			for b.Loop() {
				u.MultiplyScaled(d, x, y, nil, s, s, m, n, k)
			}
			b.ReportMetric(float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmac/s")
		})
	}
}

// TestSubnormalInputs multiplies the largest subnormal number and the least
// normal one of an input format by 2: CDNA2 makes zeros of the first, as AMD's
// notes on MIOpen say, and CDNA1 and Hopper do not.
func TestSubnormalInputs(t *testing.T) {
	for _, c := range []struct {
		name    string
		in      fp.Format
		flushes bool
	}{
		{"cdna2", fp.Binary16, true}, {"cdna2", fp.BFloat16, true},
		{"cdna1", fp.Binary16, false}, {"h100", fp.Binary16, false},
	} {
		u, ok := Find(c.name, c.in)
		if !ok {
			t.Fatal(c.name)
		}
		least := c.in.MinNormal()
		for _, x := range []float64{least - c.in.ULP(0), least} {
			for _, sign := range []float64{1, -1} {
				want := 2 * sign * x
				if c.flushes && x < least {
					want = 0
				}
				a, b, d := []float64{sign * x}, []float64{2}, []float64{1}
				u.Multiply(d, a, b, nil, 1, 1, 1)
				if d[0] != want {
					t.Errorf("%s, %v: %v·2 is %v, want %v", c.name, c.in, sign*x, d[0], want)
				}
				if u.Multiply(d, b, a, nil, 1, 1, 1); d[0] != want {
					t.Errorf("%s, %v: 2·%v is %v, want %v", c.name, c.in, sign*x, d[0], want)
				}
			}
		}
	}
}
