package reveal

import (
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/sumtree"
)

// challenger asks for what could refute the arithmetics that reproduce the
// samples of a certified tree.
type challenger struct {
	c       *ask.Channel
	t       *sumtree.Tree
	base    sumtree.Arithmetic // as proof.Basics finds it
	weighed bool               // the target divides summands by weights
	samples *[]ask.Sample
}

// maxChallenges bounds the arithmetics that are challenged one after the other.
const maxChallenges = 3

// all challenges rivals, and asks for products that may be skipped. It returns
// what challenge does.
func (x *challenger) all(
	settled []sumtree.Arithmetic,
) (left []sumtree.Arithmetic, dropped bool, err error) {
	left, dropped, err = x.rivals(settled)
	if err != nil || dropped {
		return nil, dropped, err
	}
	if len(left) > 0 {
		left, err = proof.SettleSkips(x.c, x.t, left, x.samples)
	}
	if err != nil || len(left) > 0 {
		return left, false, err
	}
	left, err = proof.Skipping(x.c, x.t, settled, x.samples)
	if err != nil || len(left) == 0 {
		return nil, false, err
	}
	return x.rivals(left)
}

// rivals adds to the arithmetics that reproduce the samples others that do so,
// and challenges those that no input refutes; and again where the challenge
// refutes all of them. Variants that the challenge leaves in their place have
// rivals of their own.
func (x *challenger) rivals(
	left []sumtree.Arithmetic,
) (still []sumtree.Arithmetic, dropped bool, err error) {
	if x.weighed {
		return left, false, nil
	}
	for range maxChallenges {
		left, err = proof.SettleRivals(x.c, x.t, x.base, left, x.samples)
		if err != nil || len(left) == 0 {
			return nil, false, err
		}
		challenged := left
		left, dropped, err = challenge(x.c, x.t, challenged, x.samples)
		if err == nil && !dropped && !proof.AreAmong(left, challenged) {
			left, err = proof.SettleRivals(x.c, x.t, x.base, left, x.samples)
		}
		if err != nil || dropped || len(left) > 0 {
			return left, dropped, err
		}
	}
	return nil, false, nil
}

// challenge asks the main lane inputs that decide between the arithmetics that
// reproduce the samples and others that could, and returns those that remain.
// samples grows by the inputs. dropped is true when other lanes gave another
// result than the main lane, and were dropped from the pool.
func challenge(
	c *ask.Channel, t *sumtree.Tree, left []sumtree.Arithmetic, samples *[]ask.Sample,
) (still []sumtree.Arithmetic, dropped bool, err error) {
	if len(left) == 0 {
		return nil, false, nil
	}
	asked, err := proof.Challenge(c, t, left[0], *samples)
	if err != nil {
		return nil, false, err
	}
	*samples = append(*samples, asked...)
	before := left
	if left = proof.Reproducing(t, before, asked); len(left) == 0 {
		left = proof.Reproducing(t, proof.Variants(c, before), *samples)
	}
	for k := range asked {
		if len(left) == 0 && len(proof.Reproducing(t, before, asked[k:k+1])) == 0 {
			dropped, err = ask.Shrink(c, asked[k])
			return nil, dropped, err
		}
	}
	return left, false, nil
}
