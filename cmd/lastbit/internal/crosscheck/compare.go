package crosscheck

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/crosscheck/record"
)

// known holds the calls of a test program on this machine.
type known struct {
	all    []entry
	calls  map[entry]bool // of all, from the first question for one
	orders map[[2]uint64]order
	variation
}

// An order is about the results for the same arguments of a function.
type order struct {
	last    uint64
	several bool   // they are not all the same
	hash    uint64 // of all, in the order of the calls
}

// ordersOf returns the order of the results of each function and arguments.
func ordersOf(calls []entry) map[[2]uint64]order {
	all := map[[2]uint64]order{}
	for _, e := range calls {
		key := [2]uint64{e.function, e.args}
		o, ok := all[key]
		o.several = o.several || ok && o.last != e.results
		o.last = e.results
		o.hash = (o.hash ^ e.results) * 0x9e3779b97f4a7c15
		o.hash ^= o.hash >> 32
		all[key] = o
	}
	return all
}

// newKnown compares the runs of a program.
func newKnown(runs ...*result) *known {
	return &known{all: runs[0].calls, variation: newVariation(runs[0].calls, runs[1:])}
}

// index makes the maps of the calls. Where all platforms make the same calls in
// the same order, or the first of them, they are not needed.
func (k *known) index() {
	if k.calls != nil {
		return
	}
	k.calls, k.orders = make(map[entry]bool, len(k.all)), ordersOf(k.all)
	for _, e := range k.all {
		k.calls[e] = true
	}
}

// knows compares the runs of a test program on this machine.
func (q *prepared) knows(pkg string) *known {
	if q.known[pkg] == nil {
		q.known[pkg] = newKnown(append([]*result{q.results[pkg]}, q.again[pkg]...)...)
	}
	return q.known[pkg]
}

// A mismatch is a call that this machine does not make.
type mismatch struct {
	entry
	at        int  // the number of the call among all, from 0
	number    int  // and among the calls of the function, from 1
	otherArgs bool // no call on this machine has its arguments
}

// mismatches returns the first mismatch of each function: with other results,
// or else with other arguments.
func (k *known) mismatches(calls []entry) map[uint64]mismatch {
	all := map[uint64]mismatch{}
	if n := len(calls); n <= len(k.all) && slices.Equal(calls, k.all[:n]) {
		return all
	}
	k.index()
	number := map[uint64]int{}
	for i, e := range calls {
		number[e.function]++
		if k.calls[e] || k.varies[e.function] {
			continue
		}
		m := mismatch{entry: e, at: i, number: number[e.function],
			otherArgs: !k.makes(e)}
		if m.otherArgs && k.loose[e.function] {
			continue
		}
		if before, ok := all[e.function]; !ok || before.otherArgs && !m.otherArgs {
			all[e.function] = m
		}
	}
	return all
}

// makes reports whether this machine calls a function with the arguments of a
// call.
func (k *known) makes(e entry) bool {
	_, ok := k.orders[[2]uint64{e.function, e.args}]
	return ok
}

// found is a mismatch with its place.
type found struct {
	mismatch
	pkg string
}

// compare compares the platforms with this machine, the first of them.
func compare(all []*prepared) *Report {
	r := &Report{}
	home := all[0]
	names := functionNames(all)
	references := map[string]*known{}
	for _, t := range home.programs {
		references[t.pkg] = reference(all, t.pkg)
	}
	r.count(home, references, names)
	var firsts []found
	var wrong []*prepared
	for _, q := range all {
		p := Platform{Name: q.name, Ran: q.results != nil && q.why == "", Why: q.why}
		switch {
		case q == home:
			p.Why = home.unfinished()
		case p.Ran:
			p.Why = q.lacks(home, names)
			differ := q.differences(home, references)
			p.Ran = len(differ) > 0 || !q.endsEarly(home)
			if len(differ) > 0 {
				firsts, wrong = append(firsts, differ[0]), append(wrong, q)
			}
			for _, d := range differ {
				if d.otherArgs {
					p.Moved = append(p.Moved, names[d.function])
				} else {
					p.Differ = append(p.Differ, names[d.function])
				}
			}
		}
		r.Platforms = append(r.Platforms, p)
	}
	r.First = firstDifference(all, firsts, wrong, names, references)
	if r.First == nil {
		r.First = r.firstEnd(all, names)
	}
	r.Same = r.First == nil
	return r
}

