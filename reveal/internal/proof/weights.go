package proof

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// Weighting is the weights of all summands, as questions of one and of two
// summands show them.
type Weighting struct {
	Factors []float64
	Product fp.Format // of the products, where they are rounded
	Fused   bool      // some products enter their additions unrounded
	Last    LastStep
	acc     fp.Format

	Neighbours bool // the summands are sums of neighbouring inputs
}

// LastStep is the last step of a weighted sum: a product by Factor, or a
// quotient by Divisor, unless both are 0.
type LastStep struct{ Factor, Divisor float64 }

// apply returns the result for a sum s, rounded to f.
func (l LastStep) apply(f fp.Format, s float64) float64 {
	switch {
	case l.Factor != 0:
		return f.Mul(s, l.Factor, fp.NearestEven)
	case l.Divisor != 0:
		return f.Round(s/l.Divisor, fp.NearestEven)
	}
	return s
}

// undone returns the sum that gives about the result v.
func (l LastStep) undone(v float64) float64 {
	switch {
	case l.Factor != 0:
		return v / l.Factor
	case l.Divisor != 0:
		return v * l.Divisor
	}
	return v
}

// Sum returns the sum, in units of scale, that a result is nearest to.
func (w *Weighting) Sum(out, scale float64) float64 { return w.Last.undone(out) / scale }

// scaled returns the weighting with its weights multiplied by 2^k and the last
// step changed so that ordinary results stay the same.
func (w *Weighting) scaled(k int) *Weighting {
	s := *w
	s.Factors = slices.Clone(w.Factors)
	for i := range s.Factors {
		s.Factors[i] = math.Ldexp(w.Factors[i], k)
	}
	s.Last = LastStep{Factor: math.Ldexp(w.Last.Factor, -k), Divisor: math.Ldexp(w.Last.Divisor, k)}
	return &s
}

// negated returns the weighting with the signs of its weights and of its last
// step changed.
func (w *Weighting) negated() *Weighting {
	s := *w
	s.Factors = slices.Clone(w.Factors)
	for i := range s.Factors {
		s.Factors[i] = -s.Factors[i]
	}
	s.Last = LastStep{Factor: -w.Last.Factor, Divisor: -w.Last.Divisor}
	return &s
}

// two is a question of one or two summands that are not zero, and its output.
type two struct {
	i, j int // j < 0: one summand
	x, y float64
	out  float64
}

// askTwos asks questions, and stores their outputs.
func askTwos(c *ask.Channel, all []two) error {
	fills := make([]ask.Fill, len(all))
	for k, q := range all {
		fills[k] = func(row []float64) {
			row[q.i] = q.x
			if q.j >= 0 {
				row[q.j] = q.y
			}
		}
	}
	out, err := c.Ask(nil, fills...)
	for k := range out {
		all[k].out = out[k]
	}
	return err
}

// results returns the results that a question may have: with the products
// rounded, and with either of them fused.
func (w *Weighting) results(out fp.Format, q two) []float64 {
	near := fp.NearestEven
	p := w.Product.Mul(q.x, w.Factors[q.i], near)
	sums := []float64{w.acc.Round(p, near)}
	if q.j >= 0 {
		r := w.Product.Mul(q.y, w.Factors[q.j], near)
		sums = []float64{w.acc.Add(p, r, near), w.fused(q.x, w.Factors[q.i], r),
			w.fused(q.y, w.Factors[q.j], p)}
	}
	for k, s := range sums {
		sums[k] = out.Round(w.Last.apply(w.acc, s), near)
	}
	return sums
}

// fused returns x·f + s rounded once, where float64 holds the product.
func (w *Weighting) fused(x, f, s float64) float64 {
	if w.acc == fp.Binary64 {
		return math.FMA(x, f, s)
	}
	return w.acc.FMA(x, f, s, fp.NearestEven)
}

// explains reports whether the weighting gives all outputs, and fills in Fused.
func (w *Weighting) explains(out fp.Format, all []two) bool {
	w.Fused = false
	for _, q := range all {
		at := slices.Index(w.results(out, q), q.out)
		if at < 0 {
			return false
		}
		w.Fused = w.Fused || at > 0
	}
	return true
}

// weigher looks for the weights of a target's summands.
type weigher struct {
	c     *ask.Channel
	plain bool // weights may all be 1
	rng   *rand.Rand
	alone []float64 // the results of every summand, 1, alone
	few   []int     // the leaves that decide about the last step
	pairs []two     // of those
	ones  [][]two   // single questions of every leaf
}

// The numbers of questions that decide: of two summands, of two that nearly
// cancel, and of one summand at most, askedAtOnce at a time.
const (
	weighedPairs   = 48
	weighedCancels = 64
	weighedAlone   = 40
	askedAtOnce    = 4
)

