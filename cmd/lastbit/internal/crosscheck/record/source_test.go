package record

import (
	"image"
	"math"
	"reflect"
	"testing"
)

type line struct {
	slope, Shift float32
	next         *line
	name         func() string
}

// TestCanMake names types of arguments.
func TestCanMake(t *testing.T) {
	if m := newMakers(nil); !m.canMake(reflect.TypeFor[image.Image](), maxNested) ||
		m.canMake(reflect.TypeFor[error](), maxNested) {
		t.Error("an image cannot be made, or an error can")
	}
	for _, tt := range []struct {
		value any
		want  bool
	}{
		{1.0, true}, {float32(1), true}, {1i, true}, {int8(1), true}, {true, true},
		{[]float64{}, true}, {[3][]int{}, true}, {line{}, true}, {&line{}, true},
		{"", false}, {[]string{}, false}, {map[int]int{}, false}, {func() {}, false},
		{[][][][][][]float64{}, false}, {make(chan int), false},
	} {
		if got := newMakers(nil).canMake(reflect.TypeOf(tt.value), maxNested); got != tt.want {
			t.Errorf("%T: %v, want %v", tt.value, got, tt.want)
		}
	}
}

// TestSource holds that arguments depend on the function and the call only, and
// that numbers of every kind are among them.
func TestSource(t *testing.T) {
	hash := func(id, call uint64) uint64 {
		var h hasher
		s := newSource(id, call, "github.com/lastbit/lastbit")
		for _, a := range s.arguments(reflect.TypeFor[func(*line, []float64, int, complex64)]()) {
			h.arguments([]any{a.Interface()})
		}
		return h.sum
	}
	if hash(1, 2) != hash(1, 2) || hash(1, 2) == hash(1, 3) || hash(1, 2) == hash(2, 2) {
		t.Error("the arguments do not depend on the function and the call alone")
	}
	// A golden value: the arguments are the same everywhere.
	if got, want := hash(7, 11), uint64(0xa0791a232a3a1959); got != want {
		t.Errorf("hash %#x, want %#x", got, want)
	}
	kinds := map[string]int{}
	for call := range uint64(1000) {
		switch x := newSource(1, call, "").float(); {
		case x != x:
			kinds["NaN"]++
		case math.IsInf(x, 0):
			kinds["infinite"]++
		case x == 0:
			kinds["zero"]++
		case math.Abs(x) < 0x1p-1022:
			kinds["subnormal"]++
		case math.Abs(x) > 1e100:
			kinds["large"]++
		case math.Abs(x) <= 1:
			kinds["unit"]++
		case x == math.Trunc(x):
			kinds["whole"]++
		default:
			kinds["others"]++
		}
	}
	if len(kinds) != 8 {
		t.Errorf("only these kinds of numbers: %v", kinds)
	}
}

// TestFields sets fields that are not exported in types of the module only.
func TestFields(t *testing.T) {
	for _, tt := range []struct {
		module string
		own    bool
	}{{"github.com/lastbit/lastbit", true}, {"github.com/lastbit/last", false}} {
		set := false
		for call := range uint64(20) {
			var l line
			newSource(1, call, tt.module).set(reflect.ValueOf(&l).Elem(), maxNested)
			set = set || l.slope != 0 && l.next != nil
			if l.name != nil {
				t.Error("a function was made")
			}
		}
		if set != tt.own {
			t.Errorf("module %s: own fields set is %v", tt.module, set)
		}
	}
}
