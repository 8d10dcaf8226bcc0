package proof

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Challenge asks the main lane inputs derived from a tree and its arithmetic,
// which reproduce the samples: those of AskOrders and of AskDeviations.
func Challenge(
	c *ask.Channel, t *sumtree.Tree, a sumtree.Arithmetic, samples []ask.Sample,
) ([]ask.Sample, error) {
	orders, err := AskOrders(c, t, a)
	if err != nil {
		return nil, err
	}
	samples = append(samples[:len(samples):len(samples)], orders...)
	deviations, err := AskDeviations(c, t, a, samples)
	return append(orders, deviations...), err
}
