package record

import (
	"image"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"unsafe"
)

// maxNested bounds the values inside of each other that are made.
const maxNested = 5

// canMake reports whether arguments of a type are made from numbers, or by
// constructors.
func (m *makers) canMake(t reflect.Type, nested int) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return nested > 0 && m.canMake(t.Elem(), nested-1)
	case reflect.Interface:
		return t == imageType || len(m.implementing(t)) > 0
	case reflect.Struct:
		return true // fields that cannot be made stay zero
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	}
	return false
}

// imageType is the only interface of another module that a value is made for.
var imageType = reflect.TypeFor[image.Image]()

// A source makes the arguments of a call from integers of a fixed sequence. Its
// operations with floating-point numbers are exact, or divisions, which round
// alike everywhere.
type source struct {
	state  uint64
	style  style
	length int // of slices
	module string

	makers        *makers
	built         bool // constructors make what they can
	shaping       bool // the arguments of a constructor are made
	rows, columns int  // sizes for these
}

// A style is the kind of numbers of a call.
type style int

const (
	unit     style = iota // from -1 to 1
	moderate              // from -1000 to 1000
	whole                 // small integers
	every                 // of every exponent
	mixed                 // all of these
	special               // and NaN, infinities, -0 and subnormal numbers
	styles
)

// newSource returns the source for a call of a function.
func newSource(id, call uint64, module string) *source {
	s := &source{state: id ^ call*0x9e3779b97f4a7c15, module: module}
	s.style = style(call % uint64(styles))
	s.length = s.below(9)
	return s
}

// next returns 64 bits: SplitMix64.
func (s *source) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	x := s.state
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns an integer from 0 to n-1.
func (s *source) below(n int) int {
	high, _ := bits.Mul64(s.next(), uint64(n))
	return int(high)
}

// arguments returns the arguments of a function.
func (s *source) arguments(t reflect.Type) []reflect.Value {
	var all []reflect.Value
	for i := range t.NumIn() {
		v := reflect.New(t.In(i)).Elem()
		s.set(v, maxNested)
		all = append(all, v)
	}
	return all
}

var specials = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0,
	math.SmallestNonzeroFloat64, -0x1p-1040, math.MaxFloat64, 0x1p-1022}

// float returns a number.
func (s *source) float() float64 {
	kind := s.style
	switch {
	case kind == special && s.below(4) == 0:
		return specials[s.below(len(specials))]
	case kind >= mixed:
		kind = style(s.below(int(mixed)))
	}
	signed := int64(s.next()) >> 11 // of 53 bits and a sign
	switch kind {
	case unit:
		return float64(signed) / (1 << 52)
	case moderate:
		return float64(signed>>20) / (1 << 32) * 1000
	case whole:
		return float64(s.below(41) - 20)
	}
	x := math.Float64frombits(s.next())
	if x-x != 0 { // NaN or infinite
		return float64(signed)
	}
	return x
}

// integer returns a small one, from low to 20, and seldom another.
func (s *source) integer(low int) int {
	switch {
	case s.shaping:
		return s.extent()
	case s.built && s.below(4) > 0:
		return s.below(4)
	}
	if s.below(16) == 0 {
		return s.below(1000)
	}
	return s.below(21-low) + low
}

// set makes a value.
func (s *source) set(v reflect.Value, nested int) {
	if s.built && s.build(v) {
		return
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		v.SetFloat(s.float())
	case reflect.Complex64, reflect.Complex128:
		re := s.float()
		v.SetComplex(complex(re, s.float()))
	case reflect.Bool:
		v.SetBool(s.below(2) == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(s.integer(-3)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(s.integer(0)))
	case reflect.Array:
		for i := range v.Len() {
			s.set(v.Index(i), nested)
		}
	case reflect.Interface:
		if v.Type() == imageType {
			v.Set(reflect.ValueOf(s.image()))
		}
	case reflect.Slice, reflect.Pointer, reflect.Struct:
		if nested > 0 && s.makers.canMake(v.Type(), nested) {
			s.compose(v, nested-1)
		}
	}
}

// image returns a small image.
func (s *source) image() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 1+s.below(8), 1+s.below(8)))
	for i := range m.Pix {
		m.Pix[i] = byte(s.next())
	}
	return m
}

// compose makes a value of others.
func (s *source) compose(v reflect.Value, nested int) {
	switch v.Kind() {
	case reflect.Slice:
		n := s.length
		switch {
		case s.shaping || s.built:
			n = s.elements()
		case s.below(8) == 0:
			n = s.below(9)
		}
		if n == 0 && s.shaping {
			return // nil, for a constructor that makes the elements
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			s.set(v.Index(i), nested)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		s.set(v.Elem(), nested)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := s.field(v, i); f.CanSet() {
				s.set(f, nested)
			}
		}
	}
}

// field returns a field of a struct. In types of the module, fields that are
// not exported can be set, too.
func (s *source) field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	path := v.Type().PkgPath()
	own := path == "" || path == s.module || strings.HasPrefix(path, s.module+"/")
	if f.CanSet() || !own || !f.CanAddr() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
