package main

import (
	"cmp"
	"slices"
)

// fuse returns the regions with every product that feeds one sum, and nothing
// else, fused with that sum into one operation. In a function of float32 it may
// feed more than one sum, and is fused with each.
//
// The error bounds of the functions allow for a rounding of the product and one
// of the sum, each of half an ULP at most. Fusing makes the first 0, so the
// bounds hold; where a derivation calls a product exact, fusing changes
// nothing. All results of float32 kernels of one argument are compared with
// the right ones besides: TestExhaustiveDouble.
func (g *graph) fuse(regions []region) []region {
	uses, sums := countUses(regions)
	isProduct := func(n *node) bool {
		return n.op == mul && (uses[n] == 1 || g.float32 && uses[n] == sums[n])
	}
	done := map[*node]*node{}
	var visit func(n *node) *node
	visit = func(n *node) *node {
		if n == nil || n.op == constant {
			return n
		}
		key := n
		if r, ok := done[key]; ok {
			return r
		}
		if g.single {
			n = g.scaled(address(n))
		}
		r, args := *n, n.args
		switch {
		case n.op == add && isProduct(args[0]):
			r.op, args = mulAdd, append(slices.Clone(args[0].args), args[1])
		case n.op == add && isProduct(args[1]):
			r.op, args = mulAdd, append(slices.Clone(args[1].args), args[0])
		case n.op == sub && isProduct(args[0]):
			r.op, args = mulSub, append(slices.Clone(args[0].args), args[1])
		case n.op == sub && isProduct(args[1]):
			r.op, args = subMul, append(slices.Clone(args[1].args), args[0])
		}
		r.args = nil
		for _, a := range args {
			r.args = append(r.args, visit(a))
		}
		done[key] = &r
		return &r
	}
	var all []region
	for _, r := range regions {
		all = append(all, region{visit(r.cond), visit(r.value), visit(r.ok)})
	}
	return all
}

// countUses returns how often each node is an operand or an output, and how
// often an operand of a sum or a difference.
func countUses(regions []region) (uses, sums map[*node]int) {
	uses, sums = map[*node]int{}, map[*node]int{}
	seen := map[*node]bool{}
	for _, r := range regions {
		outputs := r.outputs()
		for _, n := range outputs {
			uses[n]++
		}
		for _, n := range schedule(seen, outputs...) {
			for _, a := range n.args {
				uses[a]++
				if n.op == add || n.op == sub {
					sums[a]++
				}
			}
		}
	}
	return uses, sums
}

// outputs returns the nodes that a region must compute.
func (r region) outputs() []*node {
	if r.cond == nil {
		return []*node{r.value, r.ok}
	}
	return []*node{r.cond, r.value, r.ok}
}

// schedule returns the operations that the outputs need and that are not done
// yet, in the order of the source.
func schedule(done map[*node]bool, outputs ...*node) []*node {
	var list []*node
	var visit func(n *node)
	visit = func(n *node) {
		if done[n] {
			return
		}
		done[n] = true
		for _, a := range n.args {
			visit(a)
		}
		if n.op != constant {
			list = append(list, n)
		}
	}
	for _, n := range outputs {
		visit(n)
	}
	slices.SortStableFunc(list, func(a, b *node) int { return cmp.Compare(a.id, b.id) })
	return list
}
