package proof

import (
	"cmp"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// A softmax adds exponentials, which no standard fixes. Its replays are on
// inputs whose summands are known all the same: 0 gives exactly 1, −∞ exactly
// 0, and exp(x) below half the last place of 1 is read off, since beside a 1
// alone the result is exp(x)/1. Inputs of a round also have one other value v,
// whose exponential has to be one of the numbers nearest to exp(v): the same
// for all inputs of its round.
const (
	softmaxRounds = 4
	specksRead    = 6 // small exponentials that are read off
	maxExpULPs    = 3 // error of an exponential in ULPs
)

// expRound is the samples of one value v, and the summands of their other
// values.
type expRound struct {
	v        float64
	samples  []ask.Sample // with the inputs as asked
	summands [][]float64  // NaN where the input is v
}

// SettleSoftmax asks for size samples, and returns the arithmetics that
// reproduce all of them.
func SettleSoftmax(
	c *ask.Channel, t *sumtree.Tree, all []sumtree.Arithmetic, size int,
) (left []sumtree.Arithmetic, m *Mismatch, err error) {
	c.ExpectQuestions("replay", size)
	all = roundedExponentials(c, all)
	m = &Mismatch{Tree: t, Closest: all[0], Matched: -1}
	rounds, err := askRounds(c, size)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range rounds {
		m.Samples = append(m.Samples, r.samples...)
	}
	for _, a := range all {
		matched := 0
		var miss *ask.Sample
		for _, r := range rounds {
			n, first := r.matches(t, a)
			matched += n
			if miss == nil {
				miss = first
			}
		}
		if miss == nil {
			left = append(left, a)
		}
		if matched > m.Matched {
			m.Closest, m.Matched = a, matched
			if miss != nil {
				const what = "replaying the tree gives another result"
				m.witness = *c.Witness(what, nil, ask.Values(miss.X), []float64{miss.Out}, nil)
			}
		}
	}
	return left, m, nil
}

// askRounds asks size samples, in rounds.
func askRounds(c *ask.Channel, size int) ([]*expRound, error) {
	count := softmaxRounds
	round := func(size int) (*expRound, error) { return shortRound(c, size) }
	if ask.IsShort(c) {
		count = shortRounds
	} else {
		small, err := readExponentials(c)
		if err != nil {
			return nil, err
		}
		round = func(size int) (*expRound, error) { return askRound(c, small, size) }
	}
	var rounds []*expRound
	for asked := 0; len(rounds) < count; {
		r, err := round((size - asked + count - len(rounds) - 1) / (count - len(rounds)))
		if err != nil {
			return nil, err
		}
		asked += len(r.samples)
		if err := r.arrange(c); err != nil {
			return nil, err
		}
		rounds = append(rounds, r)
	}
	return rounds, nil
}

// arrange asks inputs of the summands of the first samples, in ascending and in
// descending order, and inputs without a summand of zero: ones first, last, and
// in turns with v. An order that depends on these shows.
func (r *expRound) arrange(c *ask.Channel) error {
	first := len(r.samples)
	add := func(at func(i int) (x, summand float64)) {
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N)}
		summands := make([]float64, c.N)
		for i := range s.X {
			s.X[i], summands[i] = at(i)
		}
		r.samples, r.summands = append(r.samples, s), append(r.summands, summands)
	}
	for k := range min(2, first) {
		order := ascendingOrder(c.N)
		slices.SortStableFunc(order, func(i, j int) int {
			return (1 - 2*k) * cmp.Compare(r.samples[k].X[i], r.samples[k].X[j])
		})
		add(func(i int) (x, summand float64) {
			return r.samples[k].X[order[i]], r.summands[k][order[i]]
		})
	}
	for _, isOne := range []func(i int) bool{
		func(i int) bool { return i == 0 },
		func(i int) bool { return i == c.N-1 },
		func(i int) bool { return i%2 == 0 },
		func(i int) bool { return i >= c.N/2 },
	} {
		add(func(i int) (x, summand float64) {
			if isOne(i) {
				return 0, 1
			}
			return r.v, math.NaN()
		})
	}
	var fills []ask.Fill
	for _, s := range r.samples[first:] {
		fills = append(fills, ask.Values(s.X))
	}
	out, err := c.AskMain(nil, fills...)
	for k, o := range out {
		r.samples[first+k].Out = o
	}
	return err
}

