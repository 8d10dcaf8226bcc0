package lock

import (
	"context"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/reveal"
)

// Report is the result of a check.
type Report struct {
	Same bool `json:"same"` // nothing changed that is not allowed
	// Conclusion is reveal.Open where nothing changed and Unverified names
	// operations.
	Conclusion reveal.Conclusion `json:"conclusion"`
	// Unverified names the operations without a change that are not verified,
	// as locked or now, and that no pattern allows.
	Unverified []string `json:"unverified"`

	Class string `json:"class"` // of this machine
	// Against is the class of the profile that this machine was compared with.
	// Another is whether that is another class.
	Against string `json:"against"`
	Another bool   `json:"another_machine"`
	*lockfile.Difference
	Allowed   []string            `json:"allowed"`   // names of changes that a pattern allows
	Witnesses map[string]*Witness `json:"witnesses"` // by the names of operations

	// FunctionWitnesses has results that changed, by the titles of functions.
	FunctionWitnesses map[string]*libm.Witness `json:"function_witnesses"`

	Now     *lockfile.Profile `json:"-"` // as probed
	Missing Missing           `json:"-"` // operations that could not be probed
}

// Check probes the operations of a lock file, and compares. The file has a
// profile. config may be nil.
func (s *Survey) Check(
	ctx context.Context, f *lockfile.File, config *lockfile.Config, allow []string,
) (*Report, error) {
	class := Class()
	old := nearest(f, class)
	requests, dropped := requestsOf(old, config)
	formats := formatsOf(old)
	if config != nil {
		formats = config.Libm
	}
	now, err := s.Profile(ctx, requests, formats)
	if err != nil {
		return nil, err
	}
	dropped = append(dropped, now.missLibraries(old, formats)...)
	reasons := now.Missing.Reasons()
	for _, name := range dropped {
		reasons[name] = lockfile.ConfigName + " does not name it any more"
	}
	r := &Report{
		Class: class, Against: old.Class, Another: class != old.Class,
		Now: now.Profile, Missing: now.Missing,
		Difference: lockfile.Compare(old, now.Profile, reasons), Witnesses: map[string]*Witness{},
	}
	if r.Allowed = r.Allow(allow); r.Allowed == nil {
		r.Allowed = []string{}
	}
	r.Same = r.Empty()
	r.conclude(old, allow)
	for _, c := range r.Changes {
		w, err := s.Witness(ctx, c)
		if err != nil {
			return nil, err
		}
		if w != nil {
			r.Witnesses[c.Name] = w
		}
	}
	r.FunctionWitnesses, err = s.functionWitnesses(ctx, r.Functions)
	return r, err
}

// conclude fills Conclusion and Unverified.
func (r *Report) conclude(old *lockfile.Profile, allow []string) {
	r.Unverified = []string{}
	for _, o := range old.Operations {
		now := r.Now.Operation(o.Name())
		changed := func(c *lockfile.Change) bool { return c.Name == o.Name() }
		if now == nil || Settled(o) && Settled(now) || lockfile.Allows(allow, o.Name()) ||
			slices.ContainsFunc(r.Changes, changed) {
			continue
		}
		r.Unverified = append(r.Unverified, o.Name())
	}
	switch {
	case !r.Same:
		r.Conclusion = reveal.Different
	case len(r.Unverified) > 0:
		r.Conclusion = reveal.Open
	default:
		r.Conclusion = reveal.Same
	}
}

// Settled reports whether an operation is a verified tree, or verified to be
// exact.
func Settled(o *lockfile.Operation) bool {
	return o.Verified() || o.Verdict == string(reveal.Exact)
}

// missLibraries adds the locked libraries of elementary functions that are not
// here to those that could not be probed. dropped holds the names of those
// whose format is none of the given ones.
func (f *Findings) missLibraries(old *lockfile.Profile, formats []fp.Format) (dropped []string) {
	for _, l := range old.Libraries {
		format, err := fp.Parse(l.DType)
		if err != nil || !slices.Contains(formats, format) {
			dropped = append(dropped, l.ChangeName())
			continue
		}
		for _, a := range f.Absent {
			if a.Library == l.Name {
				f.Missing[l.ChangeName()] = a.Err
			}
		}
	}
	return dropped
}

