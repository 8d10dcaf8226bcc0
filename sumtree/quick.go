package sumtree

import (
	"math"

	"github.com/lastbit/lastbit/fp"
)

// quick is the format of a node's sums where most of them need no more than one
// addition in binary64: two operands, rounded once, to nearest even.
type quick uint8

const (
	quickNone quick = iota
	quickSingle
	quickDouble
)

// quickFormat returns the quick format of a node of two operands, which may
// flush its sums.
func quickFormat(a NodeArith) quick {
	if a != (NodeArith{Acc: a.Acc, KeepsSubnormals: a.KeepsSubnormals}) {
		return quickNone
	}
	switch a.Acc {
	case fp.Binary32:
		return quickSingle
	case fp.Binary64:
		return quickDouble
	}
	return quickNone
}

// isQuick reports whether every inner node adds two operands in the same quick
// format.
func (r *Replayer) isQuick() bool {
	if r.t.MaxArity() != 2 || r.carried != nil || r.quick[0] == quickNone {
		return false
	}
	for _, q := range r.quick {
		if q != r.quick[0] {
			return false
		}
	}
	return true
}

// sum returns the sum of two operands in the format q. ok is false where it has
// to be computed in another way: subnormal or next to it, not finite, or where
// rounding it to binary64 first could matter.
func (q quick) sum(a, b float64) (s float64, ok bool) {
	s = a + b
	switch q {
	case quickSingle:
		ok = roundsAlike(s) || s == 0
		s = float64(float32(s))
	case quickDouble:
		const least, infinite = 2, 0x7ff
		ok = math.Float64bits(s)>>52&0x7ff-least < infinite-least || s == 0
	}
	return s, ok
}

// roundsAlike reports whether every value that rounds to s in binary64 rounds
// to the same binary32, to nearest even, as s does, and is at least the least
// normal binary32 in size: s is finite, of at least 2^-125, and not halfway
// between two binary32, which its last 29 bits show.
func roundsAlike(s float64) bool {
	const tie, least, infinite = 1 << 28, 1023 - 125, 0x7ff
	b := math.Float64bits(s)
	return b&(2*tie-1) != tie && b>>52&0x7ff-least < infinite-least
}