// firstEnd returns the first function whose generated call ends a test program
// elsewhere, and returns on this machine, or nil. Its platforms have run in
// part.
func (r *Report) firstEnd(all []*prepared, names map[uint64]string) *Difference {
	home := all[0]
	for _, t := range home.programs {
		var d *Difference
		for i, q := range all[1:] {
			ran := q.results[t.pkg]
			if q.why != "" || ran == nil || ran.whole || !home.results[t.pkg].whole ||
				names[ran.at] == "" || d != nil && d.Function != names[ran.at] {
				continue
			}
			if d == nil {
				d = &Difference{Function: names[ran.at], Package: t.pkg, Ends: true,
					Lines: map[string]string{}}
			}
			d.Platforms, d.Lines[q.name] = append(d.Platforms, q.name), ran.last
			r.Platforms[i+1].Ran = true
		}
		if d != nil {
			return d
		}
	}
	return nil
}

// functionNames returns the names of functions and constructors by their
// numbers.
func functionNames(all []*prepared) map[uint64]string {
	names := map[uint64]string{}
	for _, q := range all {
		for _, f := range q.functions {
			names[f.id] = f.name
		}
		maps.Copy(names, q.makers)
	}
	return names
}

// count counts the functions and the calls that are compared.
func (r *Report) count(home *prepared, references map[string]*known, names map[uint64]string) {
	functions, varying := map[uint64]bool{}, map[string]bool{}
	left := uint64(0)
	for pkg, k := range references {
		for _, e := range home.results[pkg].calls {
			if !k.varies[e.function] {
				functions[e.function] = true
				r.Calls++
				r.Panics += bool01(e.results == record.Panic)
			}
		}
		for f := range k.varies {
			varying[names[f]] = true
		}
		left += home.results[pkg].left
		r.Made += home.results[pkg].made
	}
	r.Functions = len(functions)
	r.Varying = slices.Sorted(maps.Keys(varying))
	if left > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d more calls were not compared: beside generated "+
			"ones, the first 100,000 calls of a function are, and 4,000,000 of a test program, or "+
			"fewer with long values", left))
	}
}

// endsEarly reports whether a test program ends early on a platform only.
func (q *prepared) endsEarly(home *prepared) bool {
	return slices.ContainsFunc(home.programs, func(t program) bool {
		r := q.results[t.pkg]
		return r != nil && !r.whole && home.results[t.pkg].whole
	})
}

// testsFailed is the exit code of a test program that comes to its end.
const testsFailed = 1

// unfinished returns the packages whose tests end the program before the last
// of them on this machine, or before the first.
func (q *prepared) unfinished() string {
	var all []string
	for _, t := range q.programs {
		r := q.results[t.pkg]
		switch {
		case r == nil || r.exit == 0:
		case !r.began:
			all = append(all, fmt.Sprintf("%s: no test ran, exit code %d: %s", t.pkg, r.exit,
				r.last))
		case !r.whole && r.exit != testsFailed:
			all = append(all, fmt.Sprintf("%s: the test program ended early: %s", t.pkg, r.last))
		}
	}
	return strings.Join(all, "; ")
}

// lacks returns what a platform leaves out of what this machine runs.
func (q *prepared) lacks(home *prepared, names map[uint64]string) string {
	var all []string
	for _, t := range home.programs {
		switch {
		case q.failed[t.pkg] != "":
			all = append(all, t.pkg+" does not compile: "+oneLine(q.failed[t.pkg]))
		case q.results[t.pkg] == nil:
			all = append(all, t.pkg+" has no tests there")
		case !q.results[t.pkg].whole && home.results[t.pkg].whole:
			where := ""
			if name := names[q.results[t.pkg].at]; name != "" {
				where = " in a generated call of " + name + ", which returns on " + home.name
			}
			all = append(all, t.pkg+": the test program ended early"+where+": "+
				q.results[t.pkg].last)
		case len(q.results[t.pkg].calls) < len(home.results[t.pkg].calls):
			all = append(all, fmt.Sprintf("%s: %d fewer calls than on %s", t.pkg,
				len(home.results[t.pkg].calls)-len(q.results[t.pkg].calls), home.name))
		}
	}
	return strings.Join(all, "; ")
}

