package order

// tour keeps the Euler tour of a growing tree in order: the begin and the end
// of each node, in a circular list whose labels ascend from entry 0, where it
// is cut. One node contains another when its labels enclose the other's.
type tour struct {
	label      []uint64
	next, prev []int32
}

// tourEnd is above every label.
const tourEnd = 1 << 63

func newTour() tour { return tour{label: []uint64{0}, next: []int32{0}, prev: []int32{0}} }

func beginOf(node int) int32 { return int32(2*node + 1) }
func endOf(node int) int32   { return int32(2*node + 2) }

// open adds the next node as the first child of another; noNode adds it beside
// all others.
func (t *tour) open(up int) {
	after := int32(0)
	if up != noNode {
		after = beginOf(up)
	}
	t.insert(t.insert(after))
}

// wrap adds the next node between another and its parent.
func (t *tour) wrap(node int) {
	t.insert(t.prev[beginOf(node)])
	t.insert(endOf(node))
}

// insert puts the next entry behind another and returns it.
func (t *tour) insert(after int32) int32 {
	if t.end(after)-t.label[after] < 2 {
		t.relabel()
	}
	e, low := int32(len(t.label)), t.label[after]
	t.label = append(t.label, low+(t.end(after)-low)/2)
	t.next = append(t.next, t.next[after])
	t.prev = append(t.prev, after)
	t.prev[t.next[after]] = e
	t.next[after] = e
	return e
}

// end returns the label behind an entry's.
func (t *tour) end(e int32) uint64 {
	if t.next[e] == 0 {
		return tourEnd
	}
	return t.label[t.next[e]]
}

// relabel spaces the labels evenly.
func (t *tour) relabel() {
	step := uint64(tourEnd) / uint64(len(t.label))
	label := step
	for e := t.next[0]; e != 0; e = t.next[e] {
		t.label[e] = label
		label += step
	}
}

// areDisjoint reports whether neither of two nodes contains the other.
func (t *tour) areDisjoint(u, v int) bool {
	return t.label[endOf(u)] < t.label[beginOf(v)] || t.label[endOf(v)] < t.label[beginOf(u)]
}
