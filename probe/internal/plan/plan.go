// Package plan chooses the default shape of calls for a target that runs in a
// process of its own.
package plan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/prose"
)

const (
	// callBytes bounds the arrays of one call where the driver chooses a shape.
	callBytes = 64 << 20
	// callProducts bounds the products of one matrix multiplication there,
	// about 0.1 s of a good kernel on one core.
	callProducts = 1 << 28
	// axisValues and axisLanes bound a sum over an axis there.
	axisValues = 4 << 20
	axisLanes  = 1 << 10
	// specValues bounds the values of any Spec.
	specValues = 1 << 30
)

// Key returns the key of a target that is opened for s, with every default
// filled in, and the number of lanes of a call:
//
//   - sum, sumsq and dot: one lane; over an axis, M lanes of N values, by
//     default as many as make a call of about 4 Mi values, at most 1024;
//   - rmsnorm, softmax and attention: M lanes, as over an axis;
//   - gemv: M = N rows, fewer where the matrix would exceed 64 MiB; output 0;
//   - gemm: M = Cols = N, fewer where the three matrices would exceed 64 MiB or
//     the products 2^28; output 0,0.
//
// Out is the input format, for the program to correct. The error is the
// *probe.Fault bad-spec or bad-op, for requests without a meaning: an axis of a
// dot product, an output outside the matrix.
func Key(address string, s probe.Spec) (key probe.Key, lanes int, err error) {
	key = s.Key(address)
	if err := checkValues(address, s); err != nil {
		return key, 0, err
	}
	if err := checkShape(address, s); err != nil {
		return key, 0, err
	}
	lanes = fillShape(&key)
	if key.N > specValues/lanes || key.N > specValues/max(key.Cols, 1) ||
		lanes > specValues/max(key.Cols, 1) {
		return key, 0, bad(address,
			fmt.Sprintf("n = %d with %d rows and %d columns is too large", key.N, lanes, key.Cols),
			"ask for at most 2^30 values in a matrix")
	}
	return key, lanes, checkIndex(address, &key, lanes)
}

// bad is the Fault of a request that makes no sense.
func bad(address, cause, cure string) error {
	return &probe.Fault{ID: "bad-spec", Thing: address, Cause: cause, Cure: cure}
}

// checkValues refuses values that their fields cannot have.
func checkValues(address string, s probe.Spec) error {
	oneOf := func(name, v string, allowed ...string) error {
		if v == "" || slices.Contains(allowed, v) {
			return nil
		}
		return bad(address, fmt.Sprintf("%s %s is not known", name, strconv.Quote(v)),
			"use "+prose.List(allowed, "or"))
	}
	if _, err := probe.ParseOp(string(s.Op)); err != nil {
		return err
	}
	switch {
	case !s.DType.Valid():
		return bad(address, "no format of the inputs was given", "use f64, f32, f16 or bf16")
	case s.Acc != 0 && !s.Acc.Valid():
		return bad(address, "the accumulation format is not known", "use f64, f32, f16 or bf16")
	case s.N < 1:
		return bad(address, fmt.Sprintf("n = %d: there is nothing to add", s.N),
			"use n of at least 1")
	case s.M < 0 || s.Cols < 0:
		return bad(address, fmt.Sprintf("a shape of %d rows and %d columns", s.M, s.Cols),
			"use positive numbers, or 0 for the default")
	case s.Stride < 0:
		return bad(address, fmt.Sprintf("stride %d is negative", s.Stride),
			"use a stride of at least 1")
	case s.Align < 0 || s.Align >= 64:
		return bad(address,
			fmt.Sprintf("align %d is not a number of bytes past a 64-byte boundary", s.Align),
			"use 0 … 63")
	case s.Threads < -1:
		return bad(address, fmt.Sprintf("%d threads", s.Threads),
			"use a positive number, 0 for one thread, or −1 for the implementation's default")
	}
	for _, e := range []error{
		oneOf("axis", s.Axis, "0", "1"), oneOf("trans", s.Trans, "a", "b", "ab"), oneOf("order",
			s.Order, "C", "F"), oneOf("device", s.Device, "cpu", "cuda"),
	} {
		if e != nil {
			return e
		}
	}
	return nil
}

