package sums

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/fraction"
)

// Decimals are summed as integers. A row of decimals is an integer of units of
// 10^−scale; rows of one scale have exact sums of their own, and a result is a
// function of the fractions sum/10^scale, rounded once.

// scaledSums are the sums of the rows of one scale.
type scaledSums struct {
	scale int // of x, or of x·y
	sums  []exact.Accumulator
}

// scale returns the scale of a summand of rows of a scale.
func (part summand) scale(s int) int {
	if part == squares {
		return 2 * s
	}
	return s
}

// of returns the sums of a scale, which are made at its first row.
func (t *exactTotal) of(scale int) []exact.Accumulator {
	if scale == 0 {
		return t.sums
	}
	i, found := t.find(scale)
	if !found {
		t.scaled = slices.Insert(t.scaled, i,
			scaledSums{scale, make([]exact.Accumulator, len(t.op.summands))})
	}
	return t.scaled[i].sums
}

// has reports whether there are sums of a scale.
func (t *exactTotal) has(scale int) bool {
	_, found := t.find(scale)
	return scale == 0 || found
}

func (t *exactTotal) find(scale int) (i int, found bool) {
	return slices.BinarySearchFunc(t.scaled, scale,
		func(s scaledSums, scale int) int { return cmp.Compare(s.scale, scale) })
}

// addParts adds a row of numbers in parts. y is nil unless the operation is one
// of pairs.
func (t *exactTotal) addParts(scale int, x, y []float64) {
	sums := t.of(scale)
	for i, part := range t.op.summands {
		a := &sums[i]
		switch part {
		case values:
			a.AddParts(x...)
		case magnitudes:
			a.AddParts(magnitudesOf(x)...)
		case squares:
			a.AddPartsProduct(x, x)
		case products:
			a.AddPartsProduct(x, y)
		}
	}
}

func magnitudesOf(x []float64) []float64 {
	m := make([]float64, len(x))
	for i, v := range x {
		m[i] = math.Abs(v)
	}
	return m
}

// all returns the sums of all scales as if they were one, whose counts are
// right, and whose values only if no row is a decimal.
func (t *exactTotal) all() []exact.Accumulator {
	if len(t.scaled) == 0 {
		return t.sums
	}
	sums := slices.Clone(t.sums)
	for _, s := range t.scaled {
		for i := range sums {
			sums[i].Merge(&s.sums[i])
		}
	}
	return sums
}

// fraction returns a sum of finite rows.
func (t *exactTotal) fraction(i int) *big.Rat {
	sum := ratio(&t.sums[i])
	for _, s := range t.scaled {
		digits := big.NewInt(int64(t.op.summands[i].scale(s.scale)))
		unit := new(big.Int).Exp(big.NewInt(10), digits, nil)
		sum.Add(sum, new(big.Rat).Quo(ratio(&s.sums[i]), new(big.Rat).SetInt(unit)))
	}
	return sum
}

// ratio returns the value of a finite sum.
func ratio(a *exact.Accumulator) *big.Rat {
	r, _ := new(big.Rat).SetString(a.Decimal())
	return r
}

// decimalValue returns the result of rows that include decimals.
func (t *exactTotal) decimalValue(f fp.Format) float64 {
	all := t.all()
	c := all[0].Counts()
	if c.NaN != 0 || c.PosInf != 0 || c.NegInf != 0 {
		return t.op.exact(all, f)
	}
	sums := make([]*big.Rat, len(t.sums))
	for i := range sums {
		sums[i] = t.fraction(i)
	}
	r, isRoot := t.op.fraction(sums, c.All)
	switch {
	case r == nil:
		return math.NaN()
	case r.Sign() == 0 && t.op.isSum && c.NegZero == c.All:
		return math.Copysign(0, -1)
	case isRoot:
		return rounded(fraction.Root(r), f)
	}
	return rounded(r, f)
}

// rounded rounds a fraction to a format, to nearest, ties to even.
func rounded(r *big.Rat, f fp.Format) float64 {
	if f == fp.Binary32 {
		x, _ := r.Float32()
		return float64(x)
	}
	x, _ := r.Float64()
	return x
}

