package array

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/lastbit/lastbit/internal/crew"
)

// minMapped is the number of elements that a core computes at a time.
const minMapped = 1 << 14

// Map stores the correctly rounded values of a function of package crmath in
// out. The function has the argument x, or x and y; all arrays have one shape.
// out may be an argument, or overlap one. Integers are converted to the format
// of out first, as in NumPy.
func Map(name string, x, y, out *Array) error {
	n := out.len()
	if n == 0 {
		return nil
	}
	arrays := []*Array{out, x}
	if y != nil {
		arrays = append(arrays, y)
	}
	for _, a := range arrays {
		if !a.Format.widensTo(out.Format) {
			return fmt.Errorf("no results of format %d for arguments of %d", out.Format, a.Format)
		}
	}
	apply, err := functionOf(name, out.Format, y != nil)
	if err != nil {
		return err
	}
	l := layoutOf(true, arrays...)
	m := mapping{apply: apply, layout: l, out: out, x: x, y: y}
	if m.isFlat() && !partlyOverlap(out, x) && !partlyOverlap(out, y) {
		m.flat(n)
		return nil
	}
	if mayOverlap(out, x) || mayOverlap(out, y) {
		m.byCopy(n)
	} else {
		m.byBlocks(m.out, n)
	}
	return nil
}

// widensTo reports whether Map takes arguments of a format for results of
// another.
func (f Format) widensTo(out Format) bool {
	switch out {
	case Float64:
		return true
	case Float32:
		return f == Float32 || f == Float16 || f == BFloat16
	}
	return f == out && !f.isInteger()
}

// A function computes a function for all elements of some arrays in one piece,
// of the format of dst.
type function func(dst, x, y unsafe.Pointer, n int64)

// functionOf returns the function for a format.
func functionOf(name string, f Format, two bool) (function, error) {
	if two {
		if b, ok := binaryOf(name); ok {
			return b.in(f), nil
		}
	} else if u, ok := unaryOf(name); ok {
		return u.in(f), nil
	}
	return nil, fmt.Errorf("no such function: %s", name)
}

func elements[T any](at unsafe.Pointer, n int64) []T { return unsafe.Slice((*T)(at), n) }

// in returns the function for a format.
func (u unary) in(f Format) function {
	switch f {
	case Float64:
		return func(dst, x, _ unsafe.Pointer, n int64) {
			u.double(elements[float64](dst, n), elements[float64](x, n))
		}
	case Float32:
		return func(dst, x, _ unsafe.Pointer, n int64) {
			u.single(elements[float32](dst, n), elements[float32](x, n))
		}
	}
	short := u.half
	if f == BFloat16 {
		short = u.brain
	}
	return func(dst, x, _ unsafe.Pointer, n int64) {
		d := elements[uint16](dst, n)
		for i, v := range elements[uint16](x, n) {
			d[i] = short(v)
		}
	}
}

// in returns the function for a format.
func (b binary) in(f Format) function {
	switch f {
	case Float64:
		return func(dst, x, y unsafe.Pointer, n int64) {
			b.double(elements[float64](dst, n), elements[float64](x, n), elements[float64](y, n))
		}
	case Float32:
		return func(dst, x, y unsafe.Pointer, n int64) {
			b.single(elements[float32](dst, n), elements[float32](x, n), elements[float32](y, n))
		}
	}
	short := b.half
	if f == BFloat16 {
		short = b.brain
	}
	return func(dst, x, y unsafe.Pointer, n int64) {
		d, other := elements[uint16](dst, n), elements[uint16](y, n)
		for i, v := range elements[uint16](x, n) {
			d[i] = short(v, other[i])
		}
	}
}

// A mapping is one call of Map.
type mapping struct {
	apply     function
	layout    layout
	out, x, y *Array
}

// isFlat reports whether all arrays lie in one piece and have one format.
func (m *mapping) isFlat() bool {
	return m.layout.areFlat(m.out, m.x, m.y) && m.x.Format == m.out.Format &&
		(m.y == nil || m.y.Format == m.out.Format)
}

