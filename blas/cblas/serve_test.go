package cblas

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// TestServe sends calls as a forked process does, and compares the answers with
// calls in this process.
func TestServe(t *testing.T) {
	r := maker[complex128]{rand.New(rand.NewPCG(9, 10)), 'z'}
	for routine := Gemv; routine < firstFactorization; routine++ {
		x, y := random[complex128](r.Rand, 6), random[complex128](r.Rand, 6)
		a := random[complex128](r.Rand, 36)
		c := Call{
			Routine: routine, Format: 'z', Layout: 'C', Side: 'L', Uplo: 'U', TransA: 'N',
			TransB: 'N', Diag: 'N', M: 6, N: 6, K: 1, LDA: 6, LDB: 6, LDC: 6, IncX: 1, IncY: 1,
			Alpha: [2]float64{2}, Beta: [2]float64{1},
		}
		if routine >= Gemm {
			x, y = random[complex128](r.Rand, 36), random[complex128](r.Rand, 36)
		}
		c.Arrays[slotA], c.Arrays[slotB], c.Arrays[slotC] = array(a), array(x), array(y)
		var request, answer bytes.Buffer
		request.Write(c.bytes())
		for i := range c.Arrays {
			if c.Arrays[i].Count > 0 {
				request.Write(c.Arrays[i].bytes())
			}
		}
		if err := Serve(&request, &answer, func(err error) { t.Error(err) }); err != nil {
			t.Fatal(err)
		}
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
		var want []byte
		for _, array := range c.Arrays[:slotC+1] {
			want = append(want, array.bytes()...)
		}
		if got := answer.Bytes()[unsafe.Sizeof(c):]; !slices.Equal(got, want) {
			t.Errorf("%v: other bits", routine)
		}
	}
}

// TestServeRefuses gets requests that no process sends.
func TestServeRefuses(t *testing.T) {
	c := Call{Routine: Copy, Format: 'd', Layout: 'C', N: 1}
	c.Arrays[slotX] = Array{Count: 1 << 50, Size: 8}
	if err := Serve(bytes.NewReader(c.bytes()), &bytes.Buffer{}, nil); err == nil {
		t.Error("an array of 2^50 elements was accepted")
	}
	if err := Serve(bytes.NewReader(c.bytes()[:20]), &bytes.Buffer{}, nil); err == nil {
		t.Error("half a call was accepted")
	}
}
