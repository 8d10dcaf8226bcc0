package explainfiles

import (
	"os"
	"slices"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/probe"
)

// places returns the arrays of the inputs. A file of several columns takes the
// ones that --column names and that it has: one for all inputs, or one for each
// in their order.
func (q *Question) places() ([]Place, error) {
	var all []Place
	for k, file := range q.Inputs {
		p := Place{File: file, bare: true}
		if len(q.Options.Columns) == 0 || isStream(file) || openError(p, q.Options) == nil {
			all = append(all, p)
			continue
		}
		switch has := named(file, q.Options); len(has) {
		case 0:
		case 1:
			p = has[0]
		case len(q.Inputs):
			p = has[k]
		default:
			return nil, severalColumns(file)
		}
		all = append(all, p)
	}
	return all, nil
}

// openError returns the error of an array that cannot be opened.
func openError(p Place, o dataset.Options) error {
	r, err := dataset.Open(p.File, p.options(o))
	if err == nil {
		r.Close()
	}
	return err
}

// named returns the arrays of a file that --column names and that it has.
func named(file string, o dataset.Options) []Place {
	var all []Place
	for _, c := range o.Columns {
		if p := (Place{File: file, Array: c}); openError(p, o) == nil {
			all = append(all, p)
		}
	}
	return all
}

// FindResults returns the one pair of results of an operation: arrays of two
// files, each the only one or the one that --column names and that it has. The
// other names are columns of the inputs.
func FindResults(a, b string, inputs []string, o dataset.Options) (*Matches, error) {
	if len(inputs) == 0 {
		return Find(a, b, o)
	}
	m := Match{}
	areOfInputs := func(columns []string) bool {
		return !slices.ContainsFunc(columns, func(c string) bool {
			return !slices.ContainsFunc(inputs, func(file string) bool {
				return !isStream(file) && openError(Place{File: file, Array: c}, o) == nil
			})
		})
	}
	for file, to := range map[string]*Place{a: &m.A, b: &m.B} {
		info, err := os.Stat(file)
		if len(o.Columns) == 0 || err != nil || !info.Mode().IsRegular() {
			return Find(a, b, o)
		}
		has := named(file, o)
		others := slices.DeleteFunc(slices.Clone(o.Columns), func(c string) bool {
			return slices.ContainsFunc(has, func(p Place) bool { return p.Array == c })
		})
		whole := Place{File: file, bare: true}
		switch {
		case !areOfInputs(others):
			return Find(a, b, o)
		case len(has) == 1:
			*to = has[0]
		case len(has) == 0 && openError(whole, o) == nil:
			*to = whole
		default:
			return Find(a, b, o)
		}
	}
	if a == b {
		m.A = m.B
	}
	return &Matches{Pairs: []Match{m}}, nil
}

// severalColumns returns the fault of an input that has more of the named
// columns than there are inputs.
func severalColumns(file string) error {
	return &probe.Fault{ID: "bad-data", Thing: file,
		Cause: "it has several of the columns that --column names",
		Cure:  "name one column for each input, in the order of the inputs"}
}
