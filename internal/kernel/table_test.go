package kernel

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// calls are all calls that name a level.
var calls = map[string]func(l Level){
	"FoldSum2":     func(l Level) { l.FoldSum2(nil, new([3]float64), new(Folds)) },
	"FoldSum3":     func(l Level) { l.FoldSum3(nil, new([3]float64), new(Folds)) },
	"FoldAsum2":    func(l Level) { l.FoldAsum2(nil, new([3]float64), new(Folds)) },
	"FoldSum2F32":  func(l Level) { l.FoldSum2F32(nil, new([3]float64), new(Folds)) },
	"FoldAsum2F32": func(l Level) { l.FoldAsum2F32(nil, new([3]float64), new(Folds)) },
	"FoldDot":      func(l Level) { l.FoldDot(nil, nil, new([3]float64), new(Folds)) },
	"FoldDot2F32":  func(l Level) { l.FoldDot2F32(nil, nil, new([3]float64), new(Folds)) },
	"OrderedBlock/float64": func(l Level) {
		OrderedBlock[float64](l, OrderedSum, nil, nil, nil, 0, nil)
	},
	"OrderedBlock/float32": func(l Level) {
		OrderedBlock[float32](l, OrderedSum, nil, nil, nil, 0, nil)
	},
	"NewChain/float64":  func(l Level) { NewChain[float64](l) },
	"NewChain/float32":  func(l Level) { NewChain[float32](l) },
	"NewOffset/float64": func(l Level) { NewOffset[float64](l) },
	"NewOffset/float32": func(l Level) { NewOffset[float32](l) },
	"PlainSum":          func(l Level) { l.PlainSum(nil) },
	"PlainDot":          func(l Level) { l.PlainDot(nil, nil) },
	"CompensatedDot":    func(l Level) { l.CompensatedDot(nil, nil) },
	"NewStoch/float64":  func(l Level) { NewStoch[float64](l) },
	"NewStoch/float32":  func(l Level) { NewStoch[float32](l) },
	"NewResidues":       func(l Level) { NewResidues(l) },
}

// panicOf returns the panic of f, or nil.
func panicOf(f func()) (cause any) {
	defer func() { cause = recover() }()
	f()
	return nil
}

// TestMissingLevel forces levels that do not run here, and one after another
// each that does as if its features were missing: every call panics.
func TestMissingLevel(t *testing.T) {
	for l := Level(-1); int(l) <= levels; l++ {
		t.Run(l.String(), func(t *testing.T) {
			if l.isRunnable() && l != Generic {
				runs[l] = false
				defer func() { runs[l] = true }()
			}
			for name, call := range calls {
				cause := panicOf(func() { call(l) })
				plain := strings.HasPrefix(name, "Plain")
				if l == Generic && !plain {
					if cause != nil {
						t.Errorf("%s panics: %v", name, cause)
					}
					continue
				}
				want := fmt.Sprintf("for level %v ", l)
				if text, ok := cause.(string); !ok || !strings.Contains(text, want) {
					t.Errorf("%s does not panic with %q: %v", name, want, cause)
				}
			}
		})
	}
}

// TestTable holds that every row has every body. Only plain sums,
// residues and portable stochastic kernels may be missing.
func TestTable(t *testing.T) {
	for l, r := range table {
		if r == nil {
			continue
		}
		v := reflect.ValueOf(*r)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			optional := name == "needs" || name == "residues" || strings.HasPrefix(name, "plain") ||
				Level(l) == Generic && strings.HasPrefix(name, "stoch")
			if v.Field(i).IsNil() && !optional {
				t.Errorf("the row of %v has no %s", Level(l), name)
			}
		}
	}
	if table[Generic] != &generic {
		t.Error("the last row is not the portable one")
	}
}

// TestAllocations holds that calls through the table put nothing on the heap.
func TestAllocations(t *testing.T) {
	a, row, sums := new([9]float64), make([]float64, 3), make([]float64, 3)
	for _, l := range Levels() {
		if n := testing.AllocsPerRun(100, func() {
			NewChain[float64](l).Dots(Operand[float64]{&a[0], 3, 1}, row, sums)
			NewChain[float64](l).AddRows(row, Operand[float64]{&a[0], 3, 1}, sums)
			NewChain[float64](l).AddOuter(row, sums, Operand[float64]{&a[0], 3, 1})
			x, m, f := [9]float64{1}, Constants(4), Folds{}
			l.FoldSum2(x[:], &m, &f)
			l.FoldDot(x[:], x[:], &m, &f)
			OrderedBlock(l, OrderedSum, x[:], nil, nil, 0, nil)
			if l.HasPlain() {
				l.PlainDot(x[:], x[:])
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations", l, n)
		}
	}
}
