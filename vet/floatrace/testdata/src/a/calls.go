package a

import "sync"

func addTo(p *float64, x float64) { *p += x }

func local(xs []float64) float64 { // closure with pointer
	var sum float64
	var mu sync.Mutex
	var wg sync.WaitGroup
	add := func(p *float64, x float64) { *p += x }
	for _, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			add(&sum, x) // want `adds up in the order of goroutines`
		}()
	}
	wg.Wait()
	return sum
}

func byFunction(xs []float64) float64 {
	var sum float64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			mu.Lock()
			addTo(&sum, x) // want `adds up in the order of goroutines`
			mu.Unlock()
		})
	}
	wg.Wait()
	return sum
}

func captured(xs []float64) float64 { // closure over the sum
	var sum float64
	var mu sync.Mutex
	var wg sync.WaitGroup
	add := func(x float64) {
		mu.Lock()
		sum += x // want `adds up in the order of goroutines`
		mu.Unlock()
	}
	for _, x := range xs {
		wg.Go(func() { add(x) })
	}
	wg.Wait()
	return sum
}

func capturedGo(xs []float64) float64 {
	var sum float64
	var mu sync.Mutex
	var wg sync.WaitGroup
	add := func(x float64) {
		mu.Lock()
		sum += x // want `adds up in the order of goroutines`
		mu.Unlock()
		wg.Done()
	}
	for _, x := range xs {
		wg.Add(1)
		go add(x)
	}
	wg.Wait()
	return sum
}

type acc struct{ v []float64 }

func (a *acc) Add(i int, x float64) { a.v[i] += x }

func scatter(idx []int, xs []float64) *acc {
	a := &acc{make([]float64, 10)}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for k, x := range xs {
		wg.Go(func() {
			mu.Lock()
			a.Add(idx[k], x) // want `adds up in the order of goroutines`
			mu.Unlock()
		})
	}
	wg.Wait()
	return a
}

func ptr(xs []float64) float64 {
	sum := new(float64)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			mu.Lock()
			addTo(sum, x) // want `adds up in the order of goroutines`
			mu.Unlock()
		})
	}
	wg.Wait()
	return *sum
}

func ptrAlias(xs []float64) float64 {
	var sum float64
	p := &sum
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			mu.Lock()
			*p += x // want `adds up in the order of goroutines`
			mu.Unlock()
		})
	}
	wg.Wait()
	return sum
}

type cell struct {
	mu  sync.Mutex
	sum float64
}

func (c *cell) add(x float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sum += x
}

func byMethod(xs []float64) float64 {
	var c cell
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { c.add(x) }) // want `adds up in the order of goroutines`
	}
	wg.Wait()
	return c.sum
}

func methodValue(xs []float64) float64 {
	var c cell
	var wg sync.WaitGroup
	f := c.add
	for _, x := range xs {
		wg.Go(func() { f(x) }) // want `adds up in the order of goroutines`
	}
	wg.Wait()
	return c.sum
}

func methodExpr(xs []float64) float64 {
	var c cell
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { (*cell).add(&c, x) }) // want `adds up in the order of goroutines`
	}
	wg.Wait()
	return c.sum
}

func param(xs []float64) float64 {
	var sum float64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Add(1)
		go func(p *float64) {
			mu.Lock()
			*p += x // want `adds up in the order of goroutines`
			mu.Unlock()
			wg.Done()
		}(&sum)
	}
	wg.Wait()
	return sum
}

func worker(mu *sync.Mutex, p *float64, xs []float64) {
	for _, x := range xs {
		mu.Lock()
		*p += x
		mu.Unlock()
	}
}

func twoCalls(xs []float64) float64 {
	var sum float64
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { worker(&mu, &sum, xs[:2]) }) // want `adds up in the order of goroutines`
	wg.Go(func() { worker(&mu, &sum, xs[2:]) }) // want `adds up in the order of goroutines`
	wg.Wait()
	return sum
}

func twoGo(xs []float64) float64 {
	var sum float64
	var mu sync.Mutex
	go worker(&mu, &sum, xs[:2]) // want `adds up in the order of goroutines`
	go worker(&mu, &sum, xs[2:]) // want `adds up in the order of goroutines`
	return sum
}