// FindWeights finds the weights of all summands, from questions of one summand
// and of two. refusal is a sentence where there are none: then w is nil. Unless
// plain, weights that are all 1 are none.
//
// A summand of 1 alone gives its weight, where the result is the sum of the
// weighted summands. Where that is multiplied or divided in the end, the least
// differences of two weighted summands show by what: they are few units in the
// last place of a product, and the last step multiplies each of them alike.
func FindWeights(c *ask.Channel, plain bool) (w *Weighting, refusal string, err error) {
	if c.Key.DType.Precision() < fp.Binary32.Precision() {
		return nil, fmt.Sprintf("weights of %s summands cannot be told from results of so few "+
			"bits; those of f32 and f64 summands can", c.Key.DType), nil
	}
	x := &weigher{c: c, plain: plain, rng: ask.RandApart(c, "weights"),
		ones: make([][]two, c.N)}
	c.ExpectQuestions("weights", 2*c.N)
	if refusal, err = x.askAlone(); refusal != "" || err != nil {
		return nil, refusal, err
	}
	if err := x.askPairs(); err != nil {
		return nil, "", err
	}
	if w = x.direct(); w == nil {
		if w, err = x.stepped(); err != nil {
			return nil, "", err
		}
	}
	if w != nil {
		ok, err := x.askStrides(w)
		if err != nil {
			return nil, "", err
		}
		if !ok {
			w = nil
		}
	}
	if w == nil {
		return nil, "each summand alone is multiplied by a weight, but no weights and no last " +
			"step explain sums of two: the weights have more bits than results show, or " +
			"depend on the summands", nil
	}
	return w, "", nil
}

// askAlone asks every summand alone, as 1 and as −8.
func (x *weigher) askAlone() (refusal string, err error) {
	qs := make([]two, 2*x.c.N)
	for i := range x.c.N {
		qs[2*i], qs[2*i+1] = two{i: i, j: -1, x: 1}, two{i: i, j: -1, x: -8}
	}
	if err := askTwos(x.c, qs); err != nil {
		return "", err
	}
	odd, at := 0, 0
	for i := range x.c.N {
		v, u := qs[2*i].out, qs[2*i+1].out
		switch {
		case v == 0:
			return fmt.Sprintf("summand %d has no weight: 1 alone gives 0", i), nil
		case v-v != 0:
			return fmt.Sprintf("summand %d alone, 1, gives %v", i, v), nil
		case u != -8*v:
			return fmt.Sprintf("the weight of summand %d depends on its value: 1 alone gives %v "+
				"and −8 alone gives %v", i, v, u), nil
		}
		if v != 1 {
			odd, at = odd+1, i
		}
		x.alone = append(x.alone, v)
	}
	if odd == 0 && !x.plain {
		return "1 and −8 alone are returned as they are: what is left out or changed depends " +
			"on the values", nil
	}
	if odd == 1 {
		return fmt.Sprintf("every summand counts once, except for summand %d", at), nil
	}
	return "", nil
}

// significand returns a random value of the summands' format in [1, 2).
func (x *weigher) significand() float64 {
	return x.c.Key.DType.Round(1+float64(x.rng.Float64()*0.999), fp.NearestEven)
}

// maxFew bounds the leaves that decide about the last step.
const maxFew = 6

// askPairs asks sums of two summands of about the same size, among few leaves
// and among all.
func (x *weigher) askPairs() error {
	perm := x.rng.Perm(x.c.N)
	x.few = perm[:min(maxFew, x.c.N)]
	slices.Sort(x.few)
	f := x.c.Key.DType
	for k := range weighedPairs {
		a, b := k%len(x.few), x.rng.IntN(len(x.few)-1)
		if b >= a {
			b++
		}
		i, j := x.few[a], x.few[b]
		u := x.significand()
		v := f.Round(-u*x.alone[i]/x.alone[j]*x.significand(), fp.NearestEven)
		if k%3 == 0 {
			v = -v
		}
		x.pairs = append(x.pairs, two{i: i, j: j, x: u, y: v})
	}
	return askTwos(x.c, x.pairs)
}

// weighedStrides is the number of pairs of each stride that askStrides asks.
const weighedStrides = 3

// askStrides asks sums of two summands at many distances. Some pairs meet in
// one chain, and show there whether a product is fused. It reports whether the
// weighting explains them.
func (x *weigher) askStrides(w *Weighting) (bool, error) {
	n, f := x.c.N, x.c.Key.DType
	var all []two
	for stride := 1; stride < n; stride *= 2 {
		for range weighedStrides {
			i := x.rng.IntN(n - stride)
			u := x.significand()
			v := f.Round(-u*w.Factors[i]/w.Factors[i+stride], fp.NearestEven)
			all = append(all, two{i: i, j: i + stride, x: u, y: v})
		}
	}
	if err := askTwos(x.c, all); err != nil {
		return false, err
	}
	fused := w.Fused
	ok := w.explains(x.c.Key.Out, all)
	w.Fused = w.Fused || fused
	return ok, nil
}

// formats returns the formats that products and sums may be rounded to.
func (x *weigher) formats() [][2]fp.Format {
	in, wide := x.c.Key.DType, fp.Binary64
	if in == wide {
		return [][2]fp.Format{{in, in}}
	}
	return [][2]fp.Format{{in, in}, {wide, wide}, {in, wide}, {wide, in}}
}