// flat computes arrays in one piece, on several cores if they are long.
func (m *mapping) flat(n int64) {
	size := int64(m.out.Format.Size())
	parts := (n + minMapped - 1) / minMapped
	workers := int(min(int64(runtime.GOMAXPROCS(0)), n/minMapped))
	var p crew.Parts
	p.Reset(int(parts), max(1, workers))
	crew.Run(workers, func(worker int) {
		p.Each(worker, func(k int) {
			i := int64(k) * minMapped
			var y unsafe.Pointer
			if m.y != nil {
				y = unsafe.Add(m.y.At, i*size)
			}
			m.apply(unsafe.Add(m.out.At, i*size), unsafe.Add(m.x.At, i*size), y,
				min(minMapped, n-i))
		})
	})
}

// byCopy computes all results before it stores any.
func (m *mapping) byCopy(n int64) {
	size := int64(m.out.Format.Size())
	memory := make([]uint64, (n*size+7)/8)
	whole := Array{At: unsafe.Pointer(&memory[0]), Format: m.out.Format, Shape: m.out.Shape}
	whole.Strides = make([]int64, len(whole.Shape))
	step := size
	for k := len(whole.Shape) - 1; k >= 0; k-- {
		whole.Strides[k] = step
		step *= whole.Shape[k]
	}
	out := m.out
	arrays := []*Array{&whole, m.x}
	if m.y != nil {
		arrays = append(arrays, m.y)
	}
	m.layout = layoutOf(true, arrays...)
	m.byBlocks(&whole, n)
	l := layoutOf(true, out, &whole)
	strides := l.last()
	for c := l.start(); !c.done; {
		offset, count := c.take(n)
		move(unsafe.Add(out.At, offset[0]), strides[0], unsafe.Add(whole.At, offset[1]),
			strides[1], size, count)
	}
}

// byBlocks copies arguments to blocks, computes, and stores the results.
func (m *mapping) byBlocks(out *Array, n int64) {
	size := int64(out.Format.Size())
	words := (min(n, block)*size + 7) / 8
	memory := make([]uint64, 2*words)
	x, y := unsafe.Pointer(&memory[0]), unsafe.Pointer(&memory[words])
	strides := m.layout.last()
	for c := m.layout.start(); !c.done; {
		offset, count := c.take(block)
		bring(x, out.Format, unsafe.Add(m.x.At, offset[1]), m.x.Format, strides[1], count)
		if m.y != nil {
			bring(y, out.Format, unsafe.Add(m.y.At, offset[2]), m.y.Format, strides[2], count)
		}
		m.apply(x, x, y, count)
		move(unsafe.Add(out.At, offset[0]), strides[0], x, size, size, count)
	}
}

// bring copies elements that are stride bytes apart to a block of a format.
func bring(to unsafe.Pointer, format Format, at unsafe.Pointer, f Format, stride, n int64) {
	switch {
	case f == format:
		move(to, int64(f.Size()), at, stride, int64(f.Size()), n)
	case format == Float64:
		load(elements[float64](to, n), f, at, stride)
	default:
		load(elements[float32](to, n), f, at, stride)
	}
}

// move copies n elements between places that are some bytes apart.
func move(to unsafe.Pointer, toStride int64, from unsafe.Pointer, fromStride, size, n int64) {
	switch size {
	case 8:
		moveAs[uint64](to, toStride, from, fromStride, n)
	case 4:
		moveAs[uint32](to, toStride, from, fromStride, n)
	default:
		moveAs[uint16](to, toStride, from, fromStride, n)
	}
}

func moveAs[T any](to unsafe.Pointer, toStride int64, from unsafe.Pointer, fromStride, n int64) {
	for range n {
		*(*T)(to) = *(*T)(from)
		to, from = unsafe.Add(to, toStride), unsafe.Add(from, fromStride)
	}
}

// extent returns the lowest and the highest address of an array.
func (a *Array) extent() (low, high uintptr) {
	low = uintptr(a.At)
	high = low + uintptr(a.Format.Size())
	for k, n := range a.Shape {
		if d := (n - 1) * a.Strides[k]; d < 0 {
			low -= uintptr(-d)
		} else {
			high += uintptr(d)
		}
	}
	return low, high
}

// mayOverlap reports whether the memory of two arrays may have bytes in common.
func mayOverlap(a, b *Array) bool {
	if b == nil {
		return false
	}
	low, high := a.extent()
	begin, end := b.extent()
	return low < end && begin < high
}

// partlyOverlap reports whether two arrays in one piece overlap and begin at
// different places.
func partlyOverlap(a, b *Array) bool { return mayOverlap(a, b) && a.At != b.At }
