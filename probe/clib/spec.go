package clib

import (
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

const (
	// callBytes bounds the arrays of a call by default, if the caller sets no
	// number of rows.
	callBytes = 64 << 20
	// maxBytes bounds the arrays of any call.
	maxBytes = 4 << 30
)

// cblasOptions returns the fields of a Spec that a CBLAS honours in an
// operation.
func cblasOptions(op probe.Op) probe.Options {
	const matrix = Options | probe.WithRows | probe.WithTrans | probe.WithOrder | probe.WithOutIndex
	switch op {
	case probe.Gemv:
		return matrix | probe.WithStride
	case probe.Gemm:
		return matrix | probe.WithCols
	}
	return Options | probe.WithStride
}

// cblasKey returns the key of the target that s requests of a CBLAS.
func cblasKey(target string, s probe.Spec) (probe.Key, error) {
	if s.Op == "" {
		s.Op = probe.Dot
	}
	refuse := refuser(target)
	switch s.Op {
	case probe.Dot, probe.Gemv, probe.Gemm:
	default:
		return probe.Key{}, refuse("a CBLAS has no %s (asum sums absolute values)",
			"use --op dot, gemv or gemm", s.Op)
	}
	s, err := complete(target, s, cblasOptions(s.Op))
	if err != nil {
		return probe.Key{}, err
	}
	if s.DType != fp.Binary32 && s.DType != fp.Binary64 {
		return probe.Key{}, refuse("a CBLAS does not compute in %s", "use --dtype f32 or f64",
			s.DType)
	}
	k := s.Key(target)
	if s.Op != probe.Dot {
		if err := completeMatrix(&k); err != nil {
			return k, err
		}
	}
	return k, checkSize(k)
}

// functionKey returns the key of the target that s requests of a C function.
func functionKey(target string, s probe.Spec) (probe.Key, error) {
	if s.Op == "" {
		s.Op = probe.Sum
	}
	if s.Op != probe.Sum && s.Op != probe.Dot && s.Op != probe.SumSq {
		err := refuser(target)("a C function of one or two vectors computes no %s",
			"use --op sum, dot or sumsq", s.Op)
		return probe.Key{}, err
	}
	s, err := complete(target, s, Options)
	if err != nil {
		return probe.Key{}, err
	}
	k := s.Key(target)
	return k, checkSize(k)
}

// complete fills in the defaults of every C library and refuses values that
// none accepts.
func complete(target string, s probe.Spec, honoured probe.Options) (probe.Spec, error) {
	if s.DType == 0 {
		s.DType = fp.Binary64
	}
	refuse := refuser(target)
	switch {
	case s.N < 1:
		return s, refuse("a sum cannot have %d summands", "give -n 1 or more", s.N)
	case s.N > math.MaxInt32:
		return s, refuse("n = %d does not fit C's int", "give a smaller -n", s.N)
	case !s.DType.Valid():
		return s, refuse("unknown format %d", "use f64, f32, f16 or bf16", s.DType)
	}
	s, err := s.Restrict(target, honoured)
	if err != nil {
		return s, err
	}
	switch size := s.DType.Bytes(); {
	case s.Threads < -1:
		return s, refuse("the number of threads cannot be %d",
			"use 1 or more, or -1 for the library's default", s.Threads)
	case s.Stride < 0:
		return s, refuse("stride %d is negative", "use --stride 1 or more", s.Stride)
	case s.Align < 0 || s.Align >= 64 || s.Align%size != 0:
		const cure = "C's arrays start at a multiple of their elements' size"
		return s, refuse("alignment %d is not a multiple of %d bytes below 64", cure, s.Align, size)
	}
	return s, nil
}

// completeMatrix fills in the shape of a matrix product and its output
// position, and refuses impossible ones.
func completeMatrix(k *probe.Key) error {
	refuse := refuser(k.Target)
	k.Trans = strings.ToLower(k.Trans)
	if k.Order == "" {
		k.Order = "C"
	}
	switch {
	case k.Order != "C" && k.Order != "F":
		return refuse("memory order %q is neither C (rows) nor F (columns)", "use --order C or F",
			k.Order)
	case !slices.Contains([]string{"", "a", "b", "ab"}, k.Trans):
		return refuse("transposition %q is none of a, b, ab",
			"name the operands that are stored transposed", k.Trans)
	case k.Op == probe.Gemv && strings.Contains(k.Trans, "b"):
		return refuse("gemv has one matrix and takes no transposition %q", "use --trans a",
			k.Trans)
	case k.M < 0 || k.Cols < 0:
		return refuse("a matrix cannot have %d rows and %d columns", "use 1 or more", k.M, k.Cols)
	}
	fillShape(k)
	return outIndex(k, k.OutIndex)
}

// fillShape chooses the rows and columns that the caller left open: a square
// matrix, or as much of it as fits callBytes.
func fillShape(k *probe.Key) {
	fits := func(m int) bool {
		try := *k
		if try.M == 0 {
			try.M = m
		}
		if try.Cols == 0 && k.Op == probe.Gemm {
			try.Cols = m
		}
		return bytesOf(try) <= callBytes
	}
	most := k.N
	for least := 1; least < most; { // the largest m that fits, 1 at least
		if mid := least + (most-least+1)/2; fits(mid) {
			least = mid
		} else {
			most = mid - 1
		}
	}
	if k.M == 0 {
		k.M = most
	}
	if k.Cols == 0 && k.Op == probe.Gemm {
		k.Cols = most
	}
}

// bytesOf returns the size of the arrays of a call in bytes, as a float because
// it may exceed an int.
func bytesOf(k probe.Key) float64 {
	n, m, cols := float64(k.N), float64(max(k.M, 1)), float64(max(k.Cols, 1))
	elements := float64(n*m) + float64(m*cols)
	if k.Op.Products() {
		elements += float64(n * cols)
	}
	return elements * float64(k.DType.Bytes()*max(k.Stride, 1))
}

// checkSize refuses calls that would exhaust memory.
func checkSize(k probe.Key) error {
	if b := bytesOf(k); b > maxBytes || max(k.M, k.Cols) > math.MaxInt32 {
		return refuser(k.Target)("a call would take %.0f MiB",
			"use fewer summands, rows or columns: 4 GiB is the most", b/(1<<20))
	}
	return nil
}

// outIndex sets the output position: row and column, also for gemv, whose
// result is a matrix of one column.
func outIndex(k *probe.Key, ix []int) error {
	refuse := refuser(k.Target)
	cols := max(k.Cols, 1)
	at := [2]int{}
	if len(ix) > 2 || len(ix) == 1 && k.Op == probe.Gemm {
		return refuse("the output position %v has %d indices",
			"use --out-index i for gemv and i,j for gemm", ix, len(ix))
	}
	copy(at[:], ix)
	if at[0] < 0 || at[0] >= k.M || at[1] < 0 || at[1] >= cols {
		const cause = "the output position %v is outside of %d × %d"
		return refuse(cause, "indices start at 0", ix, k.M, cols)
	}
	k.OutIndex = at[:]
	return nil
}
