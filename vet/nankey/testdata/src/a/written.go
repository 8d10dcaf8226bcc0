package a

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"math"
	"unsafe"
)

type header struct {
	n     int32
	scale float64
}

type list struct{ next *list }

func write(w *bytes.Buffer, x float64, xs []float32, h header, n []int32, l *list) uint64 {
	_ = binary.Write(w, binary.LittleEndian, x/x) // want `the bits of x / x .* arithmetic`
	nan := x - x
	_ = binary.Write(w, binary.LittleEndian, nan)                 // want `the bits of nan depend`
	_ = binary.Write(w, binary.LittleEndian, []float64{1, x / x}) // want `the bits of x / x`
	_ = binary.Write(w, binary.LittleEndian, header{1, 0 * x})    // want `the bits of 0 \* x`
	_ = binary.Write(w, binary.LittleEndian, x)                   // want `bits of x depend`
	_ = binary.Write(w, binary.LittleEndian, xs)                  // want `the bits of xs depend`
	_ = binary.Write(w, binary.LittleEndian, &h)                  // want `the bits of &h depend`
	_, _ = binary.Append(nil, binary.LittleEndian, xs)            // want `the bits of xs`
	_ = gob.NewEncoder(w).Encode(h)                               // want `the bits of h`
	_ = binary.Write(w, binary.LittleEndian, n)
	_ = binary.Write(w, binary.LittleEndian, l)
	_ = binary.Write(w, binary.LittleEndian, h.n)
	_ = binary.Write(w, binary.LittleEndian, 1.5)
	_ = binary.Write(w, binary.LittleEndian, float64(h.n))
	_ = binary.Write(w, binary.LittleEndian, []float64{1, math.Inf(1), float64(h.n)})
	_ = binary.Write(w, binary.LittleEndian, math.NaN())
	_ = binary.Read(w, binary.LittleEndian, &x)
	if x > 0 {
		_ = binary.Write(w, binary.LittleEndian, x)
	}
	seen := map[uint64]bool{}
	if seen[*(*uint64)(unsafe.Pointer(&x))] { // want `the bits of x depend`
		return *(*uint64)(unsafe.Pointer(&nan)) // want `the bits of nan depend`
	}
	return *(*uint64)(unsafe.Pointer(&x)) >> 63
}

func testedWrite(w *bytes.Buffer, x float64) {
	if math.IsNaN(x) {
		return
	}
	_ = binary.Write(w, binary.LittleEndian, x)
	_ = binary.Write(w, binary.LittleEndian, x/x) // want `the bits of x / x`
}
