//go:build go1.18

package tagged

func older(x []float32) (s float32) {
	for _, v := range x {
		s += v // want `s \+= v may be kept`
	}
	return s
}
