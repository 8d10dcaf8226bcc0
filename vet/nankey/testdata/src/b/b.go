package b

import (
	"math"
	"sync"
)

type point struct{ x, y float64 }

func keys(m map[float64]int, p map[point]bool, x float64, n int) {
	m[x]++                // want `the key x of m may be NaN, which no lookup finds`
	m[x+1] = 1            // want `the key x \+ 1 of m`
	p[point{x, x}] = true // want `may be NaN`
	m[1.5] = 2
	m[float64(n)] = 3
	m[math.Inf(1)] = 4
	_ = m[x]
}

func boxed(m map[any]int, x float64, s string) {
	m[x] = 1 // want `the key x of m may be NaN`
	m[s] = 2
}

func ordered(m map[float64]int, x float64) {
	if x > 0 {
		m[x]++
	} else {
		m[x]-- // want `the key x`
	}
}

func finite(m map[float64]int, x float64) {
	if x-x != 0 {
		return
	}
	m[x]++
}

func stored(m *sync.Map, x float64, s string, n int) {
	m.Store(x, s)          // want `the key x of m may be NaN`
	m.LoadOrStore(x, s)    // want `the key x of m`
	m.Swap(point{x, 1}, s) // want `the key point`
	m.Store(s, x)
	m.Store(float64(n), x)
	m.Store(point{1, float64(n)}, s)
	m.Load(x)
}

func literal(x, y float64) map[point]bool {
	_ = map[string]float64{"x": x}
	return map[point]bool{
		{1, 2}: true,
		{x, y}: true, // want `the key {…} of map|the key .* of map`
	}
}
