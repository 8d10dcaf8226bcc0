package a

import (
	"math"
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
