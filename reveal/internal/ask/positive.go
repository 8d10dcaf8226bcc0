package ask

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// OpenPositive is Calibrate and Open for an operation whose summands cannot be
// negative: it repeats random inputs, finds the lanes that agree with the main
// lane on them, and checks that every summand counts once. Unless oneLane, the
// lanes become the pool.
func OpenPositive(c *Channel, oneLane bool) (o PositiveOpening, err error) {
	if err := o.agree(c, c.Lanes()); err != nil {
		return o, err
	}
	if err := o.repeatMany(c); err != nil {
		return o, err
	}
	if !oneLane {
		c.SetPool(o.Pool)
	}
	o.Epilogue, o.Steps, err = countsOnce(c)
	return o, err
}

// maxPredictedLanes bounds the lanes that OpenPredicted takes. Of a target with
// more lanes it takes so few that a call computes only these.
const maxPredictedLanes = 256

// OpenPredicted is OpenPositive without repeats, for a target whose results are
// compared with predictions: a result that changes contradicts one. Where
// ordinary results show how often each summand counts, no summand is asked
// alone.
func OpenPredicted(c *Channel, oneLane bool) error {
	var o PositiveOpening
	lanes := c.Lanes()
	if lanes > maxPredictedLanes {
		lanes = min(lanes/minHinted, maxPredictedLanes)
	}
	if err := o.agree(c, lanes); err != nil {
		return err
	}
	if !oneLane {
		c.SetPool(o.Pool)
	}
	if c.Key.Out.Precision() >= minCounting {
		return nil
	}
	_, _, err := countsOnce(c)
	return err
}

// minCounting is the least precision of results that show a summand of ordinary
// size that counts twice or not at all.
const minCounting = 24

// PositiveOpening is the result of OpenPositive.
type PositiveOpening struct {
	Pool     []int                // lanes that agree with the main lane
	Epilogue sumtree.EpilogueKind // the function of the sum that shows; "" for none
	Steps    []Step               // that the sum of squares may be scaled by; nil for none
	samples  []Sample             // the first inputs, with the main lane's outputs
}

// Repeat asks the first inputs again, and others many times. The error is a
// Fact, Changed, when a result is not the same every time.
func (o *PositiveOpening) Repeat(c *Channel) error {
	c.Expect("repeat", len(o.samples)+restlessInputs*repeats)
	for k := range o.samples {
		if err := RepeatSample(c, &o.samples[k]); err != nil {
			return err
		}
	}
	return o.repeatMany(c)
}

// agreements is the number of random inputs that lanes are compared on.
const agreements = 5

// agree finds the lanes that give the main lane's result on random inputs, of
// the main lane and the first others.
func (o *PositiveOpening) agree(c *Channel, lanes int) error {
	c.Expect("lanes", agreements)
	main := c.pool[0]
	o.Pool = []int{main}
	for lane := 0; len(o.Pool) < lanes; lane++ {
		if lane != main {
			o.Pool = append(o.Pool, lane)
		}
	}
	for range agreements {
		s := c.Inputs.Sample(Normal, nil, nil)
		out, err := askLanes(c, o.Pool, s.X)
		if err != nil {
			return err
		}
		if s.Out = out[0]; s.Out != s.Out {
			return returnsNaN(c)
		}
		o.samples = append(o.samples, s)
		var agree []int
		for k, lane := range o.Pool {
			if SameBits(out[k], s.Out) {
				agree = append(agree, lane)
			}
		}
		o.Pool = agree
	}
	return nil
}

// askLanes runs one input in some lanes at once.
func askLanes(c *Channel, lanes []int, x []float64) ([]float64, error) {
	if len(lanes) < c.Lanes() {
		return c.AskIn(lanes, nil, slices.Repeat([]Fill{Values(x)}, len(lanes))...)
	}
	all, err := c.AskAll(nil, Values(x))
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(lanes))
	for k, lane := range lanes {
		out[k] = all[lane]
	}
	return out, nil
}

// returnsNaN returns the fault of a target that gives NaN for ordinary numbers.
func returnsNaN(c *Channel) *probe.Fault {
	return &probe.Fault{ID: "returns-nan", Thing: c.Key.String(),
		Cause: "ordinary numbers gave NaN",
		Cure:  "check the function's signature, --dtype and --op"}
}

