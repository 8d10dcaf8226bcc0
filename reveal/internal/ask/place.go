package ask

import "github.com/lastbit/lastbit/probe"

// Reach returns how far the target of a channel moves its operands, in bytes;
// zero where it does not.
func Reach(c *Channel) probe.Placement {
	if m, ok := c.target.(probe.Movable); ok {
		return m.Reach()
	}
	return probe.Placement{}
}

// MoveTo places the operands of the calls that follow, within Reach. The memory
// of questions does not hold these calls.
func MoveTo(c *Channel, at probe.Placement) {
	if at != c.place {
		c.place, c.batch.held, c.batch.Changed = at, false, nil
		c.batch.patched = c.batch.patched[:0]
	}
}

// callTarget makes a call with the operands where MoveTo has placed them.
func callTarget(c *Channel) error {
	if c.place != (probe.Placement{}) {
		return c.target.(probe.Movable).CallAt(c.ctx, c.batch.Batch, c.place)
	}
	return c.target.Call(c.ctx, c.batch.Batch)
}
