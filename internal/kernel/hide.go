package kernel

import "unsafe"

// Hide returns x, with its origin hidden from the compiler's escape analysis:
// no use of the result puts x's array on the heap. Calls through the dispatch
// table need that, since the compiler cannot see that kernels keep no pointer.
//
// The result must not outlive x, and no memory on the heap and no other
// goroutine may have it: a stack moves, and only addresses on it move with it.
// Shared returns one that they may have.
func Hide[T any](x []T) []T {
	return unsafe.Slice(data(x), len(x))
}

// data returns the hidden pointer to x's array.
func data[T any](x []T) *T { return hidden(unsafe.SliceData(x)) }

// hidden returns p, hidden as Hide does. A uintptr in memory carries no flow
// that the compiler follows, nor a stack that moves: no call may come between
// its store and its load. The flags -d=checkptr, and so -race, would insert
// calls there.
//
//go:nocheckptr
func hidden[T any](p *T) *T {
	bits := *(*uintptr)(unsafe.Pointer(&p))
	return *(**T)(unsafe.Pointer(&bits))
}
