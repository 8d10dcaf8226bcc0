//go:build go1.19

package tagged

func newer(x []float32) (s float32) {
	for _, v := range x {
		s += v
	}
	return s
}
