package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/ordered"
	"github.com/lastbit/lastbit/probe"
)

// An algorithm is how sums are computed, and which promise they keep.
type algorithm struct {
	name string // as it was given
	op   *operation
	out  fp.Format
	// passes is how often the rows are read: 2 where their number, or their largest
	// magnitude, has to be known beforehand.
	passes int
	// start returns an empty total of a pass, of a group whose total of the pass before
	// was last.
	start func(pass int, last total, count int64) (total, error)
}

// exactAlgorithm is the default.
const exactAlgorithm = "exact"

// binnedNames are the names of package binned's algorithms.
var binnedNames = []string{"algorithm3", "algorithm4", "doublesweep", "singlesweep", "onereduction"}

// defaultLevels does for most data: see package binned.
const defaultLevels = 3

// parseAlgorithm reads --algorithm.
func parseAlgorithm(s string, op *operation, out fp.Format) (*algorithm, error) {
	a := &algorithm{name: s, op: op, out: out, passes: 1}
	kind, rest, _ := strings.Cut(s, ":")
	switch {
	case s == exactAlgorithm:
		a.start = func(int, total, int64) (total, error) { return newExactTotal(op), nil }
		return a, nil
	case s == "ordered":
		if len(op.sums) > 1 || op.name == "mean" {
			return nil, a.lacks("sum, asum, norm or dot")
		}
		left := mostOrdered("/proc/meminfo", int64(out.Bytes()))
		a.start = func(int, total, int64) (total, error) { return newOrderedTotal(op, out, &left), nil }
		return a, nil
	case kind == "binned":
		if op.name != "sum" && op.name != "asum" {
			return nil, a.lacks("sum or asum")
		}
		return a, a.parseBinned(rest)
	}
	return nil, &probe.Fault{ID: "bad-usage", Thing: "--algorithm " + s, Cause: "there is no such choice", Cure: "use exact, ordered, or one of binned:" + strings.Join(binnedNames, ", binned:")}
}

func (a *algorithm) lacks(ops string) error {
	return &probe.Fault{ID: "bad-usage", Thing: "--algorithm " + a.name, Cause: "it does not compute --op " + a.op.name, Cure: "use it with " + ops + ", or leave it out: exact computes everything"}
}

// parseBinned reads name[,k=levels].
func (a *algorithm) parseBinned(s string) error {
	name, option, given := strings.Cut(s, ",")
	if err := oneOf("algorithm binned:", name, binnedNames); err != nil {
		return err
	}
	k := defaultLevels
	if given {
		n, ok := strings.CutPrefix(option, "k=")
		var err error
		if k, err = strconv.Atoi(n); !ok || err != nil || k < 1 || k > binned.MaxLevels {
			return &probe.Fault{ID: "bad-usage", Thing: "--algorithm " + a.name, Cause: fmt.Sprintf("%q is no number of levels", option), Cure: "write binned:" + name + ",k=3, or another number"}
		}
	}
	if name != "onereduction" {
		a.passes = 2
	}
	a.start = func(pass int, last total, count int64) (total, error) {
		if pass < a.passes {
			return &survey{}, nil
		}
		most := 0.0
		if s, ok := last.(*survey); ok {
			most = s.most
		}
		if a.out == fp.Binary32 {
			return newBinned[float32](a.op, name, k, count, most)
		}
		return newBinned[float64](a.op, name, k, count, most)
	}
	return nil
}

// limit is the fault of an algorithm that cannot do what exact can.
func limit(thing, why, cure string, err error) error {
	return &probe.Fault{ID: "algorithm-limit", Thing: thing, Cause: why, Cure: cure, Err: err}
}

// wide is the fault of a row that only exact sums take.
func wide(x float64) error {
	return limit(decimal(x, fp.Binary64), "an integer beyond 2^53 is no float64", "use --algorithm exact", nil)
}

// A survey finds the largest magnitude, in a first pass.
type survey struct{ most float64 }

func (s *survey) add(x, _ []float64) error {
	s.most = max(s.most, binned.MaxAbs(x))
	return nil
}

func (s *survey) addWide(x, _, _, _ float64) error { return wide(x) }

func (s *survey) value(fp.Format) (float64, error) { return 0, nil }

