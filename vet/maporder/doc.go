// Package maporder finds floating-point sums in the order of a map, or of a
// random permutation.
//
// A range over a map takes its keys in an order that changes from run to run,
// and additions of floating-point numbers round differently in another order:
//
//	for _, v := range m {
//		s += v
//	}
//
// The same holds for maps.Keys, maps.Values, maps.All and sync.Map's Range, and
// for a list that a function fills in this order and then adds up, without a
// call in between that may sort it: also by another function of the package.
// And it holds for a call of a function of the package that adds to what it is
// called with, for a list or a sequence that such a function returns in this
// order, and for a function that it calls in this order.
//
// A permutation that the functions of math/rand and math/rand/v2 draw has such
// an order, too: a loop over rand.Perm(n), or over a list that rand.Shuffle was
// given. A generator of rand.New is not reported, nor is math/rand where the
// package calls rand.Seed or is written for a release before Go 1.20.
//
// A loop that keeps a floating-point number of the entry with the largest or
// the least value has another result where two values are equal, and nothing
// breaks the tie:
//
//	for k, n := range counts {
//		if n > most {
//			most, mode = n, k
//		}
//	}
//
// A sum has many forms: s = x + s, s, n = s+x, n+1, s = 0.9*s + 0.1*x, and
// t := s + x with s = t. The larger one of two numbers is the same in every
// order.
//
// Range over sorted keys (slices.Sorted(maps.Keys(m))), or add exactly: package
// exact of lastbit gives one result for every order. A sum for each key, such
// as t[k] += v, is not reported, and neither is one of converted integers,
// which are taken to be below 2^53. A sum for each group of keys is: t[k%2],
// t[kind[k]] of texts, t[bin(v)], t[int(v)], t[name[:1]], t[v.group]. An
// integer that is looked up, as in t[place[k]], is taken for another one for
// each key.
package maporder
