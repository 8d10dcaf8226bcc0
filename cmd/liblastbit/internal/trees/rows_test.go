package trees

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/ordered"
)

// golden is the hash of the results below, the same on every architecture.
const golden = 0x66e1390cda428cfa

// integers returns numbers that integer arithmetic makes.
func integers[T number](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(math.Ldexp(float64(int64(rng.Uint64())>>41), -20-rng.IntN(8)))
	}
	return x
}

func at[T number](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

// TestGolden hashes the results of every operation.
func TestGolden(t *testing.T) {
	h := fnv.New64a()
	write := func(v any) { binary.Write(h, binary.LittleEndian, v) }
	rng := rand.New(rand.NewPCG(31, 9))
	goldenRows[float32](t, rng, array.Float32, write)
	goldenRows[float64](t, rng, array.Float64, write)
	if h.Sum64() != golden {
		t.Errorf("the results hash to %#x, not to %#x", h.Sum64(), uint64(golden))
	}
}

func goldenRows[T number](t *testing.T, rng *rand.Rand, f array.Format, write func(v any)) {
	t.Helper()
	for _, n := range []int{1, 5, 130, 700} {
		const rows = 7
		x, y := integers[T](rng, rows*n), integers[T](rng, rows*n)
		weight, bias := integers[T](rng, n), integers[T](rng, n)
		means, scale := make([]T, rows), make([]T, rows)
		for op := Sum; op <= LayerNormSlope; op++ {
			out := make([]T, op.results(rows, n))
			r := Rows{Op: op, Format: f, Rows: rows, N: n, X: at(x), Y: at(y), Weight: at(weight),
				Bias: at(bias), Out: at(out), Means: at(means), Scale: at(scale), Epsilon: 1e-5}
			if err := r.Run(); err != nil {
				t.Fatal(err)
			}
			write(out)
		}
		for _, name := range []string{"sigmoid", "silu", "gelu", "gelu_tanh"} {
			out := make([]T, rows*n)
			if err := Activate(name, f, rows*n, at(x), nil, at(out)); err != nil {
				t.Fatal(err)
			}
			write(out)
			if name == "sigmoid" {
				continue
			}
			if err := Activate(name+"_backward", f, rows*n, at(x), at(y), at(out)); err != nil {
				t.Fatal(err)
			}
			write(out)
		}
	}
	a, out, logs := randomAttention[T](rng, f, 2, 4, 2, 9, 13, 8, 8)
	a.IsCausal = true
	if err := a.Run(); err != nil {
		t.Fatal(err)
	}
	write(out)
	write(logs)
}

// randomAttention returns attention of random numbers, with heads beside each
// other, and its results.
func randomAttention[T number](rng *rand.Rand, f array.Format,
	batch, heads, group, length, keys, width, valueWidth int,
) (a Attention, out, logs []T) {
	place := func(x []T, heads, rows, cols int) Heads {
		return Heads{at(x), rows * heads * cols, cols, heads * cols, 1}
	}
	kept := heads / group
	out, logs = make([]T, batch*heads*length*valueWidth), make([]T, batch*heads*length)
	return Attention{
		Format: f, Batch: batch, Heads: heads, Group: group, Length: length, Keys: keys,
		Width: width, ValueWidth: valueWidth,
		Q:   place(integers[T](rng, batch*heads*length*width), heads, length, width),
		K:   place(integers[T](rng, batch*kept*keys*width), kept, keys, width),
		V:   place(integers[T](rng, batch*kept*keys*valueWidth), kept, keys, valueWidth),
		Out: place(out, heads, length, valueWidth), Logs: at(logs), ScaleOfQ: 0.7, ScaleOfKey: 0.6,
	}, out, logs
}

// element returns element (i, j) of a head.
func (h *Heads) element(p, head, i, j int) float64 {
	return *(*float64)(unsafe.Add(h.At, 8*(p*h.Batch+head*h.Head+i*h.Row+j*h.Col)))
}

// TestAttention compares attention with its definition: with a mask or without,
// causal or not, groups of heads, and blocks of rows on several goroutines.
func TestAttention(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 4))
	for round, s := range [][7]int{
		{1, 1, 1, 1, 1, 1, 1}, {2, 4, 2, 9, 13, 8, 5}, {2, 3, 1, 7, 7, 4, 4},
		{1, 2, 2, 3, 70000, 2, 3}, {3, 2, 1, 40, 60, 16, 16}, {1, 1, 1, 4, 5, 0, 3},
	} {
		for _, isCausal := range []bool{false, true} {
			for _, hasMask := range []bool{false, true} {
				if s[4] > 1000 && (isCausal || hasMask) {
					continue
				}
				a, out, logs := randomAttention[float64](rng, array.Float64,
					s[0], s[1], s[2], s[3], s[4], s[5], s[6])
				a.IsCausal = isCausal
				if hasMask {
					mask := integers[float64](rng, s[3]*s[4])
					for i := range mask {
						if rng.IntN(3) == 0 || i < s[4] { // the first row has no key
							mask[i] = math.Inf(-1)
						}
					}
					a.Mask = Heads{at(mask), 0, 0, s[4], 1}
				}
				if err := a.Run(); err != nil {
					t.Fatal(err)
				}
				holdAttention(t, round, &a, out, logs)
			}
		}
	}
}

