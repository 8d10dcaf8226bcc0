package record

import (
	"math"
	"reflect"
)

// Bounds of what a hash takes.
const (
	maxPointers = 3       // that are followed after each other
	maxSample   = 256     // elements of a list that is an argument
	maxShort    = 1 << 10 // words of an argument
	maxFar      = 1 << 16 // words of a result behind a pointer
	maxLong     = 1 << 24 // words of a result
)

// hasher makes the hash of some values.
type hasher struct {
	sum    uint64
	words  int  // taken
	left   int  // words that are still taken
	sample bool // take some elements of a long list only
}

// arguments adds the arguments of a call.
func (h *hasher) arguments(values []any) {
	for _, v := range values {
		h.sample, h.left = true, maxShort
		h.typed(v)
	}
}

// results adds the results of a call.
func (h *hasher) results(values []any) {
	for _, v := range values {
		h.sample, h.left = false, maxLong
		h.typed(v)
	}
}

// typed adds a value and its kind. Of an error it is the type: the value may
// lead to tables of the runtime, which differ by platform.
func (h *hasher) typed(v any) {
	r := reflect.ValueOf(v)
	h.word(uint64(r.Kind()))
	if _, isError := v.(error); isError {
		h.text(r.Type().String())
		return
	}
	h.value(r, maxPointers)
}

// changed adds arguments that the call may have changed: slices as results.
func (h *hasher) changed(values []any) {
	for _, v := range values {
		if reflect.TypeOf(v).Kind() == reflect.Slice {
			h.results([]any{v})
		} else {
			h.arguments([]any{v})
		}
	}
}

// word adds a word by a bijection of the sum.
func (h *hasher) word(w uint64) {
	h.left--
	h.words++
	x := (h.sum ^ w) * 0x9e3779b97f4a7c15
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	h.sum = x ^ x>>29
}

// bits64 returns the bits of a number, and one NaN for all.
func bits64(x float64) uint64 {
	if x != x {
		return 0x7ff8000000000001
	}
	return math.Float64bits(x)
}

// bits32 does the same for float32.
func bits32(x float32) uint32 {
	if x != x {
		return 0x7fc00001
	}
	return math.Float32bits(x)
}

// value adds a value, and what up to some pointers after each other lead to.
func (h *hasher) value(v reflect.Value, pointers int) {
	if h.left <= 0 {
		return
	}
	switch v.Kind() {
	case reflect.Float64:
		h.word(bits64(v.Float()))
	case reflect.Float32:
		h.word(uint64(bits32(float32(v.Float()))))
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		h.word(bits64(real(c)))
		h.word(bits64(imag(c)))
	case reflect.Bool:
		h.flag(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.word(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		h.word(v.Uint())
	case reflect.String:
		h.text(v.String())
	case reflect.Slice, reflect.Array:
		h.list(v, pointers)
	case reflect.Struct:
		for i := range v.NumField() {
			h.value(v.Field(i), pointers)
		}
	case reflect.Pointer, reflect.Interface:
		h.target(v, pointers)
	case reflect.Map:
		h.entries(v, pointers)
	default: // functions, channels, addresses
		h.flag(v.IsValid())
	}
}

func (h *hasher) flag(b bool) {
	if b {
		h.word(1)
	} else {
		h.word(0)
	}
}

func (h *hasher) text(s string) {
	h.word(uint64(len(s)))
	for i := 0; i < len(s) && h.left > 0; i++ {
		h.word(uint64(s[i]))
	}
}

// list adds the length of a list and its elements. Numbers in a list of an
// exact type are read without reflection.
func (h *hasher) list(v reflect.Value, pointers int) {
	n := v.Len()
	h.word(uint64(n))
	if v.Kind() == reflect.Slice && v.IsNil() {
		return
	}
	step := 1
	if h.sample && n > maxSample {
		step = n / maxSample
	}
	if v.CanInterface() {
		switch all := v.Interface().(type) {
		case []float64:
			for i := 0; i < n && h.left > 0; i += step {
				h.word(bits64(all[i]))
			}
			return
		case []byte:
			for i := 0; i < n && h.left > 0; i += step {
				h.word(uint64(all[i]))
			}
			return
		}
	}
	for i := 0; i < n && h.left > 0; i += step {
		h.value(v.Index(i), pointers)
	}
}

// target adds what a pointer or an interface leads to. Of an error it is the
// type: the text may have an address.
func (h *hasher) target(v reflect.Value, pointers int) {
	h.flag(!v.IsNil())
	if v.IsNil() || pointers == 0 {
		return
	}
	if v.Kind() == reflect.Interface {
		h.text(v.Elem().Type().String())
		if v.Elem().Type().Implements(reflect.TypeFor[error]()) {
			return
		}
	}
	left := h.left
	if v.Kind() == reflect.Pointer {
		h.left = min(left, maxFar)
	}
	before := h.left
	h.value(v.Elem(), pointers-1)
	h.left += left - before
}

// entries adds the size of a map, and of one that is a result the entries, in
// any order. Another goroutine may write to the map of an argument.
func (h *hasher) entries(v reflect.Value, pointers int) {
	h.word(uint64(v.Len()))
	if h.sample || pointers < maxPointers || v.Len() > h.left {
		return
	}
	sum := uint64(0)
	for it := v.MapRange(); it.Next(); {
		e := hasher{left: h.left}
		e.value(it.Key(), 0)
		e.value(it.Value(), 0)
		sum += e.sum
	}
	h.word(sum)
}
