package a

import (
	"runtime"
	"sync"
)

func sum(x []float64) (s float64) {
	workers := runtime.GOMAXPROCS(0) // want `splits a sum \(part\[w\] \+= v, line 15\)`
	part := make([]float64, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, v := range x[w*len(x)/workers : (w+1)*len(x)/workers] {
				part[w] += v
			}
		})
	}
	wg.Wait()
	for _, p := range part {
		s += p
	}
	return s
}

func count(x []int) (s int) {
	for w := range runtime.NumCPU() {
		go func() { s += x[w] }()
	}
	return s
}
