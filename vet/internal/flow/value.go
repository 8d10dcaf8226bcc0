package flow

import (
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
)

// A Place is one in the source of a package.
type Place struct {
	Package string
	File    string
	Line    int
	pos     token.Pos // of package ssa
}

// Pos returns the position of package ssa, or none in a fact.
func (p Place) Pos() token.Pos { return p.pos }

// From describes a place for the reader of another one.
func (p Place) From(file string) string {
	if p.File == file {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("line %d of %s", p.Line, filepath.Base(p.File))
}

// A Kind is what is known of a value.
type Kind int

// The kinds of values.
const (
	Other     Kind = iota // its digits at most
	Constant              // its value
	Parameter             // a part of a parameter, or of what one points to
	Product               // its factors
	Struct                // its parts: a structure, an array, or several results
	Callback              // the arguments of a call of a parameter
)

// A Value is what the optimizer knows of a value. It is not changed after it
// is made.
type Value struct {
	Kind     Kind
	Negated  bool // a parameter or a product
	Constant float64
	Digits   Digits
	Settled  bool // the value is certainly no product

	Index int   // of the parameter; -1-i is free variable i of a closure
	Path  []int // the part
	Deref bool  // the parameter points to the structure that Path is in

	At     Place // of a product
	Format Format

	Parts []*Value // factors, parts or arguments
}

var unknown = &Value{}

// Exactness returns which results of a product are rounded.
func (v *Value) Exactness() Exactness {
	return v.Format.exactness(v.Parts[0].Digits, v.Parts[1].Digits)
}

// IsProduct reports whether a sum of a value may be fused.
func (v *Value) IsProduct() bool { return v.Kind == Product }

// IsNoProduct reports whether a value is certainly no product.
func (v *Value) IsNoProduct() bool { return v.Kind == Constant || v.Settled }

// part returns a part of a structure.
func (v *Value) part(i int) *Value {
	switch {
	case v.Kind == Struct && i < len(v.Parts):
		return v.Parts[i]
	case v.Kind == Parameter && !v.Negated:
		w := *v
		w.Path = append(slices.Clip(v.Path), i)
		return &w
	}
	return unknown
}

// parts returns a part of a part.
func (v *Value) parts(path []int) *Value {
	for _, i := range path {
		v = v.part(i)
	}
	return v
}

// rounded returns a value after an explicit conversion.
func (v *Value) rounded() *Value {
	if v.Kind != Struct {
		return &Value{Settled: true, Digits: v.Digits}
	}
	w := &Value{Kind: Struct}
	for _, p := range v.Parts {
		w.Parts = append(w.Parts, p.rounded())
	}
	return w
}

// negate returns -v.
func (v *Value) negate() *Value {
	switch v.Kind {
	case Parameter, Product, Callback:
		w := *v
		w.Negated = !w.Negated
		return &w
	case Constant:
		return &Value{Kind: Constant, Constant: -v.Constant, Digits: v.Digits}
	case Struct: // the parts of a complex number
		w := &Value{Kind: Struct}
		for _, p := range v.Parts {
			w.Parts = append(w.Parts, p.negate())
		}
		return w
	}
	return &Value{Settled: v.Settled, Digits: v.Digits}
}

// isParameter reports whether a value is a whole parameter, as a pointer that
// is returned.
func (v *Value) isParameter() bool {
	return v.Kind == Parameter && !v.Negated && !v.Deref && len(v.Path) == 0
}

// hasParameter reports whether a value depends on a parameter.
func (v *Value) hasParameter() bool {
	return v.Kind == Parameter || slices.ContainsFunc(v.Parts, (*Value).hasParameter)
}

// multiply returns the product of two numbers, or what the compiler makes of it
// that is none: it adds in place of a product with 2, and moves or negates in
// place of one with 1 or -1.
func multiply(x, y *Value, f Format, at Place) *Value {
	if x.Kind == Constant {
		x, y = y, x
	}
	if y.Kind == Constant {
		switch {
		case x.Kind == Constant:
			if v := folded(token.MUL, x, y, f); v != nil {
				return v
			}
			return &Value{Settled: true}
		case y.Constant == 1:
			return x
		case y.Constant == -1:
			return x.negate()
		case y.Constant == 2:
			return &Value{Settled: true, Digits: f.round(x.in(f).times(y.Digits))}
		}
	}
	return &Value{
		Kind: Product, At: at, Format: f, Parts: []*Value{x.leaf(), y.leaf()},
		Digits: f.round(x.in(f).times(y.in(f))),
	}
}

// in returns the digits of a number of a format.
func (v *Value) in(f Format) Digits {
	if !v.Digits.Known {
		return f.all()
	}
	return v.Digits
}

// leaf returns a value as a factor, of which only the digits matter.
func (v *Value) leaf() *Value {
	if v.Kind == Parameter || v.Kind == Constant {
		return v
	}
	return &Value{Digits: v.Digits}
}

// substitute replaces parameters, and calls of them, by what of returns.
func (v *Value) substitute(of func(*Value) *Value) *Value {
	switch v.Kind {
	case Parameter, Callback:
		w := of(v)
		if v.Negated {
			w = w.negate()
		}
		return w
	case Product:
		if !v.hasParameter() {
			return v
		}
		w := multiply(v.Parts[0].substitute(of), v.Parts[1].substitute(of), v.Format, v.At)
		if v.Negated {
			w = w.negate()
		}
		return w
	case Struct:
		w := &Value{Kind: Struct}
		for _, p := range v.Parts {
			w.Parts = append(w.Parts, p.substitute(of))
		}
		return w
	}
	return v
}
