package exact

// AddInt64 adds v, as it is: not rounded to the 53 bits of a float64.
func (a *Accumulator) AddInt64(v int64) {
	a.count.all++
	a.room()
	a.sum.add(v, 0)
}
