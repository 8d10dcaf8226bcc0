package crosscheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/crosscheck/record"
)

// callsTest is the test that makes generated calls.
const callsTest = "TestLastbitCalls"

// addCalls adds to the packages a test that calls their functions with
// generated arguments. It returns the names of constructors by their numbers.
func (s *sources) addCalls(
	c changes, functions map[string]*function, n int,
) (makers map[uint64]string) {
	makers = map[uint64]string{}
	byPackage := map[string][]*function{}
	for _, f := range functions {
		byPackage[f.pkg] = append(byPackage[f.pkg], f)
	}
	for pkg, all := range byPackage {
		slices.SortFunc(all, func(a, b *function) int { return cmp.Compare(a.name, b.name) })
		imports, calls := constructors(all[0], makers)
		for _, f := range all {
			if e := f.expression(); e != "" {
				calls += fmt.Sprintf("\tg.Call(%#x, %s)\n", f.id, e)
			}
		}
		text := fmt.Sprintf(`package %s

import (
	"testing"

	%s %q
%s)

func %s(*testing.T) {
	g := %s.Generate(%d, %q)
%s	g.End()
}
`, all[0].pkgName, recordName, recordPath, imports, callsTest, recordName, n,
			all[0].module, calls)
		c[filepath.Join(s.folder(pkg), "lastbit_calls_test.go")] = &change{whole: []byte(text)}
	}
	return makers
}

// expression returns the function that notes calls of another one, as a value;
// "" where that has no type of its own.
func (f *function) expression() string {
	signature := f.object.Signature()
	name := f.object.Name() + suffix
	if r := signature.Recv(); r != nil {
		t, format := r.Type(), "%s.%s"
		if p, ok := t.(*types.Pointer); ok {
			t, format = p.Elem(), "(*%s).%s"
		}
		n, ok := t.(*types.Named)
		if !ok || n.TypeParams().Len() > 0 {
			return ""
		}
		return fmt.Sprintf(format, n.Obj().Name(), name)
	}
	params := signature.TypeParams()
	if params.Len() == 0 {
		return name
	}
	all := make([]types.Type, params.Len())
	for i := range all {
		all[i] = types.Typ[types.Float64]
	}
	if _, err := types.Instantiate(nil, signature, all, true); err != nil {
		return ""
	}
	return name + "[" + strings.Repeat("float64, ", params.Len()-1) + "float64]"
}

// A skips holds the functions that generated calls leave out, and constructors,
// by package.
type skips struct {
	mu    sync.Mutex
	all   map[string]map[uint64]string // with the reason
	fewer map[string]map[uint64]int    // functions with fewer calls, and how many
}

func newSkips() *skips {
	return &skips{all: map[string]map[uint64]string{}, fewer: map[string]map[uint64]int{}}
}

func (s *skips) add(pkg string, id uint64, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[pkg] == nil {
		s.all[pkg] = map[uint64]string{}
	}
	s.all[pkg][id] = why
}

// limit notes what a run on this machine reports about functions that have
// fewer calls, as their time was over.
func (s *skips) limit(pkg, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), record.Fewer)
		number, n, _ := strings.Cut(rest, ":")
		id, err1 := strconv.ParseUint(number, 16, 64)
		count, err2 := strconv.ParseUint(n, 16, 32)
		if !ok || err1 != nil || err2 != nil {
			continue
		}
		if s.fewer[pkg] == nil {
			s.fewer[pkg] = map[uint64]int{}
		}
		s.fewer[pkg][id] = int(count)
	}
}

// variables returns the environment for a package.
func (s *skips) variables(pkg string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all, fewer []string
	for _, id := range slices.Sorted(maps.Keys(s.all[pkg])) {
		all = append(all, strconv.FormatUint(id, 16))
	}
	for _, id := range slices.Sorted(maps.Keys(s.fewer[pkg])) {
		fewer = append(fewer, fmt.Sprintf("%x:%x", id, s.fewer[pkg][id]))
	}
	return []string{record.SkipVariable + "=" + strings.Join(all, ","),
		record.CountsVariable + "=" + strings.Join(fewer, ",")}
}

// Times of the processor that a generated call may take in the first run on
// this machine, which leaves functions out, and in all others: they may be
// emulated. After firstTotal a function gets no more calls in the first run,
// and as many in the others.
const (
	firstLimit = time.Second
	firstTotal = 5 * time.Second
	otherLimit = time.Minute
)

// callVariables returns the environment of generated calls.
func (o *Options) callVariables(pkg string) []string {
	if o.Calls == 0 {
		return nil
	}
	return append(o.skipped.variables(pkg), limitVariable(otherLimit))
}

func limitVariable(limit time.Duration) string {
	return fmt.Sprintf("%s=%v", record.LimitVariable, limit)
}

// A SlowError is a generated call that takes too long on another platform, or
// all calls of a function together.
type SlowError struct {
	Function string
	InAll    bool
}

func (e *SlowError) Error() string { return "crosscheck: " + e.reason() }

func (e *SlowError) reason() string {
	if e.InAll {
		return fmt.Sprintf("the generated calls of %s take more than %v in all", e.Function,
			record.MaxTotal*otherLimit)
	}
	return fmt.Sprintf("a call of %s takes more than %v", e.Function, otherLimit)
}

// runLeavingOut runs a test program on this machine, again until no generated
// call takes too long or ends the program, nor a constructor of its arguments.
// After such a call only the functions that follow are tried, and at last all
// of them run.
func (o *Options) runLeavingOut(ctx context.Context, q *prepared, t program) (*result, error) {
	const most = 100
	var after, only []string
	for range most {
		variables := append(slices.Clone(after), limitVariable(firstLimit),
			fmt.Sprintf("%s=%v", record.TotalVariable, firstTotal))
		r, err := o.runTestsWith(ctx, q.platform, t, variables, only...)
		if err != nil || o.Calls == 0 {
			return r, err
		}
		o.skipped.limit(t.pkg, r.errs)
		switch {
		case r.slow != 0:
			o.skipped.add(t.pkg, r.slow, "a call takes more than a second")
		case r.at != 0:
			o.skipped.add(t.pkg, r.at, "a call ends the program")
		case after == nil:
			return r, nil
		default:
			after, only = nil, nil
			continue
		}
		after = []string{fmt.Sprintf("%s=%x", record.AfterVariable, r.at)}
		only = []string{"-test.run=^" + callsTest + "$"}
	}
	return nil, errors.New("crosscheck: generated calls end the test program of " + t.pkg +
		" again and again")
}

// lastNumber returns the number after the last occurrence of some words in an
// output, or 0, and how many numbers there are beside 0.
func lastNumber(text, words string) (last uint64, count int) {
	for line := range strings.Lines(text) {
		_, number, ok := strings.Cut(line, words)
		if !ok {
			continue
		}
		if n, err := strconv.ParseUint(strings.TrimSpace(number), 16, 64); err == nil {
			last = n
			count += bool01(n != 0)
		}
	}
	return last, count
}
