// Goroutines that compute apart, or take turns.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

func main() {
	n, _ := strconv.Atoi(os.Args[2])
	runtime.GOMAXPROCS(n)
	switch os.Args[1] {
	case "apart":
		apart()
	case "jobs":
		jobs()
	case "turns":
		turns()
	}
}

func work(i int) float64 {
	s := 0.0
	for k := 1; k < 400; k++ {
		x := float64(k+i) / 7
		s += (x*x + 1e4) - x*x - 1e4 // apart
	}
	return s
}

func apart() {
	results := make([]float64, 12)
	var group sync.WaitGroup
	for i := range 8 {
		group.Add(1)
		go func() { defer group.Done(); results[i] = work(i) }()
	}
	for i := range 4 {
		group.Go(func() { results[8+i] = work(50 * i) })
	}
	group.Wait()
	for _, r := range results {
		fmt.Println(r)
	}
}

// jobs has goroutines that take jobs from one channel.
func jobs() {
	queue, results := make(chan int), make([]float64, 20)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for i := range queue {
				results[i] = work(7 * i)
			}
		})
	}
	for i := range results {
		queue <- i
	}
	close(queue)
	group.Wait()
	for _, r := range results {
		fmt.Println(r)
	}
}

func turns() {
	var group sync.WaitGroup
	var mutex sync.Mutex
	s := 0.0
	for i := range 30 {
		group.Add(1)
		go func() {
			defer group.Done()
			x := 0.0
			for k := range 200 {
				x += 1 / float64(k+i+1)
			}
			mutex.Lock()
			defer mutex.Unlock()
			s += x // turns
		}()
	}
	group.Wait()
	fmt.Println(s)
}
