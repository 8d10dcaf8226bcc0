package reveal

import (
	"math"
	mathbits "math/bits"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// sample is an input and what the implementation made of it.
type sample struct {
	kind string
	x, y []float64
	out  float64
}

// A bank is what hypotheses about the arithmetic are tried on, and the replays
// that a finding counts. Kinds of input:
//
//	aware     built from the claimed tree, so that the rounding error of every
//	          node reaches the result
//	normal    N(0,1)
//	drift     positive, so that a running sum outgrows its summands
//	negative  the same, all negative
//	sparse    signed, of various sizes, half of them zeros
//	wide      exponents spread as far as sums show it
//	ladder    two opposite summands, the others far below in steps: what the
//	          accumulator loses beside them is its width
//	large     aware, scaled close to overflow
//	small     aware, scaled to where subnormals are among the partial sums
//	tiny      aware, scaled until the result is subnormal
//
// An order or an arithmetic that holds for one kind only is value-dependent.
var bankKinds = []string{"aware", "normal", "aware", "wide", "aware", "large", "drift", "small", "ladder", "sparse", "aware", "negative", "tiny", "ladder", "normal", "ladder"}

// fillBank asks for size samples. Lanes of one call share their second factors.
//
// Lanes that are left over get the main lane's input: those that do not give its
// result are dropped from the pool, and what they have answered proves nothing.
func (p *prober) fillBank(t *sumtree.Tree, size int) (bank []sample, dropped bool, err error) {
	// No finding rests on one vector of second factors, nor on one input of the main
	// lane; short results show less, and need more.
	calls := max((size+len(p.pool)-1)/len(p.pool), 2)
	if p.key.Out.Precision() <= fp.Binary16.Precision() {
		calls = max(calls, 8)
	}
	p.expect("replay", calls)
	shape := newShape(t)
	for c := range calls {
		share := (size - len(bank) + calls - c - 1) / (calls - c)
		y := p.secondFactors()
		lanes := slices.Clone(p.pool)
		p.rng.Shuffle(len(lanes)-1, func(i, j int) { lanes[1+i], lanes[1+j] = lanes[1+j], lanes[1+i] })
		fills := make([]func([]float64), max(share, len(lanes)))
		for k := range fills {
			if k >= share {
				fills[k] = fills[0]
				continue
			}
			s := sample{kind: bankKinds[len(bank)%len(bankKinds)], y: y}
			s.x = p.sampleOf(s.kind, shape, y)
			fills[k] = copied(s.x)
			bank = append(bank, s)
		}
		out, err := p.askIn(lanes, y, fills...)
		if err != nil {
			return nil, false, err
		}
		for k, o := range out {
			if k < share {
				bank[len(bank)-share+k].out = o
			} else if !sameBits(o, out[0]) {
				p.pool = slices.DeleteFunc(p.pool, func(lane int) bool { return lane == lanes[k] })
				dropped = true
			}
		}
	}
	return bank, dropped, nil
}

// secondFactors returns random y in ±[1/2, 2), nil for sums.
func (p *prober) secondFactors() []float64 {
	if !p.key.Op.Products() {
		return nil
	}
	y := make([]float64, p.n)
	for i := range y {
		y[i] = p.key.DType.Round(math.Exp2(2*p.rng.Float64()-1), fp.NearestEven)
		if p.rng.IntN(2) == 0 {
			y[i] = -y[i]
		}
	}
	return y
}

// sampleOf returns first factors of one kind for given second factors.
func (p *prober) sampleOf(kind string, shape *shape, y []float64) []float64 {
	f := p.key.DType
	x := make([]float64, p.n)
	switch kind {
	case "normal":
		for i := range x {
			x[i] = p.rng.NormFloat64()
		}
	case "sparse":
		for i := range x {
			if p.rng.IntN(2) == 0 {
				x[i] = p.rng.NormFloat64() * math.Exp2(6*p.rng.Float64())
			}
		}
	case "drift", "negative":
		for i := range x {
			x[i] = math.Exp2(6 * p.rng.Float64())
			if (y != nil && y[i] < 0) != (kind == "negative") {
				x[i] = -x[i]
			}
		}
	case "ladder":
		p.ladder(x, y)
	case "wide":
		spread := min(float64(max(f.Precision(), 24)), 0.8*float64(f.MaxExp()))
		for i := range x {
			x[i] = p.rng.NormFloat64() * math.Exp2((2*p.rng.Float64()-1)*spread)
		}
	default:
		shape.aware(x, p.rng.Float64, math.Ldexp(1, min(12, f.Precision()/2)))
		p.rescale(kind, x)
	}
	for i := range x {
		if y != nil && (kind == "aware" || kind == "large" || kind == "small" || kind == "tiny") {
			x[i] /= y[i]
		}
		x[i] = f.Round(x[i], fp.NearestEven)
	}
	return x
}

// ladder fills x with two opposite summands of nearly the largest exponent, and
// others that are a random number of binades smaller. Opposite products need
// equal factors, which y may not give: then they cancel all but a few places.
func (p *prober) ladder(x, y []float64) {
	f := p.key.DType
	top := f.MaxExp() - 4 - mathbits.Len(uint(len(x)))/2
	below := 8 + p.rng.IntN(max(1, min(top-f.MinExp(), 3*f.Precision()+40)-16))
	for i := range x {
		x[i] = math.Ldexp(1+p.rng.Float64(), top-below-p.rng.IntN(8))
		if p.rng.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
	if len(x) < 2 {
		return
	}
	i, j := p.rng.IntN(len(x)), p.rng.IntN(len(x))
	if i == j {
		j = (i + 1) % len(x)
	}
	x[i] = math.Ldexp(1, top)
	x[j] = -x[i]
	if y != nil {
		x[j] = -x[i] * y[i] / y[j]
	}
}

// rescale moves an input to where the format ends.
func (p *prober) rescale(kind string, x []float64) {
	f := p.key.DType
	var top float64
	for _, v := range x {
		top = max(top, math.Abs(v))
	}
	if top == 0 {
		return
	}
	exp := 0
	switch kind {
	case "large": // partial sums stay below 64 times the largest summand
		exp = f.MaxExp() - 7 - math.Ilogb(top)
	case "small":
		exp = f.MinExp() + f.Precision()/2 - math.Ilogb(top)
	case "tiny":
		exp = f.MinExp() + 2 - math.Ilogb(top)
	}
	for i := range x {
		x[i] = math.Ldexp(x[i], exp)
	}
}

// shape is a tree prepared for aware inputs.
type shape struct {
	t     *sumtree.Tree
	depth []int32
	val   []float64
}

func newShape(t *sumtree.Tree) *shape {
	if t == nil {
		return nil
	}
	return &shape{t: t, depth: t.Depths(), val: make([]float64, t.Nodes())}
}

// growth is how much larger partial sums get for each level down: enough for the
// error made at a node not to be lost in the roundings above it.
const growth = 1.43

// aware fills x with summands whose partial sums, in the order of the tree, grow
// from the root towards the leaves up to limit: what a node rounds off is then
// as large as the result, or larger, and no other order rounds off the same. A
// nil shape gives self-cancelling noise of the same size.
func (s *shape) aware(x []float64, random func() float64, limit float64) {
	noise := func() float64 { return 2*random() - 1 }
	if s == nil {
		for i := range x {
			x[i] = noise() * limit
		}
		return
	}
	n := s.t.Leaves()
	s.val[s.t.Root()] = noise()
	for id := s.t.Root(); id >= n; id-- {
		kids := s.t.Children(id)
		amplitude := limit
		if d := float64(s.depth[id]) * math.Log2(growth); d < math.Log2(limit) {
			amplitude = math.Exp2(d)
		}
		rest := s.val[id]
		for k, c := range kids[1:] {
			v := rest/float64(len(kids)-k) + float64(noise()*amplitude)
			s.val[c] = v
			rest -= v
		}
		s.val[kids[0]] = rest
	}
	copy(x, s.val[:n])
}

// matches returns how many samples the hypothesis reproduces, stopping at the
// first miss when all are asked for, and the index of that miss.
func matches(t *sumtree.Tree, a sumtree.Arithmetic, bank []sample, all bool) (n, miss int) {
	r, err := sumtree.NewReplayer(t, a)
	if err != nil {
		return 0, 0
	}
	miss = -1
	for k, s := range bank {
		got, err := r.Sum(s.x, s.y)
		if err == nil && sameBits(got, s.out) {
			n++
			continue
		}
		if miss < 0 {
			miss = k
		}
		if all {
			break
		}
	}
	return n, miss
}

// sameBits compares results as bits; any NaN is any other.
func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
