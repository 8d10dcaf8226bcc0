package order

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

const (
	maxFamilyRounds    = 40      // rounds of structures that separate families
	maxFamilyQuestions = 16      // structures asked in one call
	manySummands       = 1 << 16 // beyond this n families are not separated first
	shortFold          = 256     // up to this n many structures are compared
	furtherPairs       = 16      // masked pairs asked there when a family has failed
)

// family guesses: it takes the likely families first, then those derived from
// the tree of a few summands, then all others.
func family(s *Search) (Claim, error) {
	if s.N < minSampled {
		return separate(s, sumtree.Candidates(s.N))
	}
	if s.N > manySummands && len(s.Excluded) == 1 {
		if err := askFurther(s); err != nil {
			return Claim{}, err
		}
	}
	claim, err := separate(s, sumtree.Likely(s.N))
	if err != nil || claim.Tree != nil {
		return claim, err
	}
	derived, regular, err := derive(s)
	if err != nil {
		return Claim{}, err
	}
	claim, err = separate(s, derived)
	if err != nil || claim.Tree != nil || !regular {
		return claim, err
	}
	return separate(s, sumtree.Candidates(s.N))
}

// separate folds every family over the structures asked and keeps those that
// predict all the counts. While these still differ, it asks the structure that
// they differ most on. It makes no calls where none is left.
func separate(s *Search, families []sumtree.Family) (Claim, error) {
	left := slices.DeleteFunc(families, func(f sumtree.Family) bool {
		return slices.Contains(s.Excluded, f.String())
	})
	if s.N > manySummands {
		// A fold takes milliseconds: the first that fits goes to the
		// certificate.
		left = firstPredicting(s, left)
	} else {
		for k, q := range s.Opening.Structures {
			left = predicting(left, q, s.Opening.Counts[k])
		}
	}
	for round := 0; len(left) > 1 && round < maxFamilyRounds; round++ {
		if err := s.Err(); err != nil {
			return Claim{}, err
		}
		questions := telling(s.Channel, left)
		if len(questions) == 0 {
			break // they are all one tree at this n
		}
		s.Expect("family", 1)
		fills := make([]ask.Fill, len(questions))
		for k, q := range questions {
			fills[k] = q.Input(s.Channel)
		}
		out, err := s.Ask(nil, fills...)
		if err != nil {
			return Claim{}, err
		}
		for k, o := range out {
			count, ok := s.Scale.Count(o)
			if !ok {
				return Claim{}, ask.NotACount(s.Channel, fills[k], o)
			}
			left = predicting(left, questions[k], count)
		}
	}
	if len(left) == 0 {
		return Claim{}, nil
	}
	return Claim{Tree: left[0].Tree(s.N), Family: left[0].String()}, nil
}

// askFurther adds masked pairs to the opening, 1, 2, 4 … leaves apart: few
// families predict all counts alike.
func askFurther(s *Search) error {
	in := ask.InputsApart(s.Channel, "further")
	rng := ask.RandApart(s.Channel, "apart")
	fills := make([]ask.Fill, furtherPairs)
	asked := make([]ask.Structure, furtherPairs)
	for k := range asked {
		apart := 1 << k
		at := rng.IntN(s.N - apart)
		asked[k] = in.PairStructure(ask.Pair{A: at, B: at + apart})
		fills[k] = asked[k].Input(s.Channel)
	}
	s.Expect("family", furtherPairs)
	out, err := s.Ask(nil, fills...)
	if err != nil {
		return err
	}
	counts := slices.Clone(s.Opening.Counts)
	for k, o := range out {
		count, ok := s.Scale.Count(o)
		if !ok {
			return ask.NotACount(s.Channel, fills[k], o)
		}
		counts = append(counts, count)
	}
	s.Opening.Structures = slices.Concat(s.Opening.Structures, asked)
	s.Opening.Counts = counts
	return nil
}

