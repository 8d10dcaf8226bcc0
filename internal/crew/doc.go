// Package crew runs the parts of a computation on several goroutines, and keeps
// those ready for a moment: a computation of some microseconds is often the
// first of many, and the system takes longer to wake a thread.
//
//	var parts crew.Parts
//	parts.Reset(100, 4)
//	crew.Run(4, func(worker int) { parts.Each(worker, do) })
//
// # Promise
//
// Run returns when all calls of its function have. It makes at least one, on
// the goroutine of the caller, and leaves out those that could begin only when
// that one has returned. So the function takes parts until none are left.
//
// # Cost
//
// A goroutine that has no more work spins for at most 50 µs, in which another
// Run may give it work in a fraction of a microsecond; then it ends. It lets
// other goroutines run meanwhile. Nothing runs between computations that are
// farther apart.
//
// A goroutine that Run starts begins after 30 to 200 µs, as the system wakes a
// thread. On Linux it leaves the processor of the caller, if it begins there:
// the system might keep both on it for milliseconds.
package crew
