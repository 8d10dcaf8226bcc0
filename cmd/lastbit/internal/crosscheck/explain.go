package crosscheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/crosscheck/record"
)

// A Call is the text of a call.
type Call struct{ Arguments, Results []Value }

// parseCall reads the text of a call: lines with a role, a text and bits.
func parseCall(text string) (*Call, error) {
	c := &Call{}
	for line := range strings.Lines(text) {
		role, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		shown, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, fmt.Errorf("crosscheck: line %q: %w", line, err)
		}
		v := Value{}
		v.Text, _ = strconv.Unquote(shown)
		v.Bits, _ = strconv.Unquote(strings.TrimSpace(rest[len(shown):]))
		if role == "argument" {
			c.Arguments = append(c.Arguments, v)
		} else {
			c.Results = append(c.Results, v)
		}
	}
	return c, nil
}

// explain adds the cause to a difference.
func (o *Options) explain(ctx context.Context, all []*prepared, d *Difference) error {
	home := all[0]
	switch {
	case o.NoCause:
		return nil
	case d.Function == "":
		return o.explainOutput(ctx, home, all, d)
	}
	b := o.testBench(home, d.by, d.Package)
	calls := map[string]map[entry]bool{}
	b.compare = func(ctx context.Context, here, there program, key string) (bool, error) {
		if calls[key] == nil {
			var err error
			if calls[key], err = o.callsOf(ctx, b.home.platform, here, d.at.function); err != nil {
				return false, err
			}
		}
		return o.makesCall(ctx, b.other.platform, there, d.at, calls[key])
	}
	f := d.by.functions[d.Function]
	cause, err := o.cause(ctx, b, func(s site) int { return distance(f, s) })
	if errors.Is(err, errElsewhere) {
		cause = &Cause{}
		if f != nil && !d.OtherArguments {
			cause.Candidates, err = o.candidates(ctx, d.by, f)
		} else {
			err = nil
		}
	}
	d.Cause = cause
	return err
}

// distance orders sites: those in a function, in its package, and elsewhere.
func distance(f *function, s site) int {
	switch {
	case f == nil:
		return 0
	case s.file == f.file && f.line <= s.line && s.line <= f.last:
		return 0
	case s.pkg == f.pkg:
		return 1
	}
	return 2
}

func (o *Options) testBench(home, other *prepared, pkg string) *bench {
	return &bench{o: o, home: home, other: other, pkg: pkg,
		verb: []string{"test", "-c", "-vet=off"}}
}

// showCalls adds the arguments and the results of the call, if it is one.
func (o *Options) showCalls(ctx context.Context, all []*prepared, d *Difference) error {
	if d.Function == "" {
		return nil
	}
	d.Results = map[string][]Value{}
	for _, q := range all {
		e := d.at.entry
		if d.OtherArguments && q != d.by {
			continue
		}
		t := q.program(d.Package)
		if t == nil || q != all[0] && !slices.Contains(d.Platforms, q.name) {
			continue
		}
		call, err := o.showCall(ctx, q.platform, *t, e)
		if err != nil {
			return err
		}
		d.Results[q.name] = call.Results
		if q == d.by {
			d.Arguments = call.Arguments
		}
	}
	return nil
}

// callsOf returns the calls of a function in a test program.
func (o *Options) callsOf(
	ctx context.Context, p platform, t program, function uint64,
) (map[entry]bool, error) {
	variables, args := o.onlyCalls(fmt.Sprintf("%x:0", function))
	r, err := o.runTestsWith(ctx, p, t, variables, args...)
	if err != nil {
		return nil, err
	}
	all := map[entry]bool{}
	for _, e := range r.calls {
		all[e] = true
	}
	return all, nil
}

// onlyCalls returns the environment and the arguments of a test program that
// notes some calls of a function, and with generated calls makes no others.
func (o *Options) onlyCalls(which string) (variables, args []string) {
	variables = []string{record.OnlyVariable + "=" + which}
	if o.Calls == 0 {
		return variables, nil
	}
	return append(variables, record.AloneVariable+"=1"), []string{"-test.run=^" + callsTest + "$"}
}

// makesCall reports whether the call of a mismatch is among others: the one
// with its number, or with generated calls the one with its arguments.
func (o *Options) makesCall(
	ctx context.Context, p platform, t program, f found, others map[entry]bool,
) (bool, error) {
	which := fmt.Sprintf("%x:%x", f.function, f.number)
	if o.Calls > 0 {
		which = fmt.Sprintf("%x:0:%x", f.function, f.args)
	}
	variables, args := o.onlyCalls(which)
	r, err := o.runTestsWith(ctx, p, t, variables, args...)
	switch {
	case err != nil:
		return false, err
	case len(r.calls) == 0,
		o.Calls == 0 && len(r.calls) != f.number,
		o.Calls > 0 && r.calls[len(r.calls)-1].args != f.args:
		return false, errElsewhere
	}
	return others[r.calls[len(r.calls)-1]], nil
}

// explainOutput adds the cause of other lines of output.
func (o *Options) explainOutput(
	ctx context.Context, home *prepared, all []*prepared, d *Difference,
) error {
	for _, q := range all {
		if slices.Contains(d.Platforms, q.name) {
			d.by = q
			break
		}
	}
	varying := varyingShapes(all, d.Package)
	b := o.testBench(home, d.by, d.Package)
	b.compare = func(ctx context.Context, here, there program, _ string) (bool, error) {
		x, err := o.runTests(ctx, home, here)
		if err != nil {
			return false, err
		}
		y, err := o.runTests(ctx, d.by, there)
		if err != nil {
			return false, err
		}
		return lineDifference(x.lines, y.lines, varying) == nil, nil
	}
	cause, err := o.cause(ctx, b, func(s site) int { return distance(nil, s) })
	if errors.Is(err, errElsewhere) {
		cause, err = &Cause{}, nil
	}
	d.Cause = cause
	return err
}
