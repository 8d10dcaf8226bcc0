package array

import "unsafe"

// A layout is how the elements of up to three arrays of equal shape are
// visited: in runs along the last dimension. Neighbours that all arrays store
// alike are one dimension.
type layout struct {
	shape   []int64
	strides [3][]int64
}

// layoutOf returns the layout of up to three arrays. Elements that are visited
// in another order than C's save time, and change no sum.
func layoutOf(ordered bool, arrays ...*Array) layout {
	l := layout{}
	first := arrays[0]
	for k, n := range first.Shape {
		if n == 1 {
			continue
		}
		l.shape = append(l.shape, n)
		for i, a := range arrays {
			l.strides[i] = append(l.strides[i], a.Strides[k])
		}
	}
	if !ordered {
		l.sort()
	}
	l.merge(len(arrays))
	if len(l.shape) == 0 {
		l.shape = []int64{1}
		for i := range arrays {
			l.strides[i] = []int64{0}
		}
	}
	return l
}

// sort puts the dimensions with the longest strides first.
func (l *layout) sort() {
	for i := range l.shape {
		for j := i; j > 0 && magnitude(l.strides[0][j]) > magnitude(l.strides[0][j-1]); j-- {
			l.shape[j], l.shape[j-1] = l.shape[j-1], l.shape[j]
			for k := range l.strides {
				if s := l.strides[k]; s != nil {
					s[j], s[j-1] = s[j-1], s[j]
				}
			}
		}
	}
}

func magnitude(x int64) int64 { return max(x, -x) }

// merge makes one dimension of two that follow each other without a gap.
func (l *layout) merge(arrays int) {
	for k := len(l.shape) - 1; k > 0; k-- {
		joined := true
		for _, s := range l.strides[:arrays] {
			joined = joined && s[k-1] == s[k]*l.shape[k]
		}
		if !joined {
			continue
		}
		l.shape[k-1] *= l.shape[k]
		l.shape = append(l.shape[:k], l.shape[k+1:]...)
		for i, s := range l.strides[:arrays] {
			s[k-1] = s[k]
			l.strides[i] = append(s[:k], s[k+1:]...)
		}
	}
}

// A cursor is a place in a layout.
type cursor struct {
	layout *layout
	index  []int64
	offset [3]int64 // in bytes
	done   bool
}

// start returns the place of the first element.
func (l *layout) start() cursor {
	c := cursor{layout: l, index: make([]int64, len(l.shape))}
	for _, n := range l.shape {
		c.done = c.done || n == 0
	}
	return c
}

// take returns the offsets of at most n elements along the last dimension, and
// moves behind them.
func (c *cursor) take(n int64) (offset [3]int64, count int64) {
	l := c.layout
	k := len(l.shape) - 1
	offset = c.offset
	count = min(n, l.shape[k]-c.index[k])
	c.move(k, count)
	for k > 0 && c.index[k] == l.shape[k] {
		c.move(k, -l.shape[k])
		k--
		c.move(k, 1)
	}
	c.done = k == 0 && c.index[0] == l.shape[0]
	return offset, count
}

// move moves by n elements of dimension k.
func (c *cursor) move(k int, n int64) {
	c.index[k] += n
	for i, s := range c.layout.strides {
		if s != nil {
			c.offset[i] += n * s[k]
		}
	}
}

// last returns the strides along the last dimension.
func (l *layout) last() (strides [3]int64) {
	for i, s := range l.strides {
		if s != nil {
			strides[i] = s[len(s)-1]
		}
	}
	return strides
}

// len returns the number of elements.
func (l *layout) len() int64 {
	n := int64(1)
	for _, d := range l.shape {
		n *= d
	}
	return n
}

// areFlat reports whether each of some arrays, except nil, lies in one piece,
// its first element first.
func (l *layout) areFlat(arrays ...*Array) bool {
	for i, a := range arrays {
		if a == nil {
			continue
		}
		size := int64(a.Format.Size())
		if len(l.shape) > 1 || l.strides[i][0] != size && l.shape[0] != 1 ||
			uintptr(a.At)%uintptr(size) != 0 {
			return false
		}
	}
	return true
}

// slice returns the elements of an array in one piece.
func slice[T any](a *Array, n int64) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(a.At), n)
}
