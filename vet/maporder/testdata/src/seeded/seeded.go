package seeded

import (
	"math/rand"
	randv2 "math/rand/v2"
)

func init() { rand.Seed(1) }

func f(x []float64) (s, t float64) {
	for _, i := range rand.Perm(len(x)) {
		s += x[i]
	}
	for _, i := range randv2.Perm(len(x)) {
		t += x[i] // want `adds up in the order of randv2.Perm`
	}
	return s, t
}
