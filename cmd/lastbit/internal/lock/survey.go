package lock

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/reveal"
)

// atOnce bounds the operations probed at the same time: more than two cores can
// work on, since targets wait for their libraries.
const atOnce = 3

// Survey probes operations.
type Survey struct {
	Drivers open.Table
	Python  libm.Python
	Env     []string // of the probed processes, besides lastbit's own: NAME=value
	Options reveal.Options
	// OrderOnly leaves out whether an operation depends on threads, position
	// and alignment.
	OrderOnly bool
	// Show is called at the start of each step, by one goroutine at a time.
	Show func(step string, done, steps int)
}

// Missing holds the operations that could not be probed, by their names.
type Missing map[string]error

// Reasons returns the reasons in words.
func (m Missing) Reasons() map[string]string {
	reasons := map[string]string{}
	for name, err := range m {
		reasons[name] = err.Error()
		var f *probe.Fault
		if errors.As(err, &f) {
			reasons[name] = f.Cause
		}
	}
	return reasons
}

// Profile probes operations, and the elementary functions in some formats. The
// error is that of ctx, or of package libm.
func (s *Survey) Profile(ctx context.Context, requests []lockfile.Request, formats []fp.Format,
) (*lockfile.Profile, Missing, error) {
	p := &lockfile.Profile{Class: Class(), Settings: append(settings(), s.Env...)}
	missing := Missing{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, r := range requests {
		slots <- struct{}{}
		mu.Lock()
		s.Show(r.Target, i, len(requests)+1)
		mu.Unlock()
		wg.Go(func() {
			defer func() { <-slots }()
			o, err := s.examine(ctx, r)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				missing[(&lockfile.Operation{Target: r.Target, Spec: r.Spec}).Name()] = err
			} else if p.Operation(o.Name()) == nil {
				p.Operations = append(p.Operations, o)
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	libraries, err := s.libraries(ctx, formats, len(requests))
	p.Libraries = libraries
	return p, missing, err
}

// libraries fingerprints the elementary functions of the libraries of this
// machine, those of lastbit itself left out.
func (s *Survey) libraries(ctx context.Context, formats []fp.Format, done int,
) (list []*lockfile.Library, err error) {
	if len(formats) == 0 {
		return nil, nil
	}
	s.Show("elementary functions", done, done+1)
	f, err := libm.Take(ctx, formats, s.Python, func(string, int, int) {})
	if err != nil {
		return nil, err
	}
	for _, p := range f.Prints {
		if p.Library != "c" && p.Library != "numpy" {
			continue
		}
		i := slices.IndexFunc(list, func(l *lockfile.Library) bool {
			return l.Name == p.Library && l.DType == p.DType.String()
		})
		if i < 0 {
			i = len(list)
			list = append(list, &lockfile.Library{Name: p.Library, Version: p.Version,
				DType: p.DType.String(), Functions: map[string]string{}})
		}
		list[i].Functions[p.Function] = p.Hash[:16]
	}
	return list, nil
}

// open opens the target of a request, with the survey's environment.
func (s *Survey) open(ctx context.Context, r lockfile.Request) (probe.Target, error) {
	spec := r.Spec
	d, err := s.Drivers.Driver(r.Target)
	if err != nil {
		return nil, err
	}
	if len(s.Env) > 0 && d.Options&probe.WithEnv != 0 {
		spec.Env = slices.Concat(spec.Env, s.Env)
	}
	return s.Drivers.Open(ctx, r.Target, spec)
}

// examine probes one operation.
func (s *Survey) examine(ctx context.Context, r lockfile.Request) (*lockfile.Operation, error) {
	t, err := s.open(ctx, r)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	f, err := reveal.Reveal(ctx, t, s.Options)
	if err != nil {
		return nil, err
	}
	o, err := operation(r, f)
	if err != nil || s.OrderOnly {
		return o, err
	}
	if c, ok := t.(probe.CellTarget); ok {
		m, err := reveal.Cells(ctx, c, s.Options)
		if err != nil {
			return nil, err
		}
		o.Position = answer(len(m.Representative) > 1)
	}
	if o.Threads, err = s.dependence(ctx, r, threadSpecs(r.Spec)); err != nil {
		return nil, err
	}
	o.Alignment, err = s.dependence(ctx, r, alignSpecs(o.Spec))
	return o, err
}

func answer(yes bool) lockfile.Answer {
	if yes {
		return lockfile.Yes
	}
	return lockfile.No
}

// operation returns the operation of a finding.
func operation(r lockfile.Request, f *reveal.Finding) (*lockfile.Operation, error) {
	k := f.Key
	o := &lockfile.Operation{
		Target: r.Target, Spec: r.Spec, Verdict: string(f.Verdict),
		Library: describe.Library(k), Kernel: k.Kernel, Settings: k.Settings,
	}
	o.Spec.Op, o.Spec.DType, o.Spec.M, o.Spec.Cols = k.Op, k.DType, k.M, k.Cols
	o.Spec.Timeout = 0
	if k.Threads > 0 && r.Spec.Threads < 0 {
		o.UsedThreads = strconv.Itoa(k.Threads)
	}
	if f.Tree == nil || f.Arithmetic == nil || !f.Verified {
		if f.Verdict == reveal.TreeVerdict {
			o.Verdict = lockfile.Unverified
		}
		return o, nil
	}
	words, _ := describe.Arithmetic(f)
	return o, o.SetTree(f.Tree, f.Family, *f.Arithmetic, words)
}

// variant is a request that differs in one thing.
type variant struct {
	name string
	spec probe.Spec
}

// threadSpecs returns the requests that show whether an operation depends on
// the number of threads.
func threadSpecs(s probe.Spec) (list []variant) {
	for _, n := range []int{1, 2, s.Threads} {
		if n != 0 && !slices.ContainsFunc(list, func(v variant) bool { return v.spec.Threads == n }) {
			s.Threads = n
			list = append(list, variant{strconv.Itoa(n), s})
		}
	}
	return list
}

// alignSpecs returns the requests that show whether an operation depends on the
// address of its data: at a multiple of 64 bytes, one element, 16 and 32 bytes
// after one.
func alignSpecs(s probe.Spec) (list []variant) {
	for _, n := range []int{0, s.DType.Bytes(), 16, 32} {
		s.Align = n
		list = append(list, variant{strconv.Itoa(n), s})
	}
	return list
}

// dependence reports whether requests that differ in one thing are computed
// unlike. The answer is empty where the target does not honour one of them.
func (s *Survey) dependence(ctx context.Context, r lockfile.Request, list []variant,
) (lockfile.Answer, error) {
	w := reveal.Sweep{Axis: "variant", Open: func(ctx context.Context, i int) (probe.Target, error) {
		return s.open(ctx, lockfile.Request{Target: r.Target, Spec: list[i].spec})
	}}
	for _, v := range list {
		w.Values = append(w.Values, v.name)
	}
	inv, err := reveal.Invariant(ctx, w, s.Options)
	var f *probe.Fault
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &f):
		return "", nil
	case err != nil:
		return "", err
	case len(inv.Classes) > 1:
		return lockfile.Yes, nil
	case inv.Invariant:
		return lockfile.No, nil
	}
	return lockfile.Unknown, nil
}
