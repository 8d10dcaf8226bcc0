package perturb

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"
)

// start sets the package up as a control file would, for one site.
func start(t *testing.T, seed uint64) {
	t.Helper()
	words := make([]uint64, Size(1, true, false)/8+1)
	h := (*Header)(unsafe.Pointer(&words[0]))
	*h = Header{Magic: Magic, Sites: 1, Seed: seed, Perturb: 1, Profile: 1}
	data := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
	data[MaskOffset] = 1
	if err := use(data); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		active, recording, records, keys, quick, header = false, false, nil, nil, 0, nil
	})
}

// exactBits holds every sum, and every product, of two float64.
const exactBits = 4300

func exact(x float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(x) }

// operand draws numbers of all sizes, some with few bits, some subnormal.
func operand(rng *rand.Rand) float64 {
	x := math.Ldexp(rng.Float64()*2-1, rng.IntN(200)-100)
	switch rng.IntN(8) {
	case 0:
		return math.Trunc(x)
	case 1:
		return math.Ldexp(x, -1000)
	case 2:
		return math.Ldexp(x, 900)
	case 3:
		return 0
	}
	return x
}

// between reports whether r is x rounded down or up, or x itself.
func between(x *big.Float, r float64) bool {
	if math.IsInf(r, 0) {
		return math.IsInf(nearest(x), 0)
	}
	low, high := math.Nextafter(r, math.Inf(-1)), math.Nextafter(r, math.Inf(1))
	if x.Cmp(exact(r)) == 0 {
		return true
	}
	return (math.IsInf(low, 0) || x.Cmp(exact(low)) > 0) &&
		(math.IsInf(high, 0) || x.Cmp(exact(high)) < 0)
}

func nearest(x *big.Float) float64 { v, _ := x.Float64(); return v }

// TestEveryResultIsAdjacent compares results with exact arithmetic: each is one
// of the two neighbours of the exact value, or that value, and both neighbours
// occur.
func TestEveryResultIsAdjacent(t *testing.T) {
	operations := []struct {
		name  string
		do    func(a, b float64) float64
		exact func(a, b float64) *big.Float
	}{
		{"Add", func(a, b float64) float64 { return Add(a, b, 0) },
			func(a, b float64) *big.Float { return exact(0).Add(exact(a), exact(b)) }},
		{"Sub", func(a, b float64) float64 { return Sub(a, b, 0) },
			func(a, b float64) *big.Float { return exact(0).Sub(exact(a), exact(b)) }},
		{"Mul", func(a, b float64) float64 { return Mul(a, b, 0) },
			func(a, b float64) *big.Float { return exact(0).Mul(exact(a), exact(b)) }},
		{"Div", func(a, b float64) float64 { return Div(a, b, 0) },
			func(a, b float64) *big.Float { return exact(0).Quo(exact(a), exact(b)) }},
		{"Sqrt", func(a, b float64) float64 { return Sqrt(math.Abs(a), 0) },
			func(a, b float64) *big.Float { return exact(0).Sqrt(exact(math.Abs(a))) }},
	}
	for _, op := range operations {
		down, up := 0, 0
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 20000 {
			if i%1000 == 0 {
				start(t, uint64(i))
			}
			a, b := operand(rng), operand(rng)
			if op.name == "Div" && b == 0 {
				continue
			}
			r, x := op.do(a, b), op.exact(a, b)
			if !between(x, r) {
				t.Fatalf("%s(%x, %x) = %x, but the value is %g", op.name, a, b, r, x)
			}
			if !math.IsInf(r, 0) {
				switch exact(r).Cmp(x) {
				case -1:
					down++
				case 1:
					up++
				}
			}
		}
		if down < 4000 || up < 4000 || math.Abs(float64(down-up)) > 6*math.Sqrt(float64(down+up)) {
			t.Errorf("%s: %d results below and %d above the exact value", op.name, down, up)
		}
	}
}

