package lock

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
)

// Agreement is the answer whether settings of the environment make two targets
// compute one operation alike.
type Agreement struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Shape string `json:"shape"` // sum f32 n=1000
	Found bool   `json:"found"`
	// Settings are the fewest under which the two have one tree and one
	// arithmetic. A setting of one library leaves the other as it is.
	Settings []string `json:"settings"`
	Tried    []Trial  `json:"tried"`
}

// Trial describes how a target adds under some settings of its library.
type Trial struct {
	Target   string   `json:"target"`
	Settings []string `json:"settings"`
	Words    string   `json:"words"`    // its order and arithmetic
	Verified bool     `json:"verified"` // proven; another one agrees with nothing

	found *lockfile.Operation
}

// notRun are the words of a target that fails under its settings.
const notRun = "could not be run"

// Agree looks for the fewest settings under which two targets compute an
// operation alike: kernels, vector instructions and numbers of threads of each
// one's library.
func (s *Survey) Agree(ctx context.Context, a, b string, spec probe.Spec) (*Agreement, error) {
	name := (&lockfile.Operation{Target: a, Spec: spec}).Name()
	_, shape, _ := strings.Cut(name, " ")
	found := &Agreement{A: a, B: b, Shape: shape, Settings: []string{}}
	if !s.takesSettings(a) && !s.takesSettings(b) {
		return nil, nil
	}
	var trials [2][]Trial
	for i, target := range []string{a, b} {
		list, err := s.trials(ctx, lockfile.Request{Target: target, Spec: spec})
		if err != nil {
			return nil, err
		}
		trials[i] = list
		found.Tried = append(found.Tried, list...)
	}
	for _, set := range agreeing(trials) {
		ok, err := s.bothUnder(ctx, a, b, spec, set)
		if err != nil {
			return nil, err
		}
		if ok {
			found.Found, found.Settings = true, set
			break
		}
	}
	return found, nil
}

// takesSettings reports whether a target has an environment of its own.
func (s *Survey) takesSettings(target string) bool {
	d, err := s.Drivers.Driver(target)
	return err == nil && d.Options&probe.WithEnv != 0
}

// agreeing returns the settings of two targets under which each does what the
// other does, the fewest first.
func agreeing(trials [2][]Trial) (sets [][]string) {
	for _, x := range trials[0] {
		for _, y := range trials[1] {
			if alike(x.found, y.found) {
				sets = append(sets, slices.Concat([]string{}, x.Settings, y.Settings))
			}
		}
	}
	slices.SortStableFunc(sets, func(a, b []string) int { return len(a) - len(b) })
	return sets
}

// bothUnder reports whether two targets agree under settings that are set for
// both.
func (s *Survey) bothUnder(ctx context.Context, a, b string, spec probe.Spec, set []string,
) (bool, error) {
	x, err := s.trial(ctx, lockfile.Request{Target: a, Spec: spec}, set)
	if err != nil {
		return false, err
	}
	y, err := s.trial(ctx, lockfile.Request{Target: b, Spec: spec}, set)
	return err == nil && alike(x.found, y.found), err
}

// trials probes an operation as it is, under each setting of its library, and
// under the pairs of those that change something.
func (s *Survey) trials(ctx context.Context, r lockfile.Request) ([]Trial, error) {
	list, err := s.each(ctx, r, [][]string{{}})
	if err != nil {
		return nil, err
	}
	here := list[0].found
	single, err := s.each(ctx, r, slices.Collect(ofSize(alternatives(here), 1)))
	if err != nil {
		return nil, err
	}
	var changing []string
	for _, t := range single {
		if !alike(here, t.found) {
			changing = append(changing, t.Settings...)
		}
	}
	double, err := s.each(ctx, r, slices.Collect(ofSize(changing, 2)))
	return slices.Concat(list, single, double), err
}

// ofSize yields the sets of a size.
func ofSize(list []string, size int) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for set := range subsets(list, size) {
			if len(set) == size && !yield(set) {
				return
			}
		}
	}
}

