package probetest

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Case is an implementation that is not one fixed tree, with its true verdicts.
type Case struct {
	Name   string
	Target probe.Target // nothing has called it yet
	Want   string       // the verdict, or "error" for a target that fails
	Also   []string     // other verdicts that are true
}

// Accepts reports whether the verdict is true of the case.
func (c Case) Accepts(verdict string) bool {
	return verdict == c.Want || slices.Contains(c.Also, verdict)
}

// sumFunc computes a sum in one format; call counts the calls before this one.
type sumFunc func(f fp.Format, x []float64, call int) float64

// Refusals returns one implementation of every kind that is not a tree. Each is
// a sum of n summands of the format with one lane. n is at least 8: some kinds
// are a plain sum below that. Their random choices have a fixed seed.
func Refusals(n int, dtype fp.Format) []Case {
	if n < 8 {
		panic("probetest: Refusals needs n ≥ 8")
	}
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	mk := func(name, want string, sum sumFunc, also ...string) Case {
		return Case{Name: name, Target: FromFunc(name, n, dtype, sum), Want: want, Also: also}
	}
	return []Case{
		mk("exact", "exact", sumExact),
		mk("kahan", "compensated", sumKahan),
		mk("neumaier", "compensated", sumNeumaier),
		mk("double-double", "compensated", sumDoubleDouble),
		mk("random order", "nondeterministic", randomOrder(rng)),
		mk("racy combine", "nondeterministic", racyCombine(rng)),
		mk("alternating order", "nondeterministic", alternating),
		mk("order drifts", "nondeterministic", driftsAfter(7)),
		mk("carries over", "nondeterministic", carriesOver(), "not-a-sum"),
		mk("sorted by magnitude", "value-dependent", sumSorted, "exact", "compensated"),
		mk("sorted by value", "value-dependent", sumSortedByValue),
		mk("rescales when huge", "value-dependent", rescales),
		mk("order by size of the largest", "value-dependent", orderBySize),
		mk("order by sign of the first", "value-dependent", orderBySign),
		mk("skips small summands", "value-dependent", skipsSmall, "not-a-sum"),
		mk("drops the middle", "not-a-sum", dropped(n/2)),
		mk("drops the last", "not-a-sum", dropped(n-1)),
		mk("doubles the first", "not-a-sum", scaled(0, 2)),
		mk("counts one twice", "not-a-sum", countedTwice(n/3)),
		mk("scales one slightly", "not-a-sum", scaled(n/2, 1+dtypeStep(dtype))),
		mk("adds a constant", "not-a-sum", addsConstant),
		mk("sum of absolute values", "not-a-sum", absolute, "value-dependent"),
		mk("maximum", "not-a-sum", maximum, "value-dependent"),
		mk("constant zero", "not-a-sum", constant(0)),
		mk("NaN when huge", "unsupported", nanWhenHuge, "value-dependent"),
		mk("infinite when huge", "unsupported", infWhenHuge, "value-dependent"),
		mk("always NaN", "error", constant(math.NaN()), "unsupported", "not-a-sum"),
		{Name: "dies at once", Target: DiesAfter(n, dtype, 0), Want: "error"},
		{Name: "dies after five calls", Target: DiesAfter(n, dtype, 5), Want: "error"},
		{Name: "hangs at once", Target: HangsAfter(n, dtype, 0, 50*time.Millisecond),
			Want: "error"},
		{Name: "hangs after five calls", Target: HangsAfter(n, dtype, 5, 50*time.Millisecond),
			Want: "error"},
	}
}

// FromFunc returns an implementation that computes by sum. Its arguments are
// the format, the summands, and the number of calls before. It has one lane,
// and its inputs, additions and result are of that format.
func FromFunc(name string, n int, dtype fp.Format,
	sum func(f fp.Format, x []float64, call int) float64) probe.Target {
	return &funcTarget{key: probe.Key{Target: "probetest:" + name, Library: "probetest",
		Op: probe.Sum, DType: dtype, Out: dtype, N: n, Threads: 1}, sum: sum}
}

type funcTarget struct {
	key    probe.Key
	sum    sumFunc
	fail   func(ctx context.Context, call int) error // may be nil
	calls  int
	closed bool
}

func (t *funcTarget) Key() probe.Key { return t.key }
func (t *funcTarget) Lanes() int     { return 1 }

func (t *funcTarget) Close() error {
	t.closed = true
	return nil
}

