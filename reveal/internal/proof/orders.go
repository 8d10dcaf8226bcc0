package proof

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The limits of AskOrders: summands that are put into every order, orders asked
// of sums and of fused sums of products, and inputs that are looked at.
const (
	maxOrdered       = 5
	maxOrdersAsked   = 128
	maxFusedAsked    = 48
	maxProductsAsked = 8
	maxOrderTries    = 3000
	maxFusedTries    = 20_000 // no order of additions gives many of a fused sum's results
)

// AskOrders asks inputs whose result no other order of additions gives, one for
// each order of the sizes and each pattern of signs of the summands, zeros of
// both signs among them: a function whose order depends on the values gives
// another result for some. It asks all summands where there are at most five.
// Of more, in a tree with a fused sum, it asks four operands of one.
//
// It asks the main lane, and draws no number from c.Rand.
func AskOrders(c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic) ([]ask.Sample, error) {
	if c.N < 2 || c.Key.Op.Positive() || a.Check(t) != nil {
		return nil, nil
	}
	x := &orderer{c: c, a: a, rng: ask.RandApart(c, "orders"),
		tries: maxOrderTries}
	if t.MaxArity() > 2 && !a.Products {
		x.tries = maxFusedTries
	}
	most := maxOrdersAsked
	switch {
	case c.N <= maxOrdered:
		for i := range c.N {
			x.leaves = append(x.leaves, i)
		}
		x.zeros()
	case t.MaxArity() > 2:
		x.leaves = operandsOf(t, x.rng)
		most = maxFusedAsked
		if a.Products {
			most = maxProductsAsked
		}
	default:
		if hasCarry(a) {
			x.add(x.blank(math.Copysign(0, -1)))
		}
	}
	if len(x.leaves) > 2 {
		var err error
		if x.r, err = sumtree.NewReplayer(t, a); err != nil {
			return nil, nil
		}
		x.orders(most)
		if t.MaxArity() > 2 && !a.Products {
			x.overflows()
		}
	}
	c.Expect("orders", len(x.samples))
	for k := range x.samples {
		s := &x.samples[k]
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil {
			return nil, err
		}
		s.Out = out[0]
	}
	return x.samples, nil
}

// orderer makes the inputs of AskOrders.
type orderer struct {
	c       *ask.Channel
	a       sumtree.Arithmetic
	r       *sumtree.Replayer
	rng     *rand.Rand
	leaves  []int // that are not zero
	tries   int
	samples []ask.Sample
}

// operandsOf returns a leaf under each of up to four operands of a fused sum.
func operandsOf(t *sumtree.Tree, rng *rand.Rand) []int {
	order, lo, hi := t.LeafOrder()
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := slices.Clone(t.Children(id))
		if len(kids) <= 2 {
			continue
		}
		rng.Shuffle(len(kids), func(i, j int) { kids[i], kids[j] = kids[j], kids[i] })
		var leaves []int
		for _, k := range kids[:min(4, len(kids))] {
			leaves = append(leaves, int(order[int(lo[k])+rng.IntN(int(hi[k]-lo[k]))]))
		}
		return leaves
	}
	return nil
}

// blank returns an input of equal values.
func (x *orderer) blank(v float64) []float64 { return slices.Repeat([]float64{v}, x.c.N) }

// add records an input. Second factors are ones, or powers of two as large as
// the powers in replays.
func (x *orderer) add(v []float64) {
	s := ask.Sample{Kind: ask.Edge, X: v}
	if x.c.Key.Op.Products() {
		s.Y = ask.Ones(x.c.N)
		if x.rng.IntN(2) == 0 {
			for i := range v {
				k := x.rng.IntN(2*maxShift+1) - maxShift
				if w := math.Ldexp(v[i], -k); x.c.Key.DType.Contains(w) {
					v[i], s.Y[i] = w, math.Ldexp(1, k)
				}
			}
		}
	}
	x.samples = append(x.samples, s)
}

// zeros makes inputs of zeros of all signs, of five summands with one or all
// but one negative, and pairs that cancel among negative zeros.
func (x *orderer) zeros() {
	n := x.c.N
	minus := math.Copysign(0, -1)
	for signs := range 1 << n {
		ones := 0
		v := x.blank(0)
		for i := range v {
			if signs>>i&1 == 1 {
				v[i] = minus
				ones++
			}
		}
		if n < maxOrdered || ones <= 1 || ones >= n-1 {
			x.add(v)
		}
	}
	for i := range n {
		for j := range n {
			if i != j {
				v := x.blank(minus)
				v[i], v[j] = 1, -1
				x.add(v)
			}
		}
	}
}

// drawn is an input of orders, and the orders of additions that give the result
// that the claimed arithmetic gives: their number, and the first 64 of them.
type drawn struct {
	v      []float64
	others int
	which  uint64
}

