package exact

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var (
	_ encoding.BinaryMarshaler   = (*Accumulator)(nil)
	_ encoding.BinaryUnmarshaler = (*Accumulator)(nil)
	_ encoding.BinaryAppender    = (*Accumulator)(nil)
)

func TestMarshal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, d := range distributions {
		for _, n := range []int{0, 1, 2, 100} {
			x := d.draw(rng, n)
			if n == 100 {
				x[7], x[8], x[9] = math.NaN(), math.Inf(1), math.Inf(-1)
			}
			var a, b Accumulator
			a.AddSlice(x)
			bytes1, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if err := b.UnmarshalBinary(bytes1); err != nil {
				t.Fatalf("%s, n = %d: %v", d.name, n, err)
			}
			if a.carried() != b.carried() {
				t.Fatalf("%s, n = %d: the state changed", d.name, n)
			}
			if len(bytes1) < 11 || len(bytes1) > 590 {
				t.Errorf("%s, n = %d: %d bytes", d.name, n, len(bytes1))
			}
		}
	}
}

// TestBytes holds the form: bytes written once have to be readable for ever.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want string
	}{
		{nil, "lbxa\x01\x00\x00\x00\x00\x00\x00"},
		{[]float64{math.Copysign(0, -1)}, "lbxa\x01\x02\x02\x00\x00\x00\x00"},
		{[]float64{1}, "lbxa\x01\x02\x00\x00\x00\x00\x01\x43\x01\x10\x00\x00\x00"},
		{[]float64{-1, -0x1p32, math.Inf(1)},
			"lbxa\x01\x06\x00\x00\x02\x00\x02\x43\x02\x10\x00\x00\x00\x10\x00\x00\x00"},
	} {
		var a Accumulator
		a.AddSlice(c.x)
		if got, _ := a.MarshalBinary(); string(got) != c.want {
			t.Errorf("%v: % x, want % x", c.x, got, c.want)
		}
	}
}

func TestSub(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, d := range distributions {
		x := d.draw(rng, 500)
		x[100], x[101], x[102] = math.NaN(), math.Inf(1), math.Inf(-1)
		var a, b, rest Accumulator
		a.AddSlice(x)
		b.AddSlice(x[:300])
		rest.AddSlice(x[300:])
		a.Sub(&b)
		if a.Digest() != rest.Digest() || !same(a.Float64(), sumOf(x[300:])) {
			t.Errorf("%s: taking away some does not give the sum of the others", d.name)
		}
		a.Sub(&rest)
		if a.Digest() != new(Accumulator).Digest() || a.Float64() != 0 {
			t.Errorf("%s: taking away all does not give the empty sum", d.name)
		}
		a.Sub(&b)
		a.Merge(&b)
		if a.Digest() != new(Accumulator).Digest() {
			t.Errorf("%s: a negated sum and the sum do not give the empty sum", d.name)
		}
	}
	var a Accumulator
	a.AddSlice([]float64{math.Copysign(0, -1), 1})
	var one Accumulator
	one.Add(1)
	if a.Sub(&one); !same(a.Float64(), math.Copysign(0, -1)) {
		t.Error("{−0, 1} without 1 is not −0")
	}
	a.Sub(&a)
	if a.Count() != 0 || a.Digest() != new(Accumulator).Digest() {
		t.Error("a − a is not empty")
	}
}

