package record

import "reflect"

// maxTries bounds the calls of constructors for a value.
const maxTries = 64

// makers holds the constructors of types: they return a value, or a pointer to
// it, and perhaps an error.
type makers struct {
	all   map[reflect.Type][]reflect.Value // by the type of the value
	types []reflect.Type                   // in the order of the constructors
}

func newMakers() *makers { return &makers{all: map[reflect.Type][]reflect.Value{}} }

// Make adds a constructor, if its arguments can be made from numbers. Half of
// the generated calls take its values, and all calls of functions with a
// parameter of an interface type that its values implement.
func (g *Generated) Make(constructor any) {
	v := reflect.ValueOf(constructor)
	for i := range v.Type().NumIn() {
		if !(*makers)(nil).canMake(v.Type().In(i), maxNested) {
			return
		}
	}
	t := pointed(v.Type().Out(0))
	if g.makers.all[t] == nil {
		g.makers.types = append(g.makers.types, t)
	}
	g.makers.all[t] = append(g.makers.all[t], v)
}

// pointed returns the type that a pointer of a type leads to, or the type.
func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// implementing returns the types with a constructor whose results implement an
// interface.
func (m *makers) implementing(t reflect.Type) (all []reflect.Type) {
	if m == nil || t.NumMethod() == 0 {
		return nil
	}
	for _, made := range m.types {
		if m.all[made][0].Type().Out(0).Implements(t) {
			all = append(all, made)
		}
	}
	return all
}

// serves reports whether constructors make values of a type, and whether
// nothing else does.
func (m *makers) serves(t reflect.Type) (some, only bool) {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return m.serves(t.Elem())
	case reflect.Interface:
		some = len(m.implementing(t)) > 0
		return some, some
	}
	return len(m.all[pointed(t)]) > 0, false
}

// source returns the source for a call of a function.
func (g *Generated) source(id, number uint64, f reflect.Type) *source {
	s := newSource(id, number, g.module)
	s.makers = g.makers
	some, only := false, false
	for i := range f.NumIn() {
		x, y := g.makers.serves(f.In(i))
		some, only = some || x, only || y
	}
	if s.built = only || some && number/uint64(styles)%2 == 1; s.built {
		s.rows, s.columns = 1+s.below(3), 1+s.below(3)
		if s.below(2) == 0 {
			s.columns = s.rows
		}
	}
	return s
}

// build makes a value by a constructor of its type. It reports false where none
// does.
func (s *source) build(v reflect.Value) bool {
	t := v.Type()
	switch t.Kind() {
	case reflect.Interface:
		types := s.makers.implementing(t)
		if len(types) == 0 {
			return false
		}
		t = types[s.below(len(types))]
		t = s.makers.all[t][0].Type().Out(0)
	case reflect.Pointer, reflect.Struct:
	default:
		return false
	}
	constructors := s.makers.all[pointed(t)]
	if len(constructors) == 0 {
		return false
	}
	if v.Kind() == reflect.Pointer && s.below(4) == 0 {
		v.Set(reflect.New(t.Elem())) // many types have a zero value that is of use
		return true
	}
	for range maxTries {
		made := s.construct(constructors[s.below(len(constructors))])
		switch {
		case !made.IsValid():
			continue
		case made.Kind() == reflect.Pointer && t.Kind() != reflect.Pointer:
			made = made.Elem()
		case made.Kind() != reflect.Pointer && t.Kind() == reflect.Pointer:
			p := reflect.New(made.Type())
			p.Elem().Set(made)
			made = p
		}
		v.Set(made)
		return true
	}
	return false
}

// construct calls a constructor. The result is not valid if the call returns an
// error or nil, or panics.
func (s *source) construct(f reflect.Value) (made reflect.Value) {
	defer func() {
		if recover() != nil {
			made = reflect.Value{}
		}
	}()
	s.built, s.shaping = false, true
	args := s.arguments(f.Type())
	s.built, s.shaping = true, false
	var results []reflect.Value
	if f.Type().IsVariadic() {
		results = f.CallSlice(args)
	} else {
		results = f.Call(args)
	}
	if last := results[len(results)-1]; last.Type() == reflect.TypeFor[error]() && !last.IsNil() {
		return made
	}
	if made = results[0]; made.Kind() == reflect.Pointer && made.IsNil() {
		return reflect.Value{}
	}
	return made
}

// extent returns an integer for a constructor: mostly one of the two sizes of
// the call.
func (s *source) extent() int {
	return []int{s.rows, s.columns, s.rows, s.columns, 0, 1}[s.below(6)]
}

// elements returns the length of a slice for a constructor: one of the sizes of
// the call, or a product of these.
func (s *source) elements() int {
	return []int{s.rows, s.columns, s.rows * s.columns, s.rows * s.columns, s.rows * s.rows,
		s.columns * s.columns, 0}[s.below(7)]
}
