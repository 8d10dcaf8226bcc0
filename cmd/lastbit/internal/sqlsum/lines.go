package sqlsum

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// keysOf returns the keys of a group, nil for a NULL.
func (r *Result) keysOf(s string) ([]*string, error) {
	if len(r.about.By) == 0 {
		return nil, nil
	}
	words := strings.Split(s, ".")
	if len(words) != len(r.about.By) {
		return nil, errors.New("it has another number of keys than the query")
	}
	keys := make([]*string, len(words))
	for i, w := range words {
		if w == "null" {
			continue
		}
		digits, ok := strings.CutPrefix(w, "x")
		b, err := hex.DecodeString(digits)
		if !ok || err != nil {
			return nil, errors.New("its keys are not hexadecimal texts")
		}
		key := string(b)
		keys[i] = &key
	}
	return keys, nil
}

// IsTable reports whether there may be several results.
func (r *Result) IsTable() bool { return len(r.about.By) > 0 || len(r.about.Aggregates) > 1 }

// Lines returns the results, rounded once to a format: for each aggregate,
// the results of all groups in the order of their keys.
func (r *Result) Lines(out fp.Format, digest bool) ([]sums.Line, error) {
	type named struct {
		name string
		keys []*string
	}
	groups := make([]named, 0, len(r.groups))
	for name := range r.groups {
		keys, _ := r.keysOf(name) // checked when the group was made
		groups = append(groups, named{name, keys})
	}
	slices.SortFunc(groups, func(a, b named) int { return sums.CompareKeyLists(a.keys, b.keys) })
	lines := make([]sums.Line, 0, len(groups)*len(r.about.Aggregates))
	for _, a := range r.about.Aggregates {
		op := sums.FindOperation(a.Op)
		for _, g := range groups {
			p := sums.NewPartial(op, nil, "")
			r.set(p, 0, "", a, g.name)
			of, err := p.Lines(sums.Exact(op, out), digest, false)
			if err != nil {
				return nil, err
			}
			if len(r.about.Aggregates) > 1 {
				of[0].Column = strings.Join(a.Columns, ",")
			}
			of[0].SetKeys(g.keys)
			lines = append(lines, of[0])
		}
	}
	return lines, nil
}

// set sets group key of result i of an accumulator file to a group of rows.
func (r *Result) set(p *sums.Partial, i int, key string, a Aggregate, name string) {
	digits, _ := r.about.digitsOf(parts([]Aggregate{a})[0])
	p.Set(i, key, r.missing(a, name), digits, r.states(a, name))
}

// states returns the sums that an aggregate needs.
func (r *Result) states(a Aggregate, name string) []exact.Accumulator {
	var states []exact.Accumulator
	for _, p := range parts([]Aggregate{a}) {
		states = append(states, r.groups[name].sums[slices.IndexFunc(r.parts, p.equal)])
	}
	return states
}

// missing returns the number of rows without a value.
func (r *Result) missing(a Aggregate, name string) int64 {
	first := parts([]Aggregate{a})[0]
	return r.groups[name].null[slices.IndexFunc(r.parts, first.equal)]
}

// Partial returns the sums for an accumulator file, which holds one operation
// and texts as keys.
func (r *Result) Partial() (*sums.Partial, error) {
	of := r.about.Aggregates
	by := strings.Join(r.about.By, ",")
	refuse := func(cause, cure string) (*sums.Partial, error) {
		return nil, sums.BadUsage("--partial", cause, cure)
	}
	if slices.ContainsFunc(of, func(a Aggregate) bool { return a.Op != of[0].Op }) {
		return refuse("an accumulator file holds one operation", "write one query for each")
	}
	if of[0].Op == "dot" && len(of) > 1 {
		return refuse("an accumulator file holds one dot product", "write one query for each")
	}
	if len(r.about.By) > 1 {
		return refuse("an accumulator file has one column of keys",
			"make one of them in --query")
	}
	columns := of[0].Columns
	if len(of) > 1 {
		columns = columnsOf(of)
		if len(columns) < len(of) {
			return refuse("a column is summed twice", "name it once")
		}
	}
	p := sums.NewPartial(sums.FindOperation(of[0].Op), columns, by)
	for name := range r.groups {
		keys, _ := r.keysOf(name)
		key := ""
		if len(keys) > 0 {
			if keys[0] == nil {
				return refuse("an accumulator file has no key for NULL", "use COALESCE in --query")
			}
			key = *keys[0]
		}
		for i, a := range of {
			r.set(p, i, key, a, name)
		}
	}
	return p, nil
}

// sumOfParts returns the sum of parts of an integer, if an int64 holds it.
func sumOfParts(parts []float64) (int64, bool) {
	var a exact.Accumulator
	a.AddSlice(parts)
	return a.Int64()
}
