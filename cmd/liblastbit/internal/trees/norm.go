package trees

import "github.com/lastbit/lastbit/ordered"

// layerNorm stores ((x ⊖ μ) ⊗ r) ⊗ weight ⊕ bias for row i, and μ and r: μ is
// the mean, v the mean of the squares of x ⊖ μ, and r = rsqrt(v ⊕ ε).
func (w *rowWork[T]) layerNorm(i int) {
	x, out, n := w.row(w.x, i), w.row(w.out, i), T(w.n)
	mean := ordered.Sum(x) / n
	for j, v := range x {
		out[j] = v - mean
	}
	r := w.rsqrt(ordered.Dot(out, out)/n + w.epsilon)
	w.means[i], w.scale[i] = mean, r
	switch {
	case w.weight == nil:
		for j := range out {
			out[j] *= r
		}
	case w.bias == nil:
		for j := range out {
			out[j] = T(out[j]*r) * w.weight[j]
		}
		return
	default:
		for j := range out {
			out[j] = T(T(out[j]*r)*w.weight[j]) + w.bias[j]
		}
		return
	}
	for j, b := range w.bias {
		out[j] += b
	}
}

// layerNormSlope stores ((a ⊖ s) ⊖ h⊗t) ⊗ r for row i, with h = (y ⊖ μ) ⊗ r and
// a = x ⊗ weight; s and t are the means of a and of a⊗h.
func (w *rowWork[T]) layerNormSlope(worker, i int) {
	if w.scratch[worker] == nil {
		w.scratch[worker] = make([]T, 2*w.n)
	}
	a, h := w.scratch[worker][:w.n], w.scratch[worker][w.n:]
	mean, r, n := w.means[i], w.scale[i], T(w.n)
	copy(a, w.row(w.x, i))
	for j, v := range w.weight {
		a[j] *= v
	}
	for j, v := range w.row(w.y, i) {
		h[j] = (v - mean) * r
	}
	s, t := ordered.Sum(a)/n, ordered.Dot(a, h)/n
	for j := range w.row(w.out, i) {
		w.out[i*w.n+j] = (a[j] - s - T(h[j]*t)) * r
	}
}