// direct returns the weighting without a last step, nil when the outputs
// contradict it.
func (x *weigher) direct() *Weighting {
	for _, f := range x.formats() {
		w := &Weighting{Factors: x.alone, Product: f[0], acc: f[1]}
		if w.explains(x.c.Key.Out, x.pairs) {
			return w
		}
	}
	return nil
}

// stepped returns a weighting with a last step, or nil. The weights and the
// step are in the format of the summands.
func (x *weigher) stepped() (*Weighting, error) {
	shown, err := x.askCancels()
	if err != nil {
		return nil, err
	}
	for _, s := range shown {
		for _, last := range x.lastSteps(s) {
			w := &Weighting{Factors: make([]float64, x.c.N), Last: last,
				Product: x.c.Key.DType, acc: x.c.Key.DType}
			ok, err := x.fit(w, x.few)
			if err != nil {
				return nil, err
			}
			if !ok || !w.explains(x.c.Key.Out, x.pairs) {
				continue
			}
			if ok, err = x.fit(w, x.others()); err != nil || ok {
				return w, err
			}
		}
	}
	return nil, nil
}

// others returns the leaves besides few.
func (x *weigher) others() []int {
	var all []int
	for i := range x.c.N {
		if !slices.Contains(x.few, i) {
			all = append(all, i)
		}
	}
	return all
}

// askCancels asks for sums of two summands that nearly cancel, and returns the
// significands of the results, the commonest first.
func (x *weigher) askCancels() ([]float64, error) {
	f := x.c.Key.DType
	qs := make([]two, weighedCancels)
	for k := range qs {
		i, j := x.few[k%len(x.few)], x.few[(k+1+k/len(x.few)%(len(x.few)-1))%len(x.few)]
		u := x.significand()
		v := f.Round(-u*x.alone[i]/x.alone[j], fp.NearestEven)
		switch k % 3 {
		case 1:
			v = f.NextUp(v)
		case 2:
			v = f.NextDown(v)
		}
		qs[k] = two{i: i, j: j, x: u, y: v}
	}
	if err := askTwos(x.c, qs); err != nil {
		return nil, err
	}
	count := map[float64]int{}
	var all []float64
	for _, q := range qs {
		if q.out == 0 || q.out-q.out != 0 {
			continue
		}
		s, _ := math.Frexp(math.Abs(q.out))
		if count[2*s] == 0 {
			all = append(all, 2*s)
		}
		count[2*s]++ //lastbit:ignore nankey outputs that are numbers
	}
	slices.SortStableFunc(all, func(a, b float64) int { return count[b] - count[a] })
	return all, nil
}

// lastSteps returns the last steps that make s of a power of two.
func (x *weigher) lastSteps(s float64) []LastStep {
	f := x.c.Key.DType
	all := []LastStep{{Factor: s}}
	d := f.Round(2/s, fp.NearestEven)
	for _, d := range []float64{d, f.NextUp(d), f.NextDown(d), f.NextUp(f.NextUp(d))} {
		if q, _ := math.Frexp(1 / d); f.Round(2*q, fp.NearestEven) == s {
			all = append(all, LastStep{Divisor: d})
		}
	}
	return all
}

// fit finds the weights of leaves under the last step of w, from as many
// questions of each leaf alone as that takes. It reports whether there are
// some.
func (x *weigher) fit(w *Weighting, leaves []int) (bool, error) {
	f := x.c.Key.DType
	for _, i := range leaves {
		first := f.Round(w.Last.undone(x.alone[i]), fp.NearestEven)
		candidates := []float64{first}
		for up, down := first, first; len(candidates) < 7; {
			up, down = f.NextUp(up), f.NextDown(down)
			candidates = append(candidates, up, down)
		}
		candidates = slices.DeleteFunc(candidates, func(v float64) bool {
			return !x.fits(w, i, v, []two{{i: i, j: -1, x: 1, out: x.alone[i]}})
		})
		for at := 0; len(candidates) > 1 && at < weighedAlone; at += askedAtOnce {
			if at == len(x.ones[i]) {
				if err := x.askMore(i); err != nil {
					return false, err
				}
			}
			now := x.ones[i][at : at+askedAtOnce]
			candidates = slices.DeleteFunc(candidates, func(v float64) bool {
				return !x.fits(w, i, v, now)
			})
		}
		if len(candidates) == 0 {
			return false, nil
		}
		w.Factors[i] = candidates[0]
	}
	return true, nil
}

// askMore asks more questions of a leaf alone.
func (x *weigher) askMore(i int) error {
	more := make([]two, askedAtOnce)
	for k := range more {
		more[k] = two{i: i, j: -1, x: x.significand()}
	}
	err := askTwos(x.c, more)
	x.ones[i] = append(x.ones[i], more...)
	return err
}

// fits reports whether a weight of leaf i explains its results alone.
func (x *weigher) fits(w *Weighting, i int, weight float64, all []two) bool {
	for _, q := range all {
		p := w.acc.Round(w.Product.Mul(q.x, weight, fp.NearestEven), fp.NearestEven)
		if x.c.Key.Out.Round(w.Last.apply(w.acc, p), fp.NearestEven) != q.out {
			return false
		}
	}
	return true
}
