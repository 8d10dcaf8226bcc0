package nankey

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// maxSteps bounds the operations that are followed back from bits.
const maxSteps = 6

// sign reports the sign of a NaN that arithmetic makes.
func (c *checker) sign(e ast.Expr) {
	if c.makesNaN(e, maxSteps) {
		c.made(e, "the sign of %s depends")
	}
}

// made reports a property of a NaN that arithmetic makes.
func (c *checker) made(e ast.Expr, property string) {
	c.report(analysis.Diagnostic{
		Pos: e.Pos(), End: e.End(),
		Message: fmt.Sprintf(property+" on the processor where arithmetic makes it NaN; "+
			"write math.NaN() there", source.Short(e)),
	})
}

// makesNaN reports whether a number is written as one that is NaN, or is NaN
// where it is not the same as a simpler one: x/x, x-x, 0/x, 0*x, Inf-Inf, the
// root of a negative constant, and what is computed from these.
func (c *checker) makesNaN(e ast.Expr, steps int) bool {
	if steps == 0 || floats.Constant(c.info, e) != nil {
		return false
	}
	switch e := c.resolve(e).(type) {
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.ADD) && c.makesNaN(e.X, steps-1)
	case *ast.BinaryExpr:
		if !floats.Is(c.info.TypeOf(e)) || floats.Constant(c.info, e) != nil {
			return false
		}
		return c.isInvalid(e) || c.makesNaN(e.X, steps-1) || c.makesNaN(e.Y, steps-1) ||
			c.isNaN(e.X) || c.isNaN(e.Y)
	case *ast.CallExpr:
		if of := floats.Conversion(c.info, e); of != nil {
			return c.makesNaN(of, steps-1)
		}
		if !isArithmetic(c, e) {
			return false
		}
		for _, a := range e.Args {
			if c.makesNaN(a, steps-1) {
				return true
			}
		}
		v := floats.Constant(c.info, e.Args[0])
		return source.IsFunc(source.Callee(c.info, e), "math", "Sqrt") && v != nil &&
			constant.Sign(v) < 0
	}
	return false
}

// isArithmetic reports whether a call is one of a function that compilers make
// an instruction of: it makes NaN as the processor does, or keeps its bits.
func isArithmetic(c *checker, call *ast.CallExpr) bool {
	return len(call.Args) > 0 &&
		source.IsFunc(source.Callee(c.info, call), "math", "Sqrt", "FMA", "Abs")
}

// resolve returns the expression that a variable stands for.
func (c *checker) resolve(e ast.Expr) ast.Expr {
	return source.Resolve(c.info, c.body, e)
}

// isInvalid reports whether an operation is invalid for some operands that it
// is written for.
func (c *checker) isInvalid(b *ast.BinaryExpr) bool {
	alike := isPure(b.X) && source.Text(ast.Unparen(b.X)) == source.Text(ast.Unparen(b.Y))
	switch b.Op {
	case token.QUO:
		return alike || c.isZero(b.X) || c.isInf(b.X) && c.isInf(b.Y)
	case token.SUB:
		return alike || c.isInf(b.X) && c.isInf(b.Y)
	case token.ADD:
		return c.isInf(b.X) && c.isInf(b.Y) && source.Text(b.X) != source.Text(b.Y)
	case token.MUL:
		return c.isZero(b.X) || c.isZero(b.Y)
	}
	return false
}

// isPure reports whether an expression has the same value each time: it calls
// nothing and receives nothing.
func isPure(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			pure = false
		case *ast.UnaryExpr:
			pure = pure && n.Op != token.ARROW
		}
		return pure
	})
	return pure
}

// isZero reports whether a number is 0: a constant, or a variable that is
// assigned one.
func (c *checker) isZero(e ast.Expr) bool {
	v := floats.Constant(c.info, c.resolve(e))
	return v != nil && constant.Sign(v) == 0
}

func (c *checker) isInf(e ast.Expr) bool { return c.isCall(e, "Inf") }

func (c *checker) isNaN(e ast.Expr) bool { return c.isCall(e, "NaN") }

func (c *checker) isCall(e ast.Expr, name string) bool {
	e = c.resolve(e)
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = c.resolve(u.X)
	}
	call, ok := e.(*ast.CallExpr)
	return ok && source.IsFunc(source.Callee(c.info, call), "math", name)
}

// isConstant reports whether a number is math.NaN() or math.Inf(…), whose bits
// are the same everywhere.
func (c *checker) isConstant(e ast.Expr) bool {
	e = ast.Unparen(e)
	if of := floats.Conversion(c.info, e); of != nil {
		e = of
	}
	return c.isInf(e) || c.isNaN(e)
}
