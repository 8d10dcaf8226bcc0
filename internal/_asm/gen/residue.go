package gen

// The tile and the structures of internal/kernel's Residues.
const (
	ResidueRows    = 8  // of a tile
	ResidueColumns = 48 // of a tile
	ResidueBlock   = 64 // products of an element that are stored together
	ResidueGroup   = 4  // products that one instruction adds to an element

	// SplitModulus, in bytes.
	SplitCoefficients = 0
	SplitBase         = 12
	SplitInverse      = 16
	SplitNegative     = 20
	SplitSize         = 24

	// JoinModulus, in bytes.
	JoinInverse = 0
	JoinModulus = 8
	JoinWeights = 16
	JoinSize    = 40

	// RoundRow, in bytes.
	RoundError  = 0
	RoundNorm   = 8
	RoundJoined = 16
)
