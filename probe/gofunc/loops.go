package gofunc

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/prose"
)

// openLoop opens a loop of this package: compiled for float32 and float64,
// computed with rounding for the formats that Go lacks.
func openLoop(e entry, s probe.Spec) (computer, error) {
	var c computer
	switch s.DType {
	case fp.Binary64:
		if f := loop[float64](e.address, s.Op); f != nil {
			c = newVectors(s, f)
		}
	case fp.Binary32:
		if f := loop[float32](e.address, s.Op); f != nil {
			c = newVectors(s, f)
		}
	default:
		if f := softLoop(e.address, s.Op, s.DType); f != nil {
			c = newVectors(s, f)
		}
	}
	if c == nil {
		return nil, e.fault("unsupported-op", fmt.Sprintf("it does not compute %s", s.Op),
			"use "+prose.List(e.ops, "or"))
	}
	return c, nil
}

// loop returns the compiled loop of an address, or nil.
func loop[T float](address string, op probe.Op) func(x, y []T) T {
	sum := func(f func(x []T) T) func(x, y []T) T {
		return func(x, _ []T) T { return f(x) }
	}
	squares := func(f func(x, y []T) T) func(x, y []T) T {
		return func(x, _ []T) T { return f(x, x) }
	}
	switch address + " " + string(op) {
	case "go:naive sumsq":
		return squares(naiveDot[T])
	case "go:fma sumsq":
		return squares(fmaDot[T])
	case "go:kahan sumsq":
		return squares(kahanDot[T])
	case "go:pairwise sumsq":
		return sum(pairwiseSquares[T])
	case "go:naive sum":
		return sum(naiveSum[T])
	case "go:naive dot":
		return naiveDot[T]
	case "go:pairwise sum":
		return sum(pairwiseSum[T])
	case "go:kahan sum":
		return sum(kahanSum[T])
	case "go:kahan dot":
		return kahanDot[T]
	case "go:neumaier sum":
		return sum(neumaierSum[T])
	case "go:fma dot":
		return fmaDot[T]
	}
	return nil
}

// naiveSum adds from the first to the last, beginning at +0.
func naiveSum[T float](x []T) T {
	var s T
	for _, v := range x {
		s += v
	}
	return s
}

// naiveDot rounds every product and adds it, from the first to the last.
func naiveDot[T float](x, y []T) T {
	var s T
	for i, v := range x {
		s += T(v * y[i])
	}
	return s
}

// fmaDot adds every product unrounded, from the first to the last.
func fmaDot[T float](x, y []T) T {
	var s T
	for i, v := range x {
		s = fma(v, y[i], s)
	}
	return s
}

func fma[T float](a, b, c T) T {
	if formatOf[T]() == fp.Binary64 {
		return T(math.FMA(float64(a), float64(b), float64(c)))
	}
	return T(fp.Binary32.FMA(float64(a), float64(b), float64(c), fp.NearestEven))
}

// pairwiseSum adds the sum of the first ⌊n/2⌋ summands and the sum of the
// others, and computes both in the same way, down to single summands. Its
// recursion is ⌈log2 n⌉ deep.
func pairwiseSum[T float](x []T) T {
	if len(x) == 1 {
		return x[0]
	}
	return pairwiseSum(x[:len(x)/2]) + pairwiseSum(x[len(x)/2:])
}

// pairwiseSquares adds rounded squares in the order of pairwiseSum.
func pairwiseSquares[T float](x []T) T {
	if len(x) == 1 {
		return T(x[0] * x[0])
	}
	return pairwiseSquares(x[:len(x)/2]) + pairwiseSquares(x[len(x)/2:])
}

// kahanSum computes the compensated sum (Kahan 1965).
func kahanSum[T float](x []T) T {
	var s, c T
	for _, v := range x {
		s, c = kahanStep(s, c, v)
	}
	return s
}

// kahanDot computes the compensated sum of the rounded products.
func kahanDot[T float](x, y []T) T {
	var s, c T
	for i, v := range x {
		s, c = kahanStep(s, c, T(v*y[i]))
	}
	return s
}

func kahanStep[T float](s, c, v T) (T, T) {
	y := v - c
	t := s + y
	return t, (t - s) - y
}

// neumaierSum keeps the errors of all additions and adds them at the end
// (Neumaier 1974).
func neumaierSum[T float](x []T) T {
	var s, c T
	for _, v := range x {
		t := s + v
		if max(s, -s) >= max(v, -v) {
			c += (s - t) + v
		} else {
			c += (v - t) + s
		}
		s = t
	}
	return s + c
}
