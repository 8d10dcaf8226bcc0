package exact

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"
)

// clone returns a copy.
func (s *exactSum) clone() *exactSum {
	return &exactSum{units: new(big.Int).Set(s.units), c: s.c}
}

// merge adds sign times the sum o.
func (s *exactSum) merge(o *exactSum, sign int64) {
	s.units.Add(s.units, new(big.Int).Mul(o.units, big.NewInt(sign)))
	c := o.c
	if sign < 0 {
		c = c.negated()
	}
	s.c.add(c)
}

// bytes writes the state by the letter of docs/reference/state.md.
func (s *exactSum) bytes() []byte {
	b := []byte("lbxa\x01")
	for _, n := range []int64{s.c.all, s.c.negZero, s.c.nan, s.c.posInf, s.c.negInf} {
		b = binary.AppendVarint(b, n)
	}
	z := new(big.Int).Abs(s.units)
	if z.Sign() == 0 {
		return append(b, 0)
	}
	first := z.TrailingZeroBits() / 32
	z.Rsh(z, 32*first)
	digits := (z.BitLen() + 31) / 32
	b = append(b, byte((3-s.units.Sign())/2))
	b = binary.AppendUvarint(b, uint64(first))
	b = binary.AppendUvarint(b, uint64(digits))
	little := make([]byte, 4*digits)
	z.FillBytes(little)
	for i, j := 0, len(little)-1; i < j; i, j = i+1, j-1 {
		little[i], little[j] = little[j], little[i]
	}
	return append(b, little...)
}

// registers are accumulators, copied and merged at random, and their oracles.
type registers struct {
	a    [5]Accumulator
	want [5]*exactSum
}

// run runs a program: an operation is a byte, with an operand of two bytes.
func (r *registers) run(t *testing.T, program []byte) {
	for i := range r.want {
		r.want[i] = newExactSum()
	}
	for step := 0; len(program) >= 3; step++ {
		r.step(t, program[0], binary.LittleEndian.Uint16(program[1:]))
		program = program[3:]
		if step%4 == 0 || len(program) < 3 {
			r.hold(t, step)
		}
	}
}

// number returns one of 2^16 numbers of all kinds: half of them near 1, others
// of any exponent, subnormal, zeros and not finite.
func number16(v uint16) float64 {
	m := math.Float64frombits(0x3ff<<52 | uint64(v)*0x9e3779b97f4a7c15>>12)
	if v&0x8000 != 0 {
		m = -m
	}
	switch k := v >> 9 & 63; {
	case k < 32:
		return math.Ldexp(m, int(k)-16)
	case k < 60:
		return math.Ldexp(m, int(v&0x7ff)-1040)
	case k < 62:
		return m * 0x1p-1060
	case k == 62:
		return math.Copysign(0, m)
	}
	return []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64}[v&3]
}

func (r *registers) step(t *testing.T, op byte, v uint16) {
	i, j := int(op>>4)%len(r.a), int(v)%len(r.a)
	a, want := &r.a[i], r.want[i]
	x := number16(v)
	switch op & 15 {
	case 0, 1, 2:
		a.Add(x)
		want.add(x)
	case 3, 4:
		y := number16(v*257 + 7)
		a.AddProduct(x, y)
		want.add(x, y)
	case 5:
		r.slice(i, v)
	case 6, 7:
		r.a[j] = *a
		r.want[j] = want.clone()
	case 8, 9:
		a.Merge(&r.a[j])
		want.merge(r.want[j].clone(), 1)
	case 10:
		a.Sub(&r.a[j])
		want.merge(r.want[j].clone(), -1)
	case 11:
		b, _ := a.MarshalBinary()
		if err := r.a[j].UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		r.want[j] = want.clone()
	case 12:
		if err := r.a[j].AddLimbs(a.AppendLimbs(nil)); err != nil {
			t.Fatal(err)
		}
		r.want[j].merge(want.clone(), 1)
	case 13:
		n := int64(v)<<48 | int64(v)
		a.AddInt64(n)
		want.c.all++
		want.units.Add(want.units, new(big.Int).Lsh(big.NewInt(n), -unit))
	case 14:
		for k := range int(v) % 200 {
			a.Add(x)
			want.add(x)
			if x *= -0.5; v&0x100 != 0 {
				x = number16(v + uint16(k*k))
			}
		}
	case 15:
		if v%8 == 0 {
			a.Reset()
			r.want[i] = newExactSum()
		}
	}
}

// slice adds a slice of numbers, or the products of two.
func (r *registers) slice(i int, v uint16) {
	n := int(v % 97)
	x, y := make([]float64, n), make([]float64, n)
	for k := range x {
		x[k] = number16(v + uint16(k*k))
		y[k] = number16(v*3 + uint16(k))
	}
	if v&1 != 0 {
		r.a[i].AddSlice(x)
		for _, v := range x {
			r.want[i].add(v)
		}
		return
	}
	r.a[i].AddDot(x, y)
	for k, v := range x {
		r.want[i].add(v, y[k])
	}
}

