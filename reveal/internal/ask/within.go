package ask

// Within runs do with a channel to a few of the summands, ascending: summand k
// of it is leaves[k] of c, and all others are zeros. What it asks counts as
// asked by c.
func (c *Channel) Within(leaves []int, do func(part *Channel) error) error {
	part := *c
	part.N, part.leaves, part.short = len(leaves), leaves, make([]float64, len(leaves))
	part.Inputs = Inputs{key: c.Key, n: part.N, rng: c.Rand, scale: &part.Scale}
	if !c.Scale.mean {
		part.Scale.n = part.N
	}
	err := do(&part)
	c.calls, c.dirty, c.step, c.expected = part.calls, part.dirty, part.step, part.expected
	return err
}

// writeRow fills a lane, which is zeros.
func writeRow(c *Channel, lane int, fill Fill) {
	row := c.row(lane)
	if c.leaves == nil {
		fill(row)
		return
	}
	clear(c.short)
	fill(c.short)
	for k, leaf := range c.leaves {
		row[leaf] = c.short[k]
	}
}
