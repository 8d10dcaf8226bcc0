package gofunc

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/version"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/prose"
)

// Bounds on the cost of a call on matrices of the default shape.
const (
	defaultProducts = 1 << 27
	defaultBytes    = 64 << 20
	maxBytes        = 1 << 30 // of any shape
)

// complete fills in defaults and refuses fields that this address cannot
// honour.
func (e entry) complete(s probe.Spec) (probe.Spec, error) {
	if s.Op == "" {
		s.Op = e.ops[0]
	}
	if s.DType == 0 {
		s.DType = e.dtypes[0]
	}
	if err := e.checkOp(s); err != nil {
		return s, err
	}
	s, err := s.Restrict(e.address, e.options(s.Op, s.DType))
	if err != nil {
		return s, err
	}
	for _, check := range []func(*probe.Spec) error{e.checkLayout, e.checkShape, e.checkOutIndex} {
		if err := check(&s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// options returns the fields of a Spec that this address honours in one of its
// operations. Formats of 16 bits, which Go lacks, have no data to align.
func (e entry) options(op probe.Op, dtype fp.Format) probe.Options {
	var o probe.Options
	if dtype.Bytes() >= 4 {
		o |= probe.WithAlign
	}
	if e.strides {
		o |= probe.WithStride
	}
	switch op {
	case probe.RMSNorm, probe.Softmax, probe.Attention:
		o |= probe.WithRows | probe.WithOutIndex
	case probe.Gemv:
		o |= probe.WithRows | probe.WithTrans | probe.WithOutIndex
	case probe.Gemm:
		o |= probe.WithRows | probe.WithCols | probe.WithTrans | probe.WithOutIndex
	}
	return o
}

func (e entry) fault(id, cause, cure string) error {
	return &probe.Fault{ID: id, Thing: e.address, Cause: cause, Cure: cure}
}

func (e entry) checkOp(s probe.Spec) error {
	if !slices.Contains(e.ops, s.Op) {
		return e.fault("unsupported-op", fmt.Sprintf("it does not compute %s", s.Op),
			fmt.Sprintf("use %s", prose.List(e.ops, "or")))
	}
	if !slices.Contains(e.dtypes, s.DType) {
		return e.fault("unsupported-dtype", fmt.Sprintf("it does not take %s", s.DType),
			fmt.Sprintf("use %s", prose.List(e.dtypes, "or")))
	}
	if s.N < 1 {
		return e.fault("bad-n", fmt.Sprintf("a sum of %d summands", s.N),
			"ask for at least one with -n")
	}
	return nil
}

// checkLayout refuses impossible strides, transpositions and alignments.
func (e entry) checkLayout(s *probe.Spec) error {
	s.Trans = strings.ToLower(s.Trans)
	takes := map[probe.Op][]string{probe.Gemv: {"", "a"}, probe.Gemm: {"", "a", "b", "ab"}}
	switch {
	case s.Trans != "" && !slices.Contains(takes[s.Op], s.Trans):
		return e.fault("unsupported-option", fmt.Sprintf("it cannot transpose %q", s.Trans),
			"gemv takes a; gemm takes a, b or ab")
	case s.Stride < 0:
		return e.fault("unsupported-option", fmt.Sprintf("a stride of %d", s.Stride),
			"use 1 or more")
	}
	s.Stride = max(s.Stride, 1)
	size := s.DType.Bytes()
	if s.Align < 0 || s.Align >= lineBytes || s.Align%size != 0 {
		cause := fmt.Sprintf("data of %s cannot begin %d bytes past a multiple of %d", s.DType,
			s.Align, lineBytes)
		return e.fault("bad-align", cause,
			fmt.Sprintf("use a multiple of %d below %d", size, lineBytes))
	}
	return nil
}

func (e entry) checkShape(s *probe.Spec) error {
	if s.N > maxBytes/8 { // products of N below do not overflow
		return e.fault("bad-shape", fmt.Sprintf("n = %d is too much for one call", s.N),
			fmt.Sprintf("use at most %d", maxBytes/8))
	}
	switch s.Op {
	case probe.RMSNorm, probe.Softmax, probe.Attention:
		if s.M == 0 {
			s.M = 1
		}
	case probe.Gemv:
		if s.M == 0 {
			s.M = defaultRows(s)
		}
	case probe.Gemm:
		if s.M == 0 && s.Cols == 0 {
			s.M = defaultRows(s)
		}
		if s.Cols == 0 {
			s.Cols = s.M
		}
		if s.M == 0 {
			s.M = s.Cols
		}
	}
	if s.M < 0 || s.Cols < 0 {
		return e.fault("bad-shape", fmt.Sprintf("%d rows and %d columns", s.M, s.Cols),
			"use at least one of each")
	}
	if need := bytesFor(s); need > maxBytes {
		return e.fault("bad-shape",
			fmt.Sprintf("its arrays would take %.0f MiB, and %d MiB is the most", need/(1<<20),
				maxBytes>>20), "ask for fewer summands, rows and columns, or a smaller stride")
	}
	return nil
}

// bytesFor returns about how many bytes the arrays of a call take. A float64
// cannot overflow here.
func bytesFor(s *probe.Spec) float64 {
	m, n, cols, stride := float64(s.M), float64(s.N), float64(s.Cols), float64(s.Stride)
	size := s.DType.Bytes()
	if size < 4 {
		size = 8 // held as float64
	}
	return float64(size) * (float64(m*n) + float64(n*cols) + float64(m*cols) +
		float64(2*stride*(m+n)))
}

func (e entry) checkOutIndex(s *probe.Spec) error {
	shape := map[probe.Op][]int{probe.Gemv: {s.M}, probe.Gemm: {s.M, s.Cols},
		probe.RMSNorm: {s.M}, probe.Softmax: {s.M}, probe.Attention: {s.M}}[s.Op]
	if s.OutIndex == nil && shape != nil {
		s.OutIndex = make([]int, len(shape))
	}
	ok := len(s.OutIndex) == len(shape)
	for i := range min(len(shape), len(s.OutIndex)) {
		ok = ok && s.OutIndex[i] >= 0 && s.OutIndex[i] < shape[i]
	}
	if !ok {
		return e.fault("bad-out-index",
			fmt.Sprintf("there is no output %v: its outputs have the shape %v", s.OutIndex, shape),
			"counting begins at 0")
	}
	s.OutIndex = slices.Clone(s.OutIndex)
	return nil
}

// defaultRows returns N, or as many rows as keep a call within the default
// cost.
func defaultRows(s *probe.Spec) int {
	perRow := s.N * s.DType.Bytes()
	if s.Op == probe.Gemv {
		return max(1, min(s.N, defaultBytes/perRow))
	}
	//lastbit:ignore floatconv a number of rows
	return max(1, min(s.N, int(math.Sqrt(defaultProducts/float64(s.N))), defaultBytes/(3*perRow)))
}

// The modules whose functions these are.
const (
	gonumModule   = "gonum.org/v1/gonum"
	lastbitModule = "github.com/lastbit/lastbit"
)

// moduleVersion returns the version of a module in this binary, "unknown" where
// the binary does not hold it.
func moduleVersion(of string) string {
	if of == lastbitModule {
		return version.Built()
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == of {
			if m.Replace != nil {
				m = m.Replace
			}
			if m.Version != "" {
				return m.Version
			}
		}
	}
	return "unknown"
}

// compiledFor returns the target of the compiler. It decides between assembly
// and Go, and which products the compiler fuses.
func compiledFor() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, set := range info.Settings {
			if set.Key == "GO"+strings.ToUpper(runtime.GOARCH) {
				return runtime.GOARCH + " " + set.Value
			}
		}
	}
	return runtime.GOARCH
}

// formatOf returns the format of a Go type.
func formatOf[T float]() fp.Format {
	if _, ok := any(T(0)).(float32); ok {
		return fp.Binary32
	}
	return fp.Binary64
}
