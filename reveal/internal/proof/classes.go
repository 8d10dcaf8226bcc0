package proof

import (
	"cmp"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// The limits of AskClasses: inputs in all, summands in all, calls where one has
// many lanes, and drawn inputs that each is chosen from.
const (
	minClasses      = 24
	maxClasses      = 192
	classWork       = 1 << 12 // summands beside minClasses inputs
	maxClassWork    = 1 << 22 // summands
	fewestClasses   = 4
	classCallsLaned = 4
	maxClassDraws   = 24
	classDrawWork   = 1 << 11
)

// AskClasses asks inputs of many classes of values (see ask.Inputs.Class): an
// order that depends on the signs or sizes of the summands gives other bits for
// some of them. Of several inputs of a class it asks the one whose result most
// of the orders that programs change to do not give.
//
// The main lane takes the samples, or, where a call has many lanes, the pool
// does: the main lane has one in every call. It draws no number from c.Rand.
func AskClasses(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) ([]ask.Sample, error) {
	x := newClassDrawer(c, t, a)
	if x == nil {
		return nil, nil
	}
	lanes := len(c.Pool())
	count := min(max(minClasses, classWork/c.N), maxClasses, max(fewestClasses, maxClassWork/c.N))
	calls := count
	if c.Lanes() > 1 {
		calls = min(count, max(classCallsLaned, classWork/(c.N*c.Lanes())))
		count = min(calls*lanes, max(count, calls))
	}
	c.Expect("classes", calls)
	asked := make([][]int, calls)
	for call := range asked {
		for k := call; k < count; k += calls {
			asked[call] = append(asked[call], k)
		}
	}
	if x.draws == 1 {
		x.drawAll(slices.Concat(asked...))
	}
	var samples []ask.Sample
	for _, classes := range asked {
		var now []ask.Sample
		for _, k := range classes {
			s := x.draw(k)
			if x.leavesZero(&s) {
				continue
			}
			s.Elsewhere = len(now) > 0
			if len(now) > 0 { // lanes share their second factors
				s = withFactors(c, s, now[0].Y)
			}
			now = append(now, s)
		}
		if len(now) == 0 {
			continue
		}
		fills := make([]ask.Fill, len(now))
		for k, s := range now {
			fills[k] = ask.Values(s.X)
		}
		out, err := c.Ask(now[0].Y, fills...)
		if err != nil {
			return nil, err
		}
		for k := range now {
			now[k].Out = out[k]
		}
		samples = append(samples, now...)
	}
	return samples, nil
}

// withFactors returns a sample of other second factors, and products as they
// were where those exist.
func withFactors(c *ask.Channel, s ask.Sample, y []float64) ask.Sample {
	for i := range y {
		if v := s.X[i] * s.Y[i] / y[i]; c.Key.DType.Contains(v) {
			s.X[i] = v
		}
	}
	s.Y = y
	return s
}

// classDrawer draws the inputs of AskClasses.
type classDrawer struct {
	c     *ask.Channel
	in    *ask.Inputs
	r     *sumtree.Replayer
	sums  *sumtree.Replayer // results in the accumulator's format; nil where these are the results
	draws int
	drawn map[int]ask.Sample // where draws is 1

	flushes bool
}

// newClassDrawer returns nil where no input can be predicted.
func newClassDrawer(c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic) *classDrawer {
	r, err := sumtree.NewReplayer(t, a)
	if err != nil || c.Key.Op == probe.Softmax {
		return nil
	}
	x := &classDrawer{c: c, in: ask.InputsApart(c, "classes"), r: r,
		flushes: a.FTZ || a.DAZ,
		draws:   min(max(1, classDrawWork/c.N), maxClassDraws)}
	if acc := held(a.Nodes); c.Key.Out.Precision() < acc.Precision() && a.After == nil && !a.Mean {
		a.Out, a.FlushOut = acc, false
		if x.sums, err = sumtree.NewReplayer(t, a); err != nil {
			x.sums = nil
		}
		x.draws = min(max(1, 4*classDrawWork/c.N), maxClassDraws)
	}
	return x
}

// drawAll draws one input of each of the classes.
func (x *classDrawer) drawAll(classes []int) {
	x.drawn = make(map[int]ask.Sample)
	fills := make([]func(), len(classes))
	for i, k := range classes {
		x.drawn[k], fills[i] = ask.PrepareClass(x.in, k)
	}
	each(len(fills), func(i int) { fills[i]() })
}

// draw returns the k-th input.
func (x *classDrawer) draw(k int) ask.Sample {
	var best ask.Sample
	trials := x.newTrials(k)
	for range x.draws {
		s, ok := x.drawn[k]
		if !ok {
			s = x.in.Class(k)
		}
		if x.sums != nil && ask.KeepsClass(k) {
			x.nearTie(&s)
		}
		if ok {
			return s
		}
		if trials.enter(x.shows(&s, k)) {
			best = s
		}
		if trials.isOver() {
			break
		}
	}
	return best
}

// leavesZero reports whether nothing is left of a sum that flushes: the sign of
// that zero depends on the places where sums begin with +0, which a tree does
// not have.
func (x *classDrawer) leavesZero(s *ask.Sample) bool {
	if !x.flushes {
		return false
	}
	want, err := x.r.Sum(s.X, s.Y)
	return err != nil || want == 0
}

// nearTie changes the last places of summands until their sum is about halfway
// between two results, so that the rounding of each addition decides.
func (x *classDrawer) nearTie(s *ask.Sample) {
	in, out := x.c.Key.DType, x.c.Key.Out
	sum, err := x.sums.Sum(s.X, s.Y)
	if err != nil || sum-sum != 0 || sum == 0 {
		return
	}
	low := out.Round(sum, fp.TowardZero)
	rest := low + math.Copysign(out.ULP(sum)/2, sum) - sum
	order := ascendingOrder(len(s.X))
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Compare(math.Abs(s.X[j]), math.Abs(s.X[i]))
	})
	for _, i := range order {
		y := 1.0
		if s.Y != nil {
			y = s.Y[i]
		}
		v := in.Round(s.X[i]+rest/y, fp.NearestEven)
		if r := math.Abs(v / s.X[i]); r > 0.5 && r < 2 && v*s.X[i] > 0 {
			rest -= float64((v - s.X[i]) * y)
			s.X[i] = v
		}
	}
}

