//go:build cgo && linux

// Command duckdb is a loadable extension of DuckDB with exact aggregates, on
// DuckDB's C extension API v1.2.0, which DuckDB keeps stable. It is a C-shared
// library with a footer that command build appends:
//
//	go run ./engines/duckdb/build -o lastbit.duckdb_extension
//
// docs/use/engines.md describes the functions.
//
// The states of aggregates are in memory that DuckDB owns: sums of 56 bytes
// each, which grow in C memory where exponents are far apart (sum.h). Go adds
// blocks of numbers of one group, by the kernels of package exact, and rounds.
// C calls Go once for each chunk at the most. A panic in Go becomes an error of
// the query.
package main

// #cgo CFLAGS: -std=c11 -O2 -Wall -Wno-unused-function
// #include "aggregate.h"
import "C"

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"unsafe"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/fraction"
)

func main() {}

// report turns a panic or an error into a C string, which the caller frees.
func report(err *error, out **C.char) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("lastbit: internal error: %v", p)
	}
	if *err != nil {
		*out = C.CString((*err).Error())
	}
}

//export lbAddBlock
func lbAddBlock(s *C.lb_sum, x *C.double, n C.idx_t) {
	defer fail(s)
	var a exact.Accumulator
	a.AddSlice(numbers(x, n))
	put(s, &a)
}

//export lbAddProducts
func lbAddProducts(s *C.lb_sum, x, y *C.double, n C.idx_t) {
	defer fail(s)
	var a exact.Accumulator
	a.AddDot(numbers(x, n), numbers(y, n))
	put(s, &a)
}

// fail marks a sum that a panic has left wrong.
func fail(s *C.lb_sum) {
	if recover() != nil {
		s.failed = true
	}
}

// numbers returns a column of doubles.
func numbers(x *C.double, n C.idx_t) []float64 {
	return unsafe.Slice((*float64)(x), int(n))
}

// put merges a into a sum of C.
func put(s *C.lb_sum, a *exact.Accumulator) {
	var v [exact.Limbs]int64
	a.AppendLimbs(v[:0])
	C.lb_put_vector(s, (*C.int64_t)(&v[0]))
}

// accumulator returns a sum of C.
func accumulator(s *C.lb_sum) (a exact.Accumulator, err error) {
	var v [exact.Limbs]int64
	C.lb_get_vector(s, (*C.int64_t)(&v[0]))
	return a, a.AddLimbs(v[:])
}

// text returns the bytes of a string of DuckDB's.
func text(t *C.duckdb_text) []byte {
	const inlined = 12
	if t.length <= inlined {
		return unsafe.Slice((*byte)(unsafe.Pointer(&t.prefix[0])), int(t.length))
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(t.pointer)), int(t.length))
}

// isValid reports whether a row is not NULL.
func isValid(validity *C.uint64_t, i int) bool {
	return validity == nil || unsafe.Slice(validity, i/64+1)[i/64]>>(i%64)&1 != 0
}

//export lbMerge
func lbMerge(texts unsafe.Pointer, validity *C.uint64_t, states *unsafe.Pointer, n C.idx_t) (
	out *C.char) {
	var err error
	defer report(&err, &out)
	to := unsafe.Slice(states, int(n))
	for i, t := range unsafe.Slice((*C.duckdb_text)(texts), int(n)) {
		if !isValid(validity, i) {
			continue
		}
		var a exact.Accumulator
		if err = a.UnmarshalBinary(text(&t)); err != nil {
			return nil
		}
		s := (*C.lb_sum)(to[i])
		s.seen = true
		put(s, &a)
	}
	return nil
}

//export lbFinishStates
func lbFinishStates(texts unsafe.Pointer, validity *C.uint64_t, result unsafe.Pointer,
	values *C.double, n C.idx_t) (out *C.char) {
	var err error
	defer report(&err, &out)
	to := unsafe.Slice((*float64)(values), int(n))
	for i, t := range unsafe.Slice((*C.duckdb_text)(texts), int(n)) {
		if !isValid(validity, i) {
			C.lb_put_null(C.handle(result), C.idx_t(i))
			continue
		}
		var a exact.Accumulator
		if err = a.UnmarshalBinary(text(&t)); err != nil {
			return nil
		}
		to[i] = a.Float64()
	}
	return nil
}

