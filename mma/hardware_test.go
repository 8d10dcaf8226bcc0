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

// vdpbf16ps reads groups of two bfloat16 and two more, in the upper halves of
// words, and a float32, and writes what the instruction makes of each.
const vdpbf16ps = `
#include <immintrin.h>
#include <stdio.h>
#include <stdint.h>
int main(void) {
	uint32_t w[3];
	while (fread(w, 4, 3, stdin) == 3) {
		__m512bh x = (__m512bh)_mm512_set1_epi32((int)w[0]);
		__m512bh y = (__m512bh)_mm512_set1_epi32((int)w[1]);
		__m512 c = (__m512)_mm512_set1_epi32((int)w[2]);
		float out[16];
		_mm512_storeu_ps(out, _mm512_dpbf16_ps(c, x, y));
		fwrite(out, 4, 1, stdout);
	}
	return 0;
}
`

// TestVDPBF16PS compares the row of AVX512-BF16 with this processor's
// instruction, on random pairs with subnormals, cancellation and overflow.
func TestVDPBF16PS(t *testing.T) {
	require.Extension(t, "avx512_bf16")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.c"), filepath.Join(dir, "main")
	if err := os.WriteFile(source, []byte(vdpbf16ps), 0o600); err != nil {
		t.Fatal(err)
	}
	cc := require.Program(t, "cc")
	out, err := exec.CommandContext(t.Context(), cc, "-O1", "-mavx512f", "-mavx512bf16", "-o",
		program, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	u, ok := Find("avx512bf16", fp.BFloat16)
	if !ok {
		t.Fatal("there is no row of AVX512-BF16")
	}
	rng := rand.New(rand.NewPCG(33, 4))
	var all []operands
	var in bytes.Buffer
	for range 300_000 {
		o := draw(rng, u)
		if rng.IntN(8) == 0 { // a sum near the least normal number
			o.y[0] = math.Copysign(1, o.y[0])
			o.x[0] = fp.BFloat16.Round(math.Ldexp(1+rng.Float64(), -127), fp.NearestEven)
		}
		all = append(all, o)
		words := []uint32{pair(o.x), pair(o.y), math.Float32bits(float32(o.c))}
		if err := binary.Write(&in, binary.LittleEndian, words); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin = &in
	results, err := cmd.Output()
	if err != nil || len(results) != 4*len(all) {
		t.Fatalf("%d bytes, %v", len(results), err)
	}
	equal(t, u, "VDPBF16PS", all, results)
}

// equal compares results of a row with words of the results of an instruction.
func equal(t *testing.T, u Unit, instruction string, all []operands, words []byte) {
	t.Helper()
	for i, o := range all {
		got := u.sumOf(o)
		want := float64(math.Float32frombits(binary.LittleEndian.Uint32(words[4*i:])))
		if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Fatalf("%s, %d: x = %x, y = %x, c = %x: %x, want %x", instruction, i, o.x, o.y, o.c,
				got, want)
		}
	}
}

// pair returns the word of up to two bfloat16, the first in its lower half.
func pair(v []float64) uint32 {
	var w uint32
	for i, x := range v {
		w |= uint32(fp.BFloat16.Bits(x)) << (16 * i)
	}
	return w
}

func (u *Unit) sumOf(o operands) float64 {
	var d [1]float64
	u.Multiply(d[:], o.x, o.y, []float64{o.c}, 1, 1, len(o.x))
	return d[0]
}