// newTrials returns a contest of inputs of the k-th class: each of the other
// orders is to give another result. An exchange of the summands that the class
// orders counts for all others.
func (x *classDrawer) newTrials(k int) *contest {
	count := countChanged(x.c.N)
	exchange := 1
	if k%2 == 1 {
		exchange += count
	}
	return newContest(append(slices.Repeat([]int{1}, count), exchange, exchange))
}

// shows returns a function that reports whether the result of an input of the
// k-th class is another one in an order: one of changedOrders, or one of two
// exchanges of summands.
func (x *classDrawer) shows(s *ask.Sample, k int) func(order int) bool {
	want, err := x.r.Sum(s.X, s.Y)
	if err != nil {
		return func(int) bool { return false }
	}
	n := len(s.X)
	third := ask.Third(k, n)
	return func(at int) bool {
		var order []int
		switch at - countChanged(n) {
		case 0:
			order = swapped(n, 0, third)
		case 1:
			order = swapped(n, min(1, third), third)
		default:
			order = nthChanged(s, at)
		}
		got, err := x.r.Sum(picked(s.X, order), picked(s.Y, order))
		return err == nil && !ask.SameBits(got, want)
	}
}

// picked returns the values of v in an order, nil for none.
func picked(v []float64, order []int) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	for to, from := range order {
		out[to] = v[from]
	}
	return out
}

// swapped returns the order of n summands with two of them exchanged.
func swapped(n, a, b int) []int {
	order := ascendingOrder(n)
	order[a], order[b] = b, a
	return order
}

// ascendingOrder returns the numbers from 0 to n − 1.
func ascendingOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// minChanged is the least number of inputs that changedOrder rests on.
const minChanged = 6

// ClassesMatter returns the fact that some classes of values are added in
// another order, or nil. An experiment shows that a property decides the order,
// or one changed order gives the results of some classes, or two orders give
// all results between them.
func (m *Mismatch) ClassesMatter(c *ask.Channel) (*verdict.Fact, error) {
	if c.N < 3 {
		return nil, nil
	}
	if f, err := propertyMatters(m, c); f != nil || err != nil {
		return f, err
	}
	if f, err := changedOrder(m); f != nil || err != nil {
		return f, err
	}
	return twoOrders(m, c), nil
}

// minOtherwise is the least number of inputs that twoOrders rests on.
const minOtherwise = 10

// maxTwoOrders is the largest n that twoOrders folds all families over.
const maxTwoOrders = 1 << 7

// twoOrders returns the fact that two families of orders give all results
// between them, each of them many that the other does not, or nil. Masks may
// then meet in a third order.
func twoOrders(m *Mismatch, c *ask.Channel) *verdict.Fact {
	missed := Missed(m)
	if len(missed) < minOtherwise || c.N > maxTwoOrders {
		return nil
	}
	var orders []knownOrder
	for _, f := range sumtree.Candidates(c.N) {
		orders = append(orders, knownOrder{name: f.String(), tree: f.Tree(c.N)})
	}
	for _, acc := range ask.Accumulators(c.Key) {
		for _, a := range productRules(c, m.Closest, acc) {
			a.Nodes = sumtree.NodeArith{Acc: acc}
			if f := coveredByTwo(m, c, a, orders, missed); f != nil {
				return f
			}
		}
	}
	return nil
}

