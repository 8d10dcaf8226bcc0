package main

import (
	"go/ast"
	"go/types"
	"math"
)

// A place is a part of a table: a row of it, a field of a row, or all of it.
// Its numbers begin offset words behind the word that its value counts.
type place struct {
	table  string     // the variable of the package
	typ    types.Type // an array, a struct, or float64
	offset int
	size   int // words of the table
}

// place compiles an expression that denotes a part of a table, or its address.
func (c *compiler) place(e ast.Expr) value {
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := c.env[c.info.Uses[e]]; ok {
			return v
		}
		t := c.info.TypeOf(e)
		if _, ok := c.info.Uses[e].(*types.Var); ok && words(t) > 0 {
			return value{node: c.g.number(0), in: &place{table: e.Name, typ: t, size: words(t)}}
		}
	case *ast.ParenExpr:
		return c.place(e.X)
	case *ast.IndexExpr:
		return c.element(e)
	case *ast.SelectorExpr:
		return c.field(e)
	}
	c.fail(e, "%T is not a part of a table", e)
	return value{}
}

// element compiles array[index]. Every lane loads, also one that fails: an
// index that no mask keeps in the array is cut off at its ends.
func (c *compiler) element(e *ast.IndexExpr) value {
	v := c.place(e.X)
	if v.in == nil {
		c.fail(e, "only tables have elements")
	}
	array, ok := v.in.typ.Underlying().(*types.Array)
	if !ok {
		c.fail(e, "a table is an array")
	}
	i := c.expr(e.Index)
	last := uint64(array.Len() - 1)
	if i.maxValue() > math.MaxInt64 {
		i = c.g.make(imax, i, c.g.number(0))
	}
	if i.maxValue() > last {
		i = c.g.make(imin, i, c.g.number(last))
	}
	size := words(array.Elem())
	if i.op == constant {
		return v.part(array.Elem(), int(i.bits)*size)
	}
	v.node = c.g.make(iadd, c.g.times(i, size), v.node)
	return v.part(array.Elem(), 0)
}

// field compiles row.field.
func (c *compiler) field(e *ast.SelectorExpr) value {
	v := c.place(e.X)
	if v.in == nil {
		c.fail(e, "only rows of tables have fields")
	}
	row := v.in.typ.Underlying().(*types.Struct)
	offset := 0
	n := c.info.Selections[e].Index()[0]
	for i := range n {
		offset += words(row.Field(i).Type())
	}
	return v.part(row.Field(n).Type(), offset)
}

// part returns the value of the part of v with type t at an offset.
func (v value) part(t types.Type, offset int) value {
	return value{v.node, &place{v.in.table, t, v.in.offset + offset, v.in.size}}
}

// words returns the size of a type in words of 8 bytes, or 0 if it holds
// anything else than float64.
func words(t types.Type) int {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		if t.Kind() == types.Float64 {
			return 1
		}
	case *types.Array:
		return int(t.Len()) * words(t.Elem())
	case *types.Struct:
		sum := 0
		for f := range t.Fields() {
			n := words(f.Type())
			if n == 0 {
				return 0
			}
			sum += n
		}
		return sum
	}
	return 0
}

// loaded returns the number in a place that holds one, or the place.
func (c *compiler) loaded(v value) value {
	if v.in.typ.Underlying() != types.Typ[types.Float64] {
		return v
	}
	return value{node: c.g.intern(node{op: column, args: []*node{v.node}, n: v.in.offset,
		table: v.in.table, bits: uint64(v.in.size)})}
}