// TestSingle does the same for float32, whose exact results float64 holds in
// pairs.
func TestSingle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	start(t, 7)
	for range 20000 {
		a, b := float32(operand(rng)), float32(operand(rng))
		if a-a != 0 || b-b != 0 {
			continue
		}
		for _, c := range []struct {
			r float32
			x *big.Float
		}{
			{Add(a, b, 0), exact(0).Add(exact(float64(a)), exact(float64(b)))},
			{Mul(a, b, 0), exact(0).Mul(exact(float64(a)), exact(float64(b)))},
		} {
			low := math.Nextafter32(c.r, float32(math.Inf(-1)))
			high := math.Nextafter32(c.r, float32(math.Inf(1)))
			if c.r-c.r != 0 || low-low != 0 || high-high != 0 {
				continue // overflow
			}
			if c.x.Cmp(exact(float64(low))) <= 0 || c.x.Cmp(exact(float64(high))) >= 0 {
				t.Fatalf("%x and %x gave %x, but the value is %g", a, b, c.r, c.x)
			}
		}
	}
}

// TestExactResultsStay tests operations without an error, and results that no
// rounding may touch.
func TestExactResultsStay(t *testing.T) {
	inf := math.Inf(1)
	for seed := range uint64(50) {
		start(t, seed)
		for _, c := range [][2]float64{
			{Add(0.5, 0.25, 0), 0.75}, {Sub(3.0, 3.0, 0), 0}, {Mul(3.0, 7.0, 0), 21},
			{Div(21.0, 7.0, 0), 3}, {Sqrt(1024, 0), 32}, {Func2(math.Pow, 2, 10, 0), 1024},
			{Func1(math.Exp, 0, 0), 1}, {Func2(math.Hypot, 3, 4, 0), 5}, {Add(inf, 1, 0), inf},
			{Mul(math.MaxFloat64, 2, 0), inf}, {Div(1.0, zero(), 0), inf},
			{FromInt[float64](int64(1<<53), 0), 1 << 53}, {FMA(3, 5, 7, 0), 22},
			{Mul(5e-324, 1, 0), 5e-324}, {Div(5e-324, 1.0, 0), 5e-324},
		} {
			if c[0] != c[1] {
				t.Fatalf("seed %d: %x, want %x", seed, c[0], c[1])
			}
		}
		if r := Sub(inf, inf, 0); r == r {
			t.Fatalf("Inf - Inf = %v", r)
		}
	}
}

func zero() float64 { return 0 }

// TestOff checks that nothing changes without a control file.
func TestOff(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		a, b := operand(rng), operand(rng)
		if Add(a, b, 9) != a+b || Mul(a, b, 9) != a*b || Less(a, b, 9) != (a < b) {
			t.Fatalf("%x and %x", a, b)
		}
	}
}

// TestSlots checks that executions share no slot, and that the slots reach far.
func TestSlots(t *testing.T) {
	seen := map[int]uint64{}
	for n := uint64(1); n < 3_000_000; n++ {
		if i := slot(n); i >= 0 {
			if seen[i] != 0 {
				t.Fatalf("executions %d and %d share slot %d", seen[i], n, i)
			}
			seen[i] = n
		}
	}
	if len(seen) < Samples-8 {
		t.Errorf("only %d of %d slots are used", len(seen), Samples)
	}
}

// TestFastPaths compares operations that are not recorded, and calls that
// compute a sum of products, with recorded calls for each operation.
func TestFastPaths(t *testing.T) {
	start(t, 5)
	rng := rand.New(rand.NewPCG(5, 1))
	keys = []uint64{keys[0], keys[0], keys[0]}
	records = make([]Record, len(keys))
	for range 20_000 {
		x, y, z, w := anyOperand(rng), anyOperand(rng), anyOperand(rng), anyOperand(rng)
		quick, recording = 0, true
		slow := map[string]float64{
			"Add": Add(x, y, 0), "Sub": Sub(x, y, 0), "Mul": Mul(x, y, 0), "Div": Div(x, y, 0),
			"MulAddMul": Add(Mul(x, y, 1), Mul(z, w, 2), 0),
			"MulSubMul": Sub(Mul(x, y, 1), Mul(z, w, 2), 0),
			"MulAdd":    Add(Mul(x, y, 1), z, 0),
		}
		quick, recording = keys[0], false
		for name, got := range map[string]float64{
			"Add": Add(x, y, 0), "Sub": Sub(x, y, 0), "Mul": Mul(x, y, 0), "Div": Div(x, y, 0),
			"MulAddMul": MulAddMul(x, y, z, w, 0),
			"MulSubMul": MulSubMul(x, y, z, w, 0),
			"MulAdd":    MulAdd(x, y, z, 0),
		} {
			want := slow[name]
			if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
				t.Errorf("%s(%g, %g, %g, %g) = %g, not %g", name, x, y, z, w, got, want)
			}
		}
	}
}

