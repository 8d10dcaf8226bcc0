package binned

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// samples returns vectors of windows of all kinds with values in them.
func samples() [][]float64 {
	x := []float64{1, -2.5, 0x1p-40, math.Inf(1), 1e300, -1e-300}
	var v [][]float64
	for _, k := range []int{1, 3, 12} {
		s, _ := NewSingleSweep[float64](100, k)
		o, _ := NewOneReduction[float64](k)
		s32, _ := NewSingleSweep[float32](100, k)
		o32, _ := NewOneReduction[float32](k)
		for _, a := range x {
			s.Add(a)
			o.Add(a)
			s32.Add(float32(a))
			o32.Add(float32(a))
		}
		v = append(v, s.AppendVector(nil), o.AppendVector(nil), s32.AppendVector(nil),
			o32.AppendVector(nil))
	}
	return v
}

// TestVector holds the layout.
func TestVector(t *testing.T) {
	w, _ := NewSingleSweep[float64](4, 2)
	w.AddSlice([]float64{1, 3, math.Inf(-1), math.NaN()})
	// α = 2^3, so that N^f = 2^(1023 − 49·(f−1)), and N^21 = 2^43 supports 3.
	// The unit of M^1 is 2^−9.
	got, want := w.AppendVector([]float64{7}), []float64{7, 1, 4, 2, 21, 4, 1, 0, 1, 0, 4 << 9, 0}
	if !slices.Equal(got, want) {
		t.Errorf("single sweep: %v, not %v", got, want)
	}
	o, _ := NewOneReduction[float32](1)
	o.AddSlice([]float32{1 << 20, 1})
	// N^f = 2^(127 − 13·(f−1)), and N^9 = 2^23·… supports 2^20.
	v := o.AppendVector(nil)
	if want := []float64{4, 1 << 35, 1, v[3], 2, 0, 0, 0, 0, v[9]}; !slices.Equal(v, want) ||
		len(v) != 10 {
		t.Errorf("one reduction: %v", v)
	}
	p, _ := NewDoubleSweep(4, 2, 1.0)
	p.AddSlice([]float64{1, 0.5, 2, math.Inf(1)})
	if got := p.AppendVector(nil); len(got) != 7 || got[0] != 4 || got[3] != 1 {
		t.Errorf("double sweep: %v", got)
	}
}

// TestHostileVectors changes one element at a time.
func TestHostileVectors(t *testing.T) {
	bad := []float64{math.NaN(), math.Inf(1), 0.5, 1e300, -0x1p53 - 2, 0x1p60}
	for _, v := range samples() {
		for i := range v {
			for _, b := range bad {
				w := slices.Clone(v)
				w[i] = b
				if MergeVectors(slices.Clone(v), w) == nil {
					t.Errorf("element %d of %v may be %v", i, v, b)
				}
				if MergeVectors(w, v) == nil {
					t.Errorf("element %d of the target %v may be %v", i, v, b)
				}
			}
		}
		for _, w := range [][]float64{nil, v[:5], v[:len(v)-1], append(slices.Clone(v), 0)} {
			if MergeVectors(slices.Clone(v), w) == nil || MergeVectors(w, v) == nil {
				t.Errorf("%v is taken for a vector", w)
			}
		}
		for i, b := range map[int]float64{0: 5 - v[0], 1: v[1] - 1, 2: v[2] + 1, 3: -1000, 4: -1,
			5: 99, 6: -1, 8: -0x1p53} {
			w := slices.Clone(v)
			w[i] = b
			dst := slices.Clone(v)
			if MergeVectors(dst, w) == nil || !slices.Equal(dst, v) {
				t.Errorf("element %d of %v may be %v", i, v, b)
			}
		}
	}
	p, _ := NewAlgorithm3(4, 2, 1.0)
	p.AddSlice([]float64{1, 0.5})
	v := p.AppendVector(nil)
	for i := range v {
		for _, b := range append(bad, -0x1p53-2) {
			w := slices.Clone(v)
			w[i] = b
			if p.SetVector(w) == nil {
				t.Errorf("element %d of partial sums may be %v", i, b)
			}
		}
	}
	for _, w := range [][]float64{nil, v[:6], append(slices.Clone(v), 0), {-1, 0, 0, 0, 0, 0, 0},
		{1, 2, 0, 0, 0, 0, 0}, {1, 0, 1, 1, 0, 0, 0}} {
		if p.SetVector(w) == nil {
			t.Errorf("%v is taken for partial sums", w)
		}
	}
	if got := p.AppendVector(nil); !slices.Equal(got, v) {
		t.Errorf("refused vectors leave %v, not %v", got, v)
	}
}

func floatsOf(b []byte) []float64 {
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

func bytesOf(v []float64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// FuzzMergeVectors merges anything: an error, or a vector that is read again
// as the same.
func FuzzMergeVectors(f *testing.F) {
	for _, v := range samples() {
		f.Add(bytesOf(v), bytesOf(v))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		dst, src := floatsOf(a), floatsOf(b)
		before := slices.Clone(dst)
		if MergeVectors(dst, src) != nil {
			if !slices.Equal(bytesOf(dst), bytesOf(before)) {
				t.Fatalf("refused, but changed: %v", dst)
			}
			return
		}
		zero := slices.Clone(before)
		clear(zero[4:])
		again := slices.Clone(before)
		if err := MergeVectors(again, zero); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again, before) {
			t.Fatalf("nothing added to %v gives %v", before, again)
		}
	})
}

// FuzzSum compares every algorithm on any values with itself after a split and
// in reverse.
func FuzzSum(f *testing.F) {
	f.Add(bytesOf([]float64{1, -1, 0x1p-1074, math.MaxFloat64, math.Inf(1)}), uint8(1), uint8(2))
	f.Add(bytesOf([]float64{0x1p1000, 3, -0x1p1000, math.Copysign(0, -1)}), uint8(3), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, k, cut uint8) {
		x := floatsOf(b)
		fuzzSum(t, x, 1+int(k%20), int(cut))
		y := make([]float32, 0, 2*len(x))
		for _, v := range x {
			bits := math.Float64bits(v)
			y = append(y, math.Float32frombits(uint32(bits)),
				math.Float32frombits(uint32(bits>>32)))
		}
		fuzzSum(t, y, 1+int(k%20), int(cut))
	})
}

func fuzzSum[T Float](t *testing.T, x []T, k, cut int) {
	cut = min(cut, len(x))
	for _, a := range algorithms[T]() {
		want, err := a.sum(x, k)
		must(t, want, err)
		y := slices.Clone(x)
		slices.Reverse(y)
		got := a.reduce(t, [][]T{y[:cut], nil, y[cut:]}, int64(len(x)), k, func(m int) (int, int) {
			return m - 1, 0
		}, cut%2 == 0)
		if bitsOf(got) != bitsOf(want) {
			t.Fatalf("%s of %v: %g, reversed and split %g", a.name, x, want, got)
		}
	}
}
