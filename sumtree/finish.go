package sumtree

import "github.com/lastbit/lastbit/fp"

// finish turns the value of the root into the result for the input x.
func (r *Replayer) finish(root NodeArith, s float64, x []float64) float64 {
	return r.finishOf(root, s, x, s == 0 && r.onlyZeros())
}

// finishOf is finish where it is known whether all leaves are zeros.
func (r *Replayer) finishOf(root NodeArith, s float64, x []float64, onlyZeros bool) float64 {
	starts := r.a.FromZero || len(r.a.Starts) > 0 // which makes that +0 already
	if r.a.PlusZero && !starts && s == 0 && root.Mode != fp.Down && onlyZeros {
		s = 0 // −0 + +0 = +0; a −0 that something was rounded to stays
	}
	if r.a.PlusZeroOut && s == 0 && root.Mode != fp.Down {
		s = 0
	}
	flushes := r.a.FTZ && !r.a.KeepsOut
	if root.FlushOperands && (r.a.Mean || r.a.Factor != 0 || r.a.Divisor != 0) {
		s = flush(root.Acc, s)
	}
	if r.a.Mean {
		s = r.mean(root.Acc, s)
	}
	if r.a.Factor != 0 {
		s = r.multiply(root.Acc, s, r.a.Factor, fp.NearestEven, flushes)
	}
	if r.a.Divisor != 0 {
		s = divide(root.Acc, s, r.a.Divisor)
		if flushes {
			s = flush(root.Acc, s)
		}
	}
	if r.a.FlushOut {
		s = flush(r.a.Out, s)
	}
	if r.a.After != nil {
		s = r.a.After.apply(s, x)
	}
	s = r.convert(r.a.Out, s, r.outMode(root.Mode), flushes)
	if !flushes && r.a.PlusZeroOut && !r.a.FTZ && s == 0 {
		s = 0 // +0 is added to the result
	}
	return s
}

// outMode returns the direction that the result is rounded in, of a root that
// rounds in direction m.
func (r *Replayer) outMode(m fp.Mode) fp.Mode {
	if r.a.OutNearest || r.a.OutMode != fp.NearestEven {
		return r.a.OutMode
	}
	return m
}

// onlyZeros reports whether all leaves are zeros, as additions take them.
func (r *Replayer) onlyZeros() bool {
	for i := range r.t.Leaves() {
		if !r.isZero(i) {
			return false
		}
	}
	return true
}

// isZero reports whether a leaf is a zero, as an addition takes it. Where some
// products are fused, the first one is, too, with the +0 that the sum begins
// with: one that is rounded to −0 stays −0.
func (r *Replayer) isZero(i int) bool {
	if (r.a.Products || r.weights != nil) && r.a.FMA != FMANone {
		return r.x[i] == 0 || r.y[i] == 0
	}
	return r.operand(&r.a.Nodes, i) == 0
}

// mean returns the mean of summands with the sum s.
func (r *Replayer) mean(f fp.Format, s float64) float64 {
	if r.a.Quotient != 0 {
		f = r.a.Quotient
	}
	if r.a.Reciprocal {
		s = f.Mul(s, divide(f, 1, float64(r.t.Leaves())), fp.NearestEven)
	} else {
		s = divide(f, s, float64(r.t.Leaves()))
	}
	if r.a.FTZ && !r.a.KeepsOut {
		s = flush(f, s)
	}
	return s
}

// divide returns s/d rounded once to f, to nearest even: the binary64 quotient
// of a value of at most 24 bits by another one is not so close to a midpoint of
// f that rounding it again could go wrong.
func divide(f fp.Format, s, d float64) float64 {
	return f.Round(s/d, fp.NearestEven)
}
