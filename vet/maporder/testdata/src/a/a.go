package a

import (
	"maps"
	"math"
	"slices"
	"sync"
)

type account struct{ sum float64 }

func sums(m map[string]float64, byKey map[string][]float64) (float64, float32) {
	s, n := 0.0, 0.0
	var f float32
	var a account
	for _, v := range m {
		s += v                 // want `s \+= v adds up in the order of the map m`
		s = s + v*2            // want `adds up`
		s = float64(1 + v + s) // want `adds up`
		a.sum -= v             // want `a.sum -= v adds up`
		f *= float32(v)        // want `adds up`
		n += 1
		n++
	}
	for k, v := range byKey {
		t := 0.0
		for _, x := range v {
			t += x
		}
		m[k] += t
	}
	for v := range maps.Values(m) {
		s += v // want `the map maps.Values\(m\)`
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		s += m[k]
	}
	return s + a.sum + n, f
}

func integers(m map[string]int) (s int) {
	for _, v := range m {
		s += v
	}
	return s
}

func syncMap(m *sync.Map) (s float64) {
	m.Range(func(_, v any) bool {
		s += v.(float64) // want `in the order of a sync.Map`
		return true
	})
	return s
}

func pointers(m map[string]*account) {
	for _, v := range m {
		v.sum += 0.1
	}
}

func through(m map[string]float64) (s, p float64) {
	add := func(v float64) {
		s += v // want `s \+= v adds up in the order of the map m`
	}
	other := func(v float64) { s -= v }
	for _, v := range m {
		add(v)
		p = math.FMA(v, v, p) // want `adds up in the order`
	}
	other(1)
	return s, p
}
