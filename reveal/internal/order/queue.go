package order

// question is the question of a set probe: which leaves lie inside of a node,
// or, without a step, which edge below the node the first leaf belongs to.
type question struct {
	node   int32
	leaves []int32
	asked  int   // leaves that are in a call
	step   *step // nil where the first leaf is at its spot
	kid    int   // then, the number of the child whose edge is asked about
	batch  *batch

	inside, outside []int32 // the leaves answered so far
}

// open returns the number of leaves not yet asked about.
func (q *question) open() int { return len(q.leaves) - q.asked }

// maxSorted bounds the numbers of leaves that the queue tells apart: questions
// of maxSorted leaves or more share a list.
const maxSorted = 64

// queue holds the open questions by the number of their leaves.
type queue struct {
	lists [maxSorted + 1][]*question
	count int
}

func (u *queue) add(q *question) {
	k := min(q.open(), maxSorted)
	u.lists[k] = append(u.lists[k], q)
	u.count++
}

// remove removes the question at a place of a list, where another takes its
// place.
func (u *queue) remove(list, at int) {
	l := u.lists[list]
	last := len(l) - 1
	l[at] = l[last]
	l[last] = nil
	u.lists[list] = l[:last]
	u.count--
}
