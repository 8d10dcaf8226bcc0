package reveal

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// The values of Traits.NaN.
const (
	NaNKept    = "kept"    // a NaN summand makes the result NaN
	NaNSkipped = "skipped" // the other summands give the result
	NaNOther   = "other"   // anything else; Traits.Special has the result
)

// describeNaN asks what a NaN summand, and infinities of both signs, do, and
// notes it in the traits of a finding. IEEE 754, and so a replay, gives NaN for
// both. It asks last, since a target may end with an error there.
func describeNaN(r *run, f *Finding) error {
	if f.Verdict == Nondeterministic {
		return nil
	}
	before := r.c.Calls()
	s := newSpecials(r.c)
	r.c.Expect("NaN", len(spreadPlaces(r.c.N))+1)
	err := s.describe(f)
	f.Calls += r.c.Calls() - before
	return err
}

// specials asks a target inputs that are not finite.
type specials struct {
	c    *ask.Channel
	base []float64 // ones
}

func newSpecials(c *ask.Channel) *specials { return &specials{c, ask.Ones(c.N)} }

// specialTraits asks a target for the traits NaN and Special. Where they differ
// from a finding's traits, it returns an input that shows it, and otherwise
// nil.
func specialTraits(c *ask.Channel, f *Finding) (*ask.Sample, error) {
	s := newSpecials(c)
	own := Finding{Traits: Unknown(), Arithmetic: f.Arithmetic}
	if err := s.describe(&own); err != nil {
		return nil, err
	}
	if own.Traits.NaN == f.Traits.NaN && own.Traits.Special == f.Traits.Special {
		return nil, nil
	}
	in := s.ones(c.N/2, math.NaN())
	if own.Traits.NaN == f.Traits.NaN && c.N > 1 {
		in = s.ones(0, math.Inf(1))
		in.Set(c.N-1, math.Inf(-1))
	}
	return s.sample(in), nil
}

// describe fills the traits NaN and Special.
func (s *specials) describe(f *Finding) error {
	places := spreadPlaces(s.c.N)
	inputs := make([]ask.Patch, 0, len(places)+1)
	for _, at := range places {
		inputs = append(inputs, s.ones(at, math.NaN()))
	}
	inputs = append(inputs, s.opposite(places)...)
	answers, err := s.answers(inputs)
	if err != nil {
		return err
	}
	var kept, skipped int
	for k, at := range places {
		a := answers[k]
		if a.fault != nil {
			f.Traits.Special = "a NaN summand ends in an error"
			return nil
		}
		if a.out != a.out {
			kept++
			continue
		}
		without, err := s.without(at)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(without, func(v float64) bool { return ask.SameBits(v, a.out) }) {
			skipped++
			continue
		}
		addSpecial(f, fmt.Sprintf("NaN at summand %d of ones gives %v", at, a.out))
	}
	switch {
	case kept == len(places):
		f.Traits.NaN = NaNKept
	case skipped == len(places):
		f.Traits.NaN = NaNSkipped
	default:
		f.Traits.NaN = NaNOther
		if f.Traits.Special == "" {
			f.Traits.Special = fmt.Sprintf("NaN is skipped in %d of %d places", skipped,
				len(places))
		}
	}
	for _, a := range answers[len(places):] {
		if a.fault != nil {
			addSpecial(f, "+Inf − Inf ends in an error")
		} else if a.out == a.out {
			addSpecial(f, fmt.Sprintf("+Inf − Inf gives %v", a.out))
		} else {
			continue
		}
		break
	}
	if f.Traits.Special == "" && !s.c.Key.Op.Positive() {
		return s.describeInfinities(f, places)
	}
	return nil
}

