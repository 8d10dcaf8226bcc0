package mma

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
)

// halfProgram reads operations of AVX512-FP16: the instruction, MXCSR, and
// three complex operands, whose real parts alone the real instructions take. It
// writes two results of binary16.
const halfProgram = `
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static __m512h real(uint16_t v) { return (__m512h)_mm512_set1_epi16((short)v); }
static __m512h pair(const uint16_t *v) {
	return (__m512h)_mm512_set1_epi32((int)(v[0] | (uint32_t)v[1] << 16));
}
static __attribute__((noinline)) __m512h operate(unsigned op, const uint16_t *v) {
	__m512h a = real(v[0]), b = real(v[2]), c = real(v[4]);
	float f;
	double d;
	memcpy(&f, v, 4);
	memcpy(&d, v, 8);
	switch (op) {
	case 0: return _mm512_add_ph(a, b);
	case 1: return _mm512_mul_ph(a, b);
	case 2: return _mm512_div_ph(a, b);
	case 3: return _mm512_sqrt_ph(a);
	case 4: return _mm512_fmadd_ph(a, b, c);
	case 5: return _mm512_fmadd_round_ph(a, b, c, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
	case 6: return _mm512_fmadd_round_ph(a, b, c, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
	case 7: return _mm512_fmul_pch(pair(v), pair(v + 2));
	case 8: return _mm512_fcmul_pch(pair(v), pair(v + 2));
	case 9: return _mm512_fmadd_pch(pair(v), pair(v + 2), pair(v + 4));
	case 10: return _mm512_fcmadd_pch(pair(v), pair(v + 2), pair(v + 4));
	case 11: return _mm512_castph256_ph512(_mm512_cvtxps_ph(_mm512_set1_ps(f)));
	case 12: return _mm512_castph128_ph512(_mm512_cvtpd_ph(_mm512_set1_pd(d)));
	}
	return a;
}
int main(void) {
	uint16_t v[8], out[32];
	while (fread(v, 2, 8, stdin) == 8) {
		unsigned before = _mm_getcsr();
		_mm_setcsr(v[1]);
		__m512h r = operate(v[0], v + 2);
		memcpy(out, &r, sizeof out);
		_mm_setcsr(before);
		fwrite(out, 2, 2, stdout);
	}
	return 0;
}
`

// The instructions of halfProgram.
const (
	halfAdd = iota
	halfMul
	halfDiv
	halfSqrt
	halfFMA
	halfFMAZero // rounds toward zero, whatever MXCSR says
	halfFMAUp   // rounds up
	halfFMulC
	halfFCMulC
	halfFMAddC
	halfFCMAddC
	halfFrom32
	halfFrom64
	halfOps
)

// The bits of MXCSR.
const (
	maskedCSR = 0x1f80 // no exception traps
	flushCSR  = 0x8040 // FTZ and DAZ
)

// csrModes are the rounding directions by their number in MXCSR.
var csrModes = []fp.Mode{fp.NearestEven, fp.Down, fp.Up, fp.TowardZero}

// halfOp is an operation of AVX512-FP16.
type halfOp struct {
	op, csr uint16
	v       [6]uint16
}

func (h *halfOp) mode() fp.Mode { return csrModes[h.csr>>13&3] }

func (h *halfOp) value(i int) float64 { return fp.Binary16.FromBits(uint64(h.v[i])) }

// results returns what the manual and IEEE 754 say that an operation gives:
// every instruction rounds once to binary16. The complex ones round twice: they
// add the products with the real part of b first, and the others to that sum.
func (h *halfOp) results() []float64 {
	const f = fp.Binary16
	m, a, b, c := h.mode(), h.value(0), h.value(2), h.value(4)
	ai, bi, ci := h.value(1), h.value(3), h.value(5)
	switch h.op {
	case halfAdd:
		return []float64{f.Add(a, b, m)}
	case halfMul:
		return []float64{f.Mul(a, b, m)}
	case halfDiv:
		return []float64{f.Round(a/b, m)}
	case halfSqrt:
		return []float64{f.Round(math.Sqrt(a), m)}
	case halfFMA:
		return []float64{f.FMA(a, b, c, m)}
	case halfFMAZero:
		return []float64{f.FMA(a, b, c, fp.TowardZero)}
	case halfFMAUp:
		return []float64{f.FMA(a, b, c, fp.Up)}
	case halfFMulC:
		return []float64{f.FMA(-ai, bi, f.Mul(a, b, m), m), f.FMA(a, bi, f.Mul(ai, b, m), m)}
	case halfFCMulC:
		return []float64{f.FMA(ai, bi, f.Mul(a, b, m), m), f.FMA(-a, bi, f.Mul(ai, b, m), m)}
	case halfFMAddC:
		return []float64{f.FMA(-ai, bi, f.FMA(a, b, c, m), m),
			f.FMA(a, bi, f.FMA(ai, b, ci, m), m)}
	case halfFCMAddC:
		return []float64{f.FMA(ai, bi, f.FMA(a, b, c, m), m),
			f.FMA(-a, bi, f.FMA(ai, b, ci, m), m)}
	case halfFrom32:
		w := math.Float32frombits(uint32(h.v[0]) | uint32(h.v[1])<<16)
		return []float64{f.Round(h.daz(float64(w), 0x1p-126), m)}
	}
	var d uint64
	for i := range 4 {
		d |= uint64(h.v[i]) << (16 * i)
	}
	return []float64{f.Round(h.daz(math.Float64frombits(d), 0x1p-1022), m)}
}

