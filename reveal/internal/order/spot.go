package order

// batch is leaves on their way into the tree, and the nodes they have made so
// far. When all are inserted, the leaves that wait for them go in search of
// their own spots among these nodes.
type batch struct {
	left    int     // leaves not yet inserted
	nodes   []int32 // made by leaves of this batch
	outer   *batch  // the batch that the leaves belong to as well; nil for none
	pivots  int     // the number of its own leaves
	top     int32   // its spot
	waiting []int32 // leaves of the outer batch
}

// maxTogether is the largest number of leaves at a spot that are inserted one
// by one. More wait for pivots.
const maxTogether = 16

// pivots returns the number of leaves to insert before the others of n.
func pivots(n int) int { return max(2, n/8) }

// send makes leaves go to a goal.
func (g *grower) send(to goal, leaves []int32, b *batch) {
	switch {
	case len(leaves) == 0:
	case to.plan != nil:
		s := &to.plan[to.at]
		g.queue.add(&question{node: s.node, leaves: leaves, step: s, batch: b})
	case len(leaves) > maxTogether:
		k := pivots(len(leaves))
		inner := &batch{left: k, outer: b, pivots: k, top: to.at, waiting: leaves[k:]}
		g.send(to, leaves[:k], inner)
	case to.at == noNode:
		above := int32(g.insertAbove(int32(g.root), leaves[0]))
		g.inserted(b, above)
		g.sendPast(above, noNode, leaves[1:], &question{batch: b})
	default:
		g.queue.add(&question{node: to.at, leaves: leaves, batch: b})
	}
}

// sendPast makes leaves at a spot find out which side of its new node they are
// on. The first of them may have answers.
func (g *grower) sendPast(node, top int32, leaves []int32, answered *question) {
	q := &question{node: node, leaves: leaves, batch: answered.batch,
		step:   &step{node: node, inside: atSpot(node), outside: atSpot(top)},
		inside: answered.inside, outside: answered.outside}
	q.asked = len(q.inside) + len(q.outside)
	g.forward(q)
}

// forward sends the leaves of a question on when all are answered.
func (g *grower) forward(q *question) {
	switch {
	case q.open() > 0:
		g.queue.add(q)
	case len(q.inside)+len(q.outside) == len(q.leaves):
		g.send(q.step.inside, q.inside, q.batch)
		g.send(q.step.outside, q.outside, q.batch)
	}
}

// inserted counts a leaf of a batch that has been inserted, with the node that
// this has made, or noNode.
func (g *grower) inserted(b *batch, node int32) {
	b.left--
	if node != noNode {
		b.nodes = append(b.nodes, node)
	}
	if b.left == 0 && b.outer != nil {
		b.outer.left -= b.pivots
		b.outer.nodes = append(b.outer.nodes, b.nodes...)
		g.send(g.planner.arrange(b.top, b.nodes), b.waiting, b.outer)
	}
}
