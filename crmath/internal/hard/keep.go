package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/lastbit/lastbit/internal/mpfr"
)

// hit is an argument that is hard to round.
type hit struct {
	x, y     float64 // y is the second argument, if there is one
	distance float64 // in ulps, from a midpoint or a representable number
}

// Classes of hits: results next to a representable number, which are hard in
// directed modes, and next to a midpoint, which are hard to nearest.
const (
	representable = iota
	midpoint
	classes
)

var classNames = [classes]string{"representable numbers", "midpoints"}

// distanceOf returns the distance of a result from the closest number of 53 or
// 54 bits in ulps, and the class of that number; false for such a number
// itself.
func distanceOf(d mpfr.Digits) (ulps float64, class int, ok bool) {
	h := halves(d)
	class = int(h.whole & 1)
	if h.high>>63 != 0 {
		h, class = fixed{}.sub(h), class^1
	}
	exact := h.high|h.low == 0
	return math.Ldexp(float64(h.high)+float64(float64(h.low)*0x1p-64), -65), class, !exact
}

// A binade collects the hits of the arguments of one exponent and sign, and
// keeps account of its parts.
type binade struct {
	first float64 // its argument closest to 0
	y     float64 // the second argument, if there is one
	hits  [classes][]hit
	work  int
	level int // log2 of the arguments of a part
	done  int // parts that were tried
	order int // of the parts: a number that turns their order
}

// maxKept bounds the hits of one class in a binade, so that a few binades do
// not fill a list.
const maxKept = 12

// tolerance returns the distance of the easiest hit worth a look, in units of
// 2^-64 of half an ulp.
func (b *binade) tolerance() float64 {
	worst := 0.0
	for _, h := range b.hits {
		if len(h) < maxKept {
			return tolerance
		}
		worst = max(worst, h[maxKept-1].distance)
	}
	return math.Ldexp(worst, 65)
}

// keep adds a hit, unless others are harder.
func (b *binade) keep(x float64, d mpfr.Digits) {
	distance, class, ok := distanceOf(d)
	if !ok || distance > math.Ldexp(tolerance, -65) {
		return
	}
	list := &b.hits[class]
	i, _ := slices.BinarySearchFunc(*list, distance,
		func(h hit, d float64) int { return cmp.Compare(h.distance, d) })
	*list = slices.Insert(*list, i, hit{x, b.y, distance})
	*list = (*list)[:min(len(*list), maxKept)]
}

// choose returns n hits of a class: two thirds of them the hardest of all, and
// then the hardest that remain of each binade in turn.
func choose(binades []*binade, class, n int) (chosen []hit) {
	byDistance := func(a, b hit) int { return cmp.Compare(a.distance, b.distance) }
	var all []hit
	for _, b := range binades {
		all = append(all, b.hits[class]...)
	}
	slices.SortFunc(all, byDistance)
	chosen = slices.Clone(all[:min(len(all), 2*n/3)])
	for rank := range maxKept {
		var next []hit
		for _, b := range binades {
			if rank < len(b.hits[class]) && !slices.Contains(chosen, b.hits[class][rank]) {
				next = append(next, b.hits[class][rank])
			}
		}
		slices.SortFunc(next, byDistance)
		chosen = append(chosen, next[:min(len(next), n-len(chosen))]...)
	}
	slices.SortFunc(chosen, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y))
	})
	return chosen
}
