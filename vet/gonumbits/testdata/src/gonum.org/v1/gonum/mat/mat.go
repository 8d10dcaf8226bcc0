// Package mat has the signatures of gonum's.
package mat

type Matrix interface{ At(i, j int) float64 }

type Dense struct{}

func NewDense(r, c int, data []float64) *Dense { return nil }
func (m *Dense) Mul(a, b Matrix)               {}
func (m *Dense) At(i, j int) float64           { return 0 }