func (t *funcTarget) Call(ctx context.Context, b *probe.Batch) error {
	if t.closed {
		return closedFault(t.key)
	}
	if err := ctx.Err(); err != nil {
		return &probe.Fault{ID: "target-cancelled", Thing: t.key.Target,
			Cause: "the call was cancelled", Err: err}
	}
	call := t.calls
	t.calls++
	if t.fail != nil {
		if err := t.fail(ctx, call); err != nil {
			return err
		}
	}
	b.Out[0] = t.sum(t.key.DType, b.X, call)
	return nil
}

// DiesAfter returns a chain that fails, as if its process had ended, in every
// call after the first k.
func DiesAfter(n int, dtype fp.Format, k int) probe.Target {
	t := FromFunc("dies", n, dtype, sumChain).(*funcTarget)
	t.fail = func(_ context.Context, call int) error {
		if call < k {
			return nil
		}
		return &probe.Fault{ID: "target-died", Thing: t.key.Target,
			Cause: "its process ended during a call", Cure: "run it alone to see why"}
	}
	return t
}

// HangsAfter returns a chain that, in every call after the first k, blocks
// until the context ends or, as in a driver that keeps Spec.Timeout, the
// timeout has passed.
func HangsAfter(n int, dtype fp.Format, k int, timeout time.Duration) probe.Target {
	t := FromFunc("hangs", n, dtype, sumChain).(*funcTarget)
	t.fail = func(ctx context.Context, call int) error {
		if call < k {
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		<-ctx.Done()
		return &probe.Fault{ID: "target-timeout", Thing: t.key.Target,
			Cause: "a call did not end in time", Cure: "allow more with --timeout", Err: ctx.Err()}
	}
	return t
}

// The order of additions is a list of indices below; add rounds to the format.

func add(f fp.Format, a, b float64) float64 { return f.Add(a, b, fp.NearestEven) }

func sumChain(f fp.Format, x []float64, _ int) float64 {
	s := x[0]
	for _, v := range x[1:] {
		s = add(f, s, v)
	}
	return s
}

func sumReverse(f fp.Format, x []float64, _ int) float64 {
	s := x[len(x)-1]
	for i := len(x) - 2; i >= 0; i-- {
		s = add(f, x[i], s)
	}
	return s
}

// sumHalves adds two chains, one of each half.
func sumHalves(f fp.Format, x []float64) float64 {
	h := len(x) / 2
	return add(f, sumChain(f, x[:h], 0), sumChain(f, x[h:], 0))
}

// sumExact is the correctly rounded sum; an infinity or NaN is as in any order
// that does not overflow on the way.
func sumExact(f fp.Format, x []float64, _ int) float64 {
	special := 0.0
	for _, v := range x {
		if math.IsInf(v, 0) || v != v {
			special += v
		}
	}
	if special != 0 {
		return special
	}
	return fuseExactly(x, f, fp.NearestEven)
}

// sumKahan is Kahan 1965.
func sumKahan(f fp.Format, x []float64, _ int) float64 {
	var s, c float64
	for _, v := range x {
		y := add(f, v, -c)
		t := add(f, s, y)
		c = add(f, add(f, t, -s), -y)
		s = t
	}
	return s
}

// sumNeumaier is Neumaier 1974: the compensation is added at the end.
func sumNeumaier(f fp.Format, x []float64, _ int) float64 {
	var s, c float64
	for _, v := range x {
		t := add(f, s, v)
		if math.Abs(s) >= math.Abs(v) {
			c = add(f, c, add(f, add(f, s, -t), v))
		} else {
			c = add(f, c, add(f, add(f, v, -t), s))
		}
		s = t
	}
	return add(f, s, c)
}

// sumDoubleDouble keeps the sum as a pair, renormalised after each addition.
func sumDoubleDouble(f fp.Format, x []float64, _ int) float64 {
	var hi, lo float64
	for _, v := range x {
		s, e := twoSum(f, hi, v)
		e = add(f, e, lo)
		hi = add(f, s, e)
		lo = add(f, e, -add(f, hi, -s))
	}
	return add(f, hi, lo)
}

// twoSum is Knuth's, in the format.
func twoSum(f fp.Format, a, b float64) (s, e float64) {
	s = add(f, a, b)
	bb := add(f, s, -a)
	return s, add(f, add(f, a, -add(f, s, -bb)), add(f, b, -bb))
}

func randomOrder(rng *rand.Rand) sumFunc {
	return func(f fp.Format, x []float64, call int) float64 {
		y := slices.Clone(x)
		rng.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
		return sumChain(f, y, call)
	}
}

// racyCombine adds four partial chains in a random order, as threads that race
// do.
func racyCombine(rng *rand.Rand) sumFunc {
	return func(f fp.Format, x []float64, call int) float64 {
		part := make([]float64, 4)
		for i := range part {
			part[i] = sumChain(f, x[len(x)*i/4:len(x)*(i+1)/4], call)
		}
		rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		return sumChain(f, part, call)
	}
}

func alternating(f fp.Format, x []float64, call int) float64 {
	if call%2 == 1 {
		return sumReverse(f, x, call)
	}
	return sumChain(f, x, call)
}

// driftsAfter changes its order for good after k calls.
func driftsAfter(k int) sumFunc {
	return func(f fp.Format, x []float64, call int) float64 {
		if call >= k {
			return sumReverse(f, x, call)
		}
		return sumChain(f, x, call)
	}
}

// carriesOver begins with the last result: an accumulator that is never
// cleared.
func carriesOver() sumFunc {
	left := 0.0
	return func(f fp.Format, x []float64, call int) float64 {
		s := add(f, left, sumChain(f, x, call))
		left = add(f, s, 0)
		return s
	}
}

func sumSorted(f fp.Format, x []float64, call int) float64 {
	y := slices.Clone(x)
	slices.SortStableFunc(y,
		func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	return sumChain(f, y, call)
}

func sumSortedByValue(f fp.Format, x []float64, call int) float64 {
	y := slices.Clone(x)
	slices.Sort(y)
	return sumChain(f, y, call)
}

// huge is the least value that counts as huge: 2^63 in binary32, 2^7 in
// binary16.
func huge(f fp.Format) float64 { return math.Ldexp(1, f.MaxExp()/2) }

func largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// rescales divides everything by a power of two, and adds in another order,
// where something is huge.
func rescales(f fp.Format, x []float64, call int) float64 {
	m := largest(x)
	if m < huge(f) || math.IsInf(m, 0) || m != m {
		return sumChain(f, x, call)
	}
	_, e := math.Frexp(m)
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = f.Round(math.Ldexp(v, -e/2), fp.NearestEven)
	}
	return f.Round(math.Ldexp(sumReverse(f, y, call), e/2), fp.NearestEven)
}

// orderBySize goes up or down by the parity of the largest summand's exponent.
func orderBySize(f fp.Format, x []float64, call int) float64 {
	if m := largest(x); m != 0 && !math.IsInf(m, 0) && math.Ilogb(m)&1 == 0 {
		return sumChain(f, x, call)
	}
	return sumHalves(f, x)
}

func orderBySign(f fp.Format, x []float64, call int) float64 {
	if math.Signbit(x[0]) {
		return sumReverse(f, x, call)
	}
	return sumChain(f, x, call)
}

// skipsSmall skips summands far below the largest one, even where larger ones
// cancel: a threshold that prunes.
func skipsSmall(f fp.Format, x []float64, call int) float64 {
	least := math.Ldexp(largest(x), -f.Precision()/2)
	y := slices.Clone(x)
	for i, v := range y {
		if math.Abs(v) < least {
			y[i] = 0
		}
	}
	return sumChain(f, y, call)
}

func dropped(i int) sumFunc {
	return func(f fp.Format, x []float64, call int) float64 {
		return sumChain(f, slices.Concat(x[:i], x[i+1:]), call)
	}
}

func countedTwice(i int) sumFunc {
	return func(f fp.Format, x []float64, call int) float64 {
		return sumChain(f, slices.Concat(x[:i], x[i:i+1], x[i:]), call)
	}
}

func scaled(i int, by float64) sumFunc {
	return func(f fp.Format, x []float64, call int) float64 {
		y := slices.Clone(x)
		y[i] = f.Mul(y[i], by, fp.NearestEven)
		return sumChain(f, y, call)
	}
}

// dtypeStep is a small relative change that the format still holds: 2^-10 or a
// few ulps.
func dtypeStep(f fp.Format) float64 {
	return math.Ldexp(1, max(-10, 2-f.Precision()))
}

func addsConstant(f fp.Format, x []float64, call int) float64 {
	return add(f, 1, sumChain(f, x, call))
}

func absolute(f fp.Format, x []float64, call int) float64 {
	y := slices.Clone(x)
	for i, v := range y {
		y[i] = math.Abs(v)
	}
	return sumChain(f, y, call)
}

func maximum(_ fp.Format, x []float64, _ int) float64 { return slices.Max(x) }

func constant(v float64) sumFunc {
	return func(fp.Format, []float64, int) float64 { return v }
}

func nanWhenHuge(f fp.Format, x []float64, call int) float64 {
	if largest(x) >= huge(f) {
		return math.NaN()
	}
	return sumChain(f, x, call)
}

func infWhenHuge(f fp.Format, x []float64, call int) float64 {
	if largest(x) >= huge(f) {
		return math.Inf(1)
	}
	return sumChain(f, x, call)
}
