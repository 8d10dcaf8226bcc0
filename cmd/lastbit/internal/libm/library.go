package libm

import "runtime"

// A Library is an implementation of elementary functions.
type Library[T Float] struct {
	Name    string // crmath, slices, go, c, numpy
	Version string
	// Find returns a function's loop, or nil if the library does not have it.
	Find func(f *Function[T]) (Loop[T], error)
	// Many calls several functions at once. It is nil if that saves no time.
	Many func(jobs []Job[T]) error
	// Timed reports whether a loop spends nearly all its time in its calls.
	Timed func(f *Function[T]) bool
	// Wide reports whether the loops use wide vector instructions. They may
	// lower a processor's clock for most of a millisecond.
	Wide bool
}

// A Job is a call of a function's loop.
type Job[T Float] struct {
	Function  *Function[T]
	Out, X, Y []T
}

func always[T Float](*Function[T]) bool { return true }

func never[T Float](*Function[T]) bool { return false }

// Crmath returns the correctly rounded functions.
func Crmath[T Float]() Library[T] {
	find := func(f *Function[T]) (Loop[T], error) { return f.right, nil }
	return Library[T]{Name: "crmath", Version: "crmath", Find: find, Timed: always[T]}
}

// Slices returns crmath's slice functions. Some functions have none.
func Slices[T Float]() Library[T] {
	find := func(f *Function[T]) (Loop[T], error) { return f.slice, nil }
	return Library[T]{Name: "slices", Version: "slices", Find: find, Timed: always[T], Wide: true}
}

// Go returns package math.
func Go[T Float]() Library[T] {
	find := func(f *Function[T]) (Loop[T], error) { return f.golang, nil }
	return Library[T]{Name: "go", Version: runtime.Version(), Find: find, Timed: always[T]}
}