// opposite returns inputs with infinities of both signs: at both ends, and next
// to each other.
func (s *specials) opposite(places []int) (all []ask.Patch) {
	if s.c.N < 2 || s.c.Key.Op.Positive() {
		return nil
	}
	add := func(i, j int) {
		in := s.ones(i, math.Inf(1))
		in.Set(j, math.Inf(-1))
		all = append(all, in)
	}
	add(0, s.c.N-1)
	for _, i := range places {
		if i+1 < s.c.N {
			add(i, i+1)
		}
	}
	return all
}

// describeInfinities asks for sums with one infinity, and for a product of one
// and zero, and notes the first result that is not IEEE 754's.
func (s *specials) describeInfinities(f *Finding, places []int) error {
	var inputs []ask.Patch
	for _, at := range places {
		inputs = append(inputs, s.ones(at, math.Inf(1)), s.ones(at, math.Inf(-1)))
	}
	answers, err := s.answers(inputs)
	if err != nil {
		return err
	}
	for k, a := range answers {
		at := places[k/2]
		want := inputs[k].Values[0]
		if a.fault != nil {
			addSpecial(f, "an infinite summand ends in an error")
			return nil
		}
		if a.out != want {
			addSpecial(f, fmt.Sprintf("%v at summand %d of ones gives %v", want, at, a.out))
			return nil
		}
	}
	if !s.c.Key.Op.Products() {
		return nil
	}
	return s.describeZeros(f, places)
}

// describeZeros asks for products of 0 and an infinity, in either order, and
// notes the first result that is not NaN, or the rule of an arithmetic that
// skips products.
func (s *specials) describeZeros(f *Finding, places []int) error {
	var a sumtree.Arithmetic
	if f.Arithmetic != nil {
		a = *f.Arithmetic
	}
	if n := s.c.N; n > maxEachPlace {
		places = []int{n / 2, n - 1}
	}
	if some := len(a.Skipped); some > 0 {
		places = append(slices.Clone(places), a.Skipped[some-1][1]-1)
	}
	clause, isRule := "", true
	for k, at := range slices.Concat(places, places) {
		in := s.sample(s.ones(at, math.Inf(1)))
		in.Y = ask.Ones(s.c.N)
		in.Y[at] = 0
		factor := sumtree.SkipY
		if k >= len(places) {
			in.X[at], in.Y[at] = in.Y[at], in.X[at]
			factor = sumtree.SkipX
		}
		out, fault, err := askSpecial(s.c, *in)
		if err != nil || fault != nil {
			return err
		}
		if out == out && clause == "" {
			clause = fmt.Sprintf("a product of 0 and an infinity is skipped or gives %v", out)
		}
		skips := a.Skips&factor != 0 && (len(a.Skipped) == 0 || a.Skipped.Contains(at))
		isRule = isRule && (out == out) == skips
	}
	switch {
	case clause == "":
		return s.describeFactors(f)
	case isRule && len(a.Skipped) > 0:
		clause = fmt.Sprintf("%s, of summands %v", skippedProducts[a.Skips], a.Skipped)
	case isRule:
		clause = skippedProducts[a.Skips]
	}
	addSpecial(f, clause)
	return nil
}

// skippedProducts describes the rules for products that are skipped.
var skippedProducts = map[sumtree.Skip]string{
	sumtree.SkipX:      "a product whose first factor is 0 is skipped",
	sumtree.SkipY:      "a product whose second factor is 0 is skipped",
	sumtree.SkipEither: "a product with a factor 0 is skipped",
}

// describeFactors asks for second factors that are NaN or infinite, and notes
// the first result that is not IEEE 754's. Where lanes share them it asks one.
func (s *specials) describeFactors(f *Finding) error {
	all := specialFactors(s.c.N)
	if s.c.Lanes() > 1 {
		all = all[:1]
	}
	for _, in := range all {
		out, fault, err := askSpecial(s.c, in)
		if err != nil || fault != nil {
			return err
		}
		at := slices.IndexFunc(in.Y, func(v float64) bool { return v-v != 0 })
		if want := in.Y[at]; !ask.SameBits(out, want) {
			addSpecial(f, fmt.Sprintf("the second factor %v of summand %d gives %v", want, at, out))
			return nil
		}
	}
	return nil
}

