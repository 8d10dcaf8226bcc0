package clib

import (
	"encoding/binary"
	"unsafe"
)

// page is the boundary that arrays start from. It is larger than the 64 bytes
// of the contract, so that wider alignments do not vary either.
const page = 4096

// reach is the largest distance, in bytes, that an array moves from its own
// place.
const reach = page

// array is a matrix in memory as C sees it: element (i, j) of rows × cols lies
// rs·i + cs·j elements after the start. All bits around and between the
// elements are ones, a NaN in every format, so that reads outside the operands
// show.
type array struct {
	mem        []byte // from the first to the last element, part of room
	room       []byte // begins at the array's own place, and is longer by reach
	rows, cols int
	rs, cs     int
	size       int // bytes of an element
}

// newArray allocates an array of zeros that starts align bytes past a page
// boundary.
func newArray(rows, cols, rs, cs, size, align int) *array {
	n := ((rows-1)*rs + (cols-1)*cs + 1) * size
	whole := make([]byte, page+align+n+reach+page)
	fillOnes(whole)
	start := int(-uintptr(unsafe.Pointer(&whole[0]))%page) + align
	a := &array{mem: whole[start : start+n : start+n], room: whole[start : start+n+reach],
		rows: rows, cols: cols, rs: rs, cs: cs, size: size}
	a.zero()
	return a
}

// fillOnes sets every bit.
func fillOnes(mem []byte) {
	for i := range mem {
		mem[i] = 0xff
	}
}

// move places the array a number of bytes past its own place. Its elements are
// zeros then.
func (a *array) move(past int) {
	n := len(a.mem)
	if unsafe.SliceData(a.mem) == &a.room[past] {
		return
	}
	fillOnes(a.mem)
	a.mem = a.room[past : past+n : past+n]
	a.zero()
}

// vector allocates n elements, stride apart.
func vector(n, stride, size, align int) *array { return newArray(n, 1, stride, 1, size, align) }

// matrix allocates a rows × cols matrix, with rows contiguous or columns.
func matrix(rows, cols int, columns bool, size, align int) *array {
	if columns {
		return newArray(rows, cols, 1, rows, size, align)
	}
	return newArray(rows, cols, cols, 1, size, align)
}

// ld returns the leading dimension of a matrix.
func (a *array) ld() int { return max(a.rs, a.cs) }

// ptr returns the address of element (0, 0).
func (a *array) ptr() unsafe.Pointer { return unsafe.Pointer(&a.mem[0]) }

// zero makes every element +0.
func (a *array) zero() {
	if len(a.mem) == a.rows*a.cols*a.size {
		clear(a.mem)
		return
	}
	a.store(make([]byte, a.size), 0, 0)
}

// put stores src, the elements row by row.
func (a *array) put(src []byte) { a.store(src, a.cols, 1) }

// putColumns stores src, one element a row, into every column.
func (a *array) putColumns(src []byte) { a.store(src, 1, 0) }

// get fetches the elements row by row.
func (a *array) get(dst []byte) { a.fetch(dst, 0, a.cols) }

// getColumn fetches the elements of column j.
func (a *array) getColumn(dst []byte, j int) { a.fetch(dst, j, 1) }

// store sets element (i, j) from element i·rs + j·cs of src.
func (a *array) store(src []byte, rs, cs int) {
	s := a.size
	switch {
	case a.dense() && rs == a.cols && (cs == 1 || a.cols == 1):
		copy(a.mem, src)
		return
	case a.cs == 1 && cs == 1:
		for i := range a.rows {
			copy(a.mem[i*a.rs*s:], src[i*rs*s:][:a.cols*s])
		}
		return
	}
	move := mover(s)
	for i := range a.rows {
		for j := range a.cols {
			move(a.mem[(i*a.rs+j*a.cs)*s:], src[(i*rs+j*cs)*s:])
		}
	}
}

// dense reports whether the elements follow each other in memory row by row.
func (a *array) dense() bool {
	return (a.rows == 1 || a.rs == a.cols) && (a.cols == 1 || a.cs == 1)
}

// fetch copies n columns from column j on to dst, row by row.
func (a *array) fetch(dst []byte, j, n int) {
	if a.dense() && n == a.cols {
		copy(dst, a.mem)
		return
	}
	s := a.size
	move := mover(s)
	for i := range a.rows {
		from := a.mem[(i*a.rs+j*a.cs)*s:]
		for k := range n {
			move(dst[(i*n+k)*s:], from[k*a.cs*s:])
		}
	}
}

// mover returns a function that copies one element of a number of bytes. It
// moves bits, never values: a library may have made the processor flush
// subnormal numbers.
func mover(size int) func(dst, src []byte) {
	e := binary.NativeEndian
	switch size {
	case 2:
		return func(dst, src []byte) { e.PutUint16(dst, e.Uint16(src)) }
	case 4:
		return func(dst, src []byte) { e.PutUint32(dst, e.Uint32(src)) }
	}
	return func(dst, src []byte) { e.PutUint64(dst, e.Uint64(src)) }
}
