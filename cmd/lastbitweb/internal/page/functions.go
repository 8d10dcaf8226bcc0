package page

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/fp"
)

// functions holds the functions of one argument that browsers have in Math, by
// their names there.
var functions = map[string]func(float64) float64{
	"acos": crmath.Acos, "acosh": crmath.Acosh, "asin": crmath.Asin, "asinh": crmath.Asinh,
	"atan": crmath.Atan, "atanh": crmath.Atanh, "cbrt": crmath.Cbrt, "cos": crmath.Cos,
	"cosh": crmath.Cosh, "exp": crmath.Exp, "expm1": crmath.Expm1, "log": crmath.Log,
	"log10": crmath.Log10, "log1p": crmath.Log1p, "log2": crmath.Log2, "sin": crmath.Sin,
	"sinh": crmath.Sinh, "tan": crmath.Tan, "tanh": crmath.Tanh,
}

// FunctionNames returns the names of the functions, sorted.
func FunctionNames() []string { return slices.Sorted(maps.Keys(functions)) }

// A Check is the comparison of a browser's function with the right results.
type Check struct {
	Count int    `json:"count"`
	Wrong int    `json:"wrong"` // results with other bits; two NaN are the same
	Worst *Wrong `json:"worst"` // the farthest one, null for none
}

// A Wrong is a result that is not correctly rounded.
type Wrong struct {
	Argument Number `json:"argument"`
	Theirs   Number `json:"theirs"`
	Right    Number `json:"right"`
	ULPs     string `json:"ulps"`
}

// CheckFunction compares the results y of a function with the real values at x,
// rounded once.
func CheckFunction(name string, x, y []float64) (*Check, error) {
	f, ok := functions[name]
	if !ok {
		return nil, fmt.Errorf("%s: there is no such function", name)
	}
	if len(x) != len(y) {
		return nil, fmt.Errorf("%d arguments have %d results", len(x), len(y))
	}
	c := &Check{Count: len(x)}
	var most uint64
	for i, v := range x {
		right := f(v)
		if math.Float64bits(right) == math.Float64bits(y[i]) || right != right && y[i] != y[i] {
			continue
		}
		c.Wrong++
		far := uint64(math.MaxUint64) // from NaN
		if right == right && y[i] == y[i] {
			far = fp.Binary64.Distance(right, y[i])
		}
		if c.Worst == nil || far > most {
			most = far
			c.Worst = &Wrong{numberOf(v), numberOf(y[i]), numberOf(right), ""}
			if far < math.MaxUint64 {
				c.Worst.ULPs = strconv.FormatUint(far, 10)
			}
		}
	}
	return c, nil
}
