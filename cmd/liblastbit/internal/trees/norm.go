package trees

import "github.com/lastbit/lastbit/ordered"

// layerNorm stores ((x ⊖ μ) ⊗ r) ⊗ weight ⊕ bias for row i, and μ and r: μ is
// the mean, v the mean of the squares of x ⊖ μ, and r = rsqrt(v ⊕ ε).
func (w *rowWork[T]) layerNorm(i int) {
	x, n := w.row(w.x, i), T(w.n)
	out := w.row(w.out, i)[:len(x)]
	mean := ordered.Sum(x) / n
	for j, v := range x {
		out[j] = v - mean
	}
	r := w.rsqrt(ordered.Dot(out, out)/n + w.epsilon)
	w.means[i], w.scale[i] = mean, r
	if w.weight != nil && w.bias != nil {
		weight, bias := w.weight[:len(out)], w.bias[:len(out)]
		for j, v := range out {
			out[j] = T(T(v*r)*weight[j]) + bias[j]
		}
		return
	}
	for j := range out {
		out[j] *= r
	}
	for j, v := range w.weight {
		out[j] *= v
	}
	for j, v := range w.bias {
		out[j] += v
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
