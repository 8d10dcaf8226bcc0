// Package instrument builds Go programs whose floating-point operations can be
// rounded up or down at random, and runs them.
//
// Digits of an output that change with the rounding are not right. Package
// instrument/digits draws conclusions of this kind from the runs; this package
// only makes and runs the program.
//
// # Idea
//
// [Build] rewrites a copy of the program's source: a + b becomes
// perturb.Add(a, b, site), where site numbers the operation and package
// instrument/perturb performs it. Types, lines and comments stay, and so do the
// source files. Every package that the program reaches is rewritten, of other
// modules too; [Program.Omitted] lists what is not: assembly, cgo, most of the
// standard library, and packages that do not compile when they are rewritten.
//
// [Program.Run] runs the binary with [Settings]. They choose the rounding (see
// [ParseMode]), its seed and the sites that it applies to, and whether the run
// records what each operation does.
//
// # Example
//
//	dir, err := os.MkdirTemp("", "instrumented")
//	…
//	p, err := instrument.Build(ctx, instrument.Options{Package: "./cmd/model"}, dir)
//	…
//	for seed := range uint64(8) {
//		out, err := p.Run(ctx, instrument.Input{}, instrument.Settings{Perturb: true, Seed: seed})
//		…
//		fmt.Printf("%s", out.Stdout) // compare the digits
//	}
//
// # Promise
//
// Without perturbation the program computes the same bits as the original. With
// it, the seed, the operation and its operands fix how an operation is rounded,
// unless [Settings.Free] is set: a run depends neither on the schedule of
// goroutines nor on the number of processors, except as far as the program's
// own operations do.
//
// In the zero [Mode], an inexact result becomes one of the two numbers of its
// format next to the real value, with equal chances ([Vignes1993]). Monte Carlo
// arithmetic ([Parker1997]) adds noise to operands and results instead.
//
// # Special values
//
// NaN, infinities and zeros of either sign stay as they are, and so do exact
// results. Monte Carlo arithmetic and a short format also change exact results
// that their format does not hold, and Monte Carlo arithmetic such operands. In
// a program without floating-point operations there are no sites, and every run
// computes what the original does.
//
// # Cost
//
// The rewritten program takes 1.1 to 1.4 times as long as the original, with
// random rounding about 8 to 14 times, and with a profile 25 to 52 times, on
// one core of an AMD64 machine; lastbit bench digits measures it on yours.
// Build compiles every package that it rewrites once more. It needs the go
// command, and a Unix system to observe programs on.
//
// References:
//   - [Parker1997] Douglass Stott Parker. Monte Carlo Arithmetic: exploiting
//     randomness in floating-point arithmetic. Technical Report CSD-970002,
//     University of California, Los Angeles, 1997.
//   - [Vignes1993] Jean Vignes. A stochastic arithmetic for reliable scientific
//     computation. Mathematics and Computers in Simulation 35(3):233–261, 1993.
package instrument
