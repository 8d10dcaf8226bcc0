package reveal

import (
	"hash/maphash"
	"math"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// Exchange counts the questions that some target of a comparison was asked
// while it was revealed, and that others of its group were asked too.
type Exchange struct {
	Asked int `json:"asked"` // questions that were given to every target of a group
	Of    int `json:"of"`    // questions that some of them was asked
}

// The limits of an exchange: questions, and summands in them, that each target
// is asked for the sake of the others.
const (
	maxExchanged     = 1 << 11
	maxExchangedWork = 1 << 27
	minExchanged     = 16
	maxFaults        = 32 // that one group may end in; then the last one is an error

	maxRememberedByAll = 1 << 23 // values of the questions of all targets
	maxDecided         = 1 << 20 // values of the deciding questions of one target
)

// asked holds the questions of a target while it was revealed.
type asked struct {
	decided []ask.Sample // that refuted a claim, or were made to
	all     []ask.Sample
	left    int // others
}

// upTo returns the first questions, up to a number of values.
func (a asked) upTo(values int) asked {
	for k, s := range a.all {
		if values -= len(s.X) + len(s.Y); values < 0 {
			a.left += len(a.all) - k
			a.all = slices.Clone(a.all[:k])
			break
		}
	}
	return a
}

// decide remembers samples of the main lane that decide between claims, as long
// as there is room.
func decide(r *run, samples []ask.Sample) {
	for _, s := range samples {
		if s.Elsewhere {
			continue
		}
		if r.decidedValues += len(s.X) + len(s.Y); r.decidedValues > maxDecided {
			return
		}
		r.decided = append(r.decided, s)
	}
}

// exchange gives every question that one of the targets was asked while it was
// revealed to all targets that have agreed with it so far. Those that refuted a
// claim come first. An answer that is known is not asked for again: targets
// that compute alike were mostly asked the same questions.
//
// A question that shows a difference becomes an input of all targets.
func exchange(c *comparer) error {
	c.group()
	groups := c.Groups
	c.Groups = nil
	for _, members := range groups {
		if len(members) < 2 {
			continue
		}
		if err := exchangeAmong(c, members); err != nil {
			return err
		}
	}
	return nil
}

// question is a question, with the answers known, by target.
type question struct {
	ask.Sample
	known map[int]float64
}

// exchangeAmong gives the questions of each member of a group to all others.
func exchangeAmong(c *comparer, members []int) error {
	all, of := questions(c, members)
	n := c.channels[0].N
	left := map[int]int{}
	for _, i := range members {
		left[i] = min(maxExchanged, max(minExchanged, maxExchangedWork/n))
		c.channels[i].Expect("exchange", left[i])
	}
	c.Exchanged.Of += of
	live, faults := members, 0
	for _, q := range all {
		if len(live) < 2 {
			return nil
		}
		complete := true
		for _, i := range live {
			if _, ok := q.known[i]; ok {
				continue
			}
			if complete = left[i] > 0; !complete {
				break
			}
			left[i]--
			out, fault, err := askSpecial(c.channels[i], q.Sample)
			if err != nil {
				return err
			}
			if fault == nil {
				q.known[i] = out
				continue
			}
			q.Kind = ask.Edge
			if faults++; faults > maxFaults {
				return fault
			}
		}
		if !complete {
			continue
		}
		c.Exchanged.Asked++
		if !alike(q, live) || q.Kind == ask.Edge && len(q.known) < len(live) {
			if err := c.add(q.Sample); err != nil {
				return err
			}
			live = stillWith(c, live)
		}
	}
	return nil
}

// alike reports whether all answers known of some targets are the same.
func alike(q *question, targets []int) bool {
	for _, i := range targets[1:] {
		a, ok := q.known[targets[0]]
		b, also := q.known[i]
		if ok && also && !ask.SameBits(a, b) {
			return false
		}
	}
	return true
}

// stillWith returns the largest part of a group whose members agree with each
// other on all inputs.
func stillWith(c *comparer, group []int) (largest []int) {
	for _, a := range group {
		var part []int
		for _, b := range group {
			if a == b || c.firstDifference(a, b) < 0 {
				part = append(part, b)
			}
		}
		if len(part) > len(largest) {
			largest = part
		}
	}
	return largest
}

// questions returns the questions that the members of a group were asked, each
// once: those that decided something, then the others in turn. of is the number
// that was asked, remembered or not.
func questions(c *comparer, members []int) (all []*question, of int) {
	seed := maphash.MakeSeed()
	byHash := map[uint64][]*question{}
	add := func(i int, s ask.Sample, answered bool) {
		h := hashOf(seed, s)
		for _, q := range byHash[h] {
			if sameQuestion(q.Sample, s) {
				if answered {
					q.known[i] = s.Out
				}
				return
			}
		}
		q := &question{s, map[int]float64{}}
		if answered {
			q.known[i] = s.Out
		}
		byHash[h] = append(byHash[h], q)
		all = append(all, q)
	}
	zeros := ask.Sample{Kind: ask.Edge, X: make([]float64, c.channels[0].N)}
	add(0, zeros, false) // which no memory has
	longest := 0
	for _, i := range members {
		if w := c.Findings[i].Witness; w != nil && len(w.X) == c.channels[i].N {
			s := ask.Sample{Kind: ask.Edge, X: w.X, Y: w.Y}
			add(i, s, false)
		}
		for k := range c.asked[i].decided {
			add(i, c.asked[i].decided[k], true)
		}
		longest = max(longest, len(c.asked[i].all))
	}
	for k := range longest {
		for _, i := range members {
			if k < len(c.asked[i].all) {
				add(i, c.asked[i].all[k], true)
			}
		}
	}
	for _, i := range members {
		of += c.asked[i].left
	}
	return all, of + len(all)
}

// hashOf returns a hash of the inputs of a sample.
func hashOf(seed maphash.Seed, s ask.Sample) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var b [8]byte
	for _, list := range [][]float64{s.X, s.Y} {
		for _, v := range list {
			bits := math.Float64bits(v) //lastbit:ignore nankey inputs are compared by bits
			for k := range b {
				b[k] = byte(bits >> (8 * k))
			}
			_, _ = h.Write(b[:])
		}
	}
	return h.Sum64()
}

// sameQuestion reports whether two samples have the same inputs.
func sameQuestion(a, b ask.Sample) bool {
	return sameInput(a.X, b.X) && sameInput(a.Y, b.Y)
}

func sameInput(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !ask.SameBits(a[i], b[i]) {
			return false
		}
	}
	return true
}
