package record

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

// A table holds rows*columns elements.
type table struct {
	rows, columns int
	data          []float64
}

func (t *table) size() int { return t.rows * t.columns }
func (t *table) Size() int { return t.size() }

type sizer interface{ Size() int }

func newTable(rows, columns int, data []float64) *table {
	if len(data) != rows*columns {
		panic("size")
	}
	return &table{rows, columns, data}
}

// square is made by a constructor that returns a value and an error.
type square struct{ side float64 }

func (square) Size() int { return 1 }

func newSquare(side float64) (square, error) {
	if side < 0 {
		return square{}, errors.New("negative")
	}
	return square{side}, nil
}

// TestMakers takes values of constructors for half of the calls, and for all
// where an interface is a parameter.
func TestMakers(t *testing.T) {
	g := Generate(0, "github.com/lastbit/lastbit")
	defer g.End()
	if g.makers.canMake(reflect.TypeFor[sizer](), maxNested) {
		t.Error("an interface can be made without a constructor")
	}
	g.Make(1, newTable)
	g.Make(2, newSquare)
	g.Make(3, func(string) square { return square{-1} })
	fit := map[bool]int{}
	for i := range uint64(1200) {
		f := reflect.TypeFor[func(*table, square)]()
		args := g.source(1, i, f).arguments(f)
		x, s := args[0].Interface().(*table), args[1].Interface().(square)
		fit[len(x.data) == x.size() && s.side >= 0]++
	}
	if fit[true] < 500 || fit[false] < 300 {
		t.Errorf("%v: the values of half of the calls are to fit", fit)
	}
	kinds := map[reflect.Type]int{}
	for i := range uint64(200) {
		f := reflect.TypeFor[func(sizer, []sizer)]()
		args := g.source(1, i, f).arguments(f)
		kinds[reflect.TypeOf(args[0].Interface())]++
		if x, ok := args[0].Interface().(*table); ok && len(x.data) != x.size() {
			t.Errorf("%v", x)
		}
		for _, v := range args[1].Interface().([]sizer) {
			if v == nil {
				t.Error("no value in a slice")
			}
		}
	}
	if kinds[reflect.TypeFor[*table]()] < 50 || kinds[reflect.TypeFor[square]()] < 50 {
		t.Errorf("%v: types of an interface", kinds)
	}
}

// A chain holds tables, and a code is a number that only a constructor finds.
type (
	chain []*table
	code  uint64
)

// TestMakersOfOthers takes values of any kind, made of values that constructors
// make.
func TestMakersOfOthers(t *testing.T) {
	g := Generate(0, "github.com/lastbit/lastbit")
	defer g.End()
	g.Make(4, newTable)
	g.Make(5, func(tables []*table) chain { return tables })
	g.Make(6, func(c square) code { return code(math.Float64bits(c.side)) | 1<<63 })
	full, codes := 0, 0
	for i := range uint64(1200) {
		f := reflect.TypeFor[func(chain, code)]()
		args := g.source(1, i, f).arguments(f)
		c, fits := args[0].Interface().(chain), true
		for _, x := range c {
			fits = fits && len(x.data) == x.size()
		}
		full += bool01(fits && len(c) > 0)
		codes += bool01(args[1].Uint()>>63 == 1)
	}
	if full < 400 || codes != 600 {
		t.Errorf("%d of 1200 chains fit, and %d codes", full, codes)
	}
}

func bool01(b bool) int {
	if b {
		return 1
	}
	return 0
}
