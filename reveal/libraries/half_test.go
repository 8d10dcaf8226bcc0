package libraries

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// halfCode sums products of binary16 by instructions of AVX512-FP16, in one
// chain or in 32 lanes, and in binary32.
const halfCode = `
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static uint16_t bits(_Float16 v) { uint16_t b; memcpy(&b, &v, 2); return b; }
static __m512h load(const uint16_t *p, size_t left) {
	return (__m512h)_mm512_maskz_loadu_epi16(left >= 32 ? ~0u : (1u << left) - 1, p);
}
#define DOT(name) uint16_t name(const uint16_t *x, const uint16_t *y, size_t n)
#define EACH for (size_t i = 0; i < n; i++)
#define LANES for (size_t i = 0; i < n; i += 32)
static __m128h scalar(const uint16_t *p) { return (__m128h)_mm_cvtsi32_si128(*p); }
DOT(fused_chain) {
	__m128h s = _mm_setzero_ph();
	EACH s = _mm_fmadd_sh(scalar(x + i), scalar(y + i), s);
	return bits(_mm_cvtsh_h(s));
}
DOT(rounded_chain) {
	__m128h s = _mm_setzero_ph();
	EACH s = _mm_add_sh(s, _mm_mul_sh(scalar(x + i), scalar(y + i)));
	return bits(_mm_cvtsh_h(s));
}
DOT(fused_lanes) {
	__m512h s = _mm512_setzero_ph();
	LANES s = _mm512_fmadd_ph(load(x + i, n - i), load(y + i, n - i), s);
	return bits(_mm512_reduce_add_ph(s));
}
DOT(rounded_lanes) {
	__m512h s = _mm512_setzero_ph();
	LANES s = _mm512_add_ph(s, _mm512_mul_ph(load(x + i, n - i), load(y + i, n - i)));
	return bits(_mm512_reduce_add_ph(s));
}
/* the real part of products with conjugates; neighbours are one number */
DOT(complex_lanes) {
	__m512h s = _mm512_setzero_ph();
	LANES s = _mm512_fcmadd_pch(load(x + i, n - i), load(y + i, n - i), s);
	_Float16 lanes[32], sum = 0;
	memcpy(lanes, &s, sizeof lanes);
	for (int k = 0; k < 32; k += 2) sum += lanes[k];
	return bits(sum);
}
DOT(widened) {
	__m512 s = _mm512_setzero_ps();
	for (size_t i = 0; i < n; i += 16) {
		__mmask16 m = n - i >= 16 ? 0xffff : (1u << (n - i)) - 1;
		__m256h a = (__m256h)_mm256_maskz_loadu_epi16(m, x + i);
		__m256h b = (__m256h)_mm256_maskz_loadu_epi16(m, y + i);
		s = _mm512_fmadd_ps(_mm512_cvtxph_ps(a), _mm512_cvtxph_ps(b), s);
	}
	return bits((_Float16)_mm512_reduce_add_ps(s));
}
DOT(flushing) { /* MXCSR does nothing here */
	unsigned before = _mm_getcsr();
	_mm_setcsr(before | 0x8040);
	uint16_t s = fused_chain(x, y, n);
	_mm_setcsr(before);
	return s;
}
DOT(toward_zero) {
	__m128h s = _mm_setzero_ph();
	EACH s = _mm_fmadd_round_sh(scalar(x + i), scalar(y + i), s,
		_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
	return bits(_mm_cvtsh_h(s));
}
uint16_t squares(const uint16_t *x, size_t n) { return fused_chain(x, x, n); }
`

// TestAVX512FP16 reveals sums of products that this processor computes in
// binary16, and replays each on inputs of all kinds.
func TestAVX512FP16(t *testing.T) {
	require.Extension(t, "avx512_fp16")
	so := require.Library(t, halfCode, "-O2", "-ffp-contract=off", "-mavx512f", "-mavx512bw",
		"-mavx512vl", "-mavx512fp16")
	sizes := []int{100}
	if isWhole() {
		sizes = []int{2, 3, 7, 32, 33, 64, 100, 129, 1000}
	}
	for _, tt := range []struct {
		symbol string
		fma    sumtree.FMA // of many summands
		acc    fp.Format   // where products are fused
	}{
		{"fused_chain", sumtree.FMALater, fp.Binary16},
		{"rounded_chain", sumtree.FMANone, 0},
		{"fused_lanes", sumtree.FMALater, fp.Binary16},
		{"rounded_lanes", sumtree.FMANone, 0},
		{"complex_lanes", sumtree.FMALater, fp.Binary16},
		{"widened", sumtree.FMAAll, fp.Binary32},
		{"flushing", sumtree.FMALater, fp.Binary16},
		{"toward_zero", sumtree.FMALater, 0},
		{"squares", sumtree.FMALater, fp.Binary16},
	} {
		for _, n := range sizes {
			s := probe.Spec{Op: probe.Dot, DType: fp.Binary16, N: n}
			if tt.symbol == "squares" {
				s.Op = probe.SumSq
			}
			target, err := targets.Open(t.Context(), "clib:"+so+":"+tt.symbol, s)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { target.Close() })
			f := revealtest.Must(t, target, reveal.Options{}, nil)
			a := f.Arithmetic
			if n == 100 && (a.FMA != tt.fma || tt.acc != 0 && a.Nodes.Acc != tt.acc) ||
				f.Traits.Subnormals != "kept" {
				t.Errorf("%s, n = %d: %+v", tt.symbol, n, *a)
			}
			if err := revealtest.Mismatch(t.Context(), target, f, 33, 50); err != nil {
				t.Error(err)
			}
		}
	}
}
