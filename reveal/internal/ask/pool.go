package ask

import (
	"math"
	"slices"
)

// Pool returns the lanes of the pool, the main lane first. The caller does not
// change it.
func (c *Channel) Pool() []int { return c.pool }

// SetPool replaces the pool. The first of the lanes is the main lane.
func (c *Channel) SetPool(lanes []int) { c.pool = lanes }

// Drop removes a lane from the pool.
func (c *Channel) Drop(lane int) {
	c.pool = slices.DeleteFunc(c.pool, func(l int) bool { return l == lane })
}

// Shrink runs samples in all lanes and drops a lane from the pool if its result
// differs from the main lane's: it is computed in another way.
func Shrink(c *Channel, samples ...Sample) (dropped bool, err error) {
	for _, s := range samples {
		if len(c.pool) == 1 {
			break
		}
		out, err := c.AskAll(s.Y, Values(s.X))
		if err != nil {
			return dropped, err
		}
		main := c.pool[0]
		before := len(c.pool)
		c.pool = slices.DeleteFunc(c.pool, func(lane int) bool {
			return !SameBits(out[lane], out[main])
		})
		dropped = dropped || len(c.pool) < before
	}
	return dropped, nil
}

// SameBits compares results as bits. Any NaN equals any other.
func SameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// Count returns the number of values that are not +0.
func Count(x []float64) (n int) {
	for _, v := range x {
		if math.Float64bits(v) != 0 { //lastbit:ignore nankey NaN is not 0
			n++
		}
	}
	return n
}
