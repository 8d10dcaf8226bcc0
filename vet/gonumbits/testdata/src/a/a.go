package a

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func calls(x, y []float64) float64 {
	floats.Add(x, y)
	m := mat.NewDense(1, 1, x)
	m.Mul(m, m)           // want `mat.Dense.Mul depends on the processor; use package ordered`
	s := floats.Sum(x)    // want `floats.Sum depends on the address of the data`
	s += floats.Dot(x, y) // want `floats.Dot depends on the processor`
	return s + floats.Max(x) + m.At(0, 0)
}
