package sums

import (
	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
)

// wide returns the fault of a row that only exact sums take.
func wide(x float64) error {
	return limit(text.Decimal(x, fp.Binary64), "an integer beyond 2^53 is not a float64",
		"use --algorithm exact", nil)
}

// A survey finds the largest magnitude, in a first pass.
type survey struct{ maxAbs float64 }

func (s *survey) add(x, _ []float64) error {
	s.maxAbs = max(s.maxAbs, binned.MaxAbs(x))
	return nil
}

func (s *survey) addWide(x, _, _, _ float64) error { return wide(x) }

func (s *survey) value(fp.Format) (float64, error) { return 0, nil }

// narrow appends numbers to a slice of a format that has to hold each of them.
func narrow[T float32 | float64](dst []T, x []float64) ([]T, error) {
	for _, v := range x {
		t := T(v)
		if float64(t) != v && v == v {
			return dst, limit(text.Decimal(v, fp.Binary64),
				"it is not a float32, and only an exact sum is rounded once",
				"use --result f64", nil)
		}
		dst = append(dst, t)
	}
	return dst, nil
}

// An adder is one of package binned's algorithms.
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

// startBinned returns an empty sum for a group of count rows, whose total in
// the pass before was last.
func startBinned(
	op *Operation, out fp.Format, name string, k int, last total, count int64,
) (total, error) {
	maxAbs := 0.0
	if s, ok := last.(*survey); ok {
		maxAbs = s.maxAbs
	}
	if out == fp.Binary32 {
		return newBinned[float32](op, name, k, count, maxAbs)
	}
	return newBinned[float64](op, name, k, count, maxAbs)
}

// newBinned returns an empty sum for count numbers of magnitudes up to maxAbs.
func newBinned[T binned.Float](
	op *Operation, name string, k int, count int64, maxAbs float64,
) (total, error) {
	t := &binnedTotal[T]{magnitudes: op.summands[0] == magnitudes}
	var err error
	switch count = max(count, 1); name {
	case "algorithm3":
		t.adder, err = binned.NewAlgorithm3(count, k, T(maxAbs))
	case "algorithm4":
		t.adder, err = binned.NewAlgorithm4(count, k, T(maxAbs))
	case "doublesweep":
		t.adder, err = binned.NewDoubleSweep(count, k, T(maxAbs))
	case "singlesweep":
		t.adder, err = binned.NewSingleSweep[T](count, k)
	default:
		t.adder, err = binned.NewOneReduction[T](k)
	}
	if err != nil {
		return nil, t.refuse(name, err)
	}
	return t, nil
}

func (t *binnedTotal[T]) refuse(thing string, err error) error {
	return limit(thing, "the algorithm does not take these values",
		"use --algorithm exact, or another number of levels", err)
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
		return 0, t.refuse("the sum", err)
	}
	return float64(s), nil
}
