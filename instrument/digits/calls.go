package digits

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/instrument"
)

// findCalls runs the program for the paths of calls that lead to rounding
// errors: with shorter paths, which are fewer, as long as some find no room.
func (a *analysis) findCalls(seed uint64) (*Paths, error) {
	depth := instrument.MaxDepth
	out, err := a.callsOf(seed, depth)
	for err == nil && out.Unlisted > 0 && depth > instrument.MinDepth {
		depth /= 2
		out, err = a.callsOf(seed, depth)
	}
	if err != nil {
		return nil, err
	}
	a.depth = depth
	a.listCalls(out.Calls)
	found := &Paths{
		Count: len(a.calls), Cut: depth < instrument.MaxDepth, Unlisted: out.Unlisted,
	}
	for _, u := range a.calls {
		found.Depth = max(found.Depth, len(u.frames()))
	}
	return found, nil
}

// callsOf runs the program for its paths of calls, of some frames.
func (a *analysis) callsOf(seed uint64, depth int) (*instrument.Output, error) {
	return a.run(instrument.Settings{Perturb: true, Seed: seed, Calls: true, Depth: depth})
}

// listCalls sets the units of paths of calls.
func (a *analysis) listCalls(calls []instrument.Call) {
	names := make(map[string]string) // of files, by their paths
	for name, path := range a.program.Files {
		names[path] = name
	}
	a.calls = nil
	for _, c := range calls {
		k := slices.IndexFunc(a.calls, func(u unit) bool {
			return slices.Equal(u.frames(), c.Frames)
		})
		if k < 0 {
			k = len(a.calls)
			a.calls = append(a.calls, unit{
				file: cmp.Or(names[c.File], c.File), line: lineOf(c.Frames[len(c.Frames)-1]),
			})
		}
		a.calls[k].paths = append(a.calls[k].paths, c)
	}
	slices.SortFunc(a.calls, func(x, y unit) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.line, y.line),
			slices.Compare(x.frames(), y.frames()))
	})
}

// lineOf returns the line of a frame, function:line.
func lineOf(frame string) int {
	n, _ := strconv.Atoi(frame[strings.LastIndexByte(frame, ':')+1:])
	return n
}

// candidates returns what can be blamed: lines, or paths of calls.
func (a *analysis) candidates() []unit {
	if a.options.Calls {
		return a.calls
	}
	return a.units()
}

// only returns the settings that perturb the operations of some units.
func (a *analysis) only(units []unit) instrument.Settings {
	if !a.options.Calls {
		return instrument.Settings{Sites: mask(units, len(a.program.Sites))}
	}
	s := instrument.Settings{Calls: true, Depth: a.depth, Only: []instrument.Call{}}
	for _, u := range units {
		s.Only = append(s.Only, u.paths...)
	}
	return s
}