// hold compares all accumulators with their oracles.
func (r *registers) hold(t *testing.T, step int) {
	t.Helper()
	for i := range r.a {
		a, want := &r.a[i], r.want[i]
		if got, _ := a.MarshalBinary(); string(got) != string(want.bytes()) {
			t.Fatalf("step %d, accumulator %d: the state is\n% x, not\n% x", step, i, got,
				want.bytes())
		}
		if !same(a.Float64(), want.float64()) || !same32(a.Float32(), want.float32()) {
			t.Fatalf("step %d, accumulator %d: %v, not %v", step, i, a.Float64(), want.float64())
		}
		if a.counts() != want.c || a.Sign() != want.units.Sign() {
			t.Fatalf("step %d, accumulator %d: counts %+v, not %+v", step, i, a.counts(), want.c)
		}
	}
}

// TestPrograms runs random programs of additions, merges, copies and the like.
func TestPrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 400 {
		program := make([]byte, 3*(1+rng.IntN(100)))
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		new(registers).run(t, program)
	}
}

func FuzzPrograms(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x06\x01\x00\x10\x05\x00\x0a\x02\x00"))
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) < 3000 {
			new(registers).run(t, program)
		}
	})
}

// TestSmall holds the size of an Accumulator, and that it needs no more memory
// for numbers whose exponents span 64 places, wherever these are.
func TestSmall(t *testing.T) {
	if size := unsafe.Sizeof(Accumulator{}); size > 64 {
		t.Errorf("an Accumulator has %d bytes", size)
	}
	rng := rand.New(rand.NewPCG(33, 34))
	for _, low := range []int{-1074, -1022, -500, 0, 900, 960} {
		var a Accumulator
		want := newExactSum()
		draw := func(k int) float64 {
			x := math.Ldexp(1+rng.Float64(), low+k)
			if low == -1074 { // subnormal numbers have fewer digits
				x = math.Float64frombits(rng.Uint64() >> 12 >> (63 - k))
			}
			return x
		}
		for i := range 3000 {
			x := draw(rng.IntN(64))
			if i < 2 { // first both ends
				x = draw(63 * i)
			}
			if i%3 == 0 {
				x = -x
			}
			a.Add(x)
			want.add(x)
		}
		for range 100 { // and far more of the largest than of the smallest
			b := a
			a.Merge(&b)
			if a.all = 0; a.spill != nil {
				break
			}
			want.merge(want.clone(), 1)
			if len := want.units.BitLen() - int(want.units.TrailingZeroBits()); len > 180 {
				break
			}
		}
		want.c.all = 0
		if a.spill != nil {
			t.Errorf("exponents from %d take more memory", low)
		}
		if got, _ := a.MarshalBinary(); string(got) != string(want.bytes()) {
			t.Errorf("exponents from %d: another state", low)
		}
	}
}

// TestCopies adds to copies of a sum, one after the other and at once: what is
// added to one of them is in no other.
func TestCopies(t *testing.T) {
	var a Accumulator
	for _, x := range []float64{1e300, 1, 1e-300, 3} {
		a.Add(x)
	}
	before := a.Digest()
	b := a
	b.Add(1e100)
	if a.Digest() != before {
		t.Error("adding to a copy changes the original")
	}
	saved := b.Digest()
	a.Add(1e200)
	if b.Digest() != saved {
		t.Error("adding to the original changes the copy")
	}
	later := a
	a = b // back to what it was, while later has more
	a.Add(-1e250)
	later.Sub(&b)
	if got := later.Float64(); got != 1e200-1e100 {
		t.Errorf("the later copy has %v", got)
	}
	var done sync.WaitGroup
	sums := make([]Accumulator, 8)
	for i := range sums {
		sums[i] = b
		done.Go(func() {
			for k := range 1000 {
				sums[i].Add(math.Ldexp(float64(i+1), k-500))
			}
		})
	}
	done.Wait()
	for i := range sums {
		want := newExactSum()
		for _, x := range []float64{1e300, 1, 1e-300, 3, 1e100} {
			want.add(x)
		}
		for k := range 1000 {
			want.add(math.Ldexp(float64(i+1), k-500))
		}
		if got, _ := sums[i].MarshalBinary(); string(got) != string(want.bytes()) {
			t.Errorf("copy %d has what others added", i)
		}
	}
}

// TestEnds adds products at both ends of the range of exponents.
func TestEnds(t *testing.T) {
	var a Accumulator
	want := newExactSum()
	for i := range 300 {
		a.AddProduct(math.MaxFloat64, math.MaxFloat64)
		want.add(math.MaxFloat64, math.MaxFloat64)
		b := a
		a.Merge(&b)
		want.merge(want.clone(), 1)
		if i%10 == 0 {
			a.AddProduct(0x1p-1074, -0x1p-1074)
			want.add(0x1p-1074, -0x1p-1074)
		}
		if i == 40 {
			break
		}
	}
	if got, _ := a.MarshalBinary(); string(got) != string(want.bytes()) {
		t.Error("another state")
	}
}

// TestOverflow moves a short to logs with room for any number of words.
func TestOverflow(t *testing.T) {
	for logged := range maxLog + 1 {
		s := &spill{log: make([]uint64, maxLog)}
		for i := range logged {
			s.log[i] = math.Float64bits(1 + float64(i))
		}
		s.used.Store(uint32(logged))
		a := Accumulator{short: short{1, 0, 3 << 61}, pos: 1500, spill: s, logged: uint16(logged)}
		want := a.carried()
		if a.makeRoom(); a.short != (short{}) || a.carried() != want {
			t.Fatalf("%d words: another state", logged)
		}
	}
}
