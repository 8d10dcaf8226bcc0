package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

var orderedOps = map[string]OrderedOp{"sum": OrderedSum, "dot": OrderedDot, "asum": OrderedAsum,
	"squares": OrderedSquares}

// TestOrderedBlock holds every body against a model: every length to 300, every
// alignment, with NaN on both sides of the memory it may read and marks on both
// sides of the memory it may write.
func TestOrderedBlock(t *testing.T) {
	for _, level := range Levels() {
		for name, op := range orderedOps {
			t.Run(fmt.Sprintf("%v/%s/float64", level, name), func(t *testing.T) {
				orderedBlocks[float64](t, level, op)
			})
			t.Run(fmt.Sprintf("%v/%s/float32", level, name), func(t *testing.T) {
				orderedBlocks[float32](t, level, op)
			})
		}
	}
}

func orderedBlocks[T float32 | float64](t *testing.T, level Level, op OrderedOp) {
	rng := rand.New(rand.NewPCG(1, uint64(op)))
	lanes := OrderedLanes[T]()
	var lengths []int
	for n := range 301 {
		lengths = append(lengths, n)
	}
	full := OrderedRows * lanes
	lengths = append(lengths, full-lanes-1, full-lanes, full-1, full)
	stack, before := make([]T, 5*lanes), make([]T, 5*lanes)
	for i := range stack {
		stack[i] = T(rng.NormFloat64())
		before[i] = stack[i]
	}
	for _, n := range lengths {
		for offset := range 16 {
			if n > 300 && offset > 2 {
				break
			}
			x, y := fenced[T](rng, n, offset), fenced[T](rng, n, 15-offset)
			levels := uint64(rng.IntN(16))
			want := orderedModel(op, x, y, stack, levels)
			sum := OrderedBlock(level, op, x, y, stack, levels, nil)
			if !same(sum, halve(want)) {
				t.Fatalf("n = %d, offset %d, levels %b: %v, want %v", n, offset, levels, sum,
					halve(want))
			}
			if 1 <= n && n <= lanes {
				short := NewChain[T](level).AddTerms(op, n, &x[0], &y[0])
				if want := halve(orderedModel(op, x, y, nil, 0)); !same(short, want) {
					t.Fatalf("n = %d, offset %d: %v of few, want %v", n, offset, short, want)
				}
			}
			dst := marked[T](lanes, offset)
			OrderedBlock(level, op, x, y, stack, levels, dst[8:8+lanes])
			for i, v := range dst {
				switch {
				case i < 8 || i >= 8+lanes:
					if v != 12345 {
						t.Fatalf("n = %d: wrote to %d, outside of %d lanes", n, i-8, lanes)
					}
				case !same(v, want[i-8]):
					t.Fatalf("n = %d, offset %d, levels %b: lane %d is %v, want %v", n, offset,
						levels, i-8, v, want[i-8])
				}
			}
		}
	}
	for i := range stack {
		if !same(stack[i], before[i]) {
			t.Fatalf("the stack was written to, at %d", i)
		}
	}
}

// fenced returns n random numbers, at an offset, between NaNs.
func fenced[T float32 | float64](rng *rand.Rand, n, offset int) []T {
	all := aligned[T](n + 32 + offset)
	for i := range all {
		all[i] = T(math.NaN())
	}
	x := all[16+offset:][:n]
	for i := range x {
		x[i] = T(math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30))
		if rng.IntN(20) == 0 {
			x[i] = T(math.Copysign(0, x64(x[i])))
		}
	}
	return x
}

func x64[T float32 | float64](v T) float64 { return float64(v) }

// marked returns room for the lanes, from its ninth element on, between marks.
func marked[T float32 | float64](lanes, offset int) []T {
	d := aligned[T](lanes + 16 + offset)[offset:]
	for i := range d {
		d[i] = 12345
	}
	return d
}

// aligned returns a slice that begins at a cache line.
func aligned[T float32 | float64](n int) []T {
	size := int(unsafe.Sizeof(T(0)))
	spare := make([]T, n+64/size)
	skip := (64 - int(uintptr(unsafe.Pointer(unsafe.SliceData(spare)))%64)) % 64 / size
	return spare[skip:][:n]
}

// orderedModel returns the lanes of OrderedBlock by the formula of its comment.
func orderedModel[T float32 | float64](op OrderedOp, x, y, stack []T, levels uint64) []T {
	lanes := make([]T, OrderedLanes[T]())
	for i := range lanes {
		lanes[i] = T(math.Copysign(0, -1))
		for k := i; k < len(x); k += len(lanes) {
			switch op {
			case OrderedSum:
				lanes[i] += x[k]
			case OrderedDot:
				lanes[i] += T(x[k] * y[k])
			case OrderedAsum:
				lanes[i] += T(math.Abs(float64(x[k])))
			case OrderedSquares:
				lanes[i] += T(x[k] * x[k])
			}
		}
		for l := range 64 {
			if levels>>l&1 == 1 {
				lanes[i] += stack[l*len(lanes)+i]
			}
		}
	}
	return lanes
}

// halve adds the upper half of the lanes to the lower until one is left.
func halve[T float32 | float64](lanes []T) T {
	lanes = append([]T(nil), lanes...)
	for w := len(lanes) / 2; w > 0; w /= 2 {
		for i := range w {
			lanes[i] += lanes[i+w]
		}
	}
	return lanes[0]
}

// same compares bits; any NaN is any other.
func same[T float32 | float64](a, b T) bool {
	return math.Float64bits(float64(a)) == math.Float64bits(float64(b)) || a != a && b != b
}

// TestOrderedSpecials puts NaN, infinities, zeros, subnormals and huge numbers
// at random places of some rows.
func TestOrderedSpecials(t *testing.T) {
	for _, level := range Levels() {
		orderedSpecials[float64](t, level, []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0,
			math.Copysign(0, -1), 5e-324, -1e-310, math.MaxFloat64, 1e-170})
		orderedSpecials[float32](t, level, []float32{float32(math.NaN()), float32(math.Inf(1)),
			float32(math.Inf(-1)), 0, float32(math.Copysign(0, -1)), 1e-45, -1e-40, math.MaxFloat32,
			1e-22})
	}
}

func orderedSpecials[T float32 | float64](t *testing.T, level Level, specials []T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{1, 3, 64, 130, 300, 1000} {
		for _, op := range orderedOps {
			for range 40 {
				x, y := fenced[T](rng, n, 3), fenced[T](rng, n, 5)
				for range 1 + rng.IntN(5) {
					x[rng.IntN(n)] = specials[rng.IntN(len(specials))]
					y[rng.IntN(n)] = specials[rng.IntN(len(specials))]
				}
				got, want := OrderedBlock(level, op, x, y, nil, 0, nil),
					halve(orderedModel(op, x, y, nil, 0))
				if !same(got, want) {
					t.Fatalf("%v, op %d, n = %d: %v, want %v", level, op, n, got, want)
				}
			}
		}
	}
}
