// Package perturb is the run-time half of instrumented programs: it performs
// their floating-point operations and rounds each one up or down at random.
//
// Package instrument rewrites a program so that a + b becomes
// perturb.Add(a, b, site). Types do not change. A program without a control
// file computes as if nothing had been rewritten: the same bits, at a fraction
// of the cost.
//
// # Perturbation
//
// An operation rounds to nearest first. Where its error, which an error-free
// transformation computes, is not zero, a coin decides between that result and
// its neighbour on the other side of the exact value: rounding down or up, with
// equal chances (CESTAC, Vignes1993). An exact result stays exact. The coin is
// a hash of the operands and the seed, so that a run depends on its seed alone
// and on no schedule of goroutines, and equal operations have equal errors.
// Two seeds have no coins: Away and Toward.
//
// # Profile
//
// A record keeps some executions of each operation, which are compared between
// runs: of the first goroutine the first ones and some later, in order, and of
// other goroutines some that their operands choose. So a record does not hang
// on the schedule, unless the operations themselves do. See goroutine.go.
//
// # Control
//
// The environment variable LASTBIT_PERTURB names a control file, which the
// program maps: settings, a mask of sites, and a profile that survives a panic
// and os.Exit. Package instrument writes and reads it. See control.go.
//
// This package imports nothing outside the standard library. It is compiled
// into instrumented programs under the path lastbit/perturb.
//
// References:
//   - [Vignes1993] Jean Vignes. A stochastic arithmetic for reliable scientific
//     computation. Mathematics and Computers in Simulation 35(3):233–261, 1993.
package perturb
