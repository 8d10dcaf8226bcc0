package sumtree

// libraries returns the families of vector code with several loops, as read off
// the trees of the libraries named. Their parameters follow the width of the
// vectors: the first of two is for float32, the second for float64.
func libraries() []Family {
	names := []string{
		// torch.sum, 256-bit vectors.
		"take 32 as cascade(block=16, base=16, levels=4), take 8, fold 8×4, rest apart, fold 1×8",
		"take 16 as cascade(block=16, base=16, levels=4), take 4, fold 4×4, rest apart, fold 1×4",
		// The same for 16-bit formats, and 512-bit vectors.
		"pair 8, take 32 as cascade(block=16, base=16, levels=4), take 8, fold 8×4, " +
			"rest apart, fold 1×8",
		"pair 1×8, take 32 as cascade(block=16, base=16, levels=4), take 8, fold 8×4, " +
			"rest apart, fold 1×8",
		"pair 1×16, take 64 as cascade(block=16, base=16, levels=4), take 16, fold 16×4, " +
			"rest apart, fold 1×16",
		"pair 16, take 64 as cascade(block=16, base=16, levels=4), take 16, fold 16×4, " +
			"rest apart, fold 1×16",
		"take 64 as cascade(block=16, base=16, levels=4), take 16, fold 16×4, " +
			"rest apart, fold 1×16",
		// OpenBLAS's dot, SkylakeX.
		"take 64, fold 8, take 32, fold 16×4, fold 4, fold 1, fold 2, rest apart",
		"take 32, fold 4, take 16, fold 8×4, fold 2, fold 1, rest onto",
		// OpenBLAS's dot, Core2 and its relatives, and Atom.
		"take 16, fold 4, fold 8, take 4, fold 1, fold 2, rest onto",
		"take 8, take 4, take 2, rest onto, fold 2, fold 4, fold 1",
		"take 4, take 2, rest onto, fold 1, fold 2",
		// MKL's dot, 512-bit vectors.
		"take 64, take 32, take 16, rest spread, fold 16, fold 32, fold 8, fold 4, fold 1, fold 2",
		"take 32, take 16, take 8, rest spread, fold 8, fold 16, fold 4, fold 2, fold 1",
		// MKL's gemv, and its gemm of one row.
		"head 1, take 16, fold 8, fold 4, fold 2, fold 1, " +
			"take 16, rest spread, fold 8, fold 4, fold 2, fold 1",
		"take 16, fold 8, take 8, rest spread, fold 2, fold 1, fold 4",
		"first + take 32, fold 16, take 16, rest spread, fold 8, fold 4, fold 2, fold 1",
		"loop 8 as ((((s 6) 4) (5 7)) ((0 2) (1 3))), rest onto",
		// OpenBLAS's gemv of matrices stored by columns, and by rows.
		"loop 8 as (s ((((0 2) 4) 6) (((1 3) 5) 7))), loop 4 as (s ((0 2) (1 3))), " +
			"loop 2 as (s (0 1)), rest onto",
		"loop 8 as (s ((((0 2) 4) 6) (((1 3) 5) 7))), loop 4 as (s ((0 2) (1 3))), rest onto",
		"loop 4 as (s (((0 1) 2) 3)), loop 2 as (s (0 1)), rest onto",
		"lead 4×2, take 8, fold 4, fold 1, fold 2, rest apart",
		// PyTorch's own dot and gemv of 16-bit formats.
		"take 64, fold 32, fold 16, fold 8, fold 4, fold 2, fold 1, aside, " +
			"take 8×2, fold 4, fold 2, fold 1, join, rest onto",
		"take 64, fold 32, fold 16, fold 8, fold 1×8, aside, take 8×2, fold 1×8, join, rest onto",
		// oneDNN's gemv of bfloat16, 512-bit vectors.
		"take 16 by 2, rest spread by 2, fold 8, fold 4, fold 1, fold 2",
		// OpenBLAS's gemm of float64 on Nehalem.
		"take 2×2 late 1, fold 1, rest onto",
		"chunks(256, even 2) of take 2×2 late 1, fold 1, rest onto",
		// The loops over K of gemm: MKL's, and OpenBLAS's on SkylakeX.
		"chunks(384, even) of chain",
		"chunks(448, even 16) of chain",
		"chunks(384, even 16) of chain",
		// NumPy's einsum, 128-bit vectors: products, then sums.
		"take 4×4 as backward(4), take 4, rest spread, fold 1, fold 2",
		"take 2×4 as backward(4), take 2, rest spread, fold 1",
		"take 4×4 as chunks(4) of pairwise, take 4, rest spread, fold 1, fold 2",
		"take 2×4 as chunks(4) of pairwise, take 2, rest spread, fold 1",
		"chunks(8192) of take 4×4 as backward(4), take 4, rest spread, fold 1, fold 2",
		"chunks(8192) of take 2×4 as backward(4), take 2, rest spread, fold 1",
		"chunks(8192) of take 4×4 as chunks(4) of pairwise, take 4, rest spread, fold 1, fold 2",
		"chunks(8192) of take 2×4 as chunks(4) of pairwise, take 2, rest spread, fold 1",
		"chunks(8192) of chunks(4) of chain",
		"loop 4 as (s ((0 1) (2 3))), leave 1, rest onto",
		"chunks(8192) of loop 4 as (s ((0 1) (2 3))), leave 1, rest onto",
		// gonum's floats.Sum, blas64.Dot (its last for every k-th element), and
		// blas32.Dot.
		"take 8, mirror 2×4, take 4, fold 2, take 2, fold 1, rest onto",
		"take 4×2, fold 2, take 2, rest onto, fold 1",
		"take 2, rest onto last, fold 1",
		"take 8×2, fold 4, take 4, rest onto, fold 1, fold 2",
		// polars, pyarrow, a group of pandas, and JAX on a CPU.
		"halves(128, head apart) of strided(16)+halving",
		"cascade(block=16, base=2)",
		"first + pairwise(block=128, unroll=8)",
		"windows(32)",
		// JAX's sums by YNNPACK: over columns, and over rows with 512-bit
		// vectors (float32, float64, bfloat16).
		"chunks(256) of chunks(16) of chunks(4) of chain",
		"deal 16 as chunks(64) of chunks(16, rest by 4) of chunks(4) of chain, " +
			"fold 8, fold 4, fold 2, fold 1",
		"deal 8 as chunks(128) of chunks(16, rest by 8) of chunks(4) of chain, " +
			"fold 4, fold 2, fold 1",
		"deal 16 by 2 as chunks(128) of chunks(32, rest by 8) of chunks(8) of chain, " +
			"fold 8, fold 4, fold 2, fold 1",
	}
	return parsed(names)
}

// compilers returns the families of vectorized loops whose rest goes by shorter
// vectors, as compilers make them where they may reorder sums.
func compilers() []Family {
	return parsed([]string{
		// GCC 12 with -O3 -ffast-math: 512-bit and 256-bit vectors.
		"take 16, fold 8, take 8, fold 4, fold 2, fold 1, rest onto",
		"take 8, fold 4, take 4, fold 2, fold 1, rest onto",
		"take 4, fold 2, take 2, fold 1, rest onto",
		// LLVM with fast maths, 256-bit vectors.
		"take 32, fold 8, fold 16, fold 4, fold 2, fold 1, take 4, fold 2, fold 1, rest onto",
		"take 16, fold 4, fold 8, fold 2, fold 1, take 4, fold 2, fold 1, rest onto",
	})
}

// parsed returns families by their names.
func parsed(names []string) []Family {
	all := make([]Family, 0, len(names))
	for _, name := range names {
		f, err := ParseFamily(name)
		if err != nil {
			panic(err) // a mistake in the list above
		}
		all = append(all, f)
	}
	return all
}
