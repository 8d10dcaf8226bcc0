package a

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
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
		s += v // want `the map m`
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		s += m[k]
	}
	return s + a.sum + n, f
}

// forms folds values in other forms.
func forms(m map[string]float64) (s, n, mean, top, low, size float64) {
	twice := 1.0
	for k, v := range m {
		s, n = s+v, n+1                           // want `s = s \+ v adds up`
		mean = float64(mean*0.9) + float64(v*0.1) // want `adds up`
		next := s + v
		s = next                   // want `s = next adds up`
		size = math.Hypot(v, size) // want `adds up`
		s = -(v - s)               // want `adds up`
		top = math.Max(top, v)
		low = min(low, v*2)
		twice = 1 - twice
		_ = k
	}
	last := 0.0
	for _, v := range m {
		last = v
	}
	return s, n, mean, top, low + twice + last, size
}

// add folds a value into a field, a place of its own, and a parameter.
func (a *account) add(v float64)         { a.sum += v }
func (a account) lost(v float64)         { a.sum += v }
func (t totals) set(k string, v float64) { t[k] += v }
func addTo(p *float64, v float64)        { *p += v }
func (a *account) count(float64)         { a.sum++ }

type vector struct{ x, y float64 }

func (v vector) add(w vector) vector     { return vector{v.x + w.x, v.y + w.y} }
func (v vector) further(w vector) vector { return vector{max(v.x, w.x), max(v.y, w.y)} }

func vectors(m map[string]vector) (vector, vector) {
	var p, q vector
	for _, v := range m {
		p = p.add(v) // want `p = p.add\(v\) adds up in the order of the map m`
		q = q.further(v)
	}
	return p, q
}

var grand float64

func addGrand(v float64) { grand += v }

// sequences range over functions.
func sequences(m map[string]float64, sm *sync.Map) (s float64) {
	values := maps.Values(m)
	for v := range values {
		s += v // want `adds up in the order of the map m`
	}
	for _, v := range sm.Range {
		s += v.(float64) // want `adds up`
	}
	sorted := slices.Values(slices.Sorted(maps.Values(m)))
	for v := range sorted {
		s += v
		addGrand(v)
	}
	for _, v := range m {
		addGrand(v) // want `addGrand\(v\) adds up`
	}
	return s
}

type totals map[string]float64

func mean(xs []float64) float64 {
	s := 0.0
	for _, x := range xs {
		s += x
	}
	return s / float64(len(xs))
}

func median(xs []float64) float64 {
	sort.Float64s(xs)
	return mean(xs)
}

func largest(xs []float64) (top float64) {
	for _, x := range xs {
		top = max(top, x)
	}
	return top
}

// means gives a list to functions.
func means(m map[string]float64) (float64, float64) {
	var xs []float64
	for _, v := range m {
		xs = append(xs, v)
	}
	ys := slices.Collect(maps.Values(m))
	zs := slices.Sorted(maps.Values(m))
	return largest(ys) + mean(zs) + median(ys),
		mean(xs) // want `mean\(xs\) adds up a list in the order of the map m`
}