// specialFactors returns products of ones, except a second factor that is NaN
// or an infinity: at a middle, the first and the last place.
func specialFactors(n int) (all []ask.Sample) {
	for k, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, at := range slices.Compact([]int{n / 2, 0, n - 1}) {
			if k > 0 && at != n/2 {
				continue
			}
			s := ask.Sample{Kind: ask.Edge, X: ask.Ones(n), Y: ask.Ones(n)}
			s.Y[at] = v
			all = append(all, s)
		}
	}
	return all
}

// answer is the result for a special input, or the error that it ended in.
type answer struct {
	out   float64
	fault *probe.Fault
}

// answers asks inputs: in one call where the pool has a lane for each and none
// ends in an error, and else the main lane one after the other.
func (s *specials) answers(inputs []ask.Patch) ([]answer, error) {
	all := make([]answer, len(inputs))
	lanes := s.c.Pool()
	if len(lanes) >= len(inputs) {
		outs, fault, err := guarded(s.c, func() ([]float64, error) {
			return s.c.AskPatched(lanes, inputs...)
		})
		for k, out := range outs {
			all[k].out = out
		}
		if err != nil || fault == nil {
			return all, err
		}
	}
	for k, in := range inputs {
		outs, fault, err := guarded(s.c, func() ([]float64, error) {
			return s.c.AskPatched(lanes[:1], in)
		})
		if err != nil {
			return nil, err
		}
		if all[k].fault = fault; fault == nil {
			all[k].out = outs[0]
		}
	}
	return all, nil
}

// addSpecial adds a clause to the trait Special.
func addSpecial(f *Finding, clause string) {
	if f.Traits.Special != "" {
		f.Traits.Special += "; "
	}
	f.Traits.Special += clause
}

// ones returns an input of ones, except one value.
func (s *specials) ones(at int, v float64) ask.Patch {
	return ask.Patch{Base: s.base, At: []int{at}, Values: []float64{v}}
}

// sample returns a whole input.
func (s *specials) sample(p ask.Patch) *ask.Sample {
	x := make([]float64, s.c.N)
	p.Fill()(x)
	return &ask.Sample{Kind: ask.Edge, X: x}
}

// without returns the results that skip a summand of ones: the result with 0 in
// its place, and for a mean also the mean of the others, which are ones.
func (s *specials) without(at int) (results []float64, err error) {
	for _, v := range []float64{0, 1} {
		if v == 1 && !s.c.Key.Mean {
			break
		}
		out, err := s.c.AskPatched(s.c.Pool()[:1], s.ones(at, v))
		if err != nil {
			return nil, err
		}
		results = append(results, out[0])
	}
	return results, nil
}

// maxEachPlace is the largest number of summands that are each asked as NaN and
// as infinities.
const maxEachPlace = 16