// knownOrder is a family, and the samples whose results it gives.
type knownOrder struct {
	name  string
	tree  *sumtree.Tree
	gives []bool
	count int
}

// coveredByTwo is twoOrders for one arithmetic. It gives up at the first of a
// few missed samples that no order gives.
func coveredByTwo(
	m *Mismatch, c *ask.Channel, a sumtree.Arithmetic, orders []knownOrder, missed []ask.Sample,
) *verdict.Fact {
	replayers := make([]*sumtree.Replayer, len(orders))
	for k, o := range orders {
		replayers[k], _ = sumtree.NewReplayer(o.tree, a) // nil where it has no meaning
	}
	gives := func(r *sumtree.Replayer, s *ask.Sample) bool {
		if r == nil {
			return false
		}
		got, err := r.Sum(s.X, s.Y)
		return err == nil && ask.SameBits(got, s.Out)
	}
	for k := range missed[:minOtherwise] {
		some := func(r *sumtree.Replayer) bool { return gives(r, &missed[k]) }
		if !slices.ContainsFunc(replayers, some) {
			return nil
		}
	}
	var all []knownOrder
	seen := map[string]bool{} // of the orders, the samples that they give
	for i, o := range orders {
		key := make([]byte, len(m.Samples))
		o.gives = make([]bool, len(m.Samples))
		for k := range m.Samples {
			if o.gives[k] = gives(replayers[i], &m.Samples[k]); o.gives[k] {
				o.count++
				key[k] = 1
			}
		}
		if o.count >= minOtherwise && !seen[string(key)] {
			seen[string(key)] = true
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b knownOrder) int { return b.count - a.count })
	for i, one := range all {
		for _, other := range all[i+1:] {
			if one.count+other.count < len(m.Samples) {
				break
			}
			alone, otherAlone, at := 0, 0, -1
			covers := true
			for k := range m.Samples {
				switch {
				case one.gives[k] && !other.gives[k]:
					alone++
				case other.gives[k] && !one.gives[k]:
					if otherAlone++; at < 0 {
						at = k
					}
				case !one.gives[k]:
					covers = false
				}
			}
			if !covers || alone < minOtherwise || otherAlone < minOtherwise {
				continue
			}
			what := "some inputs are added in another order than others: " + one.name + " or " +
				other.name
			s := m.Samples[at]
			want, err := one.tree.Replay(a, s.X, s.Y)
			if err != nil {
				return nil
			}
			fact := m.fact(verdict.ClassesMatter, what)
			fact.Witness = c.Witness(what, s.Y, ask.Values(s.X), []float64{s.Out}, &want)
			fact.Shows = func(x, y []float64, out float64) (want float64, shown bool) {
				want, err := one.tree.Replay(a, x, y)
				got, no := other.tree.Replay(a, x, y)
				return want, err == nil && no == nil && !ask.SameBits(want, out) &&
					ask.SameBits(got, out)
			}
			return fact
		}
	}
	return nil
}

// changedOrder returns the fact that the closest arithmetic reproduces every
// replay of both signs, and the other inputs too if one changed order is taken
// for those that it misses; nil where that is not so.
func changedOrder(m *Mismatch) (*verdict.Fact, error) {
	r, err := sumtree.NewReplayer(m.Tree, m.Closest)
	if err != nil {
		return nil, nil
	}
	var fits []int
	missed := 0
	for k := range m.Samples {
		s := &m.Samples[k]
		if got, err := r.Sum(s.X, s.Y); err == nil && ask.SameBits(got, s.Out) {
			continue
		}
		if missed++; s.Kind != ask.Edge && s.Kind != ask.Drift && s.Kind != ask.Negative {
			return nil, nil
		}
		orders := changedOrders(s)
		if missed == 1 {
			fits = ascendingOrder(len(orders))
		}
		fits = slices.DeleteFunc(fits, func(o int) bool {
			got, err := r.Sum(picked(s.X, orders[o]), picked(s.Y, orders[o]))
			return err != nil || !ask.SameBits(got, s.Out)
		})
	}
	if missed < minChanged || len(fits) == 0 {
		return nil, nil
	}
	return m.fact(verdict.ClassesMatter, "some classes of values are added in another order: "+
		changedNames()[fits[0]]), nil
}

// changedNames names the orders of changedOrders.
func changedNames() []string {
	return []string{"from the last summand to the first", "sorted by value",
		"sorted by size", "sorted by size, the largest first", "positive summands first"}
}
