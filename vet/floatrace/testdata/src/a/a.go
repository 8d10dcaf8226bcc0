package a

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

func channel(ch chan float64) (s float64) {
	for v := range ch {
		s += v // want `s \+= v adds up in the order of arrival from ch`
	}
	for range 3 {
		s += <-ch // want `order of arrival`
	}
	for range 3 {
		v := <-ch
		s += v * 0.5 // want `order of arrival`
		s += 0.5
	}
	return s
}

func oneSender(x []float64) (s float64) {
	ch := make(chan float64)
	go func() {
		for _, v := range x {
			ch <- v
		}
		close(ch)
	}()
	for v := range ch {
		s += v
	}
	return s
}

func closed(x []float64) (s, t float64) {
	var wg sync.WaitGroup
	ch, other := make(chan float64), make(chan float64)
	for _, v := range x {
		wg.Go(func() { ch <- v })
	}
	go func() {
		wg.Wait()
		close(ch)
	}()
	for v := range ch {
		s += v // want `order of arrival from ch`
	}
	one := func() {
		for _, v := range x {
			other <- v
		}
	}
	wg.Go(one)
	go func() {
		wg.Wait()
		close(other)
	}()
	for v := range other {
		t += v
	}
	return s, t
}

func bins(x []float64, m map[int]float64) {
	var mu sync.Mutex
	for i, v := range x {
		go func() {
			mu.Lock()
			m[i%2] += v    // want `order of goroutines`
			m[int(v)] += v // want `order of goroutines`
			m[i] += v
			mu.Unlock()
		}()
	}
}

func lock(x []float64) (s float64) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	part := make([]float64, len(x))
	for i, v := range x {
		go func() {
			mu.Lock()
			s += v // want `s \+= v adds up in the order of goroutines`
			mu.Unlock()
			part[i] += v
		}()
		wg.Go(func() {
			t := 0.0
			t += v
			s += t // want `order of goroutines`
		})
	}
	wg.Wait()
	return s
}

func single(x []float64) (s float64) {
	done := make(chan bool)
	go func() {
		for _, v := range x {
			s += v
		}
		close(done)
	}()
	<-done
	return s
}

func swap(bits *atomic.Uint64, raw *uint64, v float64) {
	for {
		old := bits.Load()
		sum := math.Float64frombits(old) + v
		if bits.CompareAndSwap(old, math.Float64bits(sum)) { // want `keeps a sum`
			break
		}
	}
	old := atomic.LoadUint64(raw)
	next := math.Float64bits(math.Float64frombits(old) + v)
	atomic.CompareAndSwapUint64(raw, old, next) // want `keeps a sum`
	atomic.CompareAndSwapUint64(raw, old, math.Float64bits(v))
}

func named(x []float64) (s float64) {
	var mu sync.Mutex
	add := func(v float64) {
		mu.Lock()
		s += v // want `s \+= v adds up in the order of goroutines`
		mu.Unlock()
	}
	for _, v := range x {
		go add(v)
	}
	return s
}

type state struct {
	sum float64
	n   int
}

func values(v *atomic.Value, m *sync.Map, x float64) {
	for {
		old := v.Load()
		if v.CompareAndSwap(old, old.(float64)+x) { // want `v.CompareAndSwap keeps a sum`
			break
		}
	}
	old, _ := v.Load().(float64)
	next := old + x
	v.CompareAndSwap(old, next)      // want `keeps a sum`
	v.CompareAndSwap(old, any(next)) // want `keeps a sum`
	v.CompareAndSwap(old, x)
	was, _ := m.Load("k")
	m.CompareAndSwap("k", was, was.(float64)*x) // want `m.CompareAndSwap keeps a sum`
	m.CompareAndSwap("k", was, x)
}

