package a

func sums(x []float32, wide []float64) (float32, float64) {
	var s float32
	var w float64
	for _, v := range x {
		s += v     // want `s \+= v may be kept in a wider format on 386`
		s -= v + 1 // want `write s = float32\(s - …\)`
		s = float32(s + v)
		w += float64(v)
		var t float32
		t += v
		_ = t
	}
	s += x[0]
	return s, w
}

func written(x []float32) (s float32) {
	for _, v := range x {
		s = s + v // want `s = s \+ v may be kept .*; write float32\(s \+ v\)`
		s = float32(v + s)
		s = v - s
	}
	return s
}

func exact(x []float32) (s float32) {
	for range x {
		s += s
		s = s + s
		s = (s) + (s)
		s -= s
		s += -s
		s = 0 + s
		s += 0
	}
	return s
}