// anyOperand returns an operand, or a number that is special to some operation.
func anyOperand(rng *rand.Rand) float64 {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, -0.1, 1 + 0x1p-52, 0x1p-52, 0x1p512,
		math.MaxFloat64, -math.MaxFloat64, 0x1p971, 0x1p-1074, -0x1p-1022, math.Inf(1),
		math.Inf(-1), math.NaN(), -0x1.8p971, 0x1.8p971, 0x1p970, -0x1p970}
	if rng.IntN(2) == 0 {
		return special[rng.IntN(len(special))]
	}
	return operand(rng)
}

// TestCoinIsFair counts the coins of a sum that grows in equal steps, where one
// multiplication would not scramble enough.
func TestCoinIsFair(t *testing.T) {
	heads, x := 0, 0.0
	const n = 100_000
	key := coinKey(1)
	for range n {
		if toss(x, 0.1, x+0.1, key)>>63 != 0 {
			heads++
		}
		x += 0.1
	}
	if math.Abs(float64(heads)-n/2) > 4*math.Sqrt(n/4) {
		t.Errorf("%d of %d coins are heads", heads, n)
	}
}

// TestCoinsAreIndependent counts how often two coins agree: of neighbouring
// operands, results and seeds, and of a sum and a difference.
func TestCoinsAreIndependent(t *testing.T) {
	const n = 100_000
	pairs := []struct {
		name string
		a, b func(i int) uint64
	}{
		{"operand", func(i int) uint64 { return toss(float64(i), 3, 1, coinKey(1)) },
			func(i int) uint64 { return toss(float64(i+1), 3, 1, coinKey(1)) }},
		{"square", func(i int) uint64 { return toss(float64(i), float64(i), 1, coinKey(1)) },
			func(i int) uint64 { return toss(float64(i+1), float64(i+1), 1, coinKey(1)) }},
		{"last place", func(i int) uint64 { return toss(1+float64(i)*0x1p-52, 0.1, 1, coinKey(1)) },
			func(i int) uint64 { return toss(1+float64(i+1)*0x1p-52, 0.1, 1, coinKey(1)) }},
		{"seed", func(i int) uint64 { return toss(1.1, 0.1, 1.2, coinKey(uint64(i))) },
			func(i int) uint64 { return toss(1.1, 0.1, 1.2, coinKey(uint64(i+1))) }},
		{"operation",
			func(i int) uint64 { return toss(float64(i), 0.1, float64(i)+0.1, coinKey(1)) },
			func(i int) uint64 { return toss(float64(i), 0.1, float64(i)-0.1, coinKey(1)) }},
		{"operation in a binade",
			func(i int) uint64 { return toss(n+float64(i), 0.1, n+float64(i)+0.1, coinKey(1)) },
			func(i int) uint64 { return toss(n+float64(i), 0.1, n+float64(i)-0.1, coinKey(1)) }},
		{"result", func(i int) uint64 { return toss(1.1, 0.1, 1.2, coinKey(uint64(i))) },
			func(i int) uint64 { return toss(1.1, 0.1, 1.2+0x1p-52, coinKey(uint64(i))) }},
	}
	for _, p := range pairs {
		heads, equal := 0, 0
		for i := range n {
			heads += int(p.a(i) >> 63)
			equal += 1 - int((p.a(i)^p.b(i))>>63)
		}
		for what, k := range map[string]int{"heads": heads, "equal": equal} {
			if math.Abs(float64(k)-n/2) > 5*math.Sqrt(n/4) {
				t.Errorf("%s: %d of %d coins are %s", p.name, k, n, what)
			}
		}
	}
}