func pointers(p *atomic.Pointer[float64], s *atomic.Pointer[state], v *atomic.Value, x float64) {
	for {
		old := p.Load()
		sum := *old + x
		if p.CompareAndSwap(old, &sum) { // want `p.CompareAndSwap keeps a sum`
			break
		}
	}
	for {
		old := s.Load()
		if s.CompareAndSwap(old, &state{sum: old.sum + x, n: old.n + 1}) { // want `keeps a sum`
			break
		}
	}
	for {
		old := v.Load().(state)
		next := old
		next.sum += x
		if v.CompareAndSwap(old, next) { // want `keeps a sum`
			break
		}
	}
	next := new(float64)
	*next = *p.Load() + x
	p.CompareAndSwap(nil, next) // want `keeps a sum`
	s.CompareAndSwap(s.Load(), &state{x, 1})
	p.CompareAndSwap(nil, &x)
}

type meter struct {
	mu  sync.Mutex
	sum float64
}

func (m *meter) add(v float64) {
	m.mu.Lock()
	m.sum += v
	m.mu.Unlock()
}

// forms adds in other forms.
func forms(all []float64, m *meter) (float64, int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	sum, rest, n := 0.0, 0.0, 0
	for _, v := range all {
		wg.Go(func() {
			mu.Lock()
			sum, n = sum+v, n+1 // want `sum = sum \+ v adds up in the order of goroutines`
			next := rest + v
			rest = next // want `rest = next adds up`
			mu.Unlock()
			m.add(v) // want `m.add\(v\) adds up`
		})
	}
	wg.Wait()
	for _, v := range all {
		go m.add(v) // want `m.add\(v\) adds up in the order of goroutines`
		own := &meter{}
		go own.add(v)
	}
	go m.add(1) // want `order of goroutines`
	return sum + rest, n
}

func counts(v *atomic.Value, n *atomic.Int64) {
	old := v.Load().(int)
	v.CompareAndSwap(old, old+1)
	n.CompareAndSwap(1, n.Load()+1)
}

func collect(all []float64, c chan float64) (sum, sorted, placed, arrived float64) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var squares, roots []float64
	places := make([]float64, len(all))
	for i, v := range all {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			squares = append(squares, v*v)
			roots = append(roots, math.Sqrt(v))
			places[i] = v / 3
		})
	}
	wg.Wait()
	for _, v := range squares {
		sum += v // want `sum \+= v adds up a list in the order of goroutines`
	}
	slices.Sort(roots)
	for _, v := range roots {
		sorted += v
	}
	for i := range places {
		placed += places[i]
	}
	var got []float64
	for v := range c {
		got = append(got, v)
	}
	arrived = total(got) // want `total\(got\) adds up a list in .* arrival from c`
	return sum, sorted, placed, arrived
}

func total(all []float64) (sum float64) {
	for _, v := range all {
		sum += v
	}
	return sum
}

// twice has two goroutines, and once has one.
func twice(a, b float64) (sum, one float64) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var parts, own []float64
	wg.Go(func() { mu.Lock(); parts = append(parts, a); mu.Unlock() })
	wg.Go(func() { mu.Lock(); parts = append(parts, b); mu.Unlock() })
	wg.Go(func() { own = append(own, a, b) })
	wg.Wait()
	for i := 0; i < len(parts); i++ {
		sum += parts[i] // want `adds up a list`
	}
	for _, v := range own {
		one += v
	}
	return sum, one
}

// selected takes numbers from two channels, each with one sender.
func selected(stop chan struct{}) (sum, turns, own float64) {
	a, b, c := make(chan float64), make(chan float64), make(chan float64)
	go func() { a <- 0.1 }()
	go func() { b <- 0.2 }()
	go func() { c <- 0.3 }()
	for {
		select {
		case v := <-a:
			sum += v // want `sum \+= v adds up in the order of arrival from a and b`
		case v := <-b:
			sum += v // want `arrival from a and b`
		case v := <-c:
			own += v
		case <-stop:
			return sum, turns, own
		}
		turns += <-a
		turns += <-b
	}
}
