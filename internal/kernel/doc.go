// Package kernel holds the inner loops that have bodies in assembly, each
// beside a portable body in Go that is compiled everywhere. All bodies of a
// kernel return the same bits; a [Level] selects the body that runs.
//
// # Kernels
//
// The fold kernels are the inner loops of package exact. Invariant: T, Range
// and Inexact of [Folds] prove, after the fact, that the integers T are all of
// the block's sum; no order of additions is promised, because none matters.
// Their code: foldamd64 (AVX2, AVX-512), foldarm64 (NEON), fold_generic.go.
//
//	foldSum2     Σ x[i]       two folds    float64, float32   exact.Sum
//	foldSum3     Σ x[i]       three folds  float64            exact.Sum, wider data
//	foldAsum2    Σ |x[i]|     two folds    float64, float32   exact.Asum
//	foldDot3     Σ x[i]·y[i]  three folds  float64            exact.Dot, Nrm2
//	foldDot2     Σ x[i]·y[i]  two folds    float32            exact.Dot, Nrm2
//
// The block kernel is the inner loop of package ordered. It adds by the
// summation tree of [OrderedBlock], every operation rounded to nearest.
// Its code: orderedamd64, orderedarm64, ordered_generic.go.
//
//	orderedBlock one block    by lanes     float64, float32   ordered.Sum, Dot, …
//	orderedShort one row      by lanes     float64, float32   Chain.AddTerms
//
// The chain kernels are the inner loops of products with matrices, in package
// blas. The kernels of corners, lanes and uneven rows have bodies for AVX-512,
// and the kernels of eliminations, reflections and rotations for AVX-512 and
// AVX2. At other levels they are made of the other kernels, and so are Cholesky
// factors with NEON. A tile of the result stays in registers while each of its
// elements adds products one after another, by fused multiply-adds; panels are
// copies of the factors, in the order that tiles read them. Portable fused
// multiply-adds of float32 are [FMA]. Their code: chainamd64, chainarm64,
// chain_generic.go, cholesky_generic.go, triangle.go, reflector.go.
//
//	chainTile         c += a·b         one chain    float64, float32   Chain.Tile
//	chainPackRows     rows of a panel               float64, float32   Chain.Pack
//	chainPackColumns  its columns                   float64, float32   Chain.Pack
//	chainAxpy         y += rows        one chain    float64, float32   Chain.AddRows
//	chainDots         rows times x     by lanes     float64, float32   Chain.Dots
//	chainDot          one row times x  by lanes     float64, float32   Chain.Dots
//	chainOuter        rows += x·y      one product  float64, float32   Chain.AddOuter
//	chainUneven       of a triangle    by lanes     float64, float32   Chain.UnevenDots
//	chainLanes        their lanes      by lanes     float64, float32   Chain.Lanes
//	chainCorner       y += rows        one chain    float64, float32   Chain.AddCorner
//	chainCornerOuter  rows += x·y      one product  float64, float32   Chain.AddCornerOuter
//	chainEliminate    a step of LU     one product  float64, float32   Chain.Eliminate
//	chainReflect      a reflection     one chain    float64, float32   Chain.Reflect
//	chainCholeskyUpper UᵀU             several     float64            Chain.CholeskyUpper
//	chainCholeskyLower LLᵀ             several     float64            Chain.CholeskyLower
//	chainSymmetricUpper on both sides  several     float64            Chain.ReflectSymmetric
//	chainSymmetricLower the same       several     float64            Chain.ReflectSymmetric
//	chainTriangleTimes… y = A·x        several     float64            Chain.SymmetricTimes
//	chainTriangleUpdate… A -= xyᵀ+yxᵀ  two products float64           Chain.SymmetricUpdate
//	chainRotate       rotations of rows            float64            Chain.RotateRows
//	chainThreeRows    reflections                  float64            Reflector.Rows
//	chainThreeColumns of 3 elements                float64            Reflector.Columns
//	chainCompensated  Σ x[i]·y[i]      in pairs     float64            CompensatedDot
//	shortAxpy         y += alpha·x     one product  float64, float32   Chain.AddMultiple
//	shortScale        x *= alpha                    float64, float32   Chain.Multiply
//	shortDivide       x /= alpha                    float64, float32   Chain.Divide
//	shortRotate       rotates x and y               float64, float32   Chain.Rotate
//	shortProducts     x[i]·y[i]                     float32 to float64 Products
//
// The residue kernels are the inner loops of products of integers by their
// residues, in package blas too: see [Residues]. Their assembly is for AVX-512
// with VNNI. Their code: residueamd64, residue_generic.go.
//
//	residueSplit      residues of integers     float64    Residues.Split
//	residueTranspose  of a right factor        bytes      Residues.Transpose
//	residueTile       sums of products         bytes      Residues.Tile
//	residueJoin       integers from residues   float64    Residues.Join
//	residueRound      with bounds of errors    float64    Residues.Round
//
// The offset kernels add products nearly, with a bound of the error. Invariant:
// [OffsetSums]; no order of additions is promised. NEON has the portable
// bodies. Their code: chainamd64, offset.go.
//
//	offsetDots   rows times x  by lanes     float64, float32   Offset.Dots
//	offsetRows   sums += rows  one lane     float64, float32   Offset.SetRows
//	offsetRound  sums rounded               float64            Offset.Round
//
// The complex kernels are chainAxpy and chainDots for complex numbers, by the
// same trees. NEON has the portable bodies. Their code: chainamd64, complex.go.
//
//	complexRows  y += rows     one chain    float64, float32   Complex.AddRows
//	complexScale x times f     none         float64, float32   Complex.Scale
//	complexDots  rows times x  by lanes     float64, float32   Complex.Dots
//	complexDot   one row times x  by lanes  float64, float32   Complex.Dots
//
// The stochastic kernels round each result up or down, as a coin decides: see
// [Stoch]. They have no portable bodies, since package stoch computes elements
// that no kernel takes; NEON has no filters. Their code: stochamd64,
// stocharm64.
//
//	stochAdd …        x + y and others     float64, float32   Stoch.Add, …
//	stochDot          Σ x[i]·y[i]          float64, float32   Stoch.Dot
//	stochSpread …     filters              float64, float32   Stoch.Filters
//
// The plain sums promise nothing and have no portable body: benchmarks hold the
// others against them. Their code: plain.
//
//	plainSum     Σ x[i]       in any order float64
//	plainDot     Σ x[i]·y[i]  in any order float64
//	plainAdd     x + y        elementwise  float64, float32
//	plainMul     x·y          elementwise  float64, float32
//
// A folder named here is a generator in internal/_asm; the comment at its top
// states the contract in full, and it writes the .s file and the Go stubs of
// the same name here. For example, the AVX-512 inner loop of exact.Sum is
// foldSum2Float64AVX512: generator internal/_asm/foldamd64 (loop in direct.go),
// output fold_amd64.s.
//
// # Names and dispatch
//
// A body is named operation, format, level: foldSum2Float64AVX512,
// orderedBlockFloat32NEON, foldDot3Float64Generic. Portable bodies that serve
// both formats are generic functions without the format.
//
// The dispatch table has a row for each level, with the processor features the
// row needs and the body of each kernel; the last row holds the portable
// bodies. See row in table.go, and table_amd64.go, table_arm64.go and
// table_other.go. Package init records the rows that run here, and does nothing
// else. A call names its level; a level without a row here, or whose features
// the processor lacks, panics.
//
// # Assembly
//
// Bodies follow Go's ABI0. They receive pointers and lengths, keep no pointer,
// and write nothing but their results. The offsets of the fields of [Folds],
// the numbers of [OrderedOp] and [OrderedRowBytes] are constants in
// internal/_asm/gen; TestABI compares them. TestGenerated runs every generator
// and compares the files.
package kernel
