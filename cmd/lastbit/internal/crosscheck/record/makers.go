package record

import (
	"fmt"
	"os"
	"reflect"
	"slices"
)

// Bounds of the calls of constructors for a value: of an argument of a call,
// and of an argument of a constructor.
const (
	maxTries      = 64
	maxInnerTries = 8
)

// A maker is a constructor with its number.
type maker struct {
	id uint64
	f  reflect.Value
}

// makers holds the constructors of types: they return a value, or a pointer to
// it, and perhaps an error.
type makers struct {
	all   map[reflect.Type][]maker // by the type of the value
	types []reflect.Type           // in the order of the constructors
	watch *watch
	tried bool
}

func newMakers(w *watch) *makers { return &makers{all: map[reflect.Type][]maker{}, watch: w} }

// Make adds a constructor with a number, if its arguments can be made from
// numbers. Half of the generated calls take its values, and all calls of
// functions with a parameter of an interface type that its values implement.
func (g *Generated) Make(id uint64, constructor any) {
	if slices.Contains(g.skip, fmt.Sprintf("%x", id)) {
		return
	}
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
	g.makers.all[t] = append(g.makers.all[t], maker{id, v})
}

// maxTrials bounds the trial calls of a constructor.
const maxTrials = 100

// try calls each constructor before any function, alone and then with arguments
// of constructors, so that one that ends the program is known.
func (g *Generated) try() {
	if g.makers.tried || running.alone {
		return
	}
	g.makers.tried = true
	for _, nested := range []bool{false, true} {
		for _, t := range g.makers.types {
			for _, m := range g.makers.all[t] {
				fmt.Fprintf(os.Stderr, "%s%x\n", Trying, m.id)
				g.watch.begin(m.id)
				for i := range uint64(maxTrials) {
					s := newSource(m.id, i, g.module)
					s.makers, s.built, s.shaping = g.makers, nested, !nested
					s.resize()
					s.construct(m)
				}
				g.watch.end()
			}
		}
	}
	fmt.Fprintln(os.Stderr, Trying+"0")
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
		if m.all[made][0].f.Type().Out(0).Implements(t) {
			all = append(all, made)
		}
	}
	return all
}

// serves reports whether constructors make values of a type, and whether
// nothing else does.
func (m *makers) serves(t reflect.Type) (some, only bool) {
	if len(m.all[pointed(t)]) > 0 {
		return true, false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return m.serves(t.Elem())
	case reflect.Interface:
		some = len(m.implementing(t)) > 0
		return some, some
	}
	return false, false
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
		s.resize()
	}
	return s
}

// resize chooses the two sizes of a call.
func (s *source) resize() {
	s.rows, s.columns = 1+s.below(3), 1+s.below(3)
	if s.below(2) == 0 {
		s.columns = s.rows
	}
}

// build makes a value by a constructor of its type. It reports false where none
// does.
func (s *source) build(v reflect.Value) bool {
	t := v.Type()
	if t.Kind() == reflect.Interface {
		types := s.makers.implementing(t)
		if len(types) == 0 {
			return false
		}
		t = types[s.below(len(types))]
		t = s.makers.all[t][0].f.Type().Out(0)
	}
	constructors := s.makers.all[pointed(t)]
	if len(constructors) == 0 {
		return false
	}
	if v.Kind() == reflect.Pointer && s.below(4) == 0 {
		v.Set(reflect.New(t.Elem())) // many types have a zero value that is of use
		return true
	}
	tries := maxTries
	if s.shaping {
		tries = maxInnerTries
	}
	for range tries {
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

// construct calls a constructor, with arguments that are made by constructors
// again, and no deeper. The result is not valid if the call returns an error or
// nil, or panics.
func (s *source) construct(m maker) (made reflect.Value) {
	defer func() {
		if recover() != nil {
			made = reflect.Value{}
		}
	}()
	built, shaping := s.built, s.shaping
	defer func() { s.built, s.shaping = built, shaping }()
	s.built, s.shaping = !shaping, true
	args := s.arguments(m.f.Type())
	var results []reflect.Value
	defer s.makers.watch.construct(m.id)()
	if m.f.Type().IsVariadic() {
		results = m.f.CallSlice(args)
	} else {
		results = m.f.Call(args)
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
