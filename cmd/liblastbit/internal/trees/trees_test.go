package trees

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
	"github.com/lastbit/lastbit/ordered"
)

// random returns a batch of matrices with random strides, 0 among them, and a
// function of their elements.
func random[T float32 | float64](rng *rand.Rand, batch, rows, cols int) (
	Matrix, func(p, i, j int) T,
) {
	sizes, strides := []int{batch, rows, cols}, make([]int, 3)
	step := 1
	for _, d := range rng.Perm(3) {
		if rng.IntN(4) == 0 {
			step += rng.IntN(3)
		}
		strides[d] = step
		step *= max(1, sizes[d])
		if rng.IntN(8) == 0 {
			strides[d] = 0
		}
	}
	memory := make([]T, step+1)
	for i := range memory {
		memory[i] = T(math.Ldexp(rng.Float64()-0.5, rng.IntN(20)))
	}
	m := Matrix{unsafe.Pointer(&memory[0]), strides[0], strides[1], strides[2]}
	return m, func(p, i, j int) T { return memory[p*strides[0]+i*strides[1]+j*strides[2]] }
}

// TestProducts compares products of any strides with their definition.
func TestProducts(t *testing.T) {
	const seed = 31
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for round := range 300 {
		batch, m, n, k := rng.IntN(5), rng.IntN(20), rng.IntN(40), rng.IntN(30)
		if round%100 == 0 {
			batch, m, n, k = 9, 40, 50, 60 // enough for several goroutines
		}
		a, left := random[float64](rng, batch, m, k)
		b, right := random[float64](rng, batch, k, n)
		c := slices.Repeat([]float64{math.NaN()}, batch*m*n+1)
		p := Product{array.Float64, batch, m, n, k, a, b, unsafe.Pointer(&c[0])}
		if err := p.Run(); err != nil {
			t.Fatal(err)
		}
		for at := range batch * m * n {
			q, i, j := at/(m*n), at/n%m, at%n
			sum := 0.0
			for r := range k {
				sum = math.FMA(left(q, i, r), right(q, r, j), sum)
			}
			if math.Float64bits(sum) != math.Float64bits(c[at]) {
				t.Fatalf("%+v: element (%d, %d) of product %d is %v, want %v", p, i, j, q, c[at],
					sum)
			}
		}
		if last := c[len(c)-1]; last == last {
			t.Fatalf("%+v: wrote behind the products", p)
		}
	}
}

// TestSmall compares products of float32 in a batch with single ones.
func TestSmall(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	for range 100 {
		batch, m, n, k := 1+rng.IntN(4), 1+rng.IntN(20), 1+rng.IntN(40), 1+rng.IntN(30)
		a, left := random[float32](rng, batch, m, k)
		b, right := random[float32](rng, batch, k, n)
		c := make([]float32, batch*m*n)
		p := Product{array.Float32, batch, m, n, k, a, b, unsafe.Pointer(&c[0])}
		if err := p.Run(); err != nil {
			t.Fatal(err)
		}
		q, i, j := rng.IntN(batch), rng.IntN(m), rng.IntN(n)
		row, column, one := make([]float32, k), make([]float32, k), make([]float32, 1)
		for r := range k {
			row[r], column[r] = left(q, i, r), right(q, r, j)
		}
		single := Product{array.Float32, 1, 1, 1, k, Matrix{unsafe.Pointer(&row[0]), 0, k, 1},
			Matrix{unsafe.Pointer(&column[0]), 0, 1, 1}, unsafe.Pointer(&one[0])}
		if err := single.Run(); err != nil {
			t.Fatal(err)
		}
		if got := c[(q*m+i)*n+j]; math.Float32bits(got) != math.Float32bits(one[0]) {
			t.Fatalf("%+v: element (%d, %d) of product %d is %v, alone %v", p, i, j, q, got,
				one[0])
		}
	}
}

// TestRows compares sums of rows with package ordered.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 3))
	for _, size := range [][2]int{{0, 5}, {1, 0}, {3, 0}, {1, 1}, {7, 33}, {300, 1000}, {2, 100000},
		{50000, 3}} {
		holdRows[float32](t, rng, array.Float32, size[0], size[1])
		holdRows[float64](t, rng, array.Float64, size[0], size[1])
	}
}

func holdRows[T float32 | float64](t *testing.T, rng *rand.Rand, f array.Format, rows, n int) {
	t.Helper()
	x, y, out := make([]T, rows*n+1), make([]T, rows*n+1), make([]T, rows+1)
	for i := range x {
		x[i], y[i] = T(rng.NormFloat64()), T(rng.NormFloat64())
	}
	for op, sum := range map[Op]func(x, y []T) T{
		Sum:     func(x, _ []T) T { return ordered.Sum(x) },
		Dot:     ordered.Dot[T],
		Squares: func(x, _ []T) T { return ordered.Dot(x, x) },
	} {
		r := Rows{Op: op, Format: f, Rows: rows, N: n, X: unsafe.Pointer(&x[0]),
			Y: unsafe.Pointer(&y[0]), Out: unsafe.Pointer(&out[0])}
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if want := sum(x[i*n:(i+1)*n], y[i*n:(i+1)*n]); out[i] != want {
				t.Errorf("operation %d, row %d of %d by %d: %v, want %v", op, i, rows, n,
					out[i], want)
			}
		}
		if out[rows] != 0 {
			t.Error("wrote behind the sums")
		}
	}
}

// TestUnknown holds that an operation without a tree is an error.
func TestUnknown(t *testing.T) {
	for _, err := range []error{
		(&Product{Format: array.Int32}).Run(), (&Product{Format: array.BFloat16}).Run(),
		(&Rows{Op: Sum, Format: array.Float16, Rows: 1}).Run(),
		(&Rows{Op: 99, Format: array.Float32, Rows: 1}).Run(),
		(&Rows{Format: array.Float32, Rows: 1}).Run(),
		(&Attention{Format: array.BFloat16}).Run(),
		Activate("exp", array.Float32, 0, nil, nil, nil),
	} {
		if !errors.Is(err, ErrUnknown) {
			t.Errorf("error %v, want %v", err, ErrUnknown)
		}
	}
}
