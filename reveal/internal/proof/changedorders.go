package proof

import (
	"cmp"
	"math"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// maxSorted is the largest n whose inputs are also tried in orders by value.
// Longer ones show all other orders alike.
const maxSorted = 128

// countChanged returns the number of changedOrders of n summands.
func countChanged(n int) int {
	if n > maxSorted {
		return 1
	}
	return len(changedNames())
}

// changedOrders returns the summands in other orders: from the last to the
// first, and of few summands by value, by size and by sign.
func changedOrders(s *ask.Sample) [][]int {
	all := make([][]int, countChanged(len(s.X)))
	for k := range all {
		all[k] = nthChanged(s, k)
	}
	return all
}

// nthChanged returns one of changedOrders.
func nthChanged(s *ask.Sample, k int) []int {
	switch k {
	case 0:
		reversed := ascendingOrder(len(s.X))
		slices.Reverse(reversed)
		return reversed
	case 1:
		return sortedBy(summands(s), func(v float64) float64 { return v })
	case 2:
		return sortedBy(summands(s), math.Abs)
	case 3:
		return turned(summands(s), sortedBy(summands(s), math.Abs))
	}
	return bySign(summands(s))
}

// sortedBy returns the places of values in ascending order of a key, and of
// equal keys in their own.
func sortedBy(values []float64, key func(v float64) float64) []int {
	type keyed struct {
		key float64
		at  int
	}
	list := make([]keyed, len(values))
	for i, v := range values {
		list[i] = keyed{key(v), i}
	}
	slices.SortFunc(list, func(a, b keyed) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return cmp.Or(cmp.Compare(a.key, b.key), a.at-b.at)
	})
	by := make([]int, len(values))
	for k, v := range list {
		by[k] = v.at
	}
	return by
}

// turned returns an order by size from the largest to the smallest. Values of
// equal size stay in their own order.
func turned(values []float64, outward []int) []int {
	inward := make([]int, 0, len(outward))
	for end := len(outward); end > 0; {
		size, begin := math.Abs(values[outward[end-1]]), end-1
		for begin > 0 && math.Abs(values[outward[begin-1]]) == size {
			begin--
		}
		inward = append(inward, outward[begin:end]...)
		end = begin
	}
	return inward
}

// bySign returns the places of values that are not negative, and then of the
// others.
func bySign(values []float64) []int {
	places := make([]int, 0, len(values))
	for _, negative := range []bool{false, true} {
		for i, v := range values {
			if math.Signbit(v) == negative {
				places = append(places, i)
			}
		}
	}
	return places
}
