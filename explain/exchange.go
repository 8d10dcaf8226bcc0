package explain

import (
	"context"
	"slices"
)

// Bounds of an exchange, for each side.
const (
	maxExchangedOrders = 16
	maxArithmetics     = 8
)

// exchange adds to each side the orders of the other side's models, with the
// arithmetics of its own models. A side with more arithmetics is tried with
// fewer orders, so an order may be a model's of one side only because the other
// side was not tried with it. Nothing is added where the causes have no order.
func (s *search) exchange(ctx context.Context, found *[2][]*candidate) {
	pairs := fewest(*found)
	if len(pairs) == 0 || !slices.Contains(pairs[0].causes, Order) {
		return
	}
	var more [2][]*candidate
	for k := range found {
		for _, c := range s.exchanged(found[k], found[1-k]) {
			only := [2]bool{k == 0, k == 1}
			if ev := s.newEvaluator(c, nil); ev != nil && ev.hold(only, s.probes)[k] {
				more[k] = append(more[k], c)
			}
		}
		more[k] = s.verify(ctx, k, more[k])
	}
	for k := range found {
		found[k] = append(found[k], more[k]...)
	}
}

// exchanged returns hypotheses in the arithmetics of some models and the orders
// of others, without those that are models already.
func (s *search) exchanged(own, other []*candidate) (list []*candidate) {
	type key struct {
		order uint64
		arith *arithmetic
	}
	known, arithmetics, orders := map[key]bool{}, []*candidate{}, []*candidate{}
	for _, c := range own {
		if c.arith == nil {
			continue
		}
		known[key{c.order, c.arith}] = true
		again := func(d *candidate) bool { return d.arith == c.arith }
		if c.hasOrder() && len(c.arith.arith.Except) == 0 &&
			len(arithmetics) < maxArithmetics && !slices.ContainsFunc(arithmetics, again) {
			arithmetics = append(arithmetics, c)
		}
	}
	for _, c := range other {
		again := func(d *candidate) bool { return d.order == c.order }
		if c.hasOrder() && len(orders) < maxExchangedOrders && !slices.ContainsFunc(orders, again) {
			orders = append(orders, c)
		}
	}
	for _, o := range orders {
		for _, a := range arithmetics {
			if known[key{o.order, a.arith}] {
				continue
			}
			c := &candidate{rank: max(o.rank, a.rank), tree: o.tree, order: o.order, arith: a.arith,
				model: a.arith.modelIn(o.model[Order], o.tree)}
			c.name = c.model.name(s.usual)
			list = append(list, c)
		}
	}
	return list
}

// hasOrder reports whether a model adds two numbers at a time in an order that
// other arithmetics can take.
func (c *candidate) hasOrder() bool {
	return c.tree != nil && c.arith != nil && c.arith.evaluate == nil && c.arith.unit == nil &&
		c.arith.width == 0 && !c.isUnit() && c.tree.MaxArity() <= 2
}
