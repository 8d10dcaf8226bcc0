package instrument

import "go/types"

// class is a kind of operands.
type class int

const (
	other    class = iota
	real           // float32, float64, and type parameters that are nothing else
	complex_       // complex64, complex128
	mixed          // a type parameter that may be real or complex, or something else
)

// suffix returns the last part of the names of functions of package perturb.
func (c class) suffix() string {
	return [...]string{real: "", complex_: "Complex", mixed: "Any"}[c]
}

// classOf returns the class of a type.
func classOf(t types.Type) class {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return classOfParameter(p)
	}
	b, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
		return other
	case b.Info()&types.IsFloat != 0:
		return real
	case b.Info()&types.IsComplex != 0:
		return complex_
	}
	return other
}

// classOfParameter returns the class that holds for all types that may take the
// place of a type parameter.
func classOfParameter(p *types.TypeParam) class {
	found := map[class]bool{}
	collect(p.Constraint().Underlying().(*types.Interface), found)
	switch {
	case len(found) == 1 && found[real]:
		return real
	case len(found) == 1 && found[complex_]:
		return complex_
	case found[real] || found[complex_] || found[mixed]:
		return mixed
	}
	return other
}

// collect adds the classes of the terms of a constraint. An interface without
// terms holds every type, and has no operators.
func collect(i *types.Interface, found map[class]bool) {
	for k := range i.NumEmbeddeds() {
		switch t := types.Unalias(i.EmbeddedType(k)).(type) {
		case *types.Union:
			for j := range t.Len() {
				collectType(t.Term(j).Type(), found)
			}
		default:
			collectType(t, found)
		}
	}
}

func collectType(t types.Type, found map[class]bool) {
	if i, ok := t.Underlying().(*types.Interface); ok {
		collect(i, found)
		return
	}
	found[classOf(t)] = true
}

// coreType returns a type that stands for the others of a type parameter: the
// first one of its constraint, or the constraint.
func coreType(p *types.TypeParam) types.Type {
	i := p.Constraint().Underlying().(*types.Interface)
	if i.NumEmbeddeds() == 0 {
		return i
	}
	t := types.Unalias(i.EmbeddedType(0))
	if u, ok := t.(*types.Union); ok {
		return u.Term(0).Type()
	}
	return t
}
