package blas

// matrix is a view of a stored matrix, conjugated or not: element (i, j) is
// data[offset + i·row + j·col]. Transposing and reversing it moves no element.
type matrix[T number] struct {
	data             []T
	offset, row, col int
	conj             bool
}

// dense returns the matrix whose rows begin ld elements apart.
func dense[T number](a []T, ld int) matrix[T] {
	return matrix[T]{data: a, row: ld, col: 1}
}

func (a matrix[T]) at(i, j int) *T { return &a.data[a.offset+i*a.row+j*a.col] }

// from returns the part whose first element is (i, j).
func (a matrix[T]) from(i, j int) matrix[T] {
	a.offset += i*a.row + j*a.col
	return a
}

// rowOf returns row i of n neighbouring elements.
func (a matrix[T]) rowOf(i, n int) []T {
	at := a.offset + i*a.row
	return a.data[at : at+n]
}

func (a matrix[T]) transposed() matrix[T] {
	a.row, a.col = a.col, a.row
	return a
}

// upsideDown returns the m rows in reverse.
func (a matrix[T]) upsideDown(m int) matrix[T] {
	a.offset += (m - 1) * a.row
	a.row = -a.row
	return a
}

// turned returns the matrix of order n with rows and columns in reverse: the
// upper triangle becomes the lower one.
func (a matrix[T]) turned(n int) matrix[T] {
	return a.upsideDown(n).transposed().upsideDown(n).transposed()
}

// copied returns a copy of m rows of n elements.
func (a matrix[T]) copied(m, n int) matrix[T] { return a.copiedTo(new([]T), m, n) }

// copiedTo is copied, with the copy in a buffer that grows to fit.
func (a matrix[T]) copiedTo(buffer *[]T, m, n int) matrix[T] {
	if m*n > len(*buffer) {
		*buffer = make([]T, m*n)
	}
	dst := matrix[T]{data: *buffer, row: n, col: 1, conj: a.conj}
	for i := range m {
		at := a.offset + i*a.row
		row := dst.rowOf(i, n)
		if a.col == 1 {
			copy(row, a.data[at:])
			continue
		}
		for j := range row {
			row[j] = a.data[at]
			at += a.col
		}
	}
	return dst
}