//export lbFinish
func lbFinish(kind C.int, source *unsafe.Pointer, result unsafe.Pointer, values *C.double,
	n, offset C.idx_t) (out *C.char) {
	var err error
	defer report(&err, &out)
	for i, at := range unsafe.Slice(source, int(n)) {
		row := int(offset) + i
		s := (*C.lb_state)(at)
		if !s.sum.seen {
			C.lb_put_null(C.handle(result), C.idx_t(row))
			continue
		}
		var g group
		if g, err = groupOf(kind, s); err != nil {
			return nil
		}
		switch kind {
		case C.LB_DIGEST, C.LB_STATE, C.LB_MERGE:
			b := g.text(kind)
			C.lb_put_text(C.handle(result), C.idx_t(row), unsafe.Pointer(&b[0]), C.idx_t(len(b)))
			continue
		}
		v, isNull := g.value(kind)
		if isNull {
			C.lb_put_null(C.handle(result), C.idx_t(row))
			continue
		}
		*(*float64)(unsafe.Add(unsafe.Pointer(values), 8*row)) = v
	}
	return nil
}

// A group is the sums of the rows of a group.
type group struct {
	sum, squares exact.Accumulator
	scale        int // of sum; the scale of squares is twice that
}

func groupOf(kind C.int, s *C.lb_state) (g group, err error) {
	g.scale = int(s.sum.scale)
	if g.sum, err = accumulator(&s.sum); err == nil && kind >= C.LB_VAR_SAMP {
		if s.squares.failed {
			return g, errors.New("lastbit: out of memory, or an internal error")
		}
		g.squares, err = accumulator(&s.squares)
	}
	return g, err
}

// text returns the digest, or the bytes of the state.
func (g *group) text(kind C.int) []byte {
	if kind != C.LB_DIGEST {
		b, _ := g.sum.MarshalBinary()
		return b
	}
	d := g.sum.Digest()
	if g.scale > 0 { // as lastbit sum --digest: docs/reference/state.md
		empty := new(exact.Accumulator).Digest()
		b := binary.AppendUvarint(empty[:], uint64(g.scale))
		d = sha256.Sum256(append(b, d[:]...))
	}
	return hex.AppendEncode(nil, d[:])
}

// value returns the result, rounded once, or NULL.
func (g *group) value(kind C.int) (v float64, isNull bool) {
	n := g.sum.Count()
	if kind == C.LB_VAR_SAMP || kind == C.LB_STDDEV {
		if n < 2 {
			return 0, true // as DuckDB's own
		}
	}
	scale := g.scale
	if kind == C.LB_NORM {
		scale *= 2
	}
	if scale > 0 && g.areFinite() {
		return g.decimal(kind, n, scale), false
	}
	switch kind {
	case C.LB_AVG:
		v = g.sum.Mean()
	case C.LB_NORM:
		v = g.sum.Sqrt()
	case C.LB_VAR_SAMP:
		v = exact.VarianceOf[float64](&g.sum, &g.squares, 1)
	case C.LB_VAR_POP:
		v = exact.VarianceOf[float64](&g.sum, &g.squares, 0)
	case C.LB_STDDEV:
		v = exact.StdDevOf[float64](&g.sum, &g.squares, 1)
	default:
		v = g.sum.Float64()
	}
	return v, false
}

func (g *group) areFinite() bool {
	c := g.sum.Counts()
	return c.NaN|c.PosInf|c.NegInf == 0
}

// decimal returns the result of integers of units of 10^−scale, which are
// finite.
func (g *group) decimal(kind C.int, n int64, scale int) float64 {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	x := ratio(&g.sum, unit)
	switch kind {
	case C.LB_DOT:
		if x.Sign() == 0 {
			return g.sum.Float64() // −0 for products that are −0, all of them
		}
	case C.LB_AVG:
		x.Quo(x, new(big.Rat).SetInt64(n))
	case C.LB_NORM:
		return root(x)
	case C.LB_VAR_SAMP, C.LB_VAR_POP, C.LB_STDDEV:
		// (Σx² − (Σx)²/n) / (n − ddof)
		ddof := int64(1)
		if kind == C.LB_VAR_POP {
			ddof = 0
		}
		x.Mul(x, x)
		x.Quo(x, new(big.Rat).SetInt64(n))
		x.Sub(ratio(&g.squares, unit.Mul(unit, unit)), x)
		x.Quo(x, new(big.Rat).SetInt64(n-ddof))
		if kind == C.LB_STDDEV {
			return root(x)
		}
	}
	v, _ := x.Float64()
	return v
}

// ratio returns a finite sum over unit.
func ratio(a *exact.Accumulator, unit *big.Int) *big.Rat {
	if v, ok := a.Int64(); ok {
		return new(big.Rat).SetFrac(big.NewInt(v), unit)
	}
	r, _ := new(big.Rat).SetString(a.Decimal())
	return r.Quo(r, new(big.Rat).SetInt(unit))
}

// root returns √r, rounded once. It is NaN where r is negative.
func root(r *big.Rat) float64 {
	if r.Sign() < 0 {
		return math.NaN()
	}
	v, _ := fraction.Root(r).Float64()
	return v
}