// calls adds by calls.
func calls(m map[string]float64) (s float64) {
	var a account
	t := totals{}
	for k, v := range m {
		a.add(v)     // want `a.add\(v\) adds up .*: its a.sum \+= v; range`
		addTo(&s, v) // want `addTo`
		a.lost(v)
		a.count(v)
		t.set(k, v)
		b := &account{}
		b.add(v)
	}
	return a.sum
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

func tables(m map[string][]float64, rows map[[2]int]float64, t, x []float64) {
	for _, v := range m {
		for i := range v {
			t[i] += v[i] // want `adds up in the order of the map m`
		}
		for _, i := range []int{1, 2} {
			t[i] += v[0] // want `adds up`
		}
	}
	for k, v := range rows {
		i := k[0] + 1000*k[1]
		t[i] += v
	}
}

func counts(m map[string]int) (s float64) {
	for _, n := range m {
		s += float64(n)
	}
	return s
}

func appended(m map[string]float64) (s float64) {
	var sorted, other []float64
	var keys []string
	for k, v := range m {
		sorted = append(sorted, v)
		other = append(other, v)
		keys = append(keys, k)
	}
	sort.Float64s(sorted)
	for i, v := range sorted {
		s += v
		s += 0.5 * float64(i)
	}
	for i, v := range other {
		s += v         // want `s \+= v adds up a list in the order of the map m, .* sort it`
		s += t[i] * .1 // the same in every order
	}
	for _, k := range keys {
		v := m[k]
		s += v // want `adds up a list`
	}
	sort.Strings(keys)
	for _, k := range keys {
		s += m[k]
	}
	return s
}

func sortedInLoop(m map[string]float64) (s float64) {
	list := slices.Collect(maps.Values(m))
	for _, v := range slices.Sorted(slices.Values(list)) {
		s += v
	}
	return s
}

func inParts(m map[string]float64) (s float64) {
	list := slices.Collect(maps.Values(m))
	for _, v := range list[1:] {
		s += v // want `adds up a list`
	}
	for i := range len(list) {
		s += list[i] // want `adds up a list`
	}
	return s
}

func table() map[string]float64 { return nil }

var t [9]float64

func indexed(m map[string]float64) (s float64) {
	list := make([]float64, len(m))
	n := 0
	for _, v := range m {
		list[n] = v
		n++
	}
	for i := 0; i < len(list); i++ {
		s += list[i] // want `adds up a list in the order of the map m`
	}
	list = nil
	for _, v := range list {
		s += v
	}
	return s
}

func collected(m map[string]float64) (s float64) {
	for _, v := range slices.Collect(maps.Values(m)) {
		s += v // want `adds up in the order of the map`
	}
	made := table()
	list := slices.Collect(maps.Values(made))
	for _, v := range list {
		s += v // want `adds up a list in the order of the map made`
	}
	return s
}

type cell struct{ row, column int }

var (
	byRow    []account
	accounts map[string]*account
)

func groups(m map[cell]float64, x, y []float64, regions map[string]account) {
	for at, v := range m {
		y[at.row] += v * x[at.column] // want `adds up in the order of the map m`
		y[at.row*9+at.column] += v
		byRow[at.row].sum += v // want `adds up`
	}
	sums := map[float64]float64{}
	for name, a := range regions {
		sums[a.sum] += 0.5 // want `adds up`
		sums[float64(len(name))] += 0.5
	}
}

// shared has indexes that several keys share by their form.
func shared(m map[int]float64, names map[string]float64, kinds map[string]string,
	places map[string]int, t []float64, of map[string]float64, table [][]float64) {
	for k, v := range m {
		t[k%3] += v // want `adds up in the order of the map m`
		i := 1 + k>>2
		t[i] += v         // want `adds up`
		t[bin(v)] += v    // want `adds up`
		t[int(v*10)] += v // want `adds up`
		t[k+1] += v
		t[int64(k)] += v
		of[strconv.Itoa(k)] += v
		table[k/9][k%9] += v
	}
	for name, v := range names {
		accounts[kinds[name]].sum += v // want `adds up`
		of[kinds[name]] += v           // want `adds up`
		of[name[:2]] += v              // want `adds up`
		of[strings.ToLower(name)] += v // want `adds up`
		t[name[0]] += v                // want `adds up`
		t[places[name]] += v
	}
}

// taken takes the element of a group, and adds to that.
func taken(m map[string]float64, kinds map[string]string) {
	sums := map[string]account{}
	for name, v := range m {
		t, ok := accounts[kinds[name]]
		if !ok {
			t = &account{}
			accounts[kinds[name]] = t
		}
		t.sum += v // want `adds up in the order of the map m`
		u := sums[kinds[name]]
		u.sum += v // want `adds up`
		sums[kinds[name]] = u
		copied := sums[kinds[name]]
		copied.sum += v
		own := accounts[name]
		own.sum += v
		whole := sums[name]
		whole.sum += v
		sums[name] = whole
	}
}

func bin(v float64) int { return min(max(int(v), 0), 9) }

func mode(counts map[float64]int) (mode float64) {
	most := 0
	for v, n := range counts {
		if n > most {
			most = n
			mode = v // want `mode = v keeps one of several with .* of the map counts`
		}
	}
	return mode
}

func least(m map[string]account) (sum float64, name string) {
	low := math.Inf(1)
	for k, a := range m {
		if cost := float64(len(k)); cost <= low {
			low, sum, name = cost, a.sum, k // want `sum = a.sum keeps one of several`
		}
	}
	return sum, name
}

func decided(m map[float64]int) (mode, largest, half float64, most int) {
	for v, n := range m {
		if n > most || n == most && v < mode {
			most, mode = n, v
		}
	}
	for v, n := range m {
		if n > most {
			most, mode = n, v
		} else if n == most {
			mode = min(mode, v)
		}
	}
	for v := range m {
		if v > largest {
			largest = v
			half = v / 2
		}
	}
	return mode, largest, half, most
}

type box struct{ low, high float64 }

func (b box) Add(c box) box {
	if c.isEmpty() {
		return b
	}
	b.low = math.Min(b.low, c.low)
	return box{b.low, max(b.high, c.high)}
}

func (b box) isEmpty() bool { return b.high < b.low }

func (b box) Plus(c box) box { return box{b.low + c.low, b.high + c.high} }

func boxes(m map[string]box) (union, sum box) {
	for _, b := range m {
		union = union.Add(b)
		sum = sum.Plus(b) // want `sum = sum.Plus\(b\) adds up`
	}
	return union, sum
}

type best struct{ score, value float64 }

func (a best) Add(b best) best {
	if b.score > a.score {
		return b
	}
	return a
}

func scores(m map[string]best) (all best) {
	for _, b := range m {
		all = all.Add(b) // want `adds up`
	}
	return all
}

func chosen(m map[string]box) (s float64) {
	for _, b := range m {
		s += b.width()       // want `adds up`
		s += math.Abs(b.low) // want `adds up`
	}
	return s
}

func (b box) width() float64 { return max(b.high, b.low) }
