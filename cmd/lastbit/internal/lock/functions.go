package lock

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
)

// functionWitnesses finds results that changed of functions that changed, by
// the functions' titles.
func (s *Survey) functionWitnesses(ctx context.Context, changed []*lockfile.Function,
) (map[string]*libm.Witness, error) {
	all := map[string]*libm.Witness{}
	for library, functions := range byLibrary(changed) {
		there := map[string]libm.Sums{}
		for _, f := range functions {
			if f.Sums == "" {
				continue
			}
			sums, err := libm.ParseSums(f.Sums)
			if err != nil {
				return nil, &probe.Fault{ID: "bad-lock", Thing: f.Title(),
					Cause: "its sums are damaged", Err: err,
					Cure: "write the lock file anew with lastbit lock"}
			}
			there[f.Name] = sums
		}
		if len(there) == 0 {
			continue
		}
		name, dtype, _ := strings.Cut(library, " ")
		format, err := fp.Parse(dtype)
		if err != nil {
			return nil, err
		}
		found, err := libm.Witnesses(ctx, name, format, s.Python, there)
		if err != nil {
			return nil, err
		}
		for function, w := range found {
			all[library+" "+function] = w
		}
	}
	return all, nil
}

// byLibrary yields the functions of each library.
func byLibrary(list []*lockfile.Function) func(yield func(string, []*lockfile.Function) bool) {
	return func(yield func(string, []*lockfile.Function) bool) {
		for len(list) > 0 {
			n := slices.IndexFunc(list, func(f *lockfile.Function) bool {
				return f.Library != list[0].Library
			})
			if n < 0 {
				n = len(list)
			}
			if !yield(list[0].Library, list[:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// functionSummary describes the changes of a library's functions on one line.
func functionSummary(library string, functions []*lockfile.Function) string {
	var names []string
	for _, f := range functions {
		names = append(names, f.Name)
	}
	s := library + ": other results of " + strings.Join(names, ", ")
	var with []string
	for _, p := range functions[0].With {
		with = append(with, describeVersion(p))
	}
	if len(with) > 0 {
		s += " (" + strings.Join(with, ", ") + ")"
	}
	return s
}

// writeFunctions writes the functions that changed, with a result of each.
func (r *Report) writeFunctions(p *text.Printer) {
	for library, functions := range byLibrary(r.Functions) {
		fmt.Fprintln(p)
		p.Line("", functionSummary(library, functions))
		var rows [][]string
		var unknown, none []string
		for _, f := range functions {
			w := r.FunctionWitnesses[f.Title()]
			switch {
			case f.Sums == "":
				none = append(none, f.Name)
			case w == nil:
				unknown = append(unknown, f.Name)
			default:
				rows = append(rows, []string{call(f.Name, w),
					text.Or(pair(w.ThereBits, w.There), "far away"), pair(w.HereBits, w.Here)})
			}
		}
		if len(rows) > 0 {
			text.Table(p, "  ", append([][]string{{"", "as locked", "now"}}, rows...))
		}
		if len(unknown) > 0 {
			p.Line("  ", "no input was found for "+strings.Join(unknown, ", "))
		}
		if len(none) > 0 {
			p.Line("  ", "the lock file has no sums that lead to an input, of an earlier lastbit: "+
				strings.Join(none, ", "))
		}
	}
}

// call writes the call of a witness: "pow(2, 0.5)".
func call(function string, w *libm.Witness) string {
	var arguments []string
	for _, x := range w.At {
		arguments = append(arguments, string(x))
	}
	return text.Or(w.Result, function) + "(" + strings.Join(arguments, ", ") + ")"
}

// pair writes a result, "" where it is not known.
func pair(bits string, number libm.Number) string {
	if bits == "" {
		return ""
	}
	return bits + "  " + string(number)
}
