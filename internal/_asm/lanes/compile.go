package main

import (
	"fmt"
	"go/ast"
	"go/types"
)

// A region is the result of a function where a condition holds; a nil condition
// always holds. ok is true where the value counts.
type region struct {
	cond, value, ok *node
}

// A lane is a compiled function. Its result is the value of the first region
// whose condition holds, or else of the last region, which has no condition.
type lane struct {
	name    string
	arity   int
	single  bool // float32
	regions []region
}

// size returns the size of an argument in bytes.
func (l lane) size() int {
	if l.single {
		return 4
	}
	return 8
}

// A value is the value of an expression: a node, or a place in a table, whose
// index in words is the node.
type value struct {
	*node
	in *place
}

// A compiler walks through a function. Its environment holds the values of the
// variables.
type compiler struct {
	*source
	g   *graph
	env map[types.Object]value
	why error // why the latest statement cannot be compiled
}

// fail stops the compilation of a statement, at a place in the source.
func (c *compiler) fail(n ast.Node, format string, args ...any) {
	panic(fmt.Errorf("%s: %s", c.fset.Position(n.Pos()), fmt.Sprintf(format, args...)))
}

// try reports whether f compiles. If not, c.why is the reason.
func (c *compiler) try(f func()) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			c.why = e.(error)
			ok = false
		}
	}()
	f()
	return true
}

// compile compiles the function of that name.
func (s *source) compile(name string, g *graph) (l lane, err error) {
	fn := s.funcs[s.scope.Lookup(name)]
	if fn == nil {
		return l, fmt.Errorf("there is no function %s", name)
	}
	l.name = name
	c := &compiler{source: s, g: g, env: map[types.Object]value{}}
	for _, f := range fn.Type.Params.List {
		for _, name := range f.Names {
			c.env[s.info.Defs[name]] = value{node: g.argument(l.arity)}
			l.arity++
			l.single = s.info.Defs[name].Type() == types.Typ[types.Float32]
		}
	}
	g.single, g.float32 = g.single && l.single, l.single
	l.regions = c.run(fn, fn.Body.List)
	if l.regions == nil {
		return l, fmt.Errorf("%s has no path without a call or a loop: %w", name, c.why)
	}
	for i := range l.regions {
		if err := l.finish(&l.regions[i], g); err != nil {
			return l, err
		}
	}
	return l, nil
}

// finish gives a region the value to store, in float64, and an ok.
func (l lane) finish(r *region, g *graph) error {
	if l.single != (r.value.op == toSingle) && r.value.op != argument {
		return fmt.Errorf("%s returns a number of another format", l.name)
	}
	if l.single && r.value.op == toSingle {
		r.value = r.value.args[0]
	}
	switch {
	case l.single && r.value.op == argument:
		// Converting a signaling NaN would make it quiet.
		r.ok = g.and(g.make(eq, r.value, r.value), r.ok)
	case r.ok == nil:
		r.ok = g.always(r.value)
	}
	return nil
}
