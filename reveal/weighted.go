package reveal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// freely finds the weights of a function that is not a sum of its summands, and
// reveals the sum of the weighted summands. Without a verified tree the finding
// is nil, and refusal tells why there is none.
func (x *weigher) freely() (f *Finding, refusal string, err error) {
	r := x.run(x.t)
	w, refusal, err := proof.FindWeights(r.c, false)
	x.calls = r.c.Calls()
	if err != nil || w == nil {
		return nil, refusal, err
	}
	inner := x.run(newMasked(x.t, w))
	cl, err := structure(inner)
	x.calls = inner.c.Calls()
	var no, again *verdict.Fact
	algorithm := inner.algorithm
	if errors.As(err, &no) { // products may be fused with additions
		algorithm = order.TriplesName
		cl, err = x.tilt(w)
	}
	if errors.As(err, &again) {
		return nil, unmasked(w, no.What), nil
	}
	if err != nil {
		return nil, "", err
	}
	r = x.run(x.t)
	r.algorithm, r.lanes = algorithm, 1
	return x.verify(r, cl, w)
}

// verify looks for the arithmetic of a certified tree with weights, and returns
// its finding. Without one, refusal tells why.
func (x *weigher) verify(
	r *run, cl claim, w *proof.Weighting,
) (f *Finding, refusal string, err error) {
	samples, err := proof.AskWeighted(r.c, cl.tree, w, r.opt.Replays)
	if err != nil {
		return nil, "", err
	}
	edges, err := proof.AskEdges(r.c, cl.tree)
	if err != nil {
		return nil, "", err
	}
	zeros, err := proof.AskZeros(r.c, cl.tree, sumtree.Arithmetic{FTZ: true, PlusZero: true})
	if err != nil {
		return nil, "", err
	}
	samples = slices.Concat(samples, edges, zeros)
	left, err := proof.SettleWeighted(r.c, cl.tree, w, &samples)
	if err != nil {
		return nil, "", err
	}
	if left, err = x.hold(r, cl.tree, left, &samples); err != nil {
		return nil, "", err
	}
	if len(left) == 0 {
		const what = "no arithmetic that lastbit knows gives the results of the order found"
		return nil, unmasked(w, what), nil
	}
	return verifiedBy(r, cl, left, len(samples)), "", nil
}

// verifiedBy returns the finding of a certified tree and the arithmetics that
// reproduce so many samples.
func verifiedBy(r *run, cl claim, left []sumtree.Arithmetic, samples int) *Finding {
	o := replayed(r, cl, left, samples)
	return report(r, o, verdict.Decide(o.evidence))
}

// unmasked returns the refusal of a function whose weights are known.
func unmasked(w *proof.Weighting, what string) string {
	s := "the summands have weights, but no order could be verified: " + what
	if w.Fused {
		s += " (products are fused with additions; if the weights are an operand of a dot " +
			"product, reveal that by --op dot)"
	}
	return s
}

// structure claims and certifies a tree. Its error is a *verdict.Fact when no
// tree explains the counts.
func structure(r *run) (claim, error) {
	s := &r.c.Scale
	s.Bits = min(s.Bits, r.c.Key.DType.Precision()-4-bits.Len(uint(r.c.N))/2)
	if err := ask.Calibrate(r.c); err != nil {
		return claim{}, err
	}
	opening, _, err := ask.Open(r.c)
	if err != nil {
		return claim{}, err
	}
	cl, err := r.claim(newSearch(r.c, opening))
	if err != nil {
		return claim{}, err
	}
	return cl, proof.Predicts(r.c, cl.tree, opening)
}

// masked is a target as a sum of its weighted summands. What it is asked to add
// is divided by the weights first. Masks of one size become summands whose
// products are one number, so that they cancel; counts become summands whose
// products are close to them, and the counts that come out are rounded.
type masked struct {
	probe.Target
	w     *proof.Weighting
	scale float64 // of what is added
	least float64 // smaller summands are counts
	exact bool    // products of masks have to be exact
	batch *probe.Batch

	// fits reports whether the target takes an input with masks; nil takes all.
	fits  func(row []float64) bool
	masks map[float64][]int // scratch: the masks of a row by their size
}

func newMasked(t probe.Target, w *proof.Weighting) *masked {
	small := math.Inf(1)
	for _, f := range w.Factors {
		small = min(small, math.Abs(f))
	}
	return &masked{Target: t, w: w, batch: probe.NewBatch(t), masks: map[float64][]int{},
		scale: math.Ldexp(1, min(math.Ilogb(small), 7)), least: 0x1p60,
		exact: w.Fused || w.Product != t.Key().DType}
}

// Call runs the target on what the weights make of the batch.
func (m *masked) Call(ctx context.Context, b *probe.Batch) error {
	n := len(m.w.Factors)
	for lane := 0; lane < len(b.X); lane += n {
		if err := m.write(b.X[lane:lane+n], m.batch.X[lane:lane+n]); err != nil {
			return err
		}
	}
	if err := m.Target.Call(ctx, m.batch); err != nil {
		return err
	}
	for i, v := range m.batch.Out {
		v = m.w.Sum(v, m.scale)
		if k := math.Round(v); math.Abs(v) < 0x1p52 && math.Abs(v-k) < 0.25 {
			v = k
		}
		b.Out[i] = v
	}
	return nil
}

// write divides a row by the weights.
func (m *masked) write(row, to []float64) error {
	f := m.Key().DType
	clear(m.masks)
	for i, v := range row {
		if math.Abs(v) >= m.least {
			//lastbit:ignore nankey masks are at least that large
			m.masks[math.Abs(v)] = append(m.masks[math.Abs(v)], i)
			continue
		}
		to[i] = f.Round(v*m.scale/m.w.Factors[i], fp.NearestEven)
	}
	for size, leaves := range m.masks {
		if !m.writeMasks(size, leaves, row, to) {
			return &verdict.Fact{Reason: verdict.NoRange,
				What: fmt.Sprintf("no masks of summands %v have products that cancel", leaves)}
		}
	}
	return nil
}

// maxMaskTries bounds the sizes tried for masks whose products cancel: up to
// twice the size, so that few bits more do not make sums of masks round.
const maxMaskTries = 1 << 12

// writeMasks writes masks of at least a size, and of one product.
func (m *masked) writeMasks(size float64, leaves []int, row, to []float64) bool {
	for k := range maxMaskTries {
		product := size * m.scale * (1 + float64(float64(k)/maxMaskTries))
		ok := !slices.ContainsFunc(leaves, func(i int) bool {
			to[i] = m.factor(product, i)
			if row[i] < 0 {
				to[i] = -to[i]
			}
			return to[i] == 0
		})
		if ok && (m.fits == nil || m.fits(to)) {
			return true
		}
	}
	return false
}

// factor returns the summand i whose product with its weight is p, 0 where
// there is none.
func (m *masked) factor(p float64, i int) float64 {
	f, weight := m.Key().DType, m.w.Factors[i]
	x := f.Round(p/weight, fp.NearestEven)
	hits := m.w.Product.Mul(x, weight, fp.NearestEven) == p
	if m.exact {
		hits = math.FMA(x, weight, -p) == 0
	}
	if !hits {
		return 0
	}
	return x
}