// narrow appends numbers to a slice of a format that has to hold each of them.
func narrow[T float32 | float64](dst []T, x []float64) ([]T, error) {
	for _, v := range x {
		t := T(v)
		if float64(t) != v && v == v {
			return dst, limit(decimal(v, fp.Binary64), "it is no float32, and only an exact sum is rounded once", "use --result f64", nil)
		}
		dst = append(dst, t)
	}
	return dst, nil
}

// adder is what package binned's algorithms have in common.
type adder[T binned.Float] interface {
	AddSlice(x []T)
	Sum() (T, error)
}

// binnedTotal is a sum by package binned.
type binnedTotal[T binned.Float] struct {
	adder[T]
	magnitudes bool
	buf        []T
}

// newBinned returns a sum of count values, of up to most.
func newBinned[T binned.Float](op *operation, name string, k int, count int64, most float64) (total, error) {
	t := &binnedTotal[T]{magnitudes: op.sums[0] == magnitudes}
	var err error
	switch count = max(count, 1); name {
	case "algorithm3":
		t.adder, err = binned.NewAlgorithm3(count, k, T(most))
	case "algorithm4":
		t.adder, err = binned.NewAlgorithm4(count, k, T(most))
	case "doublesweep":
		t.adder, err = binned.NewDoubleSweep(count, k, T(most))
	case "singlesweep":
		t.adder, err = binned.NewSingleSweep[T](count, k)
	default:
		t.adder, err = binned.NewOneReduction[T](k)
	}
	if err != nil {
		return nil, t.refused(name, err)
	}
	return t, nil
}

func (t *binnedTotal[T]) refused(thing string, err error) error {
	return limit(thing, "the algorithm does not take these values", "use --algorithm exact, or another number of levels", err)
}

func (t *binnedTotal[T]) add(x, _ []float64) (err error) {
	if t.buf, err = narrow(t.buf[:0], x); err != nil {
		return err
	}
	if t.magnitudes {
		for i, v := range t.buf {
			t.buf[i] = max(v, -v)
		}
	}
	t.AddSlice(t.buf)
	return nil
}

func (t *binnedTotal[T]) addWide(x, _, _, _ float64) error { return wide(x) }

func (t *binnedTotal[T]) value(fp.Format) (float64, error) {
	s, err := t.Sum()
	if err != nil {
		return 0, t.refused("the sum", err)
	}
	return float64(s), nil
}

// orderedTotal keeps all rows: the tree begins with how many there are.
type orderedTotal[T float32 | float64] struct {
	op   *operation
	x, y []T
	left *int64 // how many values there is memory for, in all groups
}

func newOrderedTotal(op *operation, out fp.Format, left *int64) total {
	if out == fp.Binary32 {
		return &orderedTotal[float32]{op: op, left: left}
	}
	return &orderedTotal[float64]{op: op, left: left}
}

// mostOrdered is how many values of so many bytes fit into the memory that is left:
// while a slice grows, there are two of them.
func mostOrdered(meminfo string, bytes int64) int64 {
	if free := freeMemory(meminfo); free > 0 {
		return free / (3 * bytes)
	}
	return math.MaxInt64
}

func (t *orderedTotal[T]) add(x, y []float64) (err error) {
	if *t.left -= int64(len(x) + len(y)); *t.left < 0 {
		return limit(fmt.Sprintf("%d rows and more", len(t.x)), "an ordered sum needs all its rows at once, and they do not fit into the memory that is free", "use --algorithm exact, which needs none", nil)
	}
	if t.x, err = narrow(t.x, x); err == nil {
		t.y, err = narrow(t.y, y)
	}
	return err
}

func (t *orderedTotal[T]) addWide(x, _, _, _ float64) error { return wide(x) }

func (t *orderedTotal[T]) value(fp.Format) (float64, error) {
	switch t.op.sums[0] {
	case magnitudes:
		return float64(ordered.Asum(t.x)), nil
	case squares:
		return float64(ordered.Nrm2(t.x)), nil
	case products:
		return float64(ordered.Dot(t.x, t.y)), nil
	}
	return float64(ordered.Sum(t.x)), nil
}

// isExact tells whether the totals can be merged.
func (a *algorithm) isExact() bool { return a.name == exactAlgorithm }
