package proof

import (
	"fmt"
	"math/rand/v2"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// A sum may add some summands in a wider format than others, as a loop in
// float32 with a rest in float64 does. With levels of the narrow format, a wide
// addition loses nothing: a tiny summand of the rest counts beside another of
// the rest, whichever they meet first, and is lost beside one of the loop.

// maxWidthCalls bounds the summands that addedWider asks about, and widthChecks
// is the number of times that it checks its answer.
const (
	maxWidthCalls = 1 << 13
	widthChecks   = 8
)

// addedWider returns the leaves that are added in a wider format than the
// others, where the triple q shows that there are both; nil where the answers
// do not fit two formats.
func addedWider(c *ask.Channel, l *ask.Levels, q ask.Triple) (sumtree.Ranges, error) {
	if c.N > maxWidthCalls || l.Masks {
		return nil, nil
	}
	rng := ask.RandApart(c, "width")
	for _, known := range []int{q.A, q.B, q.Apart} {
		narrow, err := findNarrow(c, l, rng, known)
		if err != nil {
			return nil, err
		}
		if narrow < 0 {
			continue
		}
		wide, err := findWide(c, l, known, narrow)
		if err != nil {
			return nil, err
		}
		if ok, err := areWider(c, l, rng, wide); err != nil || ok {
			return sumtree.RangesOf(wide), err
		}
	}
	return nil, nil
}

// narrowTries bounds the pairs that findNarrow tries.
const narrowTries = 64

// findNarrow looks for a leaf that is narrow if a known one is wide: a tiny
// summand on that and one on another narrow leaf are lost beside it. It returns
// −1 where it finds none.
func findNarrow(c *ask.Channel, l *ask.Levels, rng *rand.Rand, known int) (int, error) {
	for range narrowTries {
		i, j := rng.IntN(c.N), rng.IntN(c.N)
		if i == j || i == known || j == known {
			continue
		}
		yes, err := l.Ask(c, c.Pool()[:1], false, ask.Triple{A: i, B: known, Apart: j})
		if err != nil || !yes[0] {
			return j, err
		}
	}
	return -1, nil
}

// findWide returns for each leaf whether it is wide if one is and another is
// not: tiny summands on it and on the wide one exceed a large one on the other.
func findWide(c *ask.Channel, l *ask.Levels, known, narrow int) ([]bool, error) {
	var triples []ask.Triple
	for x := range c.N {
		if x != known && x != narrow {
			triples = append(triples, ask.Triple{A: x, B: known, Apart: narrow})
		}
	}
	wide := make([]bool, c.N)
	wide[known] = true
	lanes := c.Pool()
	for at := 0; at < len(triples); at += len(lanes) {
		now := triples[at:min(at+len(lanes), len(triples))]
		yes, err := l.Ask(c, lanes, false, now...)
		if err != nil {
			return nil, err
		}
		for k, y := range yes {
			wide[now[k].A] = y
		}
	}
	return wide, nil
}

// areWider checks random triples: with two wide leaves the answer is yes, and
// with one beside two others it is no.
func areWider(c *ask.Channel, l *ask.Levels, rng *rand.Rand, wide []bool) (bool, error) {
	var some, others []int
	for i, w := range wide {
		if w {
			some = append(some, i)
		} else {
			others = append(others, i)
		}
	}
	if len(some) < 2 || len(others) < 2 {
		return false, nil
	}
	for range widthChecks {
		i, j := rng.IntN(len(some)), rng.IntN(len(others))
		w, f := some[i], others[j]
		w2 := some[(i+1+rng.IntN(len(some)-1))%len(some)]
		f2 := others[(j+1+rng.IntN(len(others)-1))%len(others)]
		yes, err := l.Ask(c, c.Pool()[:1], false, ask.Triple{A: w, B: f, Apart: w2},
			ask.Triple{A: w, B: w2, Apart: f}, ask.Triple{A: w, B: f, Apart: f2})
		if err != nil || !yes[0] || !yes[1] || yes[2] {
			return false, err
		}
	}
	return true, nil
}

// maxListed bounds the length of a list of leaves in a message.
const maxListed = 40

// widerWords states which leaves are added in a wider format.
func widerWords(l *ask.Levels, wide sumtree.Ranges) string {
	list := wide.String()
	if len(list) > maxListed {
		list = "some"
	}
	return fmt.Sprintf("summands %s are added in a wider format than %v, and all others in %v: "+
		"the order of such a sum is found only where summands may be negative", list, l.Acc, l.Acc)
}