// each probes an operation under sets of settings, some at the same time.
func (s *Survey) each(ctx context.Context, r lockfile.Request, sets [][]string) ([]Trial, error) {
	list, faults := make([]Trial, len(sets)), make([]error, len(sets))
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, set := range sets {
		slots <- struct{}{}
		s.Show(strings.TrimSpace(strings.Join(set, " ")+" "+r.Target), i, len(sets))
		wg.Go(func() {
			defer func() { <-slots }()
			t, err := s.trial(ctx, r, set)
			if err == nil {
				list[i] = *t
			}
			faults[i] = err
		})
	}
	wg.Wait()
	return list, errors.Join(faults...)
}

// trial probes an operation under settings.
func (s *Survey) trial(ctx context.Context, r lockfile.Request, set []string) (*Trial, error) {
	lean := *s
	lean.Env, lean.OrderOnly = slices.Concat(s.Env, set), true
	t := &Trial{Target: r.Target, Settings: set, Words: notRun}
	o, err := lean.examine(ctx, r)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		o = &lockfile.Operation{Target: r.Target, Spec: r.Spec}
	default:
		t.Words = o.Verdict
		if o.Verified() {
			t.Words = strings.TrimSuffix(o.Family+": "+o.Arithmetic, ": ")
		}
	}
	t.found, t.Verified = o, o.Verified()
	return t, nil
}

// alternatives returns other values of the settings that a library reports, of
// those on which an operation may depend.
func alternatives(o *lockfile.Operation) (list []string) {
	now := reported(o)
	variables := []struct {
		name   string
		values []string
	}{
		{"ATEN_CPU_CAPABILITY", []string{"default", "avx2", "avx512"}},
		{"OMP_NUM_THREADS", []string{"1"}},
		{"OPENBLAS_CORETYPE", []string{"Haswell", "SkylakeX", "Zen", "Prescott"}},
		{"OPENBLAS_NUM_THREADS", []string{"1"}},
		{"MKL_CBWR", []string{"COMPATIBLE", "AVX2", "AVX512"}},
	}
	if o.Spec.Op == probe.Sum {
		variables = variables[:2] // a BLAS has no sum
	}
	for _, v := range variables {
		value, known := now[v.name]
		for _, other := range v.values {
			if known && value != "" && !strings.EqualFold(other, value) {
				list = append(list, v.name+"="+other)
			}
		}
	}
	if features := without(now[disableFeatures], baseline); features != "" {
		list = append(list, disableFeatures+"="+features)
	}
	return list
}

// baseline holds the features that NumPy is compiled for, and refuses to
// disable.
const baseline = "SSE SSE2 SSE3 X86_V2 NEON NEON_FP16 NEON_VFPV4 ASIMD"

// Answer is the answer in one sentence.
func (a *Agreement) Answer() string {
	switch {
	case a.Found && len(a.Settings) == 0:
		return fmt.Sprintf("%s and %s have the same order and arithmetic (%s)", a.A, a.B, a.Shape)
	case a.Found:
		return fmt.Sprintf("%s makes %s and %s agree (%s)", assign(a.Settings), a.A, a.B, a.Shape)
	}
	pair := fmt.Sprintf("%s and %s agree (%s); lastbit.sum gives the same bits for both",
		a.A, a.B, a.Shape)
	switch n := a.tried(); n {
	case 0:
		return "No setting is known to make " + pair
	case 1:
		return "The one setting tried does not make " + pair
	default:
		return fmt.Sprintf("None of %d settings tried makes %s", n, pair)
	}
}

// tried returns the number of sets of settings that could be tried.
func (a *Agreement) tried() (n int) {
	for _, t := range a.Tried {
		if len(t.Settings) > 0 && t.Words != notRun {
			n++
		}
	}
	return n
}

// Under names the settings of a trial.
func (t *Trial) Under() string {
	if len(t.Settings) == 0 {
		return "as it is here"
	}
	return assign(t.Settings)
}
