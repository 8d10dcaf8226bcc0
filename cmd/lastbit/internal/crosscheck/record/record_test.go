package record

import (
	"math"
	"strings"
	"testing"
)

// arguments returns the hash of arguments, and results the hash of results.
func arguments(values ...any) uint64 {
	var h hasher
	h.arguments(values)
	return h.sum
}

func results(values ...any) uint64 {
	var h hasher
	h.results(values)
	return h.sum
}

type point struct {
	x, y float32
	next *point
	f    func()
}

// A fault is an error with a value that does not count.
type fault struct{ x float64 }

func (*fault) Error() string { return "" }

// TestHashes compares hashes of values that are the same, and of values that
// are not.
func TestHashes(t *testing.T) {
	otherNaN := math.Float64frombits(0xfff8_0000_0000_0001)
	ones, twos := make([]float64, 5000), make([]float64, 5000)
	twos[4999] = math.Copysign(0, -1)
	for _, tt := range []struct {
		a, b any
		same bool
	}{
		{math.NaN(), otherNaN, true},
		{float32(math.NaN()), math.Float32frombits(0xffc00001), true},
		{0.0, math.Copysign(0, -1), false},
		{1.0, math.Nextafter(1, 2), false},
		{complex(1, 2), complex(2, 1), false},
		{complex(otherNaN, 0), complex(math.NaN(), 0), true},
		{[]float64{1, 2}, []float64{2, 1}, false},
		{[]float64{1}, []float64{1, 0}, false},
		{ones, twos, false},
		{point{x: 1}, point{y: 1}, false},
		{point{f: func() {}}, point{f: func() {}}, true},
		{&point{next: &point{x: 1}}, &point{next: &point{x: 2}}, false},
		{&point{next: &point{x: 1}}, &point{next: &point{x: 1}}, true},
		{map[string]float64{"a": 1, "b": 2}, map[string]float64{"b": 2, "a": 1}, true},
		{map[string]float64{"a": 1, "b": 2}, map[string]float64{"a": 2, "b": 1}, false},
		{[]any{1}, []any{int8(1)}, false},
		{"ab", "ba", false},
		{&fault{1}, &fault{2}, true},
		{[]any{&fault{1}}, []any{&fault{2}}, true},
		{nil, 0.0, false},
	} {
		if same := results(tt.a) == results(tt.b); same != tt.same {
			t.Errorf("%.80v and %.80v: the same is %v, want %v", tt.a, tt.b, same, tt.same)
		}
	}
}

// TestSample takes a long argument in part, and a long result as a whole.
func TestSample(t *testing.T) {
	a, b := make([]float64, 5000), make([]float64, 5000)
	b[1] = 1
	if arguments(a) != arguments(b) || results(a) == results(b) {
		t.Error("an argument is taken whole, or a result in part")
	}
	b[0] = 1
	if arguments(a) == arguments(b) {
		t.Error("the first element of an argument is left out")
	}
	var h hasher
	h.changed([]any{b, &point{}})
	long := h.words
	h = hasher{}
	h.changed([]any{&b, &point{}})
	if long < 5000 || h.words > 600 {
		t.Errorf("%d words of a slice, %d words behind a pointer", long, h.words)
	}
}

// TestCycle ends for values that lead to themselves.
func TestCycle(t *testing.T) {
	p := &point{x: 1}
	p.next = p
	if results(p) != results(p) || results(p) == results(&point{x: 1}) {
		t.Error("a cycle has two hashes, or the hash of its first element")
	}
}

// TestDescribe writes values for people.
func TestDescribe(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  string
	}{
		{0.1, `"0.1" "0x3fb999999999999a"`},
		{float32(0.1), `"0.1" "0x3dcccccd"`},
		{-7, `"-7" ""`},
		{point{x: 1}, `"{x:1 y:0 next:nil f:func()}" "0x3f800000 0x00000000"`},
		{[]float32{1, 2}, `"[1 2]" "0x3f800000 0x40000000"`},
		{make([]int, 20), `"[` + strings.Repeat("0 ", 16) + `… 20 in all]" ""`},
		{1 + 2i, `"1 + 2i" "0x3ff0000000000000 0x4000000000000000"`},
		{"a\n", `"\"a\\n\"" ""`},
		{nil, `"nil" ""`},
	} {
		if got := describe("result", []any{tt.value}); got != "result "+tt.want+"\n" {
			t.Errorf("%v: %s, want %s", tt.value, got, tt.want)
		}
	}
}
