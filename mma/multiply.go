package mma

import "github.com/lastbit/lastbit/fp"

// Multiply stores A·B + C in d. a holds the rows of A, m of k values of In, b
// the rows of B, k of n values, and d and c m rows of n values of binary32. A
// nil c is +0. The slices may not overlap, except that d may be c. A value of A
// or B that is not of the format In is cut off, as the units do with the lower
// 13 bits of a TF32.
func (u *Unit) Multiply(d, a, b, c []float64, m, n, k int) {
	u.MultiplyScaled(d, a, b, c, nil, nil, m, n, k)
}

// MultiplyScaled is Multiply for blocks of Block elements that share a scale.
// There are k/Block scales for a row of A, and for a column of B, k/Block
// rounded up; scalesA holds the scales of one row after the other, scalesB of
// one column after the other. Both are nil for a unit without scales. The signs
// of scales are ignored.
func (u *Unit) MultiplyScaled(d, a, b, c, scalesA, scalesB []float64, m, n, k int) {
	blocks := 0
	if u.Block > 0 {
		blocks = (k + u.Block - 1) / u.Block
	}
	x, columns := make([]factor, k), make([]factor, n*k)
	for j := range n {
		for i := range k {
			columns[j*k+i] = split(b[i*n+j], u.In)
		}
	}
	scales := make([]factor, blocks)
	for r := range m {
		decode(x, a[r*k:(r+1)*k], u.In)
		for j := range n {
			acc := 0.0
			if c != nil {
				acc = c[r*n+j]
			}
			for i := range scales {
				scales[i] = u.scale(scalesA[r*blocks+i], scalesB[j*blocks+i])
			}
			d[r*n+j] = u.sum(x, columns[j*k:(j+1)*k], acc, scales)
		}
	}
}

// Factors are values, decoded for several sums.
type Factors struct{ list []factor }

// Decode decodes values of a format.
func Decode(x []float64, f fp.Format) Factors {
	list := make([]factor, len(x))
	decode(list, x, f)
	return Factors{list}
}

// Sum returns the sum of the products x[i]·y[i] and c, for an arithmetic
// without scales. x and y have the same length.
func (a *Arithmetic) Sum(x, y Factors, c float64) float64 {
	for from := 0; from < len(x.list); from += a.Terms {
		to := min(from+a.Terms, len(x.list))
		c = a.group(x.list[from:to], y.list[from:to], c, nil)
	}
	return c
}

// scale returns the product of two scales.
func (u *Unit) scale(a, b float64) factor {
	p, q := split(a, u.Scale), split(b, u.Scale)
	s := p.times(&q)
	s.sig = max(s.sig, -s.sig)
	s.value = float64(a * b)
	return s
}

// sum adds the products to an accumulator, group by group.
func (u *Unit) sum(x, y []factor, c float64, scales []factor) float64 {
	a := &u.Arithmetic
	for from := 0; from < len(x); from += a.Terms {
		to := min(from+a.Terms, len(x))
		var of []factor
		if a.Block > 0 {
			of = scales[from/a.Block : (to+a.Block-1)/a.Block]
		}
		c = a.group(x[from:to], y[from:to], c, of)
	}
	return c
}
