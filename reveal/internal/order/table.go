package order

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Search is the input of an algorithm.
type Search struct {
	*ask.Channel
	Opening  ask.Opening // asked before any algorithm runs
	Excluded []string    // families whose certificate failed
	// Holds reports whether the certificate of a tree holds.
	Holds func(*sumtree.Tree) bool
}

// Claim is the result of an algorithm. A nil tree without an error means that
// no tree it can find gives the outputs.
type Claim struct {
	Tree   *sumtree.Tree
	Family string // "" when the algorithm does not know families
}

// Finder is an algorithm. Its error is a *verdict.Fact when no tree gives the
// outputs.
type Finder interface {
	Find(s *Search) (Claim, error)
}

// treeFinder is a Finder that needs a channel only.
type treeFinder func(c *ask.Channel) (*sumtree.Tree, error)

// Find runs f.
func (f treeFinder) Find(s *Search) (Claim, error) {
	t, err := f(s.Channel)
	return Claim{Tree: t}, err
}

// searchFinder is a Finder that needs the whole search.
type searchFinder func(s *Search) (Claim, error)

// Find runs f.
func (f searchFinder) Find(s *Search) (Claim, error) { return f(s) }

// Algorithm is a row of the table.
type Algorithm struct {
	Name      string // as --algorithm takes it
	Line      string // description
	Reference string // paper, algorithm number and section; "" where there is none
	Finder    Finder // nil for auto, which Plan replaces by others
}

// Table lists the algorithms, in the order that help prints them in.
func Table() []Algorithm {
	return []Algorithm{
		{"auto", "takes the fastest of the others", "", nil},
		{
			"naive",
			"tries every order on random inputs",
			"Xie2025, NaiveSol, §3.3",
			treeFinder(naive),
		},
		{"basic", "masks every pair of summands", "Xie2025, Algorithm 2, §4", treeFinder(basic)},
		{
			"fprev-binary",
			"masks pairs on demand, binary trees",
			"Xie2025, Algorithm 3, §5.1",
			treeFinder(fprevBinary),
		},
		{
			"fprev",
			"masks pairs on demand, with fused sums",
			"Xie2025, Algorithm 4, §5.2",
			treeFinder(fprev),
		},
		{
			"scaled",
			"fprev for low range and low precision",
			"Xie2025, Algorithm 5, §8.1",
			treeFinder(scaled),
		},
		{
			"packed",
			"inserts many summands at once, by set probes",
			"",
			searchFinder(packedOrMultiway),
		},
		{
			TriplesName,
			"asks which two of three summands meet first; no summand is negative",
			"",
			treeFinder(triples),
		},
		{"family", "tries known families of trees", "", searchFinder(family)},
	}
}

// Plan returns the algorithms to run for a name of the table, in order, until
// one's claim is proven. The costs choose the algorithms of auto. It returns
// nil for other names.
func Plan(name string, c *ask.Channel, costs Costs) []Algorithm {
	if name == "auto" {
		return auto(c, costs)
	}
	for _, a := range Table() {
		if a.Name == name {
			return []Algorithm{a}
		}
	}
	return nil
}
