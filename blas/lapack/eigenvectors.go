package lapack

import (
	gonum "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// eigenvectors are the n columns of z, each of n elements, that Dsteqr rotates.
// Where a kernel rotates rows, z is transposed until restore. That changes no
// bit of a rotation.
type eigenvectors struct {
	impl         Implementation
	n            int
	z            []float64
	ldz          int
	isTransposed bool
}

// eigenvectors returns the columns of z, if there are to be any.
func (impl Implementation) eigenvectors(wanted bool, n int, z []float64, ldz int) eigenvectors {
	v := eigenvectors{impl, n, z, ldz, wanted && impl.kernels().RotatesRows(n)}
	v.restore()
	return v
}

// restore transposes z if it is to be transposed, or is.
func (v *eigenvectors) restore() {
	if !v.isTransposed {
		return
	}
	for i := range v.n {
		row := v.z[i*v.ldz:][:i]
		for j, at := 0, i; j < len(row); j, at = j+1, at+v.ldz {
			row[j], v.z[at] = v.z[at], row[j]
		}
	}
}

// rotate rotates m neighbouring columns from the first on, by c and s.
func (v *eigenvectors) rotate(direct lapack.Direct, first, m int, c, s []float64) {
	if v.isTransposed {
		v.impl.Dlasr(gonum.Left, lapack.Variable, direct, m, v.n, c, s, v.z[first*v.ldz:], v.ldz)
		return
	}
	v.impl.Dlasr(gonum.Right, lapack.Variable, direct, v.n, m, c, s, v.z[first:], v.ldz)
}

// swap exchanges two columns.
func (v *eigenvectors) swap(i, k int) {
	if v.isTransposed {
		v.impl.blas().Dswap(v.n, v.z[i*v.ldz:], 1, v.z[k*v.ldz:], 1)
		return
	}
	v.impl.blas().Dswap(v.n, v.z[i:], v.ldz, v.z[k:], v.ldz)
}
