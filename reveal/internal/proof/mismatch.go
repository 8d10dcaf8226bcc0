package proof

import (
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// Mismatch is a certified tree that no arithmetic reproduces the samples with.
type Mismatch struct {
	Tree    *sumtree.Tree
	Samples []ask.Sample
	Closest sumtree.Arithmetic // the uniform one that reproduces the most
	Matched int                // samples that it reproduces
	witness verdict.Witness    // the first sample that it misses
}

// NewMismatch finds the closest arithmetic, and asks samples again that it
// misses: one result that does not come again has nothing to do with
// arithmetic. The error is then a Fact, Changed.
func NewMismatch(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic, samples []ask.Sample,
) (*Mismatch, error) {
	// The sign of sums of products that vanish tells least of the order.
	m := &Mismatch{Tree: t, Samples: WithoutVanishing(c, samples)}
	miss := m.findClosest(c, base)
	if miss < 0 {
		m.Samples = samples
		miss = max(0, m.findClosest(c, base))
	}
	if m.missedWhere() != "" {
		if err := m.askMore(c); err != nil {
			return nil, err
		}
		miss = max(0, m.findClosest(c, base))
	}
	if err := m.repeatMissed(c); err != nil {
		return nil, err
	}
	m.Matched, _ = countMatches(t, m.Closest, m.Samples)
	s := m.Samples[miss]
	want, err := t.Replay(m.Closest, s.X, s.Y)
	if err != nil {
		return nil, err
	}
	const what = "replaying the tree gives another result"
	m.witness = *c.Witness(what, s.Y, ask.Values(s.X), []float64{s.Out}, &want)
	return m, nil
}

// findClosest finds the uniform arithmetic that reproduces most samples, and
// returns the first that it misses, or −1.
func (m *Mismatch) findClosest(c *ask.Channel, base sumtree.Arithmetic) (miss int) {
	m.Closest = base
	m.Closest.Nodes = sumtree.NodeArith{Acc: c.Key.Out}
	most := -1
	for _, reading := range readings(c, base) {
		for _, acc := range ask.Accumulators(c.Key) {
			for _, a := range productRules(c, reading, acc) {
				a.Nodes = sumtree.NodeArith{Acc: acc}
				if n, at := countMatches(m.Tree, a, m.Samples); n > most {
					m.Closest, most, miss = a, n, at
				}
			}
		}
	}
	return miss
}

// askMore asks inputs of many classes and properties, which a tree that is to
// reproduce all results but a few has to hold for as well.
func (m *Mismatch) askMore(c *ask.Channel) error {
	for _, step := range []func(
		*ask.Channel, *sumtree.Tree, sumtree.Arithmetic) ([]ask.Sample, error){
		AskClasses, AskProperties,
	} {
		more, err := step(c, m.Tree, m.Closest)
		if err != nil {
			return err
		}
		m.Samples = append(m.Samples[:len(m.Samples):len(m.Samples)], more...)
	}
	return nil
}

// maxMissed bounds the samples that are asked again.
const maxMissed = 6

// repeatMissed asks samples again that the closest arithmetic misses.
func (m *Mismatch) repeatMissed(c *ask.Channel) error {
	asked := 0
	for k := range m.Samples {
		if asked == maxMissed {
			return nil
		}
		if matches(m.Tree, m.Closest, m.Samples[k:k+1]) {
			continue
		}
		asked++
		if err := ask.RepeatSample(c, &m.Samples[k]); err != nil {
			return err
		}
	}
	return nil
}

// Missed returns the samples that the closest arithmetic misses.
func Missed(m *Mismatch) (missed []ask.Sample) {
	for k := range m.Samples {
		if !matches(m.Tree, m.Closest, m.Samples[k:k+1]) {
			missed = append(missed, m.Samples[k])
		}
	}
	return missed
}

// fact returns a fact with the witness of the mismatch and one text for both.
func (m *Mismatch) fact(reason verdict.Reason, what string) *verdict.Fact {
	w := m.witness
	w.What = what
	return &verdict.Fact{Reason: reason, What: what, Witness: &w, Shows: m.shows}
}

// shows reports whether the closest arithmetic does not give the output.
func (m *Mismatch) shows(x, y []float64, out float64) (want float64, shown bool) {
	want, err := m.Tree.Replay(m.Closest, x, y)
	return want, err == nil && !ask.SameBits(want, out)
}

// NotReplayed returns the fact of the mismatch itself.
func (m *Mismatch) NotReplayed() *verdict.Fact {
	f := m.fact(verdict.NotReplayed, m.witness.What)
	f.Warning = "the certificate holds, but no arithmetic known here reproduces the results: " +
		"the tree is unverified"
	if f.Where = m.missedWhere(); f.Where != "" {
		f.Warning = "the tree is unverified: it reproduces all other results, but " + f.Where
	}
	return f
}

// KahanFits returns the fact that Kahan's summation gives the results, or nil.
func (m *Mismatch) KahanFits(c *ask.Channel) (*verdict.Fact, error) {
	k, err := compensationAsked(c, m.Tree, m.Samples)
	if k == nil || err != nil || c.N >= minCompensated && !k.decides(c, m) {
		return nil, err
	}
	f := m.fact(verdict.KahanFits, "rounding errors are carried along: Kahan's summation "+
		"in the revealed order gives this result, and no plain sum does")
	f.Shows = func(x, y []float64, out float64) (want float64, shown bool) {
		s := ask.Sample{X: x, Y: y, Out: out}
		want, shown = m.shows(x, y, out)
		return want, shown && isSame(k.result(&s), out) && !m.plain(c, &s)
	}
	return f, nil
}

// minDeciding is the least number of results that no plain sum gives and that
// Kahan's summation has to give.
const minDeciding = 3

// decides reports whether Kahan's summation gives nine of ten of the results
// that no plain sum in the revealed order gives, in any accumulator. A wide
// accumulator gives most of the others, too.
func (k *kahanChain) decides(c *ask.Channel, m *Mismatch) bool {
	var deciding tally
	for i := range m.Samples {
		if s := &m.Samples[i]; s.Out-s.Out == 0 && !m.plain(c, s) {
			deciding.add(isSame(k.result(s), s.Out))
		}
	}
	return deciding.tried >= minDeciding && deciding.mostly()
}

// plain reports whether a sum without compensation gives the output of a
// sample, in the closest arithmetic or with a wider accumulator.
func (m *Mismatch) plain(c *ask.Channel, s *ask.Sample) bool {
	for _, acc := range ask.Accumulators(c.Key) {
		a := m.Closest
		a.Nodes = sumtree.NodeArith{Acc: acc}
		if matches(m.Tree, a, []ask.Sample{*s}) {
			return true
		}
	}
	return false
}

// maxAlone is the largest n to try every summand alone with, and to fold other
// families over the samples.
const maxAlone = 4096

// scaledPairs is the number of pairs of each distance that ScaledBetween asks.
const scaledPairs = 3

// ScaledBetween looks for a summand of a mean that its opposite does not
// cancel. In a mean of a sum, whatever its order, they meet as they are. In a
// running mean (Welford's) each is multiplied by rounded numbers before.
func ScaledBetween(c *ask.Channel) (*verdict.Fact, error) {
	if !c.Key.Mean {
		return nil, nil
	}
	f := c.Key.DType
	for distance := 1; distance < c.N; distance *= 2 {
		for range scaledPairs {
			i := c.Rand.IntN(c.N - distance)
			v := f.Round(1+c.Rand.Float64(), fp.TowardZero)
			fill := func(row []float64) { row[i], row[i+distance] = v, -v }
			out, err := c.AskMain(nil, fill)
			if err != nil {
				return nil, err
			}
			if out[0] == 0 {
				continue
			}
			what := fmt.Sprintf("summands %d and %d are opposite and the others zero, but the "+
				"mean is not zero: they are scaled before they meet, as in a running mean, "+
				"which is not a sum divided by n", i, i+distance)
			want := 0.0
			return &verdict.Fact{Reason: verdict.ScaledBetween, What: what,
				Witness: c.Witness(what, nil, fill, out, &want)}, nil
		}
	}
	return nil, nil
}

// maxFusedOperands is the largest number of operands of a fused sum that is
// taken for hardware: the instructions known have 32 products and the
// accumulator.
const maxFusedOperands = 33

// HugeHides returns the fact that a huge summand hides more summands than any
// fused sum has operands, or nil.
func (m *Mismatch) HugeHides(c *ask.Channel) (*verdict.Fact, error) {
	w := m.Tree.MaxArity()
	if w <= 2 || w <= maxFusedOperands && c.Key.Op.Products() {
		return nil, nil
	}
	what := fmt.Sprintf("a huge summand hides all others, as if %d of them were added at once, "+
		"but ordinary numbers are not added so", w)
	return m.fact(verdict.HugeHides, what), nil
}

// AnotherOrder looks for a family that reproduces all inputs of moderate size,
// where the revealed order does not.
func (m *Mismatch) AnotherOrder(c *ask.Channel) (*verdict.Fact, error) {
	var moderate []ask.Sample
	for _, s := range m.Samples {
		if s.Kind.IsModerate() {
			moderate = append(moderate, s)
		}
	}
	n, _ := countMatches(m.Tree, m.Closest, moderate)
	if 2*n > len(moderate) || len(moderate) < 8 || c.N > maxAlone {
		return nil, nil
	}
	for _, f := range sumtree.Candidates(c.N) {
		tree := f.Tree(c.N)
		for _, acc := range ask.Accumulators(c.Key) {
			a := m.Closest // to the revealed tree, maybe in another format
			a.Nodes.Acc = acc
			if matches(tree, a, moderate) {
				what := fmt.Sprintf(
					"numbers of moderate size are added in another order than huge ones: %s", f)
				return m.fact(verdict.AnotherOrder, what), nil
			}
		}
	}
	return nil, nil
}
