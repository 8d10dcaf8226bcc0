package stoch

import "github.com/lastbit/lastbit/internal/kernel"

// Dot returns the dot product of x and y: four rows of lanes, 32 for float64
// and 64 for float32, add products by fused multiply-adds, element i in lane i
// modulo their number; Add then adds the upper half of the lanes to the lower
// half until one is left. It detects that factors are noise, and cancellations
// among the lanes. It panics if lengths differ.
func (a *Arithmetic[T]) Dot(x, y Slice[T]) Number[T] {
	sameLength(x.Len(), y.Len())
	lanes := kernel.StochDotRows * rowLen[T]()
	sums := MakeSlice[T](lanes)
	k := a.kernels()
	var b block[T]
	for start := 0; start < x.Len(); start += blockLen {
		end := min(start+blockLen, x.Len())
		b.from[0].take(&x, start, end)
		b.from[1].take(&y, start, end)
		a.deal(&b, start)
		done := 0
		if k != nil {
			done = a.dotRows(k, &b, sums)
		}
		for i := done; i < end-start; i++ {
			at := i % lanes // blocks are multiples of the lanes
			sums.Set(at, a.addProduct(b.from[0].At(i), b.from[1].At(i), sums.At(at), b.coins(i)))
		}
	}
	for lanes /= 2; lanes > 0; lanes /= 2 {
		for i := range lanes {
			sums.Set(i, a.Add(sums.At(i), sums.At(i+lanes)))
		}
	}
	return sums.At(0)
}

// dotRows adds the products of whole rows, unless they are suspicious, and
// returns the number of elements added.
func (a *Arithmetic[T]) dotRows(k *kernel.Stoch[T], b *block[T], sums Slice[T]) int {
	length := rowLen[T]()
	b.filters, b.rows = &k.Filters, b.from[0].Len()/length
	if b.rows == 0 || a.detect[SelfValidation] && b.spreads(0) && b.spreads(1) {
		return 0
	}
	x, y := &b.from[0], &b.from[1]
	k.Dot.Rows(sums.r1, x.r1, y.r1, nil, b.rows, &b.words[0])
	k.Dot.Rows(sums.r2, x.r2, y.r2, nil, b.rows, &b.words[1])
	k.Dot.Rows(sums.r3, x.r3, y.r3, nil, b.rows, &b.words[2])
	return b.rows * length
}

// addProduct returns x·y + s, rounded once. It detects factors that are noise.
func (a *Arithmetic[T]) addProduct(x, y, s Number[T], c coins) Number[T] {
	a.checkFactors(x, y)
	x, y, s = a.operand(x, c, 0), a.operand(y, c, 1), a.operand(s, c, 2)
	return Number[T]{
		a.settle(fusedExact(x.r1, y.r1, s.r1), c, 0),
		a.settle(fusedExact(x.r2, y.r2, s.r2), c, 1),
		a.settle(fusedExact(x.r3, y.r3, s.r3), c, 2),
	}
}
