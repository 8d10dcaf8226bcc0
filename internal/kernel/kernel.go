// Package kernel holds the inner loops that have an assembly body, beside the Go
// body of each, which is compiled everywhere. All bodies of a kernel give the
// same bits; a Level says which one runs.
package kernel

// Level is an instruction set that kernels are written for.
type Level int

// The levels. Generic, plain Go, runs everywhere.
const (
	Generic Level = iota
	AVX2
	AVX512
	NEON
)

// String returns the level's name.
func (l Level) String() string {
	return [...]string{"generic", "AVX2", "AVX-512", "NEON"}[l]
}

// Best returns the last of Levels, the fastest.
func Best() Level {
	l := Levels()
	return l[len(l)-1]
}
