package ordered

import (
	"math/bits"

	"github.com/lastbit/lastbit/internal/kernel"
)

// maxLevels bounds the levels above the blocks of any slice.
const maxLevels = 48

// blockSize returns the number of summands of a block.
func blockSize[T float32 | float64]() int {
	return kernel.OrderedRows * kernel.OrderedLanes[T]()
}

// counter adds blocks pairwise, as a binary counter counts them: row l of its
// stack holds the lanes of 2^l blocks if bit l of count is set.
type counter[T float32 | float64] struct {
	level kernel.Level
	op    kernel.OrderedOp
	stack []T
	count uint64
}

// add adds a block that is not the last. Its carry runs through the trailing
// ones of count into the row above them.
func (c *counter[T]) add(x, y []T) {
	ones := bits.TrailingZeros64(^c.count)
	lanes := kernel.OrderedLanes[T]()
	row := c.stack[ones*lanes : (ones+1)*lanes]
	kernel.OrderedBlock(c.level, c.op, x, y, c.stack, 1<<ones-1, row)
	c.count++
}

// finish adds the last block to the rows, the smallest first. It stores the
// lanes in dst or, if dst is nil, returns their sum.
func (c *counter[T]) finish(x, y, dst []T) T {
	return kernel.OrderedBlock(c.level, c.op, x, y, c.stack, c.count, dst)
}

// run sums x, or x·y for products, in blocks of size summands.
func (c *counter[T]) run(size int, x, y, dst []T) T {
	for len(x) > size {
		c.add(x[:size], y)
		x = x[size:]
		if y != nil {
			y = y[size:]
		}
	}
	return c.finish(x, y, dst)
}

// total sums any number of terms. A single block needs no stack.
func total[T float32 | float64](level kernel.Level, op kernel.OrderedOp, x, y []T) T {
	if len(x) == 0 {
		return 0
	}
	if len(x) <= blockSize[T]() {
		return kernel.OrderedBlock(level, op, x, y, nil, 0, nil)
	}
	count, isShort := workers[T](len(x))
	return large(level, op, x, y, count, isShort)
}

// scaledSquares sums the squares of x·scale.
func scaledSquares[T float32 | float64](level kernel.Level, x []T, scale T) T {
	j := poolOf[T]().jobs.Get().(*job[T])
	defer j.release()
	c := counter[T]{level: level, op: kernel.OrderedSquares, stack: j.stack}
	for {
		block := j.scaled[:min(len(x), len(j.scaled))]
		for i, v := range x[:len(block)] {
			block[i] = v * scale
		}
		x = x[len(block):]
		if len(x) == 0 {
			return c.finish(block, nil, nil)
		}
		c.add(block, nil)
	}
}
