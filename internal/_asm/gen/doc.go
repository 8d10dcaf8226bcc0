// Package gen holds the code shared by the generators of this module's
// assembly.
//
// # Generators
//
// Each folder beside this one is a program that writes one pair of files, the
// assembly and its Go declarations (stubs), by a go:generate line of the
// package that uses them:
//
//	cpu           internal/cpu/cpuid_amd64       CPUID, XGETBV
//	foldamd64     internal/kernel/fold_amd64     folds of AVX2 and AVX-512
//	foldarm64     internal/kernel/fold_arm64     folds of NEON
//	orderedamd64  internal/kernel/ordered_amd64  blocks of package ordered
//	orderedarm64  internal/kernel/ordered_arm64  the same for NEON
//	chainamd64    internal/kernel/chain_amd64    tiles and panels of matrix products
//	chainarm64    internal/kernel/chain_arm64    the same for NEON
//	residueamd64  internal/kernel/residue_amd64  products of integers by residues
//	stochamd64    internal/kernel/stoch_amd64    operations rounded up or down
//	stocharm64    internal/kernel/stoch_arm64    the same for NEON
//	plain         internal/kernel/plain_amd64    sums without a promise
//	maps          internal/dl/maps_amd64         loops over C functions
//	lanes         crmath/internal/f64/lanes_amd64, crmath/f32/lanes_amd64, and
//	              both lanes_arm64               a compiler from Go to vectors
//	lanes -calls  crmath/internal/f64/calls_amd64  the same for single calls
//
// The comment at the top of a generator states the contract of its output.
// TestGenerated of internal/kernel runs all of them again and compares.
//
// # Names
//
// A stub is named operation, format, level: foldSum2Float64AVX512 is the
// operation foldSum2 on float64 with AVX-512. [Stub] builds the names.
//
// # Go data in assembly
//
// Offsets of fields, numbers of operations and sizes are constants of this
// package, in fold.go, ordered.go, chain.go, residue.go and stoch.go; a test of
// internal/kernel compares each with the Go declaration it mirrors. Argument
// frames are Go's ABI0; go vet checks their offsets.
package gen
