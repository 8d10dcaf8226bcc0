package order

// plan is a binary search among the inner nodes of a region: a connected part
// of the tree, with the edges above and below its nodes. At each step a leaf
// lies inside or outside of one node. The search ends at a spot.
type plan []step

// step is one question of a plan, and where its answers lead to.
type step struct {
	node            int32
	inside, outside goal
}

// goal is the next place of a leaf: a step of a plan, or a spot. A spot is the
// edges below one node, or, for noNode, the edge above the root.
type goal struct {
	plan plan
	at   int32 // the number of the step; for a spot, without a plan, the node
}

// atSpot returns the goal of a spot.
func atSpot(top int32) goal { return goal{at: top} }

// planner makes plans. Its slices are scratch.
type planner struct {
	g      *grower
	plan   plan
	number []int32 // of inner nodes in the region, from 1; 0 of all others
	size   []int32 // by number, the edges below a node; at 0 below the top
	inside []bool  // by number
	nodes  []int32
	later  []int32
}

// arrange returns the plan of a region: the nodes that were inserted at a spot.
// Every step halves the edges as well as one node can.
func (p *planner) arrange(top int32, nodes []int32) goal {
	if len(nodes) == 0 {
		return atSpot(top)
	}
	if len(p.number) < len(p.g.kids) {
		p.number = make([]int32, 2*len(p.g.kids))
	}
	if len(p.size) <= len(nodes) {
		p.size = make([]int32, 2*len(nodes)+1)
		p.inside = make([]bool, 2*len(nodes)+1)
	}
	p.sort(nodes)
	p.plan = make(plan, len(nodes))[:0]
	whole := p.plan[:len(nodes)]
	first := p.split(whole, top, p.nodes)
	for _, v := range nodes {
		p.number[p.g.inner(int(v))] = 0
	}
	return first
}

// sort stores the nodes, parents first, and numbers them.
func (p *planner) sort(nodes []int32) {
	for _, v := range nodes {
		p.number[p.g.inner(int(v))] = 1
	}
	p.nodes = p.nodes[:0]
	for _, v := range nodes {
		if p.numberOf(p.g.parent[v]) == 0 {
			p.nodes = append(p.nodes, v)
		}
	}
	for at := 0; at < len(p.nodes); at++ {
		for _, k := range p.g.children(int(p.nodes[at])) {
			if p.numberOf(k) != 0 {
				p.nodes = append(p.nodes, k)
			}
		}
	}
	for at, v := range p.nodes {
		p.number[p.g.inner(int(v))] = int32(at + 1)
	}
}

// numberOf returns the number of a node in the region, 0 for others.
func (p *planner) numberOf(v int32) int32 {
	if v == noNode || p.g.isLeaf(v) {
		return 0
	}
	return p.number[p.g.inner(int(v))]
}

// split plans the part of the region below top, whose nodes it reorders. The
// steps are appended to p.plan, which is the beginning of whole.
func (p *planner) split(whole plan, top int32, nodes []int32) goal {
	if len(nodes) == 0 {
		return atSpot(top)
	}
	v := p.centroid(top, nodes)
	below, rest := p.part(v, nodes)
	at := len(p.plan)
	p.plan = append(p.plan, step{node: v})
	inside := p.split(whole, v, below)
	outside := p.split(whole, top, rest)
	p.plan[at].inside, p.plan[at].outside = inside, outside
	return goal{plan: whole, at: int32(at)}
}

// centroid returns the node that comes closest to having half of the edges
// below it.
func (p *planner) centroid(top int32, nodes []int32) int32 {
	above := p.numberOf(top)
	p.size[above] = 1 // the edge above the root
	if top != noNode {
		p.size[above] = int32(len(p.g.children(int(top))))
	}
	for _, v := range nodes {
		p.size[p.numberOf(v)] = int32(len(p.g.children(int(v))))
	}
	for k := len(nodes) - 1; k >= 0; k-- {
		v := nodes[k]
		p.size[p.numberOf(p.g.parent[v])] += p.size[p.numberOf(v)]
	}
	total := p.size[above]
	best, least := nodes[0], total+1
	for _, v := range nodes {
		size := p.size[p.numberOf(v)]
		if worse := max(size, total-size); worse < least {
			best, least = v, worse
		}
	}
	return best
}

// part returns the nodes below v, and those that are neither v nor below it,
// parents first.
func (p *planner) part(v int32, nodes []int32) (below, rest []int32) {
	p.later = p.later[:0]
	for _, u := range nodes {
		p.inside[p.numberOf(u)] = u == v
	}
	kept := 0
	for _, u := range nodes {
		number, up := p.numberOf(u), p.numberOf(p.g.parent[u])
		if u == v {
			continue
		}
		if p.inside[up] {
			p.inside[number] = true
			p.later = append(p.later, u)
			continue
		}
		nodes[kept] = u
		kept++
	}
	p.inside[p.numberOf(v)] = false
	copy(nodes[kept:], p.later)
	return nodes[kept : kept+len(p.later)], nodes[:kept]
}
