package sums

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// Merge reads accumulator files and returns the sum of all. progress is called
// before each is read.
func Merge(
	ctx context.Context, files []string, budget *Budget, progress func(i int),
) (*Partial, error) {
	var all *Partial
	for i, name := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress(i)
		p, err := ReadFile(name, budget)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = p
			continue
		}
		if err := all.accept(p, files[0], name); err != nil {
			return nil, err
		}
		if err := all.merge(p); err != nil {
			return nil, badAcc(name, "it cannot be merged with those before it",
				"merge fewer files", err)
		}
		if err := budget.recount(all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// accept refuses to mix sums of different things.
func (p *Partial) accept(q *Partial, first, name string) error {
	field, mine, theirs := "", "", ""
	switch {
	case p.op != q.op:
		field, mine, theirs = "operation", p.op.name, q.op.name
	case !slices.Equal(p.columns, q.columns):
		field, mine, theirs = "columns", text.Or(text.List(p.columns), "none"),
			text.Or(text.List(q.columns), "none")
	case p.grouped != q.grouped || p.by != q.by:
		field, mine, theirs = "column of keys", text.Or(p.by, "none"), text.Or(q.by, "none")
	default:
		return nil
	}
	return &probe.Fault{
		ID: "mixed-sums", Thing: name,
		Cause: fmt.Sprintf("its %s: %s, and of %s: %s", field, theirs, first, mine),
		Cure:  "merge sums of the same --op, --column and --by",
	}
}

var errTooMany = errors.New("together they are of more than 2^63 − 1 rows")

// merge adds the sums of q. After an error they are useless.
func (p *Partial) merge(q *Partial) error {
	for i, s := range p.results {
		for key, g := range q.results[i].groups {
			mine := s.groups[key]
			if mine == nil {
				s.groups[key] = g
				continue
			}
			if mine.count > math.MaxInt64-g.count || mine.missing > math.MaxInt64-g.missing {
				return errTooMany
			}
			mine.total.(*exactTotal).merge(g.total.(*exactTotal))
			mine.count += g.count
			mine.missing += g.missing
		}
	}
	return nil
}