func fractionSum(s []*big.Rat, _ int64) (*big.Rat, bool) { return s[0], false }

func fractionMean(s []*big.Rat, n int64) (*big.Rat, bool) {
	return new(big.Rat).Quo(s[0], new(big.Rat).SetInt64(n)), false
}

func fractionNorm(s []*big.Rat, _ int64) (*big.Rat, bool) { return s[0], true }

// fractionVariance returns (Σx² − (Σx)²/n) / (n − ddof).
func fractionVariance(ddof int64, isRoot bool) func([]*big.Rat, int64) (*big.Rat, bool) {
	return func(s []*big.Rat, n int64) (*big.Rat, bool) {
		if n == ddof {
			return nil, false
		}
		square := new(big.Rat).Mul(s[0], s[0])
		square.Quo(square, new(big.Rat).SetInt64(n))
		r := new(big.Rat).Sub(s[1], square)
		return r.Quo(r, new(big.Rat).SetInt64(n-ddof)), isRoot
	}
}

// addDecimals adds rows, each to its group. The values of x, of y, or of both
// are decimals.
func (s *series) addDecimals(b *dataset.Block, x, y *dataset.Column) error {
	scale := x.Scale
	var second *column
	if y != nil {
		scale += y.Scale
		second = newColumn(y)
	}
	first := newColumn(x)
	for i := range x.Values {
		g, err := s.groupOf(b, i)
		if err != nil {
			return err
		}
		if first.isEmpty(i) || second != nil && second.isEmpty(i) {
			if g != nil {
				g.missing++
			}
			continue
		}
		if err := s.addDecimal(g, scale, first, second, i); err != nil {
			return err
		}
	}
	if len(b.Keys) == 0 {
		return s.flush(s.groups[""])
	}
	return nil
}

// A column takes the numbers of a column apart.
type column struct {
	*dataset.Column
	empty []int
	parts []float64
}

func newColumn(c *dataset.Column) *column { return &column{Column: c, empty: c.Empty} }

func (c *column) isEmpty(i int) bool { return isNext(&c.empty, i) }

// at returns the parts of number i. All parts after the first differ from 0.
func (c *column) at(i int) []float64 {
	c.parts = c.parts[:0]
	if c.Units == nil {
		c.parts = append(c.parts, c.Values[i])
		if rest := restOf(c.Column, i); rest != 0 {
			c.parts = append(c.parts, rest)
		}
		return c.parts
	}
	c.parts = append(c.parts, c.Units[0][i])
	for _, part := range c.Units[1:] {
		if part[i] != 0 {
			c.parts = append(c.parts, part[i])
		}
	}
	return c.parts
}

// addDecimal adds row i. Rows in one part wait for others.
func (s *series) addDecimal(g *keyGroup, scale int, x, y *column, i int) error {
	t := g.total.(*exactTotal)
	if !t.has(scale) {
		if err := s.budget.more(s.by, s.size(), len(t.sums)); err != nil {
			return err
		}
	}
	if len(g.x) > 0 && (len(g.ux) == 0 || g.scale != scale) {
		if err := s.flush(g); err != nil {
			return err
		}
	}
	px, py := x.at(i), []float64(nil)
	if y != nil {
		py = y.at(i)
	}
	if len(px) > 1 || len(py) > 1 {
		if err := s.flush(g); err != nil {
			return err
		}
		w := []float64(nil)
		if y != nil {
			w = y.Values[i : i+1]
		}
		s.addNaively(g, x.Values[i:i+1], w)
		g.count++
		t.addParts(scale, px, py)
		return nil
	}
	g.scale = scale
	g.x, g.ux = append(g.x, x.Values[i]), append(g.ux, px[0])
	if y != nil {
		g.y, g.uy = append(g.y, y.Values[i]), append(g.uy, py[0])
	}
	if len(g.x) < maxPending {
		return nil
	}
	return s.flush(g)
}