// repeatMany asks random inputs again and again.
func (o *PositiveOpening) repeatMany(c *Channel) error {
	c.Expect("repeat", restlessInputs*(repeats+1))
	for range restlessInputs {
		s := c.Inputs.Sample(Normal, nil, nil)
		first, err := c.AskMain(nil, Values(s.X))
		if err != nil {
			return err
		}
		s.Out = first[0]
		if err := RepeatSample(c, &s); err != nil {
			return err
		}
	}
	return nil
}

// alone is the input that each summand is tried alone with: its square has few
// bits, which no format rounds off, and no quotient of that by a whole number
// is its root.
const alone = 1.5

// countsOnce tries every summand, alone or, for softmax, with its neighbour.
// The error is a Fact: WrongAlone, WrongTotal or Changed.
func countsOnce(c *Channel) (sumtree.EpilogueKind, []Step, error) {
	single := func(i int) Fill { return func(row []float64) { row[i] = alone } }
	if c.Key.Op == probe.Softmax {
		single = func(i int) Fill {
			return func(row []float64) {
				for k := range row {
					row[k] = math.Inf(-1)
				}
				row[i], row[(i+1)%c.N] = 0, 0
			}
		}
	}
	fills := make([]Fill, c.N)
	for i := range fills {
		fills[i] = single(i)
	}
	c.ExpectQuestions("summands", c.N)
	out, err := c.Ask(nil, fills...)
	if err != nil {
		return "", nil, err
	}
	want, kind := expectedAlone(c, out)
	var steps []Step
	if !slices.Contains(out, want) && c.Key.Op == probe.SumSq {
		if want, kind, steps, err = scaledAlone(c, out[0]); err != nil {
			return "", nil, err
		}
	}
	for i, o := range out {
		if SameBits(o, want) {
			continue
		}
		what := fmt.Sprintf("summand %d alone does not count once", i)
		no := &verdict.Fact{Reason: verdict.WrongAlone, What: what,
			Witness: c.Witness(what, nil, fills[i], []float64{o}, &want)}
		if err := Repeat(c, no.Witness); err != nil {
			return "", nil, err
		}
		return "", nil, no
	}
	if steps != nil {
		c.divisor = steps[0].Divisor
		return kind, steps, nil
	}
	return kind, nil, addsUp(c, kind)
}

// expectedAlone returns the output that a summand alone has to give: its square
// or the root of that, or where the result is neither, the commonest output.
func expectedAlone(c *Channel, out []float64) (want float64, kind sumtree.EpilogueKind) {
	seen := map[float64]int{}
	for _, o := range out {
		seen[o]++ //lastbit:ignore nankey outputs are counted by value
		if seen[o] > seen[want] {
			want = o
		}
	}
	switch c.Key.Op {
	case probe.RMSNorm:
		return want, sumtree.RMS
	case probe.Softmax:
		if c.N > 1 {
			return 0.5, sumtree.Softmax
		}
		return 1, sumtree.Softmax
	}
	if want == alone {
		return alone, sumtree.Root
	}
	return alone * alone, ""
}

// addsUp checks the total of four ones, whose root is whole too.
func addsUp(c *Channel, kind sumtree.EpilogueKind) error {
	if c.Key.Op != probe.SumSq || c.N < 4 {
		return nil
	}
	fill := func(row []float64) {
		for _, i := range []int{0, c.N / 3, 2 * c.N / 3, c.N - 1} {
			row[i] = 1
		}
	}
	out, err := c.AskMain(nil, fill)
	if err != nil {
		return err
	}
	want := 4.0
	if kind == sumtree.Root {
		want = 2
	}
	if out[0] == want {
		return nil
	}
	const what = "a sum of four ones is wrong"
	return &verdict.Fact{Reason: verdict.WrongTotal, What: what,
		Witness: c.Witness(what, nil, fill, out, &want)}
}