// spreadPlaces returns all of a few places, and of more the first, the last and
// some between them.
func spreadPlaces(n int) []int {
	if n > maxEachPlace {
		return []int{0, n / 5, n / 3, n / 2, n * 2 / 3, n * 4 / 5, n - 2, n - 1}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// askSpecial asks the main lane an input that is not finite. fault is the error
// that the target ended in, which is a property of the target; err is any other
// one.
func askSpecial(c *ask.Channel, s ask.Sample) (out float64, fault *probe.Fault, err error) {
	outs, fault, err := guarded(c, func() ([]float64, error) {
		return c.AskMain(s.Y, ask.Values(s.X))
	})
	if err == nil && fault == nil {
		out = outs[0]
	}
	return out, fault, err
}

// guarded asks a target of special inputs. A target of the caller's runs in
// this process: its panic is a fault.
func guarded(c *ask.Channel, do func() ([]float64, error)) (
	outs []float64, fault *probe.Fault, err error,
) {
	defer func() {
		if p := recover(); p != nil {
			fault = &probe.Fault{ID: "target-panicked", Thing: c.Key.Target,
				Cause: fmt.Sprintf("the function panicked: %v", p), Cure: "mend the function"}
		}
	}()
	outs, err = do()
	if err != nil && c.Err() == nil && errors.As(err, &fault) && fault.ID != "call-limit" {
		return nil, fault, nil
	}
	return outs, nil, err
}

// isSpecial reports whether a sample lies at the edges of the formats, or has a
// value that is not finite: a target may end in an error there.
func isSpecial(s ask.Sample) bool {
	return s.Kind == ask.Edge ||
		slices.ContainsFunc(s.X, func(v float64) bool { return v-v != 0 })
}

// specialInputs returns inputs with NaN, with infinities, and with sums that
// overflow on the way, at the first, a middle and the last place; the latter
// also where summands of the trees of findings meet.
func specialInputs(c *comparer) (all []ask.Sample) {
	n, inf := c.channels[0].N, math.Inf(1)
	with := func(rest float64, at []int, values ...float64) {
		if len(at) < len(values) {
			return
		}
		x := slices.Repeat([]float64{rest}, n)
		for k, v := range values {
			x[at[k]] = v
		}
		all = append(all, ask.Sample{Kind: ask.Edge, X: x})
	}
	spread := spreadPlaces(n)
	for _, at := range spread {
		for _, v := range []float64{math.NaN(), inf, -inf} {
			with(1, []int{at}, v)
		}
	}
	ends := slices.Compact([]int{0, n - 1})
	turned := slices.Clone(ends)
	slices.Reverse(turned)
	with(1, ends, math.NaN(), math.NaN())
	with(1, ends, math.NaN(), inf)
	with(1, turned, math.NaN(), -inf)
	with(1, ends, inf, -inf)
	with(1, turned, inf, -inf)
	if middle := n / 2; middle+1 < n {
		with(1, []int{middle, middle + 1}, inf, -inf)
		with(1, []int{middle, middle + 1}, inf, inf)
	}
	if c.channels[0].Key.Op.Products() {
		all = append(all, specialFactors(n)...)
	}
	for _, at := range meetings(c) {
		with(1, at, inf, -inf)
		most := c.channels[0].Key.DType.Max()
		with(0, at, most, most, -most, -most)
		with(0, at, -most, -most, most)
	}
	return all
}

// meetings returns lists of summands that meet one after the other: in the
// trees of findings, and the first, the last and the middle ones.
func meetings(c *comparer) [][]int {
	n := c.channels[0].N
	all := [][]int{}
	for first := range spreadPlaces(max(1, n-3)) {
		at := spreadPlaces(max(1, n-3))[first]
		var list []int
		for i := at; i < min(n, at+4); i++ {
			list = append(list, i)
		}
		all = append(all, list)
	}
	seen := map[string]bool{}
	for _, f := range c.Findings {
		if f.Tree == nil || f.Tree.Leaves() != n {
			continue
		}
		for _, at := range places(f.Tree) {
			if key := fmt.Sprint(at); !seen[key] && len(seen) < maxMeetings {
				seen[key] = true
				all = append(all, at)
			}
		}
	}
	return all
}

// maxMeetings bounds the lists of summands of trees that meet.
const maxMeetings = 12

// askSpecials gives the special inputs to every target, after all others: a
// target may end with an error there, and others may not survive it.
func askSpecials(c *comparer) error {
	all := specialInputs(c)
	for _, channel := range c.channels {
		channel.Expect("special", len(all))
	}
	for _, s := range all {
		if err := c.add(s); err != nil {
			return err
		}
	}
	return nil
}

// refuse notes that a target ended in an error on an input.
func refuse(c *comparer, target, input int) {
	if c.refused == nil {
		c.refused = map[[2]int]bool{}
	}
	c.refused[[2]int{target, input}] = true
}