// differences returns the first mismatch of each function on a platform, those
// with other results first, in the order of the packages and of the calls.
func (q *prepared) differences(home *prepared, references map[string]*known) []found {
	var all []found
	for _, t := range home.programs {
		r := q.results[t.pkg]
		if r == nil {
			continue
		}
		ms := slices.Collect(maps.Values(references[t.pkg].mismatches(r.calls)))
		slices.SortFunc(ms, func(a, b mismatch) int { return cmp.Compare(a.at, b.at) })
		for _, m := range ms {
			seen := slices.IndexFunc(all, func(f found) bool { return f.function == m.function })
			if seen < 0 {
				all = append(all, found{m, t.pkg})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return bool01(a.otherArgs) - bool01(b.otherArgs)
	})
	return all
}

func bool01(b bool) int {
	if b {
		return 1
	}
	return 0
}

// firstDifference returns what is reported, or nil.
func firstDifference(
	all []*prepared, firsts []found, wrong []*prepared, names map[uint64]string,
	references map[string]*known,
) *Difference {
	if len(firsts) == 0 {
		return outputDifference(all)
	}
	// The first platform with other results for the same arguments, if any.
	at := max(slices.IndexFunc(firsts, func(f found) bool { return !f.otherArgs }), 0)
	f := firsts[at]
	d := &Difference{Function: names[f.function], Package: f.pkg, OtherArguments: f.otherArgs,
		at: f, by: wrong[at]}
	for _, q := range wrong {
		if q == wrong[at] || f.otherArgs || q.repeats(f, references[f.pkg]) {
			d.Platforms = append(d.Platforms, q.name)
		}
	}
	return d
}

// repeats reports whether a platform has other results for the arguments of a
// call, too.
func (q *prepared) repeats(f found, k *known) bool {
	r := q.results[f.pkg]
	k.index()
	return r != nil && slices.ContainsFunc(r.calls, func(e entry) bool {
		return e.function == f.function && e.args == f.args && !k.calls[e]
	})
}

// Output of the testing package that depends on the time, or on nothing.
var (
	noise = regexp.MustCompile(`^\s*=== (RUN|PAUSE|CONT|NAME)|^(PASS|FAIL|ok\s.*|exit status.*)$`)
	took  = regexp.MustCompile(` \(\d+\.\d+s\)$`)
	digit = regexp.MustCompile(`\d`)
	shown = regexp.MustCompile(`[-+]?\d+(\.\d+)?([eE][-+]?\d+)?`)
)

// outputLines returns the lines of an output that are compared: those with
// numbers, and those about tests that pass or fail.
func outputLines(text []byte) []string {
	var all []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		status := isStatus(line)
		if noise.MatchString(line) || !status && !digit.MatchString(line) {
			continue
		}
		if status {
			line = took.ReplaceAllString(line, "")
		}
		all = append(all, line)
	}
	return all
}

func isStatus(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "--- ") }

// outputDifference returns a difference of the outputs of test programs, or
// nil.
func outputDifference(all []*prepared) *Difference {
	home := all[0]
	for _, t := range home.programs {
		first, varying := home.results[t.pkg], varyingShapes(all, t.pkg)
		var d *Difference
		for _, q := range all[1:] {
			r := q.results[t.pkg]
			if q.why != "" || r == nil {
				continue
			}
			if e := lineDifference(first.lines, r.lines, varying); e != nil {
				if d == nil {
					d = &Difference{Package: t.pkg, Test: e.test,
						Lines: map[string]string{home.name: e.here}}
				}
				d.Platforms = append(d.Platforms, q.name)
				d.Lines[q.name] = e.there
			}
		}
		if d != nil {
			return d
		}
	}
	return nil
}

// A lineMismatch is a line of one output only.
type lineMismatch struct{ test, here, there string }

// lineDifference returns the first line that only the other output has, if it
// fails a test or has the words of a line of this one and other numbers.
func lineDifference(here, there []string, varying map[string]bool) *lineMismatch {
	only, mine := except(there, here), except(here, there)
	for _, line := range only {
		name, failed := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: ")
		if failed && !varying[shape(line)] {
			return &lineMismatch{test: name, here: "", there: firstMessage(there, line)}
		}
	}
	for _, line := range only {
		s := shape(line)
		if isStatus(line) || varying[s] {
			continue
		}
		if i := slices.IndexFunc(mine, func(m string) bool { return shape(m) == s }); i >= 0 {
			return &lineMismatch{here: mine[i], there: line}
		}
	}
	return nil
}

// firstMessage returns the first message of a test: the line after its status,
// or before it, unless that is a status too.
func firstMessage(lines []string, after string) string {
	i := slices.Index(lines, after)
	for _, at := range []int{i + 1, i - 1} {
		if at >= 0 && at < len(lines) && !isStatus(lines[at]) {
			return strings.TrimSpace(lines[at])
		}
	}
	return ""
}

// except returns the lines that are not, or not as often, among others.
func except(lines, others []string) []string {
	left := map[string]int{}
	for _, o := range others {
		left[o]++
	}
	var all []string
	for _, l := range lines {
		if left[l]--; left[l] < 0 {
			all = append(all, l)
		}
	}
	return all
}

// shape returns a line with one sign for each number.
func shape(line string) string { return shown.ReplaceAllString(line, "#") }