// TestFunctionsAreIndependent compares functions of one argument, whose errors
// must not cancel, and functions that are odd, where they must.
func TestFunctionsAreIndependent(t *testing.T) {
	const n = 4000
	apart := 0
	for i := range n {
		start(t, uint64(i))
		x := 0x1p-20 * float64(2*n+i) / n // its sine and tangent have one exponent
		sin, tan := Func1(math.Sin, x, 0), Func1(math.Tan, x, 0)
		if (tan - sin) != math.Tan(x)-math.Sin(x) {
			apart++
		}
		if got := Func1(math.Sin, -x, 0); got != -sin {
			t.Fatalf("sin(%x) = %x, and sin(%x) = %x", x, sin, -x, got)
		}
	}
	// The errors cancel if neither moves, and in half of the cases that both
	// do.
	if math.Abs(float64(apart)-n*5/8) > 5*math.Sqrt(n) {
		t.Errorf("%d of %d differences have errors, not 5 of 8", apart, n)
	}
}

// TestGoroutines counts operations of many goroutines at one site, and the
// paths of calls that lead there: none is lost.
func TestGoroutines(t *testing.T) {
	start(t, 1)
	calls, header.Calls, header.Depth = make([]Call, CallSlots), AllCalls, MaxDepth
	t.Cleanup(func() { calls = nil })
	const n, each = 8, 2000
	var sums [n]float64
	var wg sync.WaitGroup
	for g := range n {
		wg.Go(func() {
			for i := range each {
				sums[g] = Add(sums[g], 1/float64(i+3), 0)
			}
		})
	}
	wg.Wait()
	paths := 0
	for i := range calls {
		if calls[i].Hash != 0 {
			paths++
		}
	}
	if records[0].Count != n*each || paths != 1 || header.Full != 0 {
		t.Errorf("%d operations, %d paths, %d without room", records[0].Count, paths, header.Full)
	}
	for _, s := range sums {
		if s != sums[0] {
			t.Errorf("equal sums give %g and %g", s, sums[0])
		}
	}
}

// TestFullTable counts the operations whose path of calls finds no room, and
// leaves them alone where only some paths are perturbed.
func TestFullTable(t *testing.T) {
	start(t, 1)
	calls, header.Calls, header.Depth = make([]Call, CallSlots), AllCalls, MaxDepth
	t.Cleanup(func() { calls = nil })
	for i := range calls {
		calls[i].Hash = 2 // of no path
	}
	moved := func() (n int) {
		for i := range 100 {
			if x := 1 / float64(i+3); Add(x, 0.1, 0) != x+0.1 {
				n++
			}
		}
		return n
	}
	if moved() == 0 || header.Full == 0 {
		t.Errorf("no operation is perturbed, or %d are without room", header.Full)
	}
	header.Calls = OnlyListed
	if n := moved(); n != 0 {
		t.Errorf("%d operations of other paths are perturbed", n)
	}
}

// TestSingleQuotient divides complex64 numbers: each part is a neighbour of the
// exact value, and both occur.
func TestSingleQuotient(t *testing.T) {
	re, im := make(map[float32]bool), make(map[float32]bool)
	for seed := range uint64(50) {
		start(t, seed)
		z := DivComplex(complex64(complex(1, 7)), 3i, 0)
		re[real(z)], im[imag(z)] = true, true
		for value, part := range map[float64]float32{7.0 / 3: real(z), -1.0 / 3: imag(z)} {
			if math.Abs(float64(part)/value-1) > 0x1p-23 {
				t.Fatalf("seed %d: %g, not near %g", seed, part, value)
			}
		}
		if z := DivComplex(complex64(complex(6, 3)), 3i, 0); z != 1-2i {
			t.Fatalf("seed %d: %g, want 1-2i", seed, z)
		}
	}
	if len(re) != 2 || len(im) != 2 {
		t.Errorf("%d and %d results, not 2 each", len(re), len(im))
	}
}
