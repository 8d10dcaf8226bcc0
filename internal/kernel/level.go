package kernel

import (
	"fmt"
	"runtime"
)

// Level is an instruction set that kernels are written for. It selects the
// bodies that run, never the bits of a result.
//
// Every call names its level. Packages take [Best]; tests and benchmarks force
// each of [Levels]. A forced level that does not run here panics: no call falls
// back to another body, since the bits would not show it.
type Level int

// The levels. Generic is plain Go and runs everywhere.
const (
	Generic Level = iota
	AVX2          // with FMA
	AVX512        // F with VL, DQ and BW
	NEON
	levels int = iota
)

// String returns the level's name.
func (l Level) String() string {
	if uint(l) >= uint(levels) {
		return fmt.Sprintf("Level(%d)", int(l))
	}
	return [levels]string{"generic", "AVX2", "AVX-512", "NEON"}[l]
}

// Levels returns the levels that run here, the fastest last.
func Levels() []Level {
	var list []Level
	for l, ok := range runs {
		if ok {
			list = append(list, Level(l))
		}
	}
	return list
}

// Best returns the last of Levels, the fastest.
func Best() Level {
	for l := Level(levels - 1); l > Generic; l-- {
		if runs[l] {
			return l
		}
	}
	return Generic
}

// runs holds, for each level, whether this build and this processor run it.
var runs = detect()

// detect asks the rows of the table for the features that they need.
func detect() (runs [levels]bool) {
	for l, r := range table {
		runs[l] = r != nil && (r.needs == nil || r.needs())
	}
	return runs
}

// isRunnable reports whether the level runs here.
func (l Level) isRunnable() bool { return uint(l) < uint(levels) && runs[l] }

// bodies returns the row of a level. It panics for a level that does not run
// here.
func (l Level) bodies() *row {
	if !l.isRunnable() {
		panic(l.missing("body"))
	}
	return table[l]
}

// missing returns the panic of a level that has no such thing here.
func (l Level) missing(thing string) string {
	return fmt.Sprintf("kernel: no %s for level %v in this build for %s/%s on this processor; "+
		"levels that run here: %v", thing, l, runtime.GOOS, runtime.GOARCH, Levels())
}
