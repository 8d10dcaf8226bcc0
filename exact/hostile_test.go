package exact

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

func TestHostileStates(t *testing.T) {
	var m Moments
	m.AddSlice([]float64{1, 0x1p100, math.NaN()})
	var c Pairs
	c.AddSlice([]float64{1, 0x1p-1074, math.NaN()}, []float64{-1, 3, math.Inf(1)})
	var e Extrema
	e.AddSlice([]float64{1, 2, math.NaN()})
	holdHostile(t, &m, map[string]string{
		"lbxa\x01": "kind",
		"lbxm\x02": "version",
		// Σx = 2^-2148
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x01\x00\x01\x01\x00\x00\x00" +
			"\x00\x00\x00": "out of range",
		// Σx³ with a digit too many
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00" + "\x01\xc8\x01\x01\x01\x00\x00\x00" +
			"\x00": "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00" +
			"\x01\xc7\x01\x02\x01\x00\x00\x00\x01\x00\x00\x00" + "\x00": "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00" + "\x01\xc7\x01\x01\x00\x00\x00\x40" +
			"\x00": "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" +
			"\x03\x00\x01\x01\x00\x00\x00": "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" +
			"\x01\x00\x01\x00\x00\x00\x00": "shortest",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" +
			"\x01\x00\x02\x00\x00\x00\x00\x01\x00\x00\x00": "shortest",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" +
			"\x01\x00\x00": "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" +
			"\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01": "out of range",
		"lbxm\x01" + "\x82\x00\x00\x00\x00\x00" +
			"\x00\x00\x00\x00": "shortest",
	})
	holdHostile(t, &c, map[string]string{
		"lbxm\x01": "kind",
		// Σy = 2^-2148
		"lbxc\x01" + "\x02\x00\x00\x00\x00\x00\x00\x00\x00" + "\x00" +
			"\x01\x00\x01\x01\x00\x00\x00" + "\x00\x00\x00": "out of range",
	})
	ends := func(a, b uint64) string {
		return string(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a), b))
	}
	const one, two, inf = 0x3ff << 52, 0x400 << 52, 0x7ff << 52
	holdHostile(t, &e, map[string]string{
		"lbxc\x01":                                             "kind",
		"lbxe\x01\x04\x00" + ends(two, one):                    "ends",
		"lbxe\x01\x04\x00" + ends(0, 1<<63):                    "ends",
		"lbxe\x01\x04\x00" + ends(one, inf+1):                  "ends",
		"lbxe\x01\x04\x00" + ends(1<<63|inf|1, one):            "ends",
		"lbxe\x01\x02\x00" + ends(one, two):                    "ends",
		"lbxe\x01\x00\x00" + ends(one, two):                    "follows",
		"lbxe\x01\x04\x01" + ends(one, two):                    "count",
		"lbxe\x01\x03\x00":                                     "count",
		"lbxe\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02": "count",
	})
	for _, v := range [][]int64{nil, make([]int64, Limbs), make([]int64, PairsLimbs)} {
		if m.AddLimbs(v) == nil {
			t.Errorf("a vector of %d is taken", len(v))
		}
	}
	holdDigits[Moments](t, MomentsLimbs, 5)
	holdDigits[Pairs](t, PairsLimbs, pairsCounts)
}

// holdHostile refuses the beginnings of a state, its bytes with one more, and
// others.
func holdHostile[S any, P mergeable[S]](t *testing.T, s P, bad map[string]string) {
	t.Helper()
	good, _ := s.MarshalBinary()
	digest := s.Digest()
	bad[string(good)+"\x00"] = "follows"
	for n := range good {
		bad[string(good[:n])] = ""
	}
	for b, want := range bad {
		err := s.UnmarshalBinary([]byte(b))
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "exact: ") {
			t.Errorf("%T, % x: %v, want something with %q", s, b, err, want)
		}
	}
	if s.Digest() != digest {
		t.Errorf("an error changed the %T", s)
	}
}

// holdDigits refuses vectors with one element that no sum has.
func holdDigits[S any, P group[S]](t *testing.T, n, counts int) {
	t.Helper()
	s := P(new(S))
	for i := counts; i < n; i++ {
		for _, d := range []int64{math.MinInt64, math.MaxInt64} {
			v := make([]int64, n)
			v[i] = d
			if s.AddLimbs(v) == nil {
				t.Errorf("%T: element %d may be %d", s, i, d)
			}
		}
	}
	v := make([]int64, n)
	v[counts] = 1 // Σx is not a multiple of 2^-1074
	if s.AddLimbs(v) == nil {
		t.Errorf("%T: Σx may be 2^-2148", s)
	}
	if s.Digest() != P(new(S)).Digest() {
		t.Errorf("an error changed the %T", s)
	}
}
