package sim

import (
	"github.com/lastbit/lastbit/fp"
)

// collective is one way to add the partial sums of several ranks. Its figures
// come from the sources that it names.
type collective struct {
	name string
	full string // what computes so

	// wide adds in binary32 the partial sums of a shorter format; the result is
	// rounded once. The others round every addition to that format.
	wide bool

	// parts returns the number of partial sums. nil is one for each rank.
	parts func(ranks int) int

	// keeps leaves the partial sums in the accumulator's format. The others
	// round them to the format of the inputs: each rank stores them there.
	keeps bool

	maxRanks int // 0: the bound of all models

	// class returns the number of the order that element i of an array of n has
	// among the ranks. nil is 0 for all.
	class func(f fp.Format, ranks, i, n int) int

	// merges returns the additions of an order.
	merges func(parts, class int) []merge
}

// merge adds one partial sum to another. The last merge of a list has the
// result.
type merge struct{ to, from int }

// Sources: NVIDIA NCCL, github.com/NVIDIA/nccl, as of 2026, and vLLM.
const (
	fixedBlocks = 8

	// ringChunkBytes is the size of a chunk with the protocol Simple: the
	// default buffer of 4 MiB has NCCL_STEPS = 8 steps, and a chunk
	// ALLREDUCE_CHUNKSTEPS = 4 of them (src/include/collectives.h).
	ringChunkBytes = 4 << 20 / 8 * 4

	// chunkAlign is the alignment of the chunks of the last loop, in bytes
	// (src/device/all_reduce.h, runRing).
	chunkAlign = 16
)

// collectives returns the table.
func collectives() []collective {
	return []collective{
		{name: "nccl-ring", full: "NCCL's ring all-reduce", class: ringChunk, merges: ring},
		{name: "nccl-tree", full: "NCCL's tree all-reduce, one GPU a node", class: whichTree,
			merges: doubleTree},
		{name: "nccl-chain", full: "NCCL's tree all-reduce within one node", merges: backwards},
		{name: "nvls", full: "NCCL's NVLS all-reduce, added in the order of the ranks",
			wide: true, merges: forwards},
		{name: "reduce-scatter", full: "NCCL's ring reduce-scatter, then all-gather",
			class: evenChunk, merges: ring},
		{name: "one-shot", full: "vLLM's custom all-reduce", wide: true, merges: forwards},
		{name: "all-gather", full: "columns split over ranks, then all-gather",
			parts: func(int) int { return 1 }, merges: forwards},
		{name: "fixed-tree", full: "8 fixed blocks of summands, added by a binary tree",
			wide: true, keeps: true, maxRanks: fixedBlocks,
			parts: func(int) int { return fixedBlocks }, merges: halves},
	}
}

// ringChunk returns the chunk of element i. A loop takes ranks chunks of the
// size ringChunkBytes; the last, shorter loop divides what is left evenly, in
// multiples of chunkAlign. Only the last loop can have empty chunks.
//
// Source: src/device/all_reduce.h, runRing; one channel is modelled, which has
// the whole array.
func ringChunk(f fp.Format, ranks, i, n int) int {
	size := ringChunkBytes / f.Bytes()
	loop := i / (ranks * size)
	i, n = i-loop*ranks*size, n-loop*ranks*size
	if n < ranks*size {
		grain := chunkAlign / f.Bytes()
		size = roundUp(divideUp(n, ranks), grain)
	}
	return i / size
}

// evenChunk returns the chunk of element i where each rank gets an equal part
// of the array, which is padded to a multiple of the ranks.
//
// Source: src/device/reduce_scatter.h, runRing.
func evenChunk(_ fp.Format, ranks, i, n int) int { return i / divideUp(n, ranks) }

// divideUp returns a/b, rounded up.
func divideUp(a, b int) int { return (a + b - 1) / b }

// roundUp returns the least multiple of b that is not below a.
func roundUp(a, b int) int { return divideUp(a, b) * b }

// ring returns the additions of a chunk: the rank after the chunk's own begins,
// and each next rank adds its part. The chunk's own rank is the last.
func ring(ranks, chunk int) []merge {
	var all []merge
	for j := 2; j <= ranks; j++ {
		all = append(all, merge{(chunk + j) % ranks, (chunk + j - 1) % ranks})
	}
	return all
}

// whichTree returns the binary tree of element i: half of the channels use
// either, and the channels have contiguous parts of the array. Two are
// modelled.
func whichTree(_ fp.Format, _, i, n int) int {
	if i < divideUp(n, 2) {
		return 0
	}
	return 1
}

// doubleTree returns the additions of the first or the second tree of ranks,
// each on a node of its own: a node adds its first child's sum to its own part,
// and then its second child's.
//
// Source: src/graph/trees.cc, ncclGetDtree; src/device/all_reduce.h,
// runTreeUpDown and runTreeSplit; src/device/common_kernel.h, reduceCopyPacks.
func doubleTree(ranks, tree int) []merge {
	name := func(node int) int { return node }
	if tree == 1 {
		name = func(node int) int { return ranks - 1 - node } // the mirror image
		if ranks%2 == 1 {
			name = func(node int) int { return (node + 1) % ranks } // shifted by one
		}
	}
	var all []merge
	var visit func(node int)
	visit = func(node int) {
		for _, child := range treeChildren(ranks, node) {
			visit(child)
			all = append(all, merge{name(node), name(child)})
		}
	}
	visit(0)
	return all
}

// treeChildren returns the children of a node of the binary tree whose root is
// 0. The level of another node is its lowest set bit.
//
// Source: src/graph/trees.cc, ncclGetBtree.
func treeChildren(ranks, node int) []int {
	if node == 0 {
		top := 1
		for top < ranks {
			top *= 2
		}
		if ranks == 1 {
			return nil
		}
		return []int{top / 2}
	}
	low := (node & -node) / 2
	if low == 0 {
		return nil
	}
	children := []int{node - low}
	for ; low > 0; low /= 2 {
		if node+low < ranks {
			return append(children, node+low)
		}
	}
	return children
}

// backwards adds each rank's part to the sum of all later ranks, as a chain of
// GPUs within a node does.
//
// Source: src/graph/connect.cc, ncclTopoPreset.
func backwards(ranks, _ int) []merge {
	var all []merge
	for r := ranks - 2; r >= 0; r-- {
		all = append(all, merge{r, r + 1})
	}
	return all
}

// forwards adds the parts in the order of the ranks.
//
// Source: for one-shot vLLM's csrc/custom_all_reduce.cuh, packed_reduce, which
// adds binary32 on every GPU. For nvls the switch adds, in an order that is not
// published: this one is an assumption. The accumulator is binary32 for NCCL of
// CUDA 12.2 or later (src/device/reduce_kernel.h, PtxAcc_for_f16x2).
func forwards(ranks, _ int) []merge {
	var all []merge
	for r := 1; r < ranks; r++ {
		all = append(all, merge{0, r})
	}
	return all
}

// halves adds neighbours, then neighbouring sums, and so on: a binary tree over
// a power of two of blocks. A rank adds the blocks of any complete subtree that
// it holds, so that the ranks exchange sums of blocks.
func halves(blocks, _ int) []merge {
	var all []merge
	for step := 1; step < blocks; step *= 2 {
		for b := 0; b < blocks; b += 2 * step {
			all = append(all, merge{b, b + step})
		}
	}
	return all
}
