package exactbeam

import (
	"math"
	"testing"
)

// TestPairTravels sends pairs through the coder: bits stay, signs of zeros too.
func TestPairTravels(t *testing.T) {
	for _, p := range []Pair{{0.1, math.Copysign(0, -1)}, {math.Inf(-1), 5e-324}} {
		if got := travel(t, p); !same(got.X, p.X) || !same(got.Y, p.Y) {
			t.Errorf("%v has become %v", p, got)
		}
	}
	if got := travel(t, Pair{math.NaN(), 1}); !math.IsNaN(got.X) {
		t.Errorf("a NaN has become %v", got)
	}
}

// TestRefusals decodes bytes that no encoder writes.
func TestRefusals(t *testing.T) {
	one, two := new(squares), new(squares)
	fn := new(ExactVariance)
	one, two = fn.AddInput(one, 1), fn.AddInput(fn.AddInput(two, 1), 2)
	good, err := encodeSquares(one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decodeSquares(good); err != nil {
		t.Fatal(err)
	}
	mixed, err := encodeSquares(&squares{x: one.x, xx: two.xx})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{nil, {1}, good[:len(good)-1], append(good, 0), good[:10], mixed} {
		if _, err := decodeSquares(b); err == nil {
			t.Errorf("% x are taken for two sums", b)
		}
	}
	for _, b := range [][]byte{nil, good, []byte("lbxa\x02")} {
		if _, err := decodeSum(b); err == nil {
			t.Errorf("% x are taken for a sum", b)
		}
	}
	for _, b := range [][]byte{nil, make([]byte, 15), make([]byte, 17)} {
		if _, err := decodePair(b); err == nil {
			t.Errorf("% x are taken for a pair", b)
		}
	}
}