func holdAttention(t *testing.T, round int, a *Attention, out, logs []float64) {
	t.Helper()
	scores := make([]float64, a.Keys)
	for row := range a.Batch * a.Heads * a.Length {
		p, h, i := row/(a.Heads*a.Length), row/a.Length%a.Heads, row%a.Length
		for j := range scores {
			scores[j] = 0
			for c := range a.Width {
				q, k := a.Q.element(p, h, i, c), a.K.element(p, h/a.Group, j, c)
				scores[j] = math.FMA(float64(q*a.ScaleOfQ), float64(k*a.ScaleOfKey), scores[j])
			}
			if a.Mask.At != nil {
				scores[j] += a.Mask.element(p, h, i, j)
			}
			if a.IsCausal && j > i {
				scores[j] = math.Inf(-1)
			}
		}
		want := defineSoftmax(scores)
		if got := logs[row]; got != want {
			t.Fatalf("round %d, row %d: the logarithm is %v, want %v", round, row, got, want)
		}
		for c := range a.ValueWidth {
			sum := 0.0
			for j, w := range scores {
				sum = math.FMA(w, a.V.element(p, h/a.Group, j, c), sum)
			}
			if got := a.Out.element(p, h, i, c); got != sum {
				t.Fatalf("round %d, row %d, column %d: %v, want %v", round, row, c, got, sum)
			}
		}
	}
}

// defineSoftmax replaces scores by their safe softmax, and returns log(s) ⊕ m.
func defineSoftmax(scores []float64) float64 {
	m := math.Inf(-1)
	for _, v := range scores {
		m = max(m, v)
	}
	if m == math.Inf(-1) {
		clear(scores)
		return m
	}
	for j, v := range scores {
		scores[j] = crmath.Exp(v - m)
	}
	s := ordered.Sum(scores)
	for j := range scores {
		scores[j] /= s
	}
	return crmath.Log(s) + m
}

// TestSpecial holds softmax of infinities and NaN.
func TestSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		op      Op
		x, want []float64
	}{
		{Softmax, []float64{-inf, 1, -inf}, []float64{0, 1, 0}},
		{Softmax, []float64{-inf, -inf}, []float64{nan, nan}},
		{SafeSoftmax, []float64{-inf, -inf}, []float64{0, 0}},
		{Softmax, []float64{inf, 1}, []float64{nan, nan}},
		{Softmax, []float64{1, nan, 3}, []float64{nan, nan, nan}},
		{SafeSoftmax, []float64{nan, 1, -inf}, []float64{nan, nan, nan}},
		{LogSoftmax, []float64{0, -inf}, []float64{0, -inf}},
		{LogSoftmax, []float64{5}, []float64{0}},
	} {
		out := make([]float64, len(c.x))
		r := Rows{Op: c.op, Format: array.Float64, Rows: 1, N: len(c.x), X: at(c.x), Out: at(out)}
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if out[i] != want && !(math.IsNaN(out[i]) && math.IsNaN(want)) {
				t.Errorf("operation %d of %v: %v, want %v", c.op, c.x, out, c.want)
				break
			}
		}
	}
}