// orders makes up to most inputs for the leaves: for each order of sizes and
// pattern of signs one whose result few other orders give, and one whose result
// the fewest of these orders give.
func (x *orderer) orders(most int) {
	all := map[int][]drawn{}
	var classes []int
	always := ^uint64(0) // orders that give every result
	for range x.tries {
		d := drawn{v: x.draw()}
		if !x.alike(&d) {
			continue
		}
		class := classOf(d.v)
		if all[class] == nil {
			classes = append(classes, class)
		}
		all[class] = append(all[class], d)
		always &= d.which
	}
	var first, second []drawn
	for _, class := range classes {
		a := slices.MinFunc(all[class], func(a, b drawn) int { return a.others - b.others })
		first = append(first, a)
		rest := a.which &^ always
		left := func(d drawn) int { return bits.OnesCount64(d.which & rest) }
		b := slices.MinFunc(all[class], func(a, b drawn) int { return left(a) - left(b) })
		if left(b) < left(a) {
			second = append(second, b)
		}
	}
	slices.SortStableFunc(first, func(a, b drawn) int { return a.others - b.others })
	chosen := append(first, second...)
	for _, d := range chosen[:min(most, len(chosen))] {
		full := make([]float64, x.c.N)
		for k, leaf := range x.leaves {
			full[leaf] = d.v[k]
		}
		x.add(full)
	}
}

// overflows makes inputs of three of the largest numbers, one of them negative.
func (x *orderer) overflows() {
	for k := range 3 {
		full := make([]float64, x.c.N)
		for i := range 3 {
			full[x.leaves[i]] = x.c.Key.DType.Max()
		}
		full[x.leaves[k]] *= -1
		x.add(full)
	}
}

// classOf numbers the pattern of signs and the order of sizes of a few values.
func classOf(v []float64) int {
	class := 0
	for i, a := range v {
		class *= 2
		if math.Signbit(a) {
			class++
		}
		for _, b := range v[:i] {
			class *= 3
			class += 1 + cmp.Compare(math.Abs(a), math.Abs(b))
		}
	}
	return class
}

// draw returns values for the leaves: of sizes some places apart, a tie between
// two results with specks, or values that cancel except for a few places.
func (x *orderer) draw() []float64 {
	in, out := x.c.Key.DType, x.c.Key.Out
	acc := x.a.Nodes.Acc.Precision()
	top := 0
	if in == fp.Binary16 {
		top = x.rng.IntN(13)
	}
	v := make([]float64, len(x.leaves))
	number := func(exp int) float64 {
		f := 1 + x.rng.Float64()
		if x.rng.IntN(3) == 0 {
			f = 1
		}
		if x.rng.IntN(2) == 0 {
			f = -f
		}
		return in.Round(math.Ldexp(f, exp), fp.NearestEven)
	}
	kind := x.rng.IntN(5)
	for i := range v {
		v[i] = number(top - x.rng.IntN(acc+3))
	}
	perm := x.rng.Perm(len(v))
	big := number(top)
	switch kind {
	case 0:
		v[perm[0]] = big
	case 1: // a tie, and specks
		v[perm[0]] = big
		v[perm[1]] = math.Copysign(out.ULP(big)/2, v[perm[1]])
		for _, k := range perm[2:] {
			v[k] = number(top - acc + x.rng.IntN(5) - 3)
		}
	case 2: // about half of the last place
		v[perm[0]] = big
		for _, k := range perm[1:] {
			v[k] = math.Copysign(x.a.Nodes.Acc.ULP(big)/4*float64(1+x.rng.IntN(4)), v[k])
		}
	default:
		v[perm[0]], v[perm[1]] = big, -big
		if x.rng.IntN(2) == 0 {
			v[perm[1]] = -in.Round(big+v[perm[2]], fp.NearestEven)
		}
		if x.rng.IntN(4) == 0 {
			v[perm[1]] = in.NextUp(v[perm[1]])
		}
	}
	if x.rng.IntN(8) == 0 {
		v[perm[len(v)-1]] = math.Copysign(0, v[perm[len(v)-1]])
	}
	return v
}

// alike counts the orders of additions that give the result of the claimed
// arithmetic for values of the leaves. It returns false for a value that is not
// in the format, or a result that is not finite.
func (x *orderer) alike(d *drawn) bool {
	v := d.v
	full := make([]float64, x.c.N)
	for k, leaf := range x.leaves {
		if !x.c.Key.DType.Contains(v[k]) {
			return false
		}
		full[leaf] = v[k]
	}
	var y []float64
	if x.a.Products {
		y = ask.Ones(x.c.N)
	}
	want, err := x.r.Sum(full, y)
	if err != nil || want-want != 0 {
		return false
	}
	at := 0
	x.eachOrder(v, func(s float64) {
		if x.a.Mean {
			s /= float64(x.c.N)
		}
		if x.c.Key.Out.Round(s, fp.NearestEven) == want {
			d.others++
			if at < 64 {
				d.which |= 1 << at
			}
		}
		at++
	})
	return true
}

// eachOrder calls do with the sum of v in every order: of each pair that may be
// added first, and the rest. Orders of independent additions count repeatedly.
func (x *orderer) eachOrder(v []float64, do func(sum float64)) {
	if len(v) == 1 {
		do(v[0])
		return
	}
	n := &x.a.Nodes
	for j := range v {
		for i := range j {
			rest := make([]float64, 0, len(v)-1)
			for k, w := range v {
				if k != i && k != j {
					rest = append(rest, w)
				}
			}
			s := n.Acc.Add(v[i], v[j], n.Mode)
			if n.Store != 0 {
				s = n.Store.Round(s, n.Mode)
			}
			x.eachOrder(append(rest, s), do)
		}
	}
}
