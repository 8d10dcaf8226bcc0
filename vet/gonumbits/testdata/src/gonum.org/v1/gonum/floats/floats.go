// Package floats has the signatures of gonum's.
package floats

func Sum(s []float64) float64      { return 0 }
func Dot(s1, s2 []float64) float64 { return 0 }
func Max(s []float64) float64      { return 0 }
func Add(dst, s []float64)         {}
