package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// products writes factors whose products leaves round or do not: of a leaf,
// and of those after it that no input shows yet. The product of each is added
// to its negative alone, and leaves its rounding error where it is not rounded.
// Each is so much smaller than the one before that it does not hide this error.
func products(x *deviator, leaf int, s *ask.Sample) {
	in := x.c.Key.DType
	step := x.a.Nodes.Acc.Precision() + 2
	exp := in.MaxExp() / 2
	for i := leaf; i < x.c.N && exp > in.MinExp()+step; i++ {
		if x.left[i]&sumtree.OtherProduct == 0 {
			continue
		}
		l := shallowSiblingLeaf(x.t, x.up, i)
		if l < 0 || s.X[i] != 0 || s.X[l] != 0 {
			continue
		}
		s.X[i], s.Y[i] = x.number(exp), in.Round(1+x.rng.Float64(), fp.TowardZero)
		s.X[l], s.Y[l] = -in.Round(float64(s.X[i]*s.Y[i]), fp.NearestEven), 1
		exp -= step
	}
}

// shallowSiblingLeaf returns a leaf under the other operand of the first
// addition of a leaf, where few additions come before, or −1.
func shallowSiblingLeaf(t *sumtree.Tree, up []int32, leaf int) int {
	above := int(up[leaf])
	if above < 0 || len(t.Children(above)) != 2 {
		return -1
	}
	kids := t.Children(above)
	v := int(kids[0])
	if v == leaf {
		v = int(kids[1])
	}
	for !t.IsLeaf(v) {
		kids := t.Children(v)
		v = int(kids[len(kids)-1])
		if t.IsLeaf(int(kids[0])) {
			v = int(kids[0])
		}
	}
	return v
}

// roundsMany reports whether products may be rounded, and are too many for an
// input each.
func roundsMany(x *deviator) bool {
	return x.c.N > maxAskedOften && x.t.MaxArity() == 2 &&
		x.a.Nodes.Acc.Precision() < 2*x.c.Key.DType.Precision()
}

// The limits of drawWindows.
const (
	maxWindows     = 64 // inputs, or one for windowShare summands if those are more
	windowShare    = 8
	maxWindowTries = 64      // inputs that are drawn for one leaf
	maxWindowWork  = 1 << 21 // summands that are replayed
	maxWindow      = 16      // products of a window
	maxTogether    = 8       // windows of an input
	togetherShare  = 64      // summands for each of them, after the first
	maxWindowShift = 8       // binary places between the sizes of one product and the others
)

// drawWindows draws inputs of windows, a few products next to each other in the
// order of a long sum, all others being zero: whether one of them is rounded
// shows in a short sum, and is lost below the last place of a long one. It
// draws them for products that no input shows yet. All have the same second
// factors. A nil deviator draws none.
func drawWindows(x *deviator) {
	if x == nil || x.c.N <= maxAskedOften || !x.a.Products || x.a.Squares ||
		x.c.Key.Op.Positive() {
		return
	}
	in := x.c.Key.DType
	y := make([]float64, x.c.N)
	for i := range y {
		y[i] = in.Round(x.rng.NormFloat64(), fp.NearestEven) //lastbit:ignore libm an input
	}
	held := x.work
	x.work = maxWindowWork
	x.windows = windows(x, y)
	x.work = held
}

// askWindows asks the inputs of drawWindows. Lanes share calls.
func askWindows(x *deviator) error {
	samples := x.windows
	if len(samples) == 0 {
		return nil
	}
	fills := make([]ask.Fill, len(samples))
	for k := range samples {
		fills[k] = ask.Values(samples[k].X)
	}
	x.c.ExpectQuestions("rounding", len(fills))
	out, err := x.c.Ask(samples[0].Y, fills...)
	for k := range out {
		samples[k].Out, samples[k].Elsewhere = out[k], k%len(x.c.Pool()) > 0
	}
	x.asked = append(x.asked, samples...)
	x.most += len(samples)
	return err
}

// windows returns the inputs of drawWindows.
func windows(x *deviator, y []float64) (samples []ask.Sample) {
	most := max(maxWindows, x.c.N/windowShare)
	left := make([]sumtree.Deviation, len(x.left)) // other products only
	for i := range x.c.N {
		left[i] = x.left[i] & sumtree.OtherProduct
	}
	perm := x.rng.Perm(x.c.N)
	for at, i := range perm {
		for k := 0; k < maxWindowTries && left[i] != 0; k++ {
			if len(samples) == most || x.work <= 0 {
				break
			}
			s := ask.Sample{Kind: ask.Edge, X: make([]float64, x.c.N), Y: y}
			someWindows(x, left, perm[at:], &s)
			if removeShown(x, left, &s) > 0 {
				samples = append(samples, s)
			}
		}
	}
	for i := range x.c.N {
		x.left[i] &^= sumtree.OtherProduct &^ left[i]
	}
	return samples
}

// someWindows writes products around the first of some leaves, and around the
// next that no input shows yet: the sum of each window is so small that it
// hides little of the others.
func someWindows(x *deviator, left []sumtree.Deviation, leaves []int, s *ask.Sample) {
	count := min(maxTogether, 1+x.c.N/togetherShare)
	for _, i := range leaves {
		if left[i] != 0 && window(x, i, s) {
			if count--; count == 0 {
				return
			}
		}
	}
}

// window writes ordinary products around a leaf, whose sum is small beside
// them, unless some are there. The leaf's own is the largest in half of the
// windows: what it loses is not lost again when the others are added.
func window(x *deviator, leaf int, s *ask.Sample) bool {
	in := x.c.Key.DType
	size := 2 + x.rng.IntN(maxWindow-1)
	lo := max(0, int(x.lo[leaf])-x.rng.IntN(size))
	hi := min(x.c.N, lo+size)
	leaves := x.order[lo:hi]
	if slices.ContainsFunc(leaves, func(i int32) bool { return s.X[i] != 0 }) {
		return false
	}
	shift := x.rng.IntN(maxWindowShift) * x.rng.IntN(2)
	var sum float64
	for _, i := range leaves {
		v := x.rng.NormFloat64() //lastbit:ignore libm an input
		if int(i) != leaf {
			v = math.Ldexp(v, -shift)
		}
		s.X[i] = in.Round(v, fp.NearestEven)
		sum += float64(s.X[i] * s.Y[i])
	}
	at := x.order[hi-1]
	if int(at) == leaf {
		at = x.order[lo]
	}
	if hi-lo > 2 && s.Y[at] != 0 {
		v := in.Round(s.X[at]-sum/s.Y[at], fp.NearestEven)
		if math.Abs(v) < in.Max() {
			s.X[at] = v
		}
	}
	return true
}