func own(xs [][]float64) float64 { // none
	part := make([]float64, len(xs))
	var wg sync.WaitGroup
	add := func(p *float64, x float64) { *p += x }
	for i := range xs {
		wg.Go(func() {
			for _, x := range xs[i] {
				add(&part[i], x)
			}
		})
	}
	wg.Wait()
	s := 0.0
	for _, p := range part {
		s += p
	}
	return s
}

func ownLocal(xs [][]float64) []float64 { // none
	part := make([]float64, len(xs))
	var wg sync.WaitGroup
	for i := range xs {
		wg.Go(func() {
			s := 0.0
			add := func(x float64) { s += x }
			for _, x := range xs[i] {
				add(x)
			}
			part[i] = s
		})
	}
	wg.Wait()
	return part
}

func scatterOwn(xs []float64) *acc { // none: each goroutine its element
	a := &acc{make([]float64, 10)}
	var wg sync.WaitGroup
	for k, x := range xs {
		wg.Go(func() { a.Add(k, x) })
	}
	wg.Wait()
	return a
}

type entry struct {
	i int
	x float64
}

// pool adds to places that a list has, under a lock and without.
func pool(jobs chan entry, parts [][]entry, a *acc, byName map[string]float64) {
	var mu sync.Mutex
	out, own := make([]float64, 10), make([]float64, 10)
	for range 4 {
		go func() {
			for j := range jobs {
				mu.Lock()
				out[j.i] += j.x // want `order of goroutines`
				mu.Unlock()
				own[j.i] += j.x
			}
		}()
	}
	for w, part := range parts {
		go func() {
			for i, e := range part {
				mu.Lock()
				a.Add(e.i, e.x) // want `order of goroutines`
				own[w*10+i] += e.x
				mu.Unlock()
			}
		}()
		go scatterAll(&mu, part, out) // want `order of goroutines`
		go scatterOwn(nil)
	}
}

func scatterAll(mu *sync.Mutex, part []entry, out []float64) {
	for _, e := range part {
		mu.Lock()
		out[e.i] += e.x
		mu.Unlock()
	}
}

var grand float64

func note(mu *sync.Mutex, x float64) {
	mu.Lock()
	defer mu.Unlock()
	addTo(&grand, x)
}

// deep calls two functions up to the sum.
func deep(xs []float64) {
	var mu sync.Mutex
	for _, x := range xs {
		go note(&mu, x) // want `order of goroutines`
		go func() {
			t := 0.0
			addTo(&t, x)
		}()
	}
}

func recursive(p *float64, n int) {
	if n > 0 {
		recursive(p, n-1)
	}
	*p += 0.1
}

func starts(xs []float64) (s float64) {
	for range xs {
		go recursive(&s, 3) // want `order of goroutines`
	}
	return s
}

func sequential(xs []float64) (s, t float64) {
	for _, x := range xs {
		var wg sync.WaitGroup
		wg.Go(func() { s += x })
		wg.Go(func() { t += x }) // want `order of goroutines`
		wg.Go(func() { t -= x }) // want `order of goroutines`
		wg.Wait()
	}
	return s, t
}

func both(a, b []float64) (s, t float64) {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		for _, v := range a {
			mu.Lock()
			s += v // want `order of goroutines`
			mu.Unlock()
			t += v
		}
		close(done)
	}()
	for _, v := range b {
		mu.Lock()
		s += v // want `order of goroutines`
		mu.Unlock()
	}
	<-done
	t += b[0]
	return s, t
}

type matrix struct {
	mu   sync.RWMutex
	data [][]float64
}

func (m *matrix) addAt(i, j int, v float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.data[i][j] += v
}

func assemble(m *matrix, elements [][2]int, n int) {
	for _, e := range elements {
		go func() {
			for _, i := range e {
				for _, j := range e {
					m.addAt(i, j, 0.1) // want `order of goroutines`
				}
			}
		}()
	}
	for i := range n {
		go func() {
			for j := range n {
				m.addAt(i, j, 0.1)
			}
		}()
	}
}
