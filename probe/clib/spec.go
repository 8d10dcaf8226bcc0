package clib

import (
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

const (
	// callBytes bounds the arrays of a call whose number of rows is left to
	// this package.
	callBytes = 64 << 20
	// mostBytes bounds the arrays of a call in any case.
	mostBytes = 4 << 30
)

// cblasKey returns the key of what s asks of a CBLAS called target.
func cblasKey(target string, s probe.Spec) (probe.Key, error) {
	if s.Op == "" {
		s.Op = probe.Dot
	}
	k, err := commonKey(target, s)
	if err != nil {
		return k, err
	}
	refuse := refuser(target)
	switch s.Op {
	case probe.Dot, probe.Gemv, probe.Gemm:
	default:
		return k, refuse("a CBLAS has no %s (asum sums absolute values)", "use --op dot, gemv or gemm", s.Op)
	}
	if k.DType != fp.Binary32 && k.DType != fp.Binary64 {
		return k, refuse("a CBLAS does not compute in %s", "use --dtype f32 or f64", k.DType)
	}
	if s.Stride > 1 && s.Op == probe.Gemm {
		return k, refuse("the elements of a matrix in gemm have no stride", "leave --stride out, or use dot or gemv")
	}
	if k.Stride = s.Stride; k.Stride == 1 {
		k.Stride = 0
	}
	if s.Op == probe.Dot {
		err = onlyMatrices(target, s)
	} else {
		err = matrixKey(&k, s)
	}
	if err != nil {
		return k, err
	}
	return k, checkSize(k)
}

// functionKey returns the key of what s asks of a C function called target.
func functionKey(target string, s probe.Spec) (probe.Key, error) {
	if s.Op == "" {
		s.Op = probe.Sum
	}
	k, err := commonKey(target, s)
	if err != nil {
		return k, err
	}
	refuse := refuser(target)
	switch {
	case s.Op != probe.Sum && s.Op != probe.Dot:
		return k, refuse("a C function of one or two vectors computes no %s", "use --op sum or dot", s.Op)
	case s.Stride > 1:
		return k, refuse("the signature has no stride", "leave --stride out")
	}
	if err := onlyMatrices(target, s); err != nil {
		return k, err
	}
	return k, checkSize(k)
}

// commonKey checks what every C library is asked alike.
func commonKey(target string, s probe.Spec) (probe.Key, error) {
	if s.DType == 0 {
		s.DType = fp.Binary64
	}
	if s.Threads == 0 {
		s.Threads = 1
	}
	k := probe.Key{Target: target, Op: s.Op, DType: s.DType, Out: s.DType, N: s.N, Align: s.Align, Threads: s.Threads}
	refuse := refuser(target)
	switch {
	case s.N < 1:
		return k, refuse("there is no sum of %d summands to look at", "give -n 1 or more", s.N)
	case s.N > math.MaxInt32:
		return k, refuse("n = %d does not fit C's int", "give a smaller -n", s.N)
	case !s.DType.Valid():
		return k, refuse("unknown format %d", "use f64, f32, f16 or bf16", s.DType)
	case s.Acc != 0 && s.Acc != s.DType:
		return k, refuse("C code accumulates as it was compiled to, not in %s on request", "leave the accumulation format out", s.Acc)
	case s.Axis != "":
		return k, refuse("there is no axis to sum over", "leave --axis out")
	case s.Device != "" && s.Device != "cpu":
		return k, refuse("it does not run on device %s", "leave --device out", s.Device)
	case s.Threads < -1:
		return k, refuse("%d threads cannot be", "use 1 or more, or -1 for the library's default", s.Threads)
	case s.Stride < 0:
		return k, refuse("stride %d is negative", "use --stride 1 or more", s.Stride)
	case s.Align < 0 || s.Align >= 64 || s.Align%s.DType.Bytes() != 0:
		return k, refuse("alignment %d is not a multiple of %d bytes below 64", "C's arrays start at a multiple of their elements' size", s.Align, s.DType.Bytes())
	}
	return k, nil
}

// onlyMatrices refuses what only gemv and gemm have.
func onlyMatrices(target string, s probe.Spec) error {
	refuse := refuser(target)
	switch {
	case s.M > 1 || s.M < 0:
		return refuse("%s computes one result, not %d", "leave the number of rows out", s.Op, s.M)
	case s.Cols > 1 || s.Cols < 0:
		return refuse("%s has no columns", "leave their number out", s.Op)
	case s.Trans != "" || s.Order != "":
		return refuse("%s has no matrix that could be transposed or ordered", "leave --trans and --order out", s.Op)
	case len(s.OutIndex) != 0 && slices.Max(s.OutIndex) > 0 || len(s.OutIndex) > 1:
		return refuse("%s has one result, not one at %v", "leave --out-index out", s.Op, s.OutIndex)
	}
	return nil
}

// matrixKey adds to k what s says of matrices.
func matrixKey(k *probe.Key, s probe.Spec) error {
	refuse := refuser(k.Target)
	k.Order, k.Trans = s.Order, strings.ToLower(s.Trans)
	if k.Order == "" {
		k.Order = "C"
	}
	switch {
	case k.Order != "C" && k.Order != "F":
		return refuse("memory order %q is neither C (rows) nor F (columns)", "use --order C or F", s.Order)
	case !slices.Contains([]string{"", "a", "b", "ab"}, k.Trans):
		return refuse("transposition %q is none of a, b, ab", "name the operands that are stored transposed", s.Trans)
	case k.Op == probe.Gemv && strings.Contains(k.Trans, "b"):
		return refuse("gemv has one matrix, so transposition %q cannot be", "use --trans a", s.Trans)
	case s.M < 0 || s.Cols < 0:
		return refuse("a matrix of %d rows and %d columns cannot be", "use 1 or more", s.M, s.Cols)
	case k.Op == probe.Gemv && s.Cols > 1:
		return refuse("gemv has one column, not %d", "leave their number out", s.Cols)
	}
	k.M, k.Cols = s.M, s.Cols
	if k.Op == probe.Gemv {
		k.Cols = 0
	}
	fillShape(k)
	return outIndex(k, s.OutIndex)
}

// fillShape chooses the rows and columns that were left open: a square matrix,
// or as much of it as stays below callBytes.
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

// bytesOf returns how many bytes the arrays of a call take, as a float because
// it may be more than an int holds.
func bytesOf(k probe.Key) float64 {
	n, m, cols := float64(k.N), float64(max(k.M, 1)), float64(max(k.Cols, 1))
	elements := n*m + float64(m*cols)
	if k.Op.Products() {
		elements += float64(n * cols)
	}
	return elements * float64(k.DType.Bytes()*max(k.Stride, 1))
}

// checkSize refuses what would take the machine's memory.
func checkSize(k probe.Key) error {
	if b := bytesOf(k); b > mostBytes || max(k.M, k.Cols) > math.MaxInt32 {
		return refuser(k.Target)("a call would take %.0f MiB", "use fewer summands, rows or columns: 4 GiB is the most", b/(1<<20))
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
		return refuse("the output position %v has %d indices", "use --out-index i for gemv and i,j for gemm", ix, len(ix))
	}
	copy(at[:], ix)
	if at[0] < 0 || at[0] >= k.M || at[1] < 0 || at[1] >= cols {
		return refuse("the output position %v is outside of %d × %d", "indices start at 0", ix, k.M, cols)
	}
	k.OutIndex = at[:]
	return nil
}