func TestHostileBytes(t *testing.T) {
	var a Accumulator
	a.AddSlice([]float64{1, 0x1p100, math.NaN()})
	good, _ := a.MarshalBinary()
	for n := range good {
		if err := new(Accumulator).UnmarshalBinary(good[:n]); err == nil {
			t.Errorf("%d of %d bytes are taken", n, len(good))
		}
	}
	with := func(i int, b ...byte) []byte {
		return append(append(bytes.Clone(good[:i]), b...), good[i+len(b):]...)
	}
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{append(bytes.Clone(good), 0), "follows"},
		{with(0, 'x'), "begin otherwise"},
		{with(3, 'm'), "kind"},
		{with(4, 2), "version is 2"},
		{append(with(5, 0x80, 0x00)[:7], good[6:]...), "shortest form"},
		{[]byte("lbxa\x01\x00\x00\x00\x00\x00\x03\x00\x01\x01\x00\x00\x00"), "out of range"},
		{[]byte("lbxa\x01\x00\x00\x00\x00\x00\x01\x00\x00"), "out of range"},
		{[]byte("lbxa\x01\x00\x00\x00\x00\x00\x01\x86\x01\x01\x01\x00\x00\x00"), "out of range"},
		{[]byte("lbxa\x01\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00"), "shortest form"},
		{[]byte("lbxa\x01\x00\x00\x00\x00\x00\x01\x85\x01\x01\x00\x00\x00\x40"), "out of range"},
		{[]byte("lbxa\x01\x00\x00\x00\x00\x00\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
			"out of range"},
	} {
		b := a
		err := b.UnmarshalBinary(c.b)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("% x: %v, want something with %q", c.b, err, c.want)
		}
		if b != a {
			t.Error("an error changed the accumulator")
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, x := range [][]float64{nil, {1}, {-1, 1e300}, {math.NaN(), math.Inf(-1)}, {0x1p-1074}} {
		var a Accumulator
		a.AddSlice(x)
		a.AddProduct(3, 0x1p-1000)
		b, _ := a.MarshalBinary()
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var a Accumulator
		if a.UnmarshalBinary(b) != nil {
			return
		}
		if again, _ := a.MarshalBinary(); !bytes.Equal(again, b) {
			t.Fatalf("% x is taken, but its state is written % x", b, again)
		}
		c := a
		c.Merge(&a)
		c.Sub(&a)
		if c.Digest() != a.Digest() {
			t.Fatalf("% x: a + a − a is not a", b)
		}
		a.Float64()
		a.Float32()
	})
}

func FuzzSum(f *testing.F) {
	f.Add([]byte("12345678abcdefgh"), uint8(3))
	f.Add(binary.LittleEndian.AppendUint64(nil, 0x7ff0000000000000), uint8(0))
	f.Fuzz(func(t *testing.T, b []byte, repeat uint8) {
		var x []float64
		for ; len(b) >= 8; b = b[8:] {
			x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
		for n := len(x); repeat > 0 && len(x) < 5000; repeat-- {
			x = append(x, x[:n]...)
		}
		check(t, "fuzz", x, x)
	})
}

func TestLimbs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var whole, merged Accumulator
	sum := make([]int64, Limbs)
	for range 200 {
		x := distributions[rng.IntN(len(distributions))].draw(rng, 50)
		var a Accumulator
		a.AddSlice(x)
		whole.Merge(&a)
		for i, v := range a.AppendLimbs(nil) {
			sum[i] += v
		}
	}
	if err := merged.AddLimbs(sum); err != nil {
		t.Fatal(err)
	}
	if merged.Digest() != whole.Digest() {
		t.Error("the sum of the vectors is not the vector of the sum")
	}
	for _, v := range [][]int64{nil, make([]int64, Limbs-1), make([]int64, Limbs+1)} {
		if merged.AddLimbs(v) == nil {
			t.Errorf("a vector of %d is taken", len(v))
		}
	}
	for i := 5; i < Limbs; i++ {
		for _, d := range []int64{math.MinInt64, math.MaxInt64} {
			v := make([]int64, Limbs)
			v[i] = d
			if merged.AddLimbs(v) == nil {
				t.Errorf("limb %d may be %d", i, d)
			}
		}
	}
	if merged.Digest() != whole.Digest() {
		t.Error("an error changed the accumulator")
	}
}

// TestManyAdditions runs more additions than limbs hold without carries.
func TestManyAdditions(t *testing.T) {
	var a long
	a.added = maxAdds - 5
	for i := range a.sum[:limbs-1] {
		a.sum[i] = 1<<61 - 1<<33
	}
	b := a
	b.sum.carry()
	for range 10 {
		a.add(math.MaxFloat64)
		b.add(math.MaxFloat64)
	}
	added := a.added
	a.carry()
	b.carry()
	if a != b || added > 10 {
		t.Errorf("after %d additions the sum is another", added)
	}
}
