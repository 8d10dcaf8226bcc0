package reveal

import (
	"context"
	"errors"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// confirm repeats inputs of a finding, so that schedules of threads that come
// up seldom show, beside other rows, and with operands in other places. It
// returns the finding, or another one that a changed result makes.
func confirm(
	ctx context.Context, t probe.Target, opt Options, r *run, f *Finding,
) (*Finding, error) {
	switch f.Verdict {
	case Nondeterministic, NotASum, Unsupported:
		return f, nil
	}
	before := r.c.Calls()
	repeated, err := ask.RepeatShared(r.c)
	f.Evidence.Repeated = repeated
	if err == nil && f.Verified {
		err = ask.Beside(r.c, r.opt.memory.Samples())
	}
	if err == nil {
		f.Addresses, err = tryAddresses(ctx, t, opt, r.c, f)
	}
	f.Calls += r.c.Calls() - before
	if f.Addresses != nil && f.Addresses.Other != nil {
		f.Calls += f.Addresses.Other.Calls
	}
	var changed *verdict.Fact
	if errors.As(err, &changed) {
		return changedFinding(r, f, changed)
	}
	return f, err
}

// changedFinding returns the finding of a result that changes from call to
// call, or with other rows.
func changedFinding(r *run, f *Finding, fact *verdict.Fact) (*Finding, error) {
	before := r.c.Calls()
	if err := r.smaller(fact); err != nil {
		return nil, err
	}
	o := outcome{evidence: verdict.Evidence{*fact}}
	g := report(r, o, verdict.Decide(o.evidence))
	g.Algorithm, g.Calls = f.Algorithm, f.Calls+r.c.Calls()-before
	g.Evidence.Repeated = f.Evidence.Repeated
	return g, nil
}
