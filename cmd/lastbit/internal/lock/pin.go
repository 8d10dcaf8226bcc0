package lock

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/lockfile"
)

// maxSettings bounds the settings that are combined.
const maxSettings = 3

// Pin holds the settings that make this machine compute as each of two
// profiles.
type Pin struct {
	Operations int      `json:"operations"` // that both profiles have
	Differ     []string `json:"differ"`     // names of those that they compute otherwise
	Ways       []Way    `json:"ways"`       // to the first profile, and to the second
	// Functions are the elementary functions with other results. No setting is
	// tried for them.
	Functions []string `json:"functions"`
}

// Way is the way from this machine to a profile.
type Way struct {
	Profile string `json:"profile"` // a name for people
	Found   bool   `json:"found"`
	// Settings are the smallest set that makes this machine compute as the
	// profile. Where none does, they are those that leave the fewest
	// operations.
	Settings []string `json:"settings"`
	Left     []string `json:"left"`  // names of operations that still differ
	Tried    int      `json:"tried"` // sets of settings
}

// Pin looks for the settings that make this machine compute as two profiles.
// names are for people.
func (s *Survey) Pin(ctx context.Context, profiles [2]*lockfile.Profile, names [2]string,
) (*Pin, error) {
	pin := &Pin{Differ: []string{}, Functions: []string{}}
	for _, f := range lockfile.Compare(profiles[0], profiles[1], nil).Functions {
		pin.Functions = append(pin.Functions, f.Title())
	}
	var shared []string
	for _, o := range profiles[0].Operations {
		other := profiles[1].Operation(o.Name())
		if other == nil {
			continue
		}
		shared = append(shared, o.Name())
		if !alike(o, other) {
			pin.Differ = append(pin.Differ, o.Name())
		}
	}
	pin.Operations = len(shared)
	if len(pin.Differ) == 0 {
		return pin, nil
	}
	for i, p := range profiles {
		way, err := s.way(ctx, p, shared, pin.Differ)
		if err != nil {
			return nil, err
		}
		way.Profile = names[i]
		pin.Ways = append(pin.Ways, *way)
	}
	return pin, nil
}

// alike reports whether two operations have the same order and arithmetic.
// Those without a verified tree are never known to.
func alike(a, b *lockfile.Operation) bool {
	return a.Verified() && a.Tree == b.Tree && a.Replay == b.Replay
}

// way looks for the settings that make this machine compute the shared
// operations as a profile does. It asks first for those that differ.
func (s *Survey) way(ctx context.Context, goal *lockfile.Profile, shared, differ []string,
) (*Way, error) {
	way := &Way{Settings: []string{}, Left: slices.Clone(differ)}
	here, left, err := s.under(ctx, goal, differ, nil)
	if err != nil {
		return nil, err
	}
	candidates := candidatesFor(goal, here, differ)
	for set := range subsets(candidates, maxSettings) {
		way.Tried++
		if len(set) > 0 {
			if _, left, err = s.under(ctx, goal, differ, set); err != nil {
				return nil, err
			}
		}
		if way.Tried == 1 || len(left) < len(way.Left) {
			way.Settings, way.Left = set, left
		}
		if len(left) > 0 {
			continue
		}
		// The settings may have changed what the two profiles share.
		_, broken, err := s.under(ctx, goal, shared, set)
		if err != nil {
			return nil, err
		}
		if way.Settings, way.Left = set, broken; len(broken) == 0 {
			way.Found = true
			return way, nil
		}
	}
	return way, nil
}

// under probes operations of a profile under settings, and returns those that
// differ from it.
func (s *Survey) under(ctx context.Context, goal *lockfile.Profile, names, set []string,
) (*lockfile.Profile, []string, error) {
	lean := *s
	lean.Env, lean.OrderOnly = slices.Concat(s.Env, set), true
	var requests []lockfile.Request
	for _, name := range names {
		o := goal.Operation(name)
		requests = append(requests, lockfile.Request{Target: o.Target, Spec: o.Spec})
	}
	now, err := lean.Profile(ctx, requests, nil)
	if err != nil {
		return nil, nil, err
	}
	left := []string{}
	for _, name := range names {
		if o := now.Operation(name); o == nil || !alike(o, goal.Operation(name)) {
			left = append(left, name)
		}
	}
	return now.Profile, left, nil
}