// daz returns a zero for a number of binary32 or binary64 that is below least,
// where DAZ is set: those formats' subnormals do obey it.
func (h *halfOp) daz(v, least float64) float64 {
	if h.csr&0x40 != 0 && math.Abs(v) < least {
		return math.Copysign(0, v)
	}
	return v
}

// drawHalf returns a random operation, on numbers of all sizes.
func drawHalf(rng *rand.Rand) halfOp {
	h := halfOp{op: uint16(rng.IntN(halfOps)), csr: maskedCSR | uint16(rng.IntN(4))<<13}
	if rng.IntN(2) == 0 {
		h.csr |= flushCSR
	}
	for i := range h.v {
		h.v[i] = uint16(fp.Binary16.Bits(value(rng, fp.Binary16)))
		if rng.IntN(4) == 0 { // infinities and NaN among them
			h.v[i] = uint16(rng.Uint32())
		}
	}
	if rng.IntN(4) == 0 { // a sum that cancels
		h.v[4] = uint16(fp.Binary16.Bits(fp.Binary16.Round(-h.value(0)*h.value(2), fp.NearestEven)))
	}
	if rng.IntN(16) == 0 { // an odd number and nearly half of its last place
		// 2^-11·(1+2^-7) times 1−2^-7, and 1+2^-10.
		h.v[0], h.v[2], h.v[4] = 0x1008, 0x3bf0, 0x3c01
	}
	var wide uint64
	switch x := h.value(0); {
	case h.op == halfFrom32: // next to a number of binary16, or to a tie
		wide = uint64(math.Float32bits(float32(x*(1+0x1p-11*float64(rng.IntN(3)))))) +
			uint64(rng.IntN(3)) - 1
	case h.op == halfFrom64:
		wide = math.Float64bits(x*(1+0x1p-11*float64(rng.IntN(3)))) + uint64(rng.IntN(3)) - 1
	default:
		return h
	}
	if rng.IntN(8) == 0 { // subnormal in the wider format
		wide = uint64(rng.IntN(1 << 20))
	}
	for i := range 4 {
		h.v[i] = uint16(wide >> (16 * i))
	}
	return h
}

// TestAVX512FP16 compares this processor's instructions of binary16 with
// package fp, in every rounding direction, with subnormals, infinities and NaN:
// each rounds once, and neither DAZ nor FTZ changes a number of binary16.
func TestAVX512FP16(t *testing.T) {
	require.Extension(t, "avx512_fp16")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.c"), filepath.Join(dir, "main")
	if err := os.WriteFile(source, []byte(halfProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), require.Program(t, "cc"), "-O1", "-mavx512f",
		"-mavx512vl", "-mavx512bw", "-mavx512fp16", "-frounding-math", "-o", program,
		source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rng := rand.New(rand.NewPCG(33, 16))
	all := make([]halfOp, 20*groups())
	var in bytes.Buffer
	for i := range all {
		all[i] = drawHalf(rng)
		if err := binary.Write(&in, binary.LittleEndian, all[i]); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin = &in
	results, err := cmd.Output()
	if err != nil || len(results) != 4*len(all) {
		t.Fatalf("%d bytes, %v", len(results), err)
	}
	for i := range all {
		for k, want := range all[i].results() {
			bits := binary.LittleEndian.Uint16(results[4*i+2*k:])
			got := fp.Binary16.FromBits(uint64(bits))
			if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
				t.Errorf("%d: %+x, part %d: %x, and the processor gives %x", i, all[i], k, want,
					got)
			}
		}
		if t.Failed() {
			return
		}
	}
}
