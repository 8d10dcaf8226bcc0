package explain

import (
	"fmt"

	"github.com/lastbit/lastbit/sumtree"
)

// order is a hypothesis about the order of additions: a sumtree.Family, or a
// handOrder.
type order interface {
	String() string
	Tree(n int) *sumtree.Tree
}

// handOrder is an order that programs have around a sum of their own or of a
// library: parts for threads or ranks, chunks of a file, rounds of dealing,
// recursions.
type handOrder struct {
	name string
	// node adds the order's nodes for summands low … high-1, and returns the
	// last one.
	node func(b *sumtree.Builder, low, high int) int
}

func (o handOrder) String() string { return o.name }

// Tree returns the order of n summands.
func (o handOrder) Tree(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	o.node(b, 0, n)
	return b.MustTree()
}

// join is a way to add partial sums.
type join struct {
	name string
	node func(b *sumtree.Builder, parts []int) int
}

var (
	inTurn = join{"chain", func(b *sumtree.Builder, parts []int) int {
		s := parts[0]
		for _, p := range parts[1:] {
			s = b.Node(s, p)
		}
		return s
	}}
	// inPairs adds neighbours, then their sums, and so on.
	inPairs = join{"pairs", func(b *sumtree.Builder, parts []int) int {
		for len(parts) > 1 {
			var next []int
			for i := 0; i < len(parts); i += 2 {
				next = append(next, b.Node(parts[i:min(i+2, len(parts))]...))
			}
			parts = next
		}
		return parts[0]
	}}
	// byHalves adds the upper half to the lower half, of a power of two, and so
	// on.
	byHalves = join{"halving", func(b *sumtree.Builder, parts []int) int {
		half := 1
		for 2*half < len(parts) {
			half *= 2
		}
		for parts = append([]int(nil), parts...); len(parts) > 1; half /= 2 {
			for i := half; i < len(parts); i++ {
				parts[i-half] = b.Node(parts[i-half], parts[i])
			}
			parts = parts[:min(half, len(parts))]
		}
		return parts[0]
	}}
)

// split is a way to cut n summands into parts: the i-th of k begins at at(i).
type split struct {
	name string
	at   func(i, k, n int) int
}

var splits = []split{
	{"parts(%d)", func(i, k, n int) int { return min(i*((n+k-1)/k), n) }},
	{"parts(%d, first ones longer)", func(i, k, n int) int { return i*(n/k) + min(i, n%k) }},
	{"parts(%d, proportional)", func(i, k, n int) int { return i * n / k }},
	{"parts(%d, last one longer)", func(i, k, n int) int {
		if i == k {
			return n
		}
		return i * (n / k)
	}},
}

// handOrders returns orders of n summands, the likeliest first.
func handOrders(n int) []order {
	all := []order{handOrder{"neighbours, then their sums", inPairs.leaves},
		handOrder{"upper halves onto lower halves", byHalves.leaves}}
	for _, base := range []int{1, 8, 16, 32, 64, 128, 100, 4, 2, 3, 6, 12, 24, 256, 512, 1000, 1024,
		4096} {
		if base < n {
			all = append(all, recursion(base, false), recursion(base, true))
		}
	}
	plain := handOrder{"chain", inTurn.leaves}
	numpy := within(sumtree.Family{Kind: sumtree.Pairwise, Block: 128, Unroll: 8})
	const shortest = 8 // NumPy's sum of less is a loop
	add := func(name string, size int, at func(i, n int) (int, bool)) {
		all = append(all, parts(name, plain, inTurn, at), parts(name, plain, inPairs, at))
		if size >= shortest {
			all = append(all, parts(name, numpy, inTurn, at))
		}
	}
	for _, k := range counts(n) {
		for i, s := range splits {
			if i > 0 && n%k == 0 {
				break // the same parts
			}
			add(fmt.Sprintf(s.name, k), n/k, func(i, n int) (at int, more bool) {
				return s.at(i, k, n), i < k
			})
		}
		for _, j := range []join{inTurn, inPairs, byHalves} {
			all = append(all, dealt(k, j))
		}
	}
	for _, c := range []int{16, 32, 64, 100, 128, 256, 512, 1000, 1024, 4096, 8192, 10000,
		65536} {
		if c < n {
			add(fmt.Sprintf("chunks(%d)", c), c, func(i, n int) (at int, more bool) {
				return min(i*c, n), i*c < n
			})
		}
	}
	return all
}

// counts returns numbers of threads, ranks or lanes, less than n.
func counts(n int) []int {
	var all []int
	for _, k := range []int{4, 8, 2, 16, 6, 12, 3, 5, 7, 10, 14, 20, 24, 32, 48, 64, 128, 256} {
		if k < n {
			all = append(all, k)
		}
	}
	return all
}

// leaves is the join of summands low … high-1.
func (j join) leaves(b *sumtree.Builder, low, high int) int {
	var all []int
	for i := low; i < high; i++ {
		all = append(all, i)
	}
	return j.node(b, all)
}

// within returns the order of a family for a part of the summands.
func within(f sumtree.Family) handOrder {
	return handOrder{f.String(), func(b *sumtree.Builder, low, high int) int {
		t := f.Tree(high - low)
		ids := make([]int, t.Nodes())
		for id := range ids {
			if t.IsLeaf(id) {
				ids[id] = low + id
				continue
			}
			var kids []int
			for _, c := range t.Children(id) {
				kids = append(kids, ids[c])
			}
			ids[id] = b.Node(kids...)
		}
		return ids[t.Root()]
	}}
}

// parts returns the order that adds each part of the summands, then joins the
// sums. Part i begins at at(i, n), which is false behind the last part.
func parts(name string, inner handOrder, j join, at func(i, n int) (int, bool)) handOrder {
	name += " of " + inner.name
	if j.name != inTurn.name {
		name += ", joined by " + j.name
	}
	return handOrder{name, func(b *sumtree.Builder, low, high int) int {
		var sums []int
		for i := 0; ; i++ {
			from, more := at(i, high-low)
			if !more {
				return j.node(b, sums)
			}
			if to, _ := at(i+1, high-low); to > from {
				sums = append(sums, inner.node(b, low+from, low+to))
			}
		}
	}}
}

// dealt returns the order of k sums that take turns.
func dealt(k int, j join) handOrder {
	name := fmt.Sprintf("dealt to %d sums", k)
	if j.name != inTurn.name {
		name += ", joined by " + j.name
	}
	return handOrder{name, func(b *sumtree.Builder, low, high int) int {
		var sums []int
		for i := low; i < min(low+k, high); i++ {
			s := i
			for next := i + k; next < high; next += k {
				s = b.Node(s, next)
			}
			sums = append(sums, s)
		}
		return j.node(b, sums)
	}}
}

// recursion returns the order of halves of halves, down to loops over at most
// base summands. The first half is the larger one, or the second.
func recursion(base int, first bool) handOrder {
	name := fmt.Sprintf("halves down to %d", base)
	up := 0
	if first {
		name += ", the first larger"
		up = 1
	}
	o := handOrder{name: name}
	o.node = func(b *sumtree.Builder, low, high int) int {
		if high-low <= base {
			return inTurn.leaves(b, low, high)
		}
		middle := low + (high-low+up)/2
		left := o.node(b, low, middle)
		return b.Node(left, o.node(b, middle, high))
	}
	return o
}
