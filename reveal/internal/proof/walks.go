package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// flushesSums reports whether some addition flushes its sum or its operands.
func flushesSums(a sumtree.Arithmetic) bool { return a.FTZ || flushesOperands(a) }

// flushesOperands reports whether some addition flushes its operands.
func flushesOperands(a sumtree.Arithmetic) bool {
	return a.Nodes.FlushOperands || slices.ContainsFunc(a.Except, func(e sumtree.Exception) bool {
		return e.Arith.FlushOperands
	})
}

// The inputs of askWalks: the number that is tried, the summands of the sums
// that take them, and the share of the deviations that each has to show.
const (
	maxWalks      = 64
	maxWalkLength = 1 << 9
	walkShare     = 32
)

// askWalks asks inputs of a flushing arithmetic whose partial sums are now
// normal and now subnormal: of many summands, nodes have too few inputs of
// their own. An input is asked if it shows a share of the deviations left.
func askWalks(x *deviator) error {
	if !flushesSums(x.a) || x.c.N > maxWalkLength {
		return nil
	}
	for range maxWalks {
		before := sizeOf(x.left)
		if before == 0 || x.work <= 0 {
			break
		}
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N)}
		if x.c.Key.Op.Products() {
			s.Y = ask.Ones(x.c.N)
		}
		walk(x, &s)
		held := slices.Clone(x.left)
		if x.covers(&s) < max(1, before/walkShare) {
			x.left = held
			continue
		}
		x.most++
		if err := x.askOne(s); err != nil {
			return err
		}
	}
	return nil
}

// walk writes quarters of the least normal number whose partial sums stay
// about that size, so that many nodes of an arithmetic that flushes show what
// they keep. Factors of products are of moderate size, or tiny.
func walk(x *deviator, s *ask.Sample) {
	f := x.c.Key.DType
	k, least := 0, 4
	if s.Y != nil && x.rng.IntN(2) == 0 {
		k = f.MaxExp() / 2
	}
	if x.rng.IntN(2) == 0 {
		least = 1 // some summands are subnormal
	}
	quarter := math.Ldexp(f.MinNormal(), k-2)
	sum := 0
	for _, i := range x.order {
		v := least + x.rng.IntN(9)
		if (sum > 0) != (x.rng.IntN(8) == 0) {
			v = -v
		}
		sum += v
		s.X[i] = f.Round(float64(v)*quarter, fp.TowardZero)
		if s.Y != nil {
			s.Y[i] = math.Ldexp(1, -k)
		}
	}
}
