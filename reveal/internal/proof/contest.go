package proof

// contest chooses one of several inputs: the first whose trials weigh most
// together. A trial shows something of an input, or it does not. An input that
// cannot win any more is not tried further, which spares most of the trials
// where all inputs fail the same ones.
type contest struct {
	weights []int
	trials  []int // in the order that they take place: what the winner failed, first
	total   int   // of the weights
	most    int   // of an input so far; −1 before the first
	won     []bool
}

// newContest returns a contest of trials with weights above zero.
func newContest(weights []int) *contest {
	c := &contest{weights: weights, trials: ascendingOrder(len(weights)), most: -1}
	for _, w := range weights {
		c.total += w
	}
	return c
}

// enter tries an input, and reports whether it is better than all before it.
func (c *contest) enter(shows func(trial int) bool) bool {
	if c.isOver() {
		return false
	}
	score, won := c.total, make([]bool, len(c.weights))
	for _, k := range c.trials {
		if won[k] = shows(k); won[k] {
			continue
		}
		if score -= c.weights[k]; score <= c.most {
			return false
		}
	}
	c.most, c.won = score, won
	c.trials = c.trials[:0]
	for _, passed := range []bool{false, true} {
		for k, is := range won {
			if is == passed {
				c.trials = append(c.trials, k)
			}
		}
	}
	return true
}

// isOver reports whether an input has passed all trials: no other is better.
func (c *contest) isOver() bool { return c.most == c.total }