// positive returns an input of a kind for summands that cannot be negative. Its
// masses are the shares that summands have in the sum, which Large, Small and
// Tiny move to the ends of the format.
func (in *Inputs) positive(kind Kind, shape *Shape) Sample {
	mass := make([]float64, in.n)
	switch kind {
	case Normal, Negative:
		for i := range mass {
			v := in.rng.NormFloat64() //lastbit:ignore libm inputs need no last bit
			mass[i] = float64(v * v)
		}
	case Sparse:
		for i := range mass {
			if in.rng.IntN(2) == 0 {
				//lastbit:ignore libm inputs need no last bit
				mass[i] = math.Exp2(8 * in.rng.Float64())
			}
		}
	case Drift:
		for i := range mass {
			mass[i] = math.Exp2(6 * in.rng.Float64()) //lastbit:ignore libm inputs need no last bit
		}
	case Wide:
		for i := range mass {
			//lastbit:ignore libm inputs need no last bit
			mass[i] = math.Exp2(24 * (2*in.rng.Float64() - 1))
		}
	case Ladder:
		ladderMass(in, mass)
	default:
		shape.shares(mass, in)
	}
	return in.fromMass(kind, mass)
}

// fromMass turns shares of the sum into inputs.
func (in *Inputs) fromMass(kind Kind, mass []float64) Sample {
	var total float64
	for _, v := range mass {
		total += v
	}
	x := make([]float64, len(mass))
	scale := math.Ldexp(1+in.rng.Float64(), in.sumExponent(kind)) / max(total, 0x1p-1000)
	if in.key.Op == probe.Softmax { // the largest is exp(0)
		scale = 1 / slices.Max(mass)
	}
	for i, v := range mass {
		x[i] = factorFor(in, float64(v*scale), kind)
	}
	return Sample{Kind: kind, X: x}
}

// sumExponent returns the exponent of the sum of an input of a kind.
func (in *Inputs) sumExponent(kind Kind) int {
	f := in.key.Out
	switch kind {
	case Large:
		return f.MaxExp() - 3
	case Small:
		return f.MinExp() + f.Precision()/2
	case Tiny:
		return f.MinExp() + 2
	}
	return in.rng.IntN(7)
}

// factorFor returns the input of a summand v: its logarithm, or a root of a
// random sign.
func factorFor(in *Inputs, v float64, kind Kind) float64 {
	if in.key.Op == probe.Softmax {
		//lastbit:ignore libm inputs need no last bit
		return in.key.DType.Round(math.Log(v), fp.NearestEven)
	}
	x := math.Sqrt(v)
	if kind == Negative || kind != Drift && in.rng.IntN(2) == 0 {
		x = -x
	}
	return in.key.DType.Round(x, fp.NearestEven)
}

// ladderMass fills mass with one large share and others a random number of
// binades below, in steps.
func ladderMass(in *Inputs, mass []float64) {
	below := 8 + in.rng.IntN(60)
	for i := range mass {
		mass[i] = math.Ldexp(1+in.rng.Float64(), -below-in.rng.IntN(8))
	}
	mass[in.rng.IntN(len(mass))] = 1
}

// shares fills mass along a random path from the root to a leaf: a node on the
// path leaves its other operands a share of 2^-26 to 1, so that what the node
// rounds off shows in the result. A nil shape gives random shares.
func (s *Shape) shares(mass []float64, in *Inputs) {
	if s == nil {
		for i := range mass {
			mass[i] = in.rng.Float64()
		}
		return
	}
	n := s.tree.Leaves()
	path := s.path(in.rng.IntN(n))
	least := 0.0
	if in.rng.IntN(2) == 0 { // a long path needs small shares to be seen to its end
		//lastbit:ignore libm inputs need no last bit
		least = math.Log2(1 + float64(s.depth[path[0]]))
	}
	on := map[int]bool{}
	for _, v := range path {
		on[v] = true
	}
	partial := make([]float64, s.tree.Nodes())
	partial[s.tree.Root()] = 1
	for id := s.tree.Root(); id >= n; id-- {
		kids := s.tree.Children(id)
		rest := in.rng.Float64()
		if on[id] {
			//lastbit:ignore libm inputs need no last bit
			rest = math.Exp2(-least - float64((26-float64(least/2))*in.rng.Float64()))
		}
		for k, c := range kids {
			share := rest / float64(len(kids)-1)
			if on[id] && on[int(c)] || !on[id] && k == 0 {
				share = 1 - rest
			}
			partial[c] = float64(partial[id] * share)
		}
	}
	copy(mass, partial[:n])
}

// path returns the nodes from a leaf up to the root.
func (s *Shape) path(leaf int) []int {
	if s.parents == nil {
		s.parents = s.tree.Parents()
	}
	var path []int
	for v := int32(leaf); v >= 0; v = s.parents[v] {
		path = append(path, int(v))
	}
	return path
}
