package crosscheck

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/crosscheck/record"
)

func runOf(calls ...entry) *result { return &result{log: &log{calls: calls, whole: true}} }

// TestMismatches compares the calls of functions 1 to 7 on two platforms: 1 and
// 6 vary by themselves, and 2 in its arguments. Function 7 has a state.
func TestMismatches(t *testing.T) {
	first := runOf(entry{1, 1, 1}, entry{2, 1, 1}, entry{3, 1, 1}, entry{3, 1, 1}, entry{4, 1, 1},
		entry{5, 1, 1}, entry{5, 2, 2}, entry{6, 1, 1}, entry{6, 1, 2},
		entry{7, 1, 1}, entry{7, 1, 2})
	second := runOf(entry{1, 1, 2}, entry{2, 9, 1}, entry{3, 1, 1}, entry{3, 1, 1}, entry{4, 1, 1},
		entry{5, 2, 2}, entry{5, 1, 1}, entry{6, 1, 2}, entry{6, 1, 2},
		entry{7, 1, 1}, entry{7, 1, 2})
	k := newKnown(first, second)
	got := k.mismatches([]entry{{1, 1, 7}, {2, 8, 1}, {2, 1, 7}, {3, 2, 1}, {3, 1, 1}, {3, 1, 2},
		{4, 3, 3}, {5, 2, 2}, {5, 1, 1}, {5, 1, 1}, {6, 1, 3}, {7, 1, 3}})
	want := map[uint64]mismatch{
		2: {entry{2, 1, 7}, 2, 2, false},
		3: {entry{3, 1, 2}, 5, 3, false},
		4: {entry{4, 3, 3}, 6, 1, true},
		7: {entry{7, 1, 3}, 11, 1, false},
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestVariationEarly compares a run that ended early: it has fewer results of
// function 7, which has a state, and another one of function 1.
func TestVariationEarly(t *testing.T) {
	first := runOf(entry{7, 1, 1}, entry{1, 1, 1}, entry{7, 1, 2})
	early := runOf(entry{7, 1, 1}, entry{1, 1, 2})
	early.whole = false
	v := newVariation(first.calls, []*result{early})
	if !maps.Equal(v.varies, map[uint64]bool{1: true}) {
		t.Errorf("%v vary", v.varies)
	}
}

// platformsOf returns two platforms with the runs of a test program.
func platformsOf(home, other []*result) []*prepared {
	functions := map[string]*function{"p.A": {name: "p.A", id: 1}, "p.B": {name: "p.B", id: 2}}
	on := func(name string, runs []*result) *prepared {
		return &prepared{platform: platform{name: name}, functions: functions,
			programs: []program{{pkg: "p"}}, results: map[string]*result{"p": runs[0]},
			again: map[string][]*result{"p": runs[1:]}, known: map[string]*known{}}
	}
	return []*prepared{on("here", home), on("there", other)}
}

// TestVaryingThere leaves out a function that is the same in all runs on this
// machine, and varies on another platform: the order of a sum is open there,
// too, and chance made them alike.
func TestVaryingThere(t *testing.T) {
	first := runOf(entry{1, 1, 1}, entry{2, 1, 1})
	r := compare(platformsOf([]*result{first, first},
		[]*result{runOf(entry{1, 1, 2}, entry{2, 1, 1}), runOf(entry{1, 1, 1})}))
	if r.First != nil || !slices.Equal(r.Varying, []string{"p.A"}) || r.Calls != 1 {
		t.Errorf("%+v varies %v, %d calls", r.First, r.Varying, r.Calls)
	}
	r = compare(platformsOf([]*result{first, first},
		[]*result{runOf(entry{1, 1, 2}), runOf(entry{1, 1, 2})}))
	if r.First == nil || r.First.Function != "p.A" || len(r.Varying) > 0 {
		t.Errorf("%+v varies %v, though the other results are always the same", r.First, r.Varying)
	}
}

// TestVaryingLines leaves out a test that fails on another platform in one run
// only, and lines with other numbers in each.
func TestVaryingLines(t *testing.T) {
	lines := func(all ...string) *result {
		r := runOf()
		r.lines = all
		return r
	}
	passes := lines("--- PASS: TestA", "took 1 ms")
	fails := lines("--- FAIL: TestA", "took 2 ms")
	if r := compare(platformsOf([]*result{passes, passes}, []*result{fails, passes})); !r.Same {
		t.Errorf("%+v", r.First)
	}
	if r := compare(platformsOf([]*result{passes, passes}, []*result{fails, fails})); r.Same {
		t.Error("a test that always fails there is no difference")
	}
}

// TestUnstable takes equal results for chance, if they are shown as a whole.
func TestUnstable(t *testing.T) {
	values := func(text, bits string) []Value { return []Value{{text, bits}} }
	for _, tt := range []struct {
		here, there []Value
		want        bool
	}{
		{values("0.6", "0x3fe3"), values("0.6", "0x3fe3"), true},
		{values("0.6", "0x3fe3"), values("0.6", "0x3fe4"), false},
		{values("[1 2 … 90 in all]", ""), values("[1 2 … 90 in all]", ""), false},
		{values("map[string]float64", ""), values("map[string]float64", ""), false},
		{nil, nil, false},
	} {
		d := Difference{Function: "p.A",
			Results: map[string][]Value{"here": tt.here, "there": tt.there}}
		if got := d.isUnstable("here"); got != tt.want {
			t.Errorf("%v and %v: %v", tt.here, tt.there, got)
		}
	}
	alone := Difference{Function: "p.A", Results: map[string][]Value{"here": values("1", "")}}
	if alone.isUnstable("here") {
		t.Error("one platform is no comparison")
	}
}

// TestOutputLines takes lines with numbers and the results of tests.
func TestOutputLines(t *testing.T) {
	got := outputLines([]byte(`=== RUN   TestA
=== PAUSE TestA
    a_test.go:7: mean 0.5
no number
--- PASS: TestA (0.01s)
    --- FAIL: TestA/1 (2.00s)
PASS
ok  	example.com/a	0.013s
`))
	want := []string{"    a_test.go:7: mean 0.5", "--- PASS: TestA", "    --- FAIL: TestA/1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLineDifference finds other numbers in the same words, and failures.
func TestLineDifference(t *testing.T) {
	here := []string{"a: 1", "took 3 ms", "--- PASS: TestA", "--- PASS: TestB"}
	for _, tt := range []struct {
		there []string
		want  *lineMismatch
	}{
		{[]string{"--- PASS: TestB", "--- PASS: TestA", "took 3 ms", "a: 1"}, nil},
		{[]string{"a: 1", "took 4 ms", "--- PASS: TestA", "--- PASS: TestB"}, nil},
		{[]string{"a: 1.5e-3", "took 4 ms"}, &lineMismatch{here: "a: 1", there: "a: 1.5e-3"}},
		{[]string{"other words: 2", "a: 1"}, nil},
		{[]string{"a: 2", "    a_test.go:9: got 2", "--- FAIL: TestA", "--- PASS: TestB"},
			&lineMismatch{test: "TestA", there: "a_test.go:9: got 2"}},
		{[]string{"--- SKIP: TestA", "--- PASS: TestB"}, nil},
	} {
		got := lineDifference(here, tt.there, map[string]bool{"took # ms": true})
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%q: %+v, want %+v", tt.there, got, tt.want)
		}
	}
}

// TestSearch looks for sites that make a difference alone, only together with
// an earlier one, and not at all.
func TestSearch(t *testing.T) {
	for _, tt := range []struct {
		n      int
		differ func(on []bool) bool
		at     int
		alone  bool
		err    error
	}{
		{9, func(on []bool) bool { return on[6] }, 6, true, nil},
		{9, func(on []bool) bool { return on[0] }, 0, true, nil},
		{1, func(on []bool) bool { return on[0] }, 0, true, nil},
		{9, func(on []bool) bool { return on[2] && on[7] }, 7, false, nil},
		{9, func(on []bool) bool { return on[2] || on[7] }, 2, true, nil},
		{9, func([]bool) bool { return true }, 0, false, errElsewhere},
		{9, func([]bool) bool { return false }, 0, false, errElsewhere},
		{0, func([]bool) bool { return true }, 0, false, errElsewhere},
	} {
		s := search{o: &Options{}, sites: make([]site, tt.n),
			agree: func(_ context.Context, on []bool) (bool, error) { return !tt.differ(on), nil }}
		at, alone, err := s.find(t.Context())
		if !errors.Is(err, tt.err) || at != tt.at || alone != tt.alone {
			t.Errorf("%d sites: %d, %v, %v, want %d, %v, %v", tt.n, at, alone, err, tt.at, tt.alone,
				tt.err)
		}
	}
}

// TestFusionFlags chooses the operations of each package.
func TestFusionFlags(t *testing.T) {
	sites := []site{
		{hash: 0xabcdef0123456789, pkgs: []string{"p", "q"}},
		{hash: 5, pkgs: []string{"p"}},
		{kind: kindLibm},
		{hash: 6, pkgs: []string{"r"}},
	}
	got := fusionFlags(sites, []bool{true, false, false, false})
	want := []string{"-gcflags=p=-d=fmahash=q+x0123456789", "-gcflags=q=-d=fmahash=qy",
		"-gcflags=r=-d=fmahash=qn"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestParseCall reads the text of a call.
func TestParseCall(t *testing.T) {
	c, err := parseCall("argument \"0.1\" \"0x3fb999999999999a\"\n" +
		"result \"\\\"a b\\\"\" \"\"\nchanged \"[1]\" \"0x3ff0000000000000\"\n")
	if err != nil {
		t.Fatal(err)
	}
	args, results := []Value{{"0.1", "0x3fb999999999999a"}},
		[]Value{{`"a b"`, ""}, {"[1]", "0x3ff0000000000000"}}
	if !slices.Equal(c.Arguments, args) || !slices.Equal(c.Results, results) {
		t.Errorf("%+v", c)
	}
	if _, err := parseCall("result \"0.1\n"); err == nil {
		t.Error("an open quote is no error")
	}
}

// TestShare keeps the functions that all platforms have, and takes one that is
// inlined on a platform as inlined everywhere.
func TestShare(t *testing.T) {
	on := func(functions ...*function) *prepared {
		q := &prepared{functions: map[string]*function{}}
		for _, f := range functions {
			q.functions[f.name] = f
		}
		return q
	}
	all := []*prepared{
		on(&function{name: "p.A"}, &function{name: "p.B"}, &function{name: "p.C"}),
		{}, // it cannot run here
		on(&function{name: "p.A", inlined: true}, &function{name: "p.B"}, &function{name: "p.D"}),
	}
	share(all)
	for _, i := range []int{0, 2} {
		f := all[i].functions
		if len(f) != 2 || !f["p.A"].inlined || f["p.B"].inlined {
			t.Errorf("platform %d: %v", i, f)
		}
	}
}

// TestLastNumber tells a slow call from calls that are slow together, and calls
// that come to their end.
func TestLastNumber(t *testing.T) {
	text := record.At + "1\n" + record.At + "2f\n" + record.SlowAll + "2f\nslow 3\n" +
		record.Trying + "5\n" + record.Trying + "0\n"
	for _, tt := range []struct {
		words string
		last  uint64
		count int
	}{{record.At, 0x2f, 2}, {record.Slow, 0, 0}, {record.SlowAll, 0x2f, 1},
		{record.Trying, 0, 1}} {
		if last, count := lastNumber(text, tt.words); last != tt.last || count != tt.count {
			t.Errorf("%q: %#x, %d times; want %#x, %d times", tt.words, last, count,
				tt.last, tt.count)
		}
	}
}

// TestFewer passes the numbers of calls of one run to the others.
func TestFewer(t *testing.T) {
	s := newSkips()
	s.add("p", 0x1f, "slow")
	s.limit("p", record.At+"2\n"+record.Fewer+"2:a\n"+record.Fewer+"3:1\n"+record.Fewer+"2:9\n")
	want := []string{record.SkipVariable + "=1f", record.CountsVariable + "=2:9,3:1"}
	if got := s.variables("p"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSameCalls keeps the calls of runs once where they are the same.
func TestSameCalls(t *testing.T) {
	l := &logs{all: map[string][]entry{}}
	first, same := runOf(entry{1, 1, 1}, entry{2, 1, 1}), runOf(entry{1, 1, 1}, entry{2, 1, 1})
	other := runOf(entry{2, 1, 1}, entry{1, 1, 1})
	for _, r := range []*result{first, same, other} {
		l.share("p", r)
	}
	if &same.calls[0] != &first.calls[0] || &other.calls[0] == &first.calls[0] {
		t.Error("the same calls are kept twice, or other ones once")
	}
	k := newKnown(first, same)
	for _, calls := range [][]entry{same.calls, same.calls[:1]} {
		if len(k.mismatches(calls)) > 0 || k.calls != nil {
			t.Error("maps of calls were made for runs that are the same")
		}
	}
}

// TestLacks names the generated call that ends a test program on a platform
// only.
func TestLacks(t *testing.T) {
	programs := []program{{pkg: "example.com/p"}}
	home := &prepared{platform: platform{name: "linux/amd64"}, programs: programs,
		results: map[string]*result{"example.com/p": {log: &log{whole: true}}}}
	q := &prepared{results: map[string]*result{
		"example.com/p": {log: &log{}, last: "fatal error: stack overflow", at: 7}}}
	got := q.lacks(home, map[uint64]string{7: "p.Grow"})
	want := "example.com/p: the test program ended early in a generated call of p.Grow, " +
		"which returns on linux/amd64: fatal error: stack overflow"
	if got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestFirstEnd has a generated call end the test program on one platform.
func TestFirstEnd(t *testing.T) {
	early := runOf(entry{1, 1, 1})
	early.whole, early.at, early.last = false, 2, "fatal error: stack overflow"
	r := compare(platformsOf([]*result{runOf(entry{1, 1, 1}, entry{2, 1, 1})}, []*result{early}))
	d := r.First
	if r.Same || d == nil || !d.Ends || d.Function != "p.B" || !r.Platforms[1].Ran ||
		!slices.Equal(d.Platforms, []string{"there"}) || d.Lines["there"] != early.last {
		t.Errorf("%+v, first %+v", r, d)
	}
	early.at = 0 // in a test
	if r = compare(platformsOf([]*result{runOf(entry{1, 1, 1}, entry{2, 1, 1})},
		[]*result{early})); r.First != nil || r.Platforms[1].Ran {
		t.Errorf("%+v", r)
	}
}

// TestUnfinished names the packages whose tests do not run to the last one.
func TestUnfinished(t *testing.T) {
	q := &prepared{results: map[string]*result{
		"a": {log: &log{}, exit: 1, last: "no database"},
		"b": {log: &log{}, exit: 2, began: true, last: "panic: b"},
		"c": {log: &log{}, exit: 1, began: true},
		"d": {log: &log{whole: true}, exit: 3, began: true},
		"e": {log: &log{}},
	}}
	for _, pkg := range []string{"a", "b", "c", "d", "e", "none"} {
		q.programs = append(q.programs, program{pkg: pkg})
	}
	const want = "a: no test ran, exit code 1: no database; " +
		"b: the test program ended early: panic: b"
	if got := q.unfinished(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
