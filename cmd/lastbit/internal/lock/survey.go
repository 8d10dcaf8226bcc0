package lock

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

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

// callTimeout bounds the time of one call. It is long, so that a busy machine
// does not look like one whose operations have gone.
const callTimeout = time.Minute

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

// Findings is the result of a survey.
type Findings struct {
	*lockfile.Profile
	Missing Missing        // operations that could not be probed
	Absent  []libm.Absence // libraries of elementary functions that are not here
}

// Profile probes operations, and the elementary functions in some formats. The
// error comes from ctx or from package libm.
func (s *Survey) Profile(ctx context.Context, requests []lockfile.Request, formats []fp.Format,
) (*Findings, error) {
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
			if isTimeout(err) { // of a machine that was busy with others
				o, err = s.examine(ctx, r)
			}
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
		return nil, err
	}
	libraries, absent, err := s.libraries(ctx, formats, len(requests))
	p.Libraries = libraries
	return &Findings{p, missing, absent}, err
}

// libraries fingerprints the elementary functions of the libraries of this
// machine.
func (s *Survey) libraries(ctx context.Context, formats []fp.Format, done int,
) (list []*lockfile.Library, absent []libm.Absence, err error) {
	if len(formats) == 0 {
		return nil, nil, nil
	}
	s.Show("elementary functions", done, done+1)
	functions, absent, err := libm.TakeHashes(ctx, formats, s.Python)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range functions {
		i := slices.IndexFunc(list, func(l *lockfile.Library) bool {
			return l.Name == p.Library && l.DType == p.DType.String()
		})
		if i < 0 {
			i = len(list)
			list = append(list, &lockfile.Library{Name: p.Library, Version: p.Version,
				DType: p.DType.String(), Functions: map[string]string{}, Sums: map[string]string{}})
		}
		list[i].Functions[p.Function] = p.Hash[:16]
		list[i].Sums[p.Function] = p.Sums.String()
	}
	return list, absent, nil
}

// open opens the target of a request, with the survey's environment.
func (s *Survey) open(ctx context.Context, r lockfile.Request) (probe.Target, error) {
	spec := r.Spec
	spec.Timeout = callTimeout
	d, err := s.Drivers.Driver(r.Target)
	if err != nil {
		return nil, err
	}
	if len(s.Env) > 0 && d.Options&probe.WithEnv != 0 {
		spec.Env = slices.Concat(spec.Env, s.Env)
	}
	return s.Drivers.Open(ctx, r.Target, spec)
}

// isTimeout reports whether a target did not answer in time. It may answer the
// next time.
func isTimeout(err error) bool {
	var f *probe.Fault
	return errors.As(err, &f) && (f.ID == "worker-timeout" || f.ID == "target-timeout")
}

// examine probes one operation.
func (s *Survey) examine(ctx context.Context, r lockfile.Request) (*lockfile.Operation, error) {
	t, err := s.open(ctx, r)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if s.OrderOnly {
		f, err := reveal.Reveal(ctx, t, s.Options)
		if err != nil {
			return nil, err
		}
		return operation(r, f)
	}
	position, err := s.position(ctx, t)
	if err != nil {
		return nil, err
	}
	settled := r
	settled.Spec.DType = t.Key().DType
	return s.compareVariants(ctx, settled, t.Key().Threads, position)
}

// position answers whether the order depends on the position in a matrix.
func (s *Survey) position(ctx context.Context, t probe.Target) (lockfile.Answer, error) {
	c, ok := t.(probe.CellTarget)
	if !ok {
		return "", nil
	}
	m, err := reveal.Cells(ctx, c, s.Options)
	switch {
	case err != nil:
		return "", err
	case len(m.Representative) > 1:
		return lockfile.Yes, nil
	}
	return lockfile.No, nil
}

// compareVariants reveals an operation, and compares it with other numbers of
// threads and other addresses of the data.
func (s *Survey) compareVariants(
	ctx context.Context, r lockfile.Request, threads int, position lockfile.Answer,
) (*lockfile.Operation, error) {
	base := r.Spec
	w := reveal.Sweep{Axis: "variant", Values: []string{"base"}}
	specs := []probe.Spec{base}
	add := func(list []probe.Spec) (first, end int, err error) {
		first = len(specs)
		for _, spec := range list {
			t, err := s.open(ctx, lockfile.Request{Target: r.Target, Spec: spec})
			if isTimeout(err) {
				return 0, 0, err
			}
			if err != nil { // the target does not honour it
				specs = specs[:first]
				break
			}
			_ = t.Close()
			specs = append(specs, spec)
		}
		return first, len(specs), nil
	}
	threadsFrom, threadsTo, err := add(threadSpecs(base, threads))
	if err != nil {
		return nil, err
	}
	alignFrom, alignTo, err := add(alignSpecs(base))
	if err != nil {
		return nil, err
	}
	for i := range specs[1:] {
		w.Values = append(w.Values, strconv.Itoa(i+1))
	}
	w.Open = func(ctx context.Context, i int) (probe.Target, error) {
		return s.open(ctx, lockfile.Request{Target: r.Target, Spec: specs[i]})
	}
	inv, err := reveal.Invariant(ctx, w, s.Options)
	if err != nil {
		return nil, err
	}
	first := inv.Classes[0] // its first member is base, which was revealed
	o, err := operation(r, first.Representative)
	if err != nil {
		return nil, err
	}
	o.Position = position
	o.Threads = dependence(first, threadsFrom, threadsTo)
	o.Alignment = dependence(first, alignFrom, alignTo)
	return o, nil
}

// dependence answers whether any of the variants from one to another is outside
// of the first class. The answer is empty where there are no variants.
func dependence(first reveal.Class, from, to int) lockfile.Answer {
	switch {
	case from == to:
		return ""
	case first.Verdict == reveal.Nondeterministic:
		return lockfile.Unknown
	}
	for i := from; i < to; i++ {
		if !slices.Contains(first.Indices, i) {
			return lockfile.Yes
		}
	}
	if first.Verified {
		return lockfile.No
	}
	return lockfile.Unknown
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

// threadSpecs returns the requests that show whether an operation depends on
// the number of threads: one and two, without the number that it has.
func threadSpecs(s probe.Spec, has int) (list []probe.Spec) {
	for _, n := range []int{1, 2} {
		if s.Threads = n; n != has {
			list = append(list, s)
		}
	}
	return list
}

// alignSpecs returns the requests that show whether an operation depends on the
// address of its data: at a multiple of 64 bytes, one element, 16 and 32 bytes
// after one, without its own.
func alignSpecs(s probe.Spec) (list []probe.Spec) {
	has := s.Align
	for _, n := range []int{0, s.DType.Bytes(), 16, 32} {
		if s.Align = n; n != has {
			list = append(list, s)
		}
	}
	return list
}
