package flow

import "golang.org/x/tools/go/ssa"

// callback returns a call of a parameter of the function.
func (f *frame) callback(c *ssa.Call, p *ssa.Parameter, steps int) *Value {
	v := &Value{Kind: Callback, Index: index(c.Parent().Params, p)}
	for _, a := range c.Call.Args {
		v.Parts = append(v.Parts, f.value(a, steps-1))
	}
	return v
}

// given returns the argument of a call that the function calls, and the
// arguments of that.
func (f *frame) given(c *ssa.Call, v *Value, steps int) (to ssa.Value, arguments []*Value) {
	of := f.arguments(c, steps-1)
	for _, p := range v.Parts {
		arguments = append(arguments, p.substitute(of))
	}
	to = argument(c, v.Index)
	for {
		named, ok := to.(*ssa.ChangeType)
		if !ok {
			return to, arguments
		}
		to = named.X
	}
}

// function returns the function that a value is, or nil.
func function(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	}
	return nil
}

// called returns the result of an argument of a call that the function calls.
func (f *frame) called(c *ssa.Call, v *Value, steps int) *Value {
	if steps <= 0 || v.Index < 0 {
		return unknown
	}
	to, given := f.given(c, v, steps)
	if p, ok := to.(*ssa.Parameter); ok {
		return &Value{Kind: Callback, Index: index(c.Parent().Params, p), Parts: given}
	}
	s := f.summary(function(to))
	if s == nil {
		return unknown
	}
	return s.Result.substitute(f.handed(c, to, given, steps))
}

// handed returns a function that replaces the parameters and the captured
// variables of a function that is an argument of a call.
func (f *frame) handed(
	c *ssa.Call, to ssa.Value, given []*Value, steps int,
) func(*Value) *Value {
	return func(p *Value) *Value {
		closure, isClosure := to.(*ssa.MakeClosure)
		switch {
		case p.Kind == Callback:
			return unknown
		case p.Index >= 0 && p.Index < len(given) && !p.Deref:
			return given[p.Index].parts(p.Path)
		case p.Index >= 0 || !isClosure || -1-p.Index >= len(closure.Bindings):
			return unknown
		}
		return f.part(closure.Bindings[-1-p.Index], p, c, steps)
	}
}

// part returns the part of a value, or of what it points to, that a parameter
// stands for.
func (f *frame) part(a ssa.Value, p *Value, at ssa.Instruction, steps int) *Value {
	if !p.Deref {
		return f.value(a, steps-1).parts(p.Path)
	}
	path, t, ok := walk(a.Type(), p.Path)
	if !ok {
		return unknown
	}
	return f.load(a, path, t, at, steps-1)
}
