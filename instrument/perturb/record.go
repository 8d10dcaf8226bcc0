package perturb

import (
	"math"
	"math/bits"
	"sync/atomic"
)

func count(n *uint64) uint64 { return atomic.AddUint64(n, 1) }

// note records an operation.
func note(a, b, r, e float64, place uint32) {
	rec := &records[index(place)]
	n := count(&rec.Count)
	if place >= single {
		set(&rec.Single)
	}
	if e != 0 && e == e {
		set(&rec.Inexact)
	}
	if r-r != 0 && a-a == 0 && b-b == 0 {
		count(&rec.NaN)
	}
	keep(rec, n, a, b, r)
}

// set sets a flag, without writing to memory that other processors read.
func set(flag *uint64) {
	if atomic.LoadUint64(flag) == 0 {
		atomic.StoreUint64(flag, 1)
	}
}

// keep stores execution n. An execution of the first goroutine goes into its
// slot, if it has one, and others as spread does.
func keep(rec *Record, n uint64, a, b, r float64) {
	if n%64 == 0 {
		yield(n)
	}
	if isOther() {
		rec.spread(a, b, r)
		return
	}
	if n <= first || n%8 == 0 { // the others have no slot
		if i := slot(n); i >= 0 {
			rec.Sample[i] = Sample{n, a, b, r}
		}
	}
}

// first is the number of executions that are all kept.
const first = 16

// slot returns the place of execution n, from 1, or -1: the first ones have
// places, then the middle and the last of each doubling.
func slot(n uint64) int {
	if n <= first {
		return int(n) - 1
	}
	level := bits.Len64((n - 1) / first) // first·2^(level-1) < n ≤ first·2^level
	end := uint64(first) << level
	i := first + 2*(level-1)
	switch {
	case i+1 >= Samples:
		return -1
	case n == end-end/4:
		return i
	case n == end:
		return i + 1
	}
	return -1
}

// compare records a comparison of a and b, and returns its outcome.
func compare(a, b float64, holds bool, site uint32) bool {
	rec := &records[site]
	n := count(&rec.Count)
	r := 0.0
	if jolts != nil {
		holds = flipped(a, b, holds, site, n)
	}
	if holds {
		count(&rec.True)
		r = 1
	}
	keep(rec, n, a, b, r)
	return holds
}

// Outside returns f, a function that is not rewritten, and counts it.
func Outside[F any](f F, site uint32) F {
	if recording {
		count(&records[site].Count)
	}
	return f
}

// convert records the conversion of x to the integer r.
func convert(x, r float64, site uint32) {
	rec := &records[site]
	n := count(&rec.Count)
	atomic.AddUint64(&rec.Rounded, mix(math.Float64bits(r)))
	keep(rec, n, x, 0, r)
}

// jolted returns a number that is converted to an integer.
func jolted(x float64, site uint32) float64 {
	if jolts != nil {
		return jolt(x, 0, x, math.Abs(x), site)
	}
	return x
}
