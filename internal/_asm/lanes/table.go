package main

import (
	"go/ast"
	"go/types"
)

// A table is a variable of the package: an array of rows of float64.
type table struct {
	name string
	rows int64
	size int // of a row, in words of 8 bytes
}

// column compiles row.field.
func (c *compiler) column(e *ast.SelectorExpr) *node {
	v := c.value(e.X)
	if v.row == nil {
		c.fail(e, "only rows of tables have fields")
	}
	field := c.info.Selections[e].Index()[0]
	return c.g.intern(node{op: column, args: []*node{v.node}, n: field, tab: v.row})
}

// row compiles table[index]. A mask must keep the index in the table for all
// arguments.
func (c *compiler) row(e *ast.IndexExpr) value {
	array, ok := c.info.TypeOf(e.X).Underlying().(*types.Array)
	if !ok {
		c.fail(e, "a table is an array")
	}
	t := &table{name: e.X.(*ast.Ident).Name, rows: array.Len(), size: c.rowSize(e, array.Elem())}
	i := c.expr(e.Index)
	if i.maxValue() >= uint64(t.rows) {
		c.fail(e, "the index into %s's %d rows has no mask", t.name, t.rows)
	}
	return value{node: i, row: c.g.table(t)}
}

// rowSize returns the number of words of a row. They must be float64.
func (c *compiler) rowSize(at ast.Node, row types.Type) int {
	fields, ok := row.Underlying().(*types.Struct)
	if !ok {
		if row != types.Typ[types.Float64] {
			c.fail(at, "a table has float64")
		}
		return 1
	}
	for f := range fields.Fields() {
		if f.Type() != types.Typ[types.Float64] {
			c.fail(at, "a row has only float64")
		}
	}
	return fields.NumFields()
}

// table returns the one table with t's name.
func (g *graph) table(t *table) *table {
	for _, n := range g.nodes {
		if n.tab != nil && n.tab.name == t.name {
			return n.tab
		}
	}
	return t
}
