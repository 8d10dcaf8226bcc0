package probe

import "context"

// Placement is where the operands of a call lie: bytes past the places that the
// target gives them by itself. The zero value leaves them there.
type Placement struct {
	X   int `json:"x"`
	Y   int `json:"y"`
	Out int `json:"out"` // the memory for the results
}

// Movable is a Target that places its operands in memory itself, and can place
// them elsewhere for a call.
type Movable interface {
	Target

	// Reach returns the largest offset of each operand. It is 0 for an operand
	// that the target does not move. It does not change.
	Reach() Placement

	// CallAt is Call with the operands moved. Each offset is a multiple of the
	// size of an element, and at most the offset from Reach. The next Call has
	// the operands in their own places again.
	CallAt(ctx context.Context, b *Batch, at Placement) error
}
