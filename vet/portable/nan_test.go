package portable

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/lastbit/lastbit/internal/require"
)

// TestBits lists where the bits of computed numbers are taken, besides places.
func TestBits(t *testing.T) {
	require.Program(t, "go")
	dir := write(t, txtar.Parse([]byte(`
-- go.mod --
module example.com/m

go 1.26
-- a.go --
package m

import (
	"encoding/binary"
	"io"
	"math"
)

func Bits(x, y float64) uint64 { return math.Float64bits(x - y) }

func Single(x float32) uint32 { return math.Float32bits(x) }

func Write(w io.Writer, x []float64, n int64) {
	_ = binary.Write(w, binary.LittleEndian, x)
	_ = binary.Write(w, binary.LittleEndian, n)
}

func Tested(x float64) uint64 {
	if math.IsNaN(x) {
		return 0
	}
	return math.Float64bits(x)
}

func Known(n int) uint64 {
	return math.Float64bits(float64(n)) + math.Float64bits(math.NaN()) + math.Float64bits(2.5)
}

func Ignored(x float64) uint64 {
	return math.Float64bits(x) //lastbit:ignore nankey x is finite
}

func Sign(x, y float64) bool { return math.Signbit(x-y) || math.Signbit(x) }

func Turn(x, y float64) bool { return math.Signbit(x-y) != math.Signbit(y-x) }

func Magnitude(x, y float64) float64 { return math.Copysign(x*y, 1) + math.Copysign(1, (x*y)) }

func Bracket(f func(float64) float64, x float64) bool {
	y := f(x)
	z := y
	z, w := -z, math.Abs(y)
	return math.Signbit(z) || math.Signbit(w) || math.Signbit(x)
}

func Step(tol, x, y float64) float64 {
	d := 0.0
	d += x
	for i := range 3 {
		tol += math.Copysign(0.5, float64(i))
	}
	return math.Copysign(tol, d) + math.Copysign(tol, max(d, 1)) +
		math.Copysign(tol, math.Copysign(x*y, tol))
}

func Place(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
`)))
	r, err := Examine(t.Context(), Options{Dir: dir, Patterns: []string{"./..."},
		Only: []string{"nan"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range r.Bits {
		got = append(got, fmt.Sprintf("%s:%d:%d", filepath.Base(p.File), p.Line, p.Column))
	}
	if s := strings.Join(got, " "); s != "a.go:9:41 a.go:11:40" {
		t.Errorf("%s", s)
	}
	got = nil
	for _, p := range r.Places {
		got = append(got, fmt.Sprintf("%d:%d:%v", p.At.Line, p.At.Column, p.Rewritable))
	}
	const want = "14:43:false 33:39:true 33:60:true 35:39:true 35:60:true 37:71:true " +
		"43:9:true 43:28:true 43:47:true 52:9:true 52:33:true 53:22:true 56:40:false 56:63:false"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("places %s, want %s", s, want)
	}
}