// checkShape refuses shapes and axes that do not fit the operation.
func checkShape(address string, s probe.Spec) error {
	matrix := s.Op == probe.Gemv || s.Op == probe.Gemm || s.Op.Rows() || s.Axis != ""
	switch {
	case s.Axis != "" && s.Op != probe.Sum && s.Op != probe.SumSq:
		return bad(address, fmt.Sprintf("a %s has no axis", s.Op), "leave the axis out")
	case !matrix && (s.M != 0 || s.Order != ""):
		return bad(address, fmt.Sprintf("a %s of vectors has no rows and no memory order", s.Op),
			"leave them out, or use --axis 0, --op gemv or --op gemm")
	case s.Cols != 0 && s.Op != probe.Gemm:
		return bad(address, fmt.Sprintf("a %s has no columns to choose", s.Op),
			"leave them out, or use --op gemm")
	case s.Trans != "" && s.Op != probe.Gemm && (s.Op != probe.Gemv || s.Trans != "a"):
		return bad(address,
			fmt.Sprintf("a %s has no operand %q to store transposed", s.Op, s.Trans),
			"use a, b or ab for gemm, a for gemv")
	}
	return nil
}

// fillShape sets the default shape and output, and returns the lanes.
func fillShape(key *probe.Key) int {
	size := key.DType.Bytes()
	switch {
	case key.Op == probe.Gemv:
		if key.M == 0 {
			key.M = clamp(callBytes/size/key.N, key.N)
		}
		if key.OutIndex == nil {
			key.OutIndex = []int{0}
		}
	case key.Op == probe.Gemm:
		most := clamp(gemmSide(key.N, size), key.N)
		if key.M == 0 {
			key.M = most
		}
		if key.Cols == 0 {
			key.Cols = most
		}
		if key.OutIndex == nil {
			key.OutIndex = []int{0, 0}
		}
	case key.Axis != "" || key.Op.Rows():
		if key.M == 0 {
			key.M = clamp(axisValues/key.N, axisLanes)
		}
		if key.OutIndex == nil {
			key.OutIndex = []int{0}
		}
	default:
		return 1
	}
	return key.M
}

// clamp returns n, but at least 1 and at most limit.
func clamp(n, limit int) int { return max(1, min(n, limit)) }

// gemmSide returns the side c of the largest output c×c whose product, of c×n
// and n×c, keeps to the bounds of a call: c·(2n + c) values, c²·n products.
func gemmSide(n, size int) int {
	k := float64(n)
	byBytes := math.Sqrt(float64(k*k)+callBytes/float64(size)) - k
	return int(min(byBytes, math.Sqrt(callProducts/k)))
}

// checkIndex refuses an output index outside the result.
func checkIndex(address string, key *probe.Key, lanes int) error {
	if key.OutIndex == nil {
		return nil
	}
	bounds := []int{lanes}
	switch {
	case key.Op == probe.Gemm:
		bounds = []int{key.M, key.Cols}
	case key.Op == probe.Sum && key.Axis == "":
		bounds = []int{key.N} // a cumulative sum
	}
	ok := len(key.OutIndex) == len(bounds)
	for i := 0; ok && i < len(bounds); i++ {
		ok = key.OutIndex[i] >= 0 && key.OutIndex[i] < bounds[i]
	}
	if !ok {
		return bad(address,
			fmt.Sprintf("output %s is outside of the results, of shape %s", join(key.OutIndex, ","),
				join(bounds, "×")), "count from 0, and stay below the shape")
	}
	return nil
}

// join returns integers with a separator between them.
func join(list []int, separator string) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = strconv.Itoa(v)
	}
	return strings.Join(words, separator)
}
