package a

import (
	"runtime"
	"sync"
)

var numCPU = runtime.NumCPU()

var chunk, buffers = 1024, 2 * runtime.GOMAXPROCS(0)

func workers() int { return max(1, runtime.GOMAXPROCS(0)-1) }

func add(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func held(x []float64) float64 {
	part := make([]float64, numCPU) // want `numCPU splits a sum \(add\(x\[w : w\+1\]\), line 26\)`
	var wg sync.WaitGroup
	for w := range part {
		wg.Go(func() {
			part[w] = add(x[w : w+1])
		})
	}
	wg.Wait()
	return add(part)
}

func returned(x []float64) (s float64) {
	part := make([]float64, workers()) // want `workers splits a sum`
	for w := range part {
		go func() { part[w] = x[w] * x[w] }()
	}
	for _, v := range part[:buffers] { // want `buffers splits a sum`
		s += v
	}
	return s
}

func fixed(x []float64) float64 {
	part := make([]float64, len(x)/chunk)
	go func() { part[0] = x[0] }()
	return add(part)
}

func noSum(x []float64) {
	for range numCPU {
		go func() { x[0] = 1 }()
	}
}