// readExponentials returns the summands of small inputs: beside a summand of 1
// they are lost, and the result is the summand itself.
func readExponentials(c *ask.Channel) (map[float64]float64, error) {
	fills := make([]ask.Fill, 0, specksRead)
	inputs := make([]float64, 0, specksRead)
	for k := range specksRead {
		exp := -float64(c.Key.Out.Precision()+1+3*k) - c.Rand.Float64()
		x := c.Key.DType.Round(exp*math.Ln2, fp.NearestEven)
		inputs = append(inputs, x)
		fills = append(fills, func(row []float64) {
			for i := range row {
				row[i] = math.Inf(-1)
			}
			row[0], row[c.N-1] = 0, x
		})
	}
	out, err := c.AskMain(nil, fills...)
	if err != nil {
		return nil, err
	}
	small := map[float64]float64{0: 1, math.Inf(-1): 0}
	for k, x := range inputs {
		small[x] = out[k] //lastbit:ignore nankey the inputs are numbers
	}
	return small, nil
}

// askRound asks samples of one value v, zeros, −∞ and small inputs, in shares
// that vary.
func askRound(c *ask.Channel, small map[float64]float64, size int) (*expRound, error) {
	r := &expRound{v: c.Key.DType.Round(-0.1-float64(9*c.Rand.Float64()), fp.NearestEven)}
	var specks []float64
	for x, e := range small {
		if e > 0 && e < 1 {
			specks = append(specks, x)
		}
	}
	slices.Sort(specks)
	fills := make([]ask.Fill, size)
	for k := range fills {
		x, summands := r.input(c, small, specks)
		r.samples = append(r.samples, ask.Sample{Kind: ask.Sparse, X: x})
		r.summands = append(r.summands, summands)
		fills[k] = ask.Values(x)
	}
	out, err := c.Ask(nil, fills...)
	for k, o := range out {
		r.samples[k].Out = o
	}
	return r, err
}

// input returns one input of a round, and its summands.
func (r *expRound) input(
	c *ask.Channel, small map[float64]float64, specks []float64,
) (x, summands []float64) {
	x, summands = make([]float64, c.N), make([]float64, c.N)
	ones, others := c.Rand.Float64(), c.Rand.Float64()
	top := c.Rand.IntN(c.N)
	for i := range x {
		switch u := c.Rand.Float64(); {
		case i == top || u < ones*ones/2:
			x[i] = 0
		case u < others:
			x[i] = r.v
		case u < 0.95 && len(specks) > 0:
			x[i] = specks[c.Rand.IntN(len(specks))]
		default:
			x[i] = math.Inf(-1)
		}
		summands[i] = small[x[i]]
		if x[i] == r.v {
			summands[i] = math.NaN()
		}
	}
	return x, summands
}

// matches returns the largest number of samples that tree and arithmetic
// reproduce with one exponential of v, and the first other one.
func (r *expRound) matches(t *sumtree.Tree, a sumtree.Arithmetic) (best int, miss *ask.Sample) {
	replayer, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return 0, &r.samples[0]
	}
	best = -1
	//lastbit:ignore libm its neighbours are tried too
	e := a.In.Round(math.Exp(r.v), fp.NearestEven)
	for range maxExpULPs {
		e = a.In.NextDown(e)
	}
	x := make([]float64, t.Leaves())
	for range 2*maxExpULPs + 1 {
		n, first := 0, (*ask.Sample)(nil)
		for k := range r.samples {
			for i, s := range r.summands[k] {
				x[i] = s
				if s != s {
					x[i] = e
				}
			}
			got, err := replayer.Sum(x, nil)
			if err == nil && ask.SameBits(got, r.samples[k].Out) {
				n++
			} else if first == nil {
				first = &r.samples[k]
			}
		}
		if n > best {
			best, miss = n, first
		}
		e = a.In.NextUp(e)
	}
	return best, miss
}
