package random

import (
	"math/rand"
	randv2 "math/rand/v2"
)

func perm(x []float64) (s float64) {
	for _, i := range rand.Perm(len(x)) {
		s += x[i] // want `adds up in the order of rand.Perm, which`
	}
	return s
}

func permV(x []float64) (s float64) {
	p := randv2.Perm(len(x))
	for _, i := range p {
		s += x[i] // want `adds up a list in the order of randv2.Perm`
	}
	return s
}

func shuffle(x []float64) (s float64) {
	rand.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	for _, v := range x {
		s += v // want `adds up a list in the order of rand.Shuffle`
	}
	return s
}

func shuffle2(x []float64) (s float64) {
	idx := make([]int, len(x))
	for i := range idx {
		idx[i] = i
	}
	randv2.Shuffle(len(idx), func(i, j int) { idx[i], idx[j] = idx[j], idx[i] })
	for _, i := range idx {
		s += x[i] // want `adds up a list in the order of randv2.Shuffle`
	}
	return s
}

func seeded(x []float64) (s float64) {
	r := rand.New(rand.NewSource(1))
	for _, i := range r.Perm(len(x)) {
		s += x[i]
	}
	return s
}

func own(x []float64) []float64 {
	y := make([]float64, len(x))
	for _, i := range rand.Perm(len(x)) {
		y[i] += x[i]
	}
	return y
}

func methods(r *randv2.Rand, x []float64) (s float64) {
	r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	for _, v := range x {
		s += v
	}
	return s
}

type numbers []float64

func (n numbers) Swap(i, j int) { n[i], n[j] = n[j], n[i] }

func swapped(x numbers) (s float64) {
	rand.Shuffle(len(x), x.Swap)
	for _, v := range x {
		s += v // want `in the order of rand.Shuffle`
	}
	return s
}

func counted(x []float64, k int) (s, t float64) {
	rand.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	for i := 0; i < k; i++ {
		s += x[i] // want `in the order of rand.Shuffle`
	}
	for i := range k {
		s += x[i] // want `in the order of rand.Shuffle`
		t += float64(i) / 3
	}
	return s, t
}
