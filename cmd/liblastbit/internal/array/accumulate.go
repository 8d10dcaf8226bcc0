package array

import (
	"unsafe"

	"github.com/lastbit/lastbit/exact"
)

// block is the number of elements that are copied at a time.
const block = 1 << 12

// minRun is the length of a run that is summed where it lies.
const minRun = 1 << 10

// Accumulate adds every element of x to a, or with an array y of the same shape
// and format every product of elements.
func Accumulate(a *exact.Accumulator, x, y *Array) {
	l := layoutOfBoth(x, y)
	newAdder(x.Format).add(a, &l, x, y)
}

// An adder holds the blocks that elements are copied to.
type adder struct {
	format           Format
	double, double2  []float64
	single, single2  []float32
	doubles, singles bool // the formats of blocks
}

// newAdder returns an adder for arrays of a format.
func newAdder(f Format) *adder {
	d := &adder{format: f, singles: f == Float32 || f == Float16 || f == BFloat16}
	d.doubles = !d.singles
	return d
}

// room makes room for blocks of n elements.
func (d *adder) room(n int64) {
	n = min(n, block)
	if d.doubles && int64(len(d.double)) < n {
		d.double, d.double2 = make([]float64, n), make([]float64, n)
	}
	if d.singles && int64(len(d.single)) < n {
		d.single, d.single2 = make([]float32, n), make([]float32, n)
	}
}

// add adds the elements of x, or their products with the elements of y unless
// that is nil. l is the layout of both.
func (d *adder) add(a *exact.Accumulator, l *layout, x, y *Array) {
	if d.format.isWide() {
		addWide(a, l, x, y)
		return
	}
	n := l.len()
	if n == 0 || l.areFlat(x, y) && addFlat(a, x, y, n) {
		return
	}
	d.room(n)
	for c := l.start(); !c.done; {
		if y != nil || !addRun(a, &c, x) {
			d.addBlock(a, &c, x, y)
		}
	}
}

func layoutOfBoth(x, y *Array) layout {
	if y == nil {
		return layoutOf(false, x)
	}
	return layoutOf(false, x, y)
}

// addFlat adds arrays in one piece of the formats that package exact has.
func addFlat(a *exact.Accumulator, x, y *Array, n int64) bool {
	switch {
	case x.Format == Float64 && y == nil:
		a.AddSlice(slice[float64](x, n))
	case x.Format == Float64:
		a.AddDot(slice[float64](x, n), slice[float64](y, n))
	case x.Format == Float32 && y == nil:
		a.AddSlice32(slice[float32](x, n))
	case x.Format == Float32:
		a.AddDot32(slice[float32](x, n), slice[float32](y, n))
	default:
		return false
	}
	return true
}

// addBlock adds the elements of one block, and moves the cursor behind them.
func (d *adder) addBlock(a *exact.Accumulator, c *cursor, x, y *Array) {
	if d.singles {
		n := fill(d.single, d.single2, c, x, y)
		if y == nil {
			a.AddSlice32(d.single[:n])
		} else {
			a.AddDot32(d.single[:n], d.single2[:n])
		}
		return
	}
	n := fill(d.double, d.double2, c, x, y)
	if y == nil {
		a.AddSlice(d.double[:n])
	} else {
		a.AddDot(d.double[:n], d.double2[:n])
	}
}

// addRun adds a long run that lies in one piece, without copying it.
func addRun(a *exact.Accumulator, c *cursor, x *Array) bool {
	l := c.layout
	k := len(l.shape) - 1
	if c.index[k] != 0 || l.shape[k] < minRun || uintptr(x.At)%8 != 0 || c.offset[0]%8 != 0 {
		return false
	}
	size := int64(x.Format.Size())
	if l.strides[0][k] != size || x.Format != Float64 && x.Format != Float32 {
		return false
	}
	offset, n := c.take(l.shape[k])
	run := x.moved(offset[0])
	return addFlat(a, &run, nil, n)
}

// fill copies elements to blocks until these are full, and returns their
// number.
func fill[T float](bx, by []T, c *cursor, x, y *Array) (n int64) {
	strides := c.layout.last()
	for n < int64(len(bx)) && !c.done {
		offset, count := c.take(int64(len(bx)) - n)
		load(bx[n:n+count], x.Format, unsafe.Add(x.At, offset[0]), strides[0])
		if y != nil {
			load(by[n:n+count], y.Format, unsafe.Add(y.At, offset[1]), strides[1])
		}
		n += count
	}
	return n
}

// addWide adds integers of 64 bits, one by one.
func addWide(a *exact.Accumulator, l *layout, x, y *Array) {
	strides := l.last()
	for c := l.start(); !c.done; {
		offset, n := c.take(1 << 62)
		at := unsafe.Add(x.At, offset[0])
		if y == nil {
			for range n {
				a.AddWide(wide(x.Format, at))
				at = unsafe.Add(at, strides[0])
			}
			continue
		}
		other := unsafe.Add(y.At, offset[1])
		for range n {
			xhi, xlo := wide(x.Format, at)
			yhi, ylo := wide(y.Format, other)
			addWideProduct(a, xhi, xlo, yhi, ylo)
			at, other = unsafe.Add(at, strides[0]), unsafe.Add(other, strides[1])
		}
	}
}

// addWideProduct adds the product of two integers. Zero is +0, whatever the
// signs.
func addWideProduct(a *exact.Accumulator, xhi, xlo, yhi, ylo float64) {
	if xhi == 0 || yhi == 0 {
		a.Add(0)
		return
	}
	a.AddWideProduct(xhi, xlo, yhi, ylo)
}

// wide returns an integer of 64 bits as the sum of two numbers of the same
// sign. The second is 0 if the first is.
func wide(f Format, at unsafe.Pointer) (hi, lo float64) {
	v := *(*uint64)(at)
	negative := f == Int64 && v>>63 != 0
	if negative {
		v = -v
	}
	hi, lo = float64(v&^0xffffffff), float64(v&0xffffffff)
	if hi == 0 {
		hi, lo = lo, 0
	}
	if negative {
		return -hi, -lo
	}
	return hi, lo
}