// nearest returns the profile to compare a machine of a class with: its own, or
// else the one whose class shares the most of its beginning.
func nearest(f *lockfile.File, class string) *lockfile.Profile {
	var best *lockfile.Profile
	most := -1
	for _, p := range f.Profiles {
		shared := 0
		for shared < min(len(class), len(p.Class)) && class[shared] == p.Class[shared] {
			shared++
		}
		if p.Class == class {
			return p
		}
		if shared > most {
			best, most = p, shared
		}
	}
	return best
}

// formatsOf returns the formats of a profile's elementary functions.
func formatsOf(p *lockfile.Profile) (formats []fp.Format) {
	for _, l := range p.Libraries {
		format, err := fp.Parse(l.DType)
		if err == nil && !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	return formats
}

// requestsOf returns the requests of a profile, and the requests of a
// configuration that the profile does not answer. dropped names the operations
// that the configuration does not have any more.
func requestsOf(p *lockfile.Profile, config *lockfile.Config,
) (requests []lockfile.Request, dropped []string) {
	for _, o := range p.Operations {
		r := lockfile.Request{Target: o.Target, Spec: o.Spec}
		if config != nil && !slices.ContainsFunc(config.Requests, o.Answers) {
			dropped = append(dropped, o.Name())
			continue
		}
		requests = append(requests, r)
	}
	if config == nil {
		return requests, nil
	}
	for _, r := range config.Requests {
		answered := slices.ContainsFunc(p.Operations, func(o *lockfile.Operation) bool {
			return o.Answers(r)
		})
		if !answered {
			requests = append(requests, r)
		}
	}
	return requests, dropped
}

// Summary describes a change on one line.
func Summary(c *lockfile.Change) string {
	switch c.Kind {
	case lockfile.Gone:
		return c.Name + ": cannot be probed any more: " + c.Why
	case lockfile.NotLocked:
		if c.Why != "" {
			return c.Name + ": not in the lock file, and cannot be probed: " + c.Why
		}
		return c.Name + ": not in the lock file"
	}
	var parts []string
	for _, p := range c.Parts {
		parts = append(parts, describePart(p))
	}
	s := c.Name + ": " + strings.Join(parts, ", ")
	var with []string
	for _, p := range c.With {
		with = append(with, describeVersion(p))
	}
	if len(with) > 0 {
		s += " (" + strings.Join(with, ", ") + ")"
	}
	return s
}

// shownDigits is the number of digits of a hash that people see.
const shownDigits = 8

// describePart describes a property that changed.
func describePart(p lockfile.Part) string {
	a, b := orNone(p.Old), orNone(p.New)
	switch p.Name {
	case "tree":
		return "tree " + shorten(a) + " → " + shorten(b)
	case "family":
		return a + " → " + b
	case "arithmetic":
		a, b = apart(a, b)
	}
	return p.Name + " " + a + " → " + b
}

// describeVersion describes a version or a setting that changed.
func describeVersion(p lockfile.Part) string {
	change := orNone(p.Old) + " → " + orNone(p.New)
	if p.Name == "library" || p.Name == "kernel" {
		return change
	}
	return p.Name + " " + change
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// shorten returns the digits of a hash that people see.
func shorten(hash string) string { return hash[:min(len(hash), shownDigits)] }

// apart returns the phrases of two lists that the other one lacks.
func apart(a, b string) (onlyA, onlyB string) {
	one, other := strings.Split(a, ", "), strings.Split(b, ", ")
	lacks := func(list []string) func(string) bool {
		return func(s string) bool { return slices.Contains(list, s) }
	}
	x := slices.DeleteFunc(slices.Clone(one), lacks(other))
	y := slices.DeleteFunc(slices.Clone(other), lacks(one))
	return orNone(strings.Join(x, ", ")), orNone(strings.Join(y, ", "))
}
