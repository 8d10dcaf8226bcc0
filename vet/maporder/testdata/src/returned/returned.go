package returned

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

func values(m map[int]float64) []float64 {
	var out []float64
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

func sortedValues(m map[int]float64) []float64 {
	var out []float64
	for _, v := range m {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

func collected(m map[int]float64) []float64 { return slices.Collect(maps.Values(m)) }

func total(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func UseValues(m map[int]float64) (s, t, u float64) {
	for _, v := range values(m) {
		s += v // want `adds up`
	}
	for _, v := range sortedValues(m) {
		t += v
	}
	for _, v := range collected(m) {
		u += v // want `adds up`
	}
	s += total(values(m)) // want `adds up`
	t += total(sortedValues(m))
	x := values(m)
	return s + total(x), t, total(collected(m)) // want `total\(x\) adds` `the map m in collected`
}

func Own(m map[int]float64) []float64 {
	out := make([]float64, len(m))
	for i, v := range values(m) {
		out[i] += v
	}
	return out
}

func MaxOf(m map[int]float64) (most float64) {
	for _, v := range values(m) {
		most = max(most, v)
	}
	return most
}

type set struct{ m map[string]float64 }

func (s *set) Range(f func(string, float64) bool) {
	for k, v := range s.m {
		if !f(k, v) {
			return
		}
	}
}

func UseRange(s *set) (t float64) {
	s.Range(func(_ string, v float64) bool {
		t += v // want `in the order of the map s.m in Range`
		return true
	})
	for _, v := range s.Range {
		t += v // want `adds up`
	}
	return t
}

func seq(m map[int]float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

func sumSeq[V float32 | float64](all iter.Seq[V]) (s V) {
	for v := range all {
		s += v
	}
	return s
}

func UseSeq(m map[int]float64) (s float64) {
	for v := range seq(m) {
		s += v // want `the map m in seq`
	}
	return s + sumSeq(seq(m)) + sumSeq(maps.Values(m)) + // want `sumSeq\(seq\(m\)\)` `adds`
		sumSeq(slices.Values(slices.Sorted(maps.Values(m))))
}

func NamedRange(m *sync.Map) (s float64) {
	f := func(_, v any) bool { s += v.(float64); return true } // want `adds up`
	m.Range(f)
	return s
}
