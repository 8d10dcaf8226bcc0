package stoch

import "github.com/lastbit/lastbit/internal/kernel"

// SetLevel forces the kernels for slices.
func (a *Arithmetic[T]) SetLevel(l kernel.Level) { a.level = l }

// FloorLog10 is the cheap logarithm.
var FloorLog10 = floorLog10

// WholeDigits returns the estimate by the cheap logarithm.
func (x Number[T]) WholeDigits() int { return x.wholeDigits() }

// IsNoise reports whether x is noise.
func (x Number[T]) IsNoise() bool { return x.isNoise() }
