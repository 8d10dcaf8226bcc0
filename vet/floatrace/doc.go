// Package floatrace finds floating-point sums whose order the scheduler
// chooses.
//
// Additions round differently in another order. The scheduler orders the
// goroutines where several of them add to one variable, also under a lock;
// where sums come through a channel, in the order of their arrival; and where a
// sum is compared and swapped, as bits, in an atomic.Value, behind a pointer or
// in a sync.Map:
//
//	for v := range results {
//		s += v
//	}
//
// A list that goroutines append to, or that is received from a channel, has
// that order, too, until it is sorted: a loop over it that adds is reported.
//
// So does a call of a function of the package, or of a literal, that adds to
// what it is called with. A place that a goroutine looks up under a lock is
// shared, too: out[index[i]] += x.
//
// Give each goroutine a place of its own and add those in order, or add
// exactly: package exact of lastbit merges states in any order. A channel that
// a single goroutine of the same function sends to is not reported, unless a
// select takes numbers from another channel for the same sum. Neither are
// goroutines that each pass of a loop waits for.
package floatrace
