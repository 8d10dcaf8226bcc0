package exact

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"testing"
)

// A mergeable is any state.
type mergeable[S any] interface {
	*S
	Merge(*S)
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
	Digest() [sha256.Size]byte
	Count() int64
	Reset()
}

// A group is a state that can be subtracted, and that travels as a vector.
type group[S any] interface {
	mergeable[S]
	Sub(*S)
	AppendLimbs([]int64) []int64
	AddLimbs([]int64) error
}

// TestStatesShuffledSplitMerged adds the same numbers in other orders, in parts
// and as trees.
func TestStatesShuffledSplitMerged(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i, d := range distributions {
		x := d.draw(rng, 700)
		y := distributions[(i+3)%len(distributions)].draw(rng, 700)
		if i%3 == 0 {
			x[5], y[77] = math.Inf(1), math.NaN()
		}
		add := func(m *Moments, i, j int) { m.AddSlice(x[i:j]) }
		addPairs := func(c *Pairs, i, j int) { c.AddSlice(x[i:j], y[i:j]) }
		shuffle := func() {
			rng.Shuffle(len(x), func(i, j int) { x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i] })
		}
		holdMerges(t, rng, d.name, len(x), shuffle, add)
		holdMerges(t, rng, d.name, len(x), shuffle, addPairs)
		holdMergeOnly(t, rng, d.name, len(x), shuffle,
			func(e *Extrema, i, j int) { e.AddSlice(x[i:j]) })
		holdMergeOnly(t, rng, d.name, len(x), shuffle,
			func(m *WeightedMean, i, j int) { m.AddSlice(x[i:j], y[i:j]) })
		holdMergeOnly(t, rng, d.name, len(x), shuffle,
			func(m *WeightedMoments, i, j int) { m.AddSlice(x[i:j], y[i:j]) })
		holdGroup(t, d.name, len(x), add)
		holdGroup(t, d.name, len(x), addPairs)
	}
}

// holdMerges merges n summands in random trees.
func holdMerges[S any, P group[S]](
	t *testing.T,
	rng *rand.Rand,
	name string,
	n int,
	shuffle func(),
	add func(s P, i, j int),
) {
	t.Helper()
	holdMergeOnly(t, rng, name, n, shuffle, add, func(to, from P) {
		sum := to.AppendLimbs(nil)
		for i, v := range from.AppendLimbs(nil) {
			sum[i] += v
		}
		to.Reset()
		if err := to.AddLimbs(sum); err != nil {
			panic(err)
		}
	})
}

func holdMergeOnly[S any, P mergeable[S]](
	t *testing.T,
	rng *rand.Rand,
	name string,
	n int,
	shuffle func(),
	add func(s P, i, j int),
	more ...func(to, from P),
) {
	t.Helper()
	merges := append(more, func(to, from P) { to.Merge(from) }, func(to, from P) {
		b, _ := to.MarshalBinary()
		c := P(new(S))
		if err := c.UnmarshalBinary(b); err != nil {
			panic(err)
		}
		c.Merge(from)
		*to = *c
	})
	whole := P(new(S))
	add(whole, 0, n)
	for range 20 {
		shuffle()
		a := tree(rng, 0, n, add, merges)
		if a.Digest() != whole.Digest() || a.Count() != int64(n) {
			t.Fatalf("%s: the same multiset has two digests as %T", name, a)
		}
	}
}

// tree adds the summands i to j in two parts, each of them so too.
func tree[S any, P mergeable[S]](
	rng *rand.Rand,
	i, j int,
	add func(s P, i, j int),
	merges []func(to, from P),
) P {
	if a := P(new(S)); j-i < 2 || rng.IntN(6) == 0 {
		add(a, i, j)
		return a
	}
	cut := i + rng.IntN(j-i+1)
	a, b := tree(rng, i, cut, add, merges), tree(rng, cut, j, add, merges)
	if rng.IntN(2) == 0 {
		a, b = b, a
	}
	merges[rng.IntN(len(merges))](a, b)
	return a
}

// holdGroup takes away a part of n summands, and all.
func holdGroup[S any, P group[S]](t *testing.T, name string, n int, add func(s P, i, j int)) {
	t.Helper()
	a, left, right := P(new(S)), P(new(S)), P(new(S))
	add(a, 0, n)
	add(left, 0, n/3)
	add(right, n/3, n)
	if a.Sub(left); a.Digest() != right.Digest() {
		t.Errorf("%s: %T without a part is not the rest", name, a)
	}
	less := P(new(S)) // fewer than none, there and back
	less.Sub(right)
	b, _ := less.MarshalBinary()
	back := P(new(S))
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := a.AddLimbs(back.AppendLimbs(nil)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if a.Count() != 0 || a.Digest() != P(new(S)).Digest() {
		t.Errorf("%s: %T less all of it is not empty", name, a)
	}
}
