package binned

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkSum(b *testing.B) {
	b.Run("type=float64", benchmark[float64])
	b.Run("type=float32", benchmark[float32])
}

func benchmark[T Float](b *testing.B) {
	for _, n := range []int{1 << 12, 1 << 18} {
		x := each[T](signed)(rand.New(rand.NewPCG(1, 1)), n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(n * binary.Size(x[0])))
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n),
					"ns/value")
			})
		}
		run("impl=loop", func() { sink = float64(loop(x)) })
		run("impl=MaxAbs", func() { MaxAbs(x) })
		for _, a := range algorithms[T]() {
			for k := 1; k <= 3; k++ {
				run(fmt.Sprintf("impl=%s/k=%d", a.name, k), func() { a.sum(x, k) })
			}
		}
	}
}

var sink float64

// loop is the plain sum that the algorithms are compared with.
func loop[T Float](x []T) (s T) {
	for _, v := range x {
		s += v
	}
	return s
}
