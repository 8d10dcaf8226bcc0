package report

// Term is a word of the field and its meaning.
type Term struct{ Word, Meaning string }

// Glossary returns the words that findings and pages use.
// docs/reference/glossary.md has the same list.
func Glossary() []Term {
	return []Term{
		{
			"Summation tree",
			"the order of a sum, drawn as a tree: the leaves are the summands, and each inner " +
				"node adds its operands. Floating-point addition rounds, so another tree can " +
				"give other last digits.",
		},
		{"Chain", "the order of a plain loop: ((x0 + x1) + x2) + x3."},
		{
			"Pairwise",
			"halves of halves: (x0 + x1) + (x2 + x3). Its rounding errors grow more slowly " +
				"than those of a chain.",
		},
		{
			"Accumulator",
			"a partial sum. Vector code keeps many, which take turns, and adds them to each " +
				"other at the end.",
		},
		{"ULP", "unit in the last place: the step from one floating-point number to the next. " +
			"Results that are 1 ULP apart are neighbours."},
		{"FMA", "fused multiply-add: x·y + z, rounded once instead of twice."},
		{
			"Certificate",
			"calls whose results a claimed tree predicts and other trees do not. It proves the " +
				"order.",
		},
		{
			"Rooted triple",
			"three summands, and the two of them that are added to each other before the third. " +
				"The triples of a tree fix it.",
		},
		{
			"Replay",
			"the same random inputs, computed again in the claimed order and arithmetic. Equal " +
				"bits prove the arithmetic.",
		},
		{
			"Witness",
			"one input that lets anyone check a claim: that two targets differ, or that a " +
				"target is not one fixed tree.",
		},
	}
}
