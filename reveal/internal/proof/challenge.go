package proof

import (
	"math"
	"sync"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Challenge asks the main lane inputs derived from a tree and its arithmetic,
// which reproduce the samples. They are the inputs of AskOrders, structures
// with second factors of many sizes, the inputs of AskFusedTies, AskSwapped,
// AskFlushed, AskClasses, AskProperties, AskClose, AskRepeated, AskSorted,
// AskFactors and AskScales, single products that are flushed, additions that
// may have more places than their format, or round a wide one in a direction,
// and inputs that show deviations. For sums of squares it leaves out the first
// two.
func Challenge(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic, samples []ask.Sample,
) ([]ask.Sample, error) {
	var asked []ask.Sample
	deviations := newDeviator(c, t, a)
	var covering sync.WaitGroup // while the target computes
	defer covering.Wait()
	covering.Go(func() {
		coverAll(deviations, samples)
		drawWindows(deviations)
	})
	for _, step := range []func() ([]ask.Sample, error){
		func() ([]ask.Sample, error) { return AskOrders(c, t, a) },
		func() ([]ask.Sample, error) { return askScaled(c) },
		func() ([]ask.Sample, error) { return AskFusedTies(c, t, a) },
		func() ([]ask.Sample, error) { return AskSwapped(c, t, a) },
		func() ([]ask.Sample, error) { return AskFlushed(c, t, a) },
		func() ([]ask.Sample, error) { return askTinyEach(c, a) },
		func() ([]ask.Sample, error) { return AskClasses(c, t, a) },
		func() ([]ask.Sample, error) { return AskProperties(c, t, a) },
		func() ([]ask.Sample, error) { return AskClose(c) },
		func() ([]ask.Sample, error) { return AskRepeated(c, t, a) },
		func() ([]ask.Sample, error) { return AskSorted(c, a) },
		func() ([]ask.Sample, error) { return AskFactors(c) },
		func() ([]ask.Sample, error) { return AskScales(c) },
		func() ([]ask.Sample, error) { return askWider(c, t, a) },
		func() ([]ask.Sample, error) { return askBeyond(c, t, a) },
	} {
		more, err := step()
		if err != nil {
			return nil, err
		}
		asked = append(asked, more...)
	}
	covering.Wait()
	more, err := deviations.ask(asked)
	return append(asked, more...), err
}

// Variants returns arithmetics that differ from those given at the ends of the
// formats only: sums that +0 is added to after they are rounded, as gonum's
// SDDot adds its alpha, and exact products of bfloat16 that are rounded to the
// exponents of the accumulator. Sums of squares have none.
func Variants(c *ask.Channel, all []sumtree.Arithmetic) []sumtree.Arithmetic {
	var out []sumtree.Arithmetic
	if c.Key.Op.Positive() {
		return nil
	}
	for _, a := range all {
		if a.PlusZero && !a.FTZ && c.Key.Out != fp.Binary64 {
			b := a
			b.PlusZeroOut = true
			out = append(out, b)
		}
		if a.FMA != sumtree.FMAAll || c.Key.DType != fp.BFloat16 || a.Nodes.Align != 0 {
			continue
		}
		for _, rule := range []sumtree.FMA{
			sumtree.FMANone, sumtree.FMALater, sumtree.FMAChain, sumtree.FMAEarlier,
		} {
			b := a
			b.FMA, b.Product = rule, a.Nodes.Acc
			out = append(out, b)
		}
	}
	return out
}

// maxWiderAsked bounds the additions that askWider asks.
const maxWiderAsked = 8

// askWider asks for sums 1 + 2^-k, with −1 added by the next addition, of
// additions in a wider format than the others: 2^-k is the result where the sum
// has more places than that format, as the x87's has, and else zero.
func askWider(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic,
) ([]ask.Sample, error) {
	if len(a.Except) == 0 || t.MaxArity() > 2 || c.Key.Op.Positive() || c.Key.Mean {
		return nil, nil
	}
	order, lo, _ := t.LeafOrder()
	leaf := func(id int32) int { return int(order[lo[id]]) }
	parent := t.Parents()
	var samples []ask.Sample
	for _, e := range a.Except {
		bit := math.Ldexp(1, -e.Arith.Acc.Precision()-2)
		for k := range t.Inner() {
			id := t.Leaves() + k
			up := parent[id]
			if !e.Inner.Contains(k) || up < 0 || len(samples) == maxWiderAsked ||
				e.Arith.Acc.Precision() <= a.Nodes.Acc.Precision() || !c.Key.DType.Contains(bit) {
				continue
			}
			kids, sibling := t.Children(id), t.Children(int(up))[0]
			if int(sibling) == id {
				sibling = t.Children(int(up))[1]
			}
			s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ones(c)}
			s.X[leaf(kids[0])], s.X[leaf(kids[1])], s.X[leaf(sibling)] = 1, bit, -1
			samples = append(samples, s)
		}
	}
	if len(samples) == 0 {
		return nil, nil
	}
	return samples, askTogether(c, "parts", samples)
}

// scaledStructures is the number of structures that askScaled asks.
const scaledStructures = 3

// askScaled asks structures of products whose second factors are powers of two
// of many sizes: an order that depends on these shows.
func askScaled(c *ask.Channel) ([]ask.Sample, error) {
	if !c.Key.Op.Products() || c.N < 3 {
		return nil, nil
	}
	in := ask.InputsApart(c, "scaled")
	rng := ask.RandApart(c, "setacs")
	samples := make([]ask.Sample, scaledStructures)
	for k := range samples {
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ask.Ones(c.N)}
		in.Structure(true).Input(c)(s.X)
		for i, v := range s.X {
			shift := rng.IntN(2*maxShift+1) - maxShift
			if w := math.Ldexp(v, -shift); c.Key.DType.Contains(w) && w-w == 0 {
				s.X[i], s.Y[i] = w, math.Ldexp(1, shift)
			}
		}
		out, err := c.AskMain(s.Y, ask.Values(s.X))
		if err != nil {
			return nil, err
		}
		s.Out = out[0]
		samples[k] = s
	}
	return samples, nil
}
