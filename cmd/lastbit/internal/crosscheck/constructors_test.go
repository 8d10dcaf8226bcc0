package crosscheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestConstructors takes functions by their names and results.
func TestConstructors(t *testing.T) {
	const source = `package p
type (
	Point struct{ x, y float64 }
	Angle float64
	Shape interface{ Area() float64 }
	other struct{}
)
func NewPoint(x, y float64) Point { return Point{x, y} }
func NewPair(x float64) (*Point, error) { return nil, nil }
func NewAngle(x float64) Angle { return Angle(x) }
func NewBoth() (Point, Point) { return Point{}, Point{} }
func PointFromAngle(a Angle) *Point { return nil }
func AngleFromPoint(p Point) Angle { return 0 }
func DistanceFromPoint(p Point) Angle { return 0 }
func LengthFromPoint(p Point) float64 { return 0 }
func ShapeFromPoint(p Point) Shape { return nil }
func NewOther() other { return other{} }
func otherFromPoint(p Point) other { return other{} }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := map[uint64]string{}
	got := makeStatements(p, "q.", names)
	want := ""
	for _, f := range []string{"AngleFromPoint", "NewPair", "NewPoint", "PointFromAngle"} {
		id := identify("p." + f + " for arguments")
		want += fmt.Sprintf("\tg.Make(%#x, q.%s)\n", id, f)
		if names[id] == "" {
			t.Errorf("%s has no name", f)
		}
	}
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