// candidatesFor returns the settings of the goal's environment, and the
// settings that libraries reported there and do not report here, for the
// operations that differ.
func candidatesFor(goal, here *lockfile.Profile, differ []string) []string {
	set := map[string]bool{}
	for _, e := range goal.Settings {
		if name, _, _ := strings.Cut(e, "="); !strings.HasPrefix(name, "LD_") {
			set[e] = true
		}
	}
	for _, name := range differ {
		now := here.Operation(name)
		if now == nil {
			continue
		}
		there := reported(goal.Operation(name))
		for variable, value := range reported(now) {
			wanted := there[variable]
			if variable == disableFeatures {
				wanted = without(value, wanted)
				value = ""
			}
			if wanted != "" && wanted != value {
				set[variable+"="+wanted] = true
			}
		}
	}
	for _, e := range slices.Sorted(maps.Keys(set)) { // what is set here already
		if slices.Contains(here.Settings, e) {
			delete(set, e)
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// disableFeatures is NumPy's variable, whose value is a list of features.
const disableFeatures = "NPY_DISABLE_CPU_FEATURES"

// reported returns the variables of the environment that would set what a
// library reports, with their values; for disableFeatures the features in use.
func reported(o *lockfile.Operation) map[string]string {
	set := map[string]string{}
	words := strings.Fields(o.Kernel)
	threads := []string{}
	library, _, _ := strings.Cut(o.Library, " ")
	switch {
	case library == "OpenBLAS" && len(words) == 1:
		set["OPENBLAS_CORETYPE"] = words[0]
		threads = append(threads, "OPENBLAS_NUM_THREADS")
	case len(words) == 3 && words[0] == "OpenBLAS":
		set["OPENBLAS_CORETYPE"] = words[2]
		threads = append(threads, "OPENBLAS_NUM_THREADS")
	case library == "PyTorch":
		threads = append(threads, "OMP_NUM_THREADS")
	}
	for _, name := range threads {
		set[name] = o.UsedThreads
	}
	switch library {
	case "PyTorch":
		capability, _, _ := strings.Cut(o.Settings, ",")
		if strings.HasPrefix(capability, "MKL_CBWR") {
			capability = o.Kernel
		}
		set["ATEN_CPU_CAPABILITY"] = strings.ToLower(capability)
		if _, branch, ok := strings.Cut(o.Settings, "MKL_CBWR "); ok {
			set["MKL_CBWR"] = branch
		}
	case "NumPy":
		set[disableFeatures] = o.Settings
	}
	return set
}

// without returns the words of one list that another lacks.
func without(list, other string) string {
	has := strings.Fields(other)
	return strings.Join(slices.DeleteFunc(strings.Fields(list), func(s string) bool {
		return slices.Contains(has, s)
	}), " ")
}

// subsets yields the sets of at most most elements, the smallest first, none of
// them with two values of one variable.
func subsets(list []string, most int) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		level := [][]int{{}}
		for size := 0; size <= most; size++ {
			var next [][]int
			for _, at := range level {
				set := []string{}
				from := 0
				for _, i := range at {
					set, from = append(set, list[i]), i+1
				}
				if !yield(set) {
					return
				}
				for i := from; i < len(list); i++ {
					if !sets(set, list[i]) {
						next = append(next, append(slices.Clone(at), i))
					}
				}
			}
			level = next
		}
	}
}

// sets reports whether a list sets the variable of an assignment.
func sets(list []string, assignment string) bool {
	name, _, _ := strings.Cut(assignment, "=")
	return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, name+"=") })
}