// firstPredicting returns the first family that predicts all the counts of the
// opening. It folds several at the same time: families over the first
// structure, and one that predicts its count over the others.
func firstPredicting(s *Search, families []sumtree.Family) []sumtree.Family {
	inputs := atOnce(len(s.Opening.Structures), func(k int) *sumtree.Masked {
		return sumtree.NewMasked(s.Opening.Structures[k].Logical())
	})
	predicts := func(f sumtree.Family, k int) bool {
		return s.Err() == nil && inputs[k].Sum(f) == s.Opening.Counts[k]
	}
	for some := range slices.Chunk(families, 2*runtime.GOMAXPROCS(0)) {
		first := atOnce(len(some), func(i int) bool { return predicts(some[i], 0) })
		for i, f := range some {
			if !first[i] {
				continue
			}
			others := atOnce(len(inputs)-1, func(k int) bool { return predicts(f, k+1) })
			if !slices.Contains(others, false) {
				return some[i : i+1]
			}
		}
	}
	return nil
}

// atOnce returns find(0) … find(count−1), found on all processors.
func atOnce[T any](count int, find func(k int) T) []T {
	found := make([]T, count)
	var finding sync.WaitGroup
	var taken atomic.Int64
	for range min(count, runtime.GOMAXPROCS(0)) {
		finding.Go(func() {
			for k := int(taken.Add(1)) - 1; k < count; k = int(taken.Add(1)) - 1 {
				found[k] = find(k)
			}
		})
	}
	finding.Wait()
	return found
}

// predicting returns the families that predict the count of a structure.
func predicting(families []sumtree.Family, q ask.Structure, count float64) []sumtree.Family {
	var left []sumtree.Family
	x := sumtree.NewMasked(q.Logical())
	fits := atOnce(len(families), func(k int) bool { return x.Sum(families[k]) == count })
	for k, f := range families {
		if fits[k] {
			left = append(left, f)
		}
	}
	return left
}

// telling returns structures that separate the families, as many as one call
// answers: the random one that they differ most on, and for families with
// another tree than the first one, masks under a node that only one of them
// has. It returns none when all families are one tree.
func telling(c *ask.Channel, families []sumtree.Family) []ask.Structure {
	const maxCompared = 64
	var questions []ask.Structure
	tries := 24
	switch { // a question more takes less time than many folds
	case c.N > manySummands:
		tries = 4
	case c.N > shortFold:
		tries = 8
	}
	random := make([]ask.Structure, tries)
	for k := range random {
		random[k] = c.Inputs.Structure(k%2 == 1)
	}
	different := atOnce(tries, func(k int) int {
		x := sumtree.NewMasked(random[k].Logical())
		counts := map[float64]bool{}
		for _, f := range families[:min(len(families), maxCompared)] {
			counts[x.Sum(f)] = true //lastbit:ignore nankey sums of small integers
		}
		return len(counts)
	})
	if most := slices.Max(different); most > 1 {
		questions = append(questions, random[slices.Index(different, most)])
	}
	room := min(len(c.Pool()), maxFamilyQuestions)
	if len(questions) >= room {
		return questions
	}
	first := families[0].Tree(c.N)
	for _, f := range families[1:] {
		if len(questions) >= room {
			break
		}
		if other := f.Tree(c.N); !first.Equal(other) {
			questions = append(questions, c.Inputs.PairStructure(Apart(first, other)))
		}
	}
	return questions
}

// Apart returns two leaves whose lowest common ancestor has other leaves in t
// than in u, which are not equal. They belong to a node of t that u lacks.
// Nodes are compared by sums of random words over their leaves.
func Apart(t, u *sumtree.Tree) ask.Pair {
	inU := map[uint64]bool{}
	for _, h := range hashNodes(u)[u.Leaves():] {
		inU[h] = true
	}
	hashes := hashNodes(t)
	order, lo, _ := t.LeafOrder()
	for id := t.Leaves(); id < t.Nodes(); id++ {
		if !inU[hashes[id]] {
			kids := t.Children(id)
			return ask.Pair{A: int(order[lo[kids[0]]]), B: int(order[lo[kids[1]]])}
		}
	}
	return Apart(u, t) // every node of t is one of u, which has more
}

// hashNodes returns for every node the sum of one word for each leaf under it:
// the splitmix64 of its number.
func hashNodes(t *sumtree.Tree) []uint64 {
	h := make([]uint64, t.Nodes())
	for id := range h {
		if t.IsLeaf(id) {
			z := (uint64(id) + 1) * 0x9E3779B97F4A7C15
			z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
			z = (z ^ z>>27) * 0x94D049BB133111EB
			h[id] = z ^ z>>31
			continue
		}
		for _, c := range t.Children(id) {
			h[id] += h[c]
		}
	}
	return h
}
