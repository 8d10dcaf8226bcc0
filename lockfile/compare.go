package lockfile

import (
	"maps"
	"slices"
	"strings"
)

// Kind is the kind of a Change.
type Kind string

// The kinds of changes.
const (
	Changed   Kind = "changed"
	Gone      Kind = "gone"       // locked, and cannot be probed any more
	NotLocked Kind = "not locked" // of the project, and not in the lock file
)

// Difference is the difference of two profiles.
type Difference struct {
	Operations int         `json:"operations"` // compared
	Libraries  int         `json:"libm"`       // libraries of elementary functions compared
	Changes    []*Change   `json:"changes"`
	Functions  []*Function `json:"functions"` // whose results changed

	// Moved holds versions and settings that changed where the order and the
	// arithmetic did not.
	Moved []Part `json:"moved"`
}

// Change is an operation whose order or arithmetic changed, or a library of
// elementary functions that is gone or not locked.
type Change struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	Why  string `json:"why,omitempty"` // it cannot be probed
	// Functions is the number of elementary functions of a library.
	Functions int    `json:"functions,omitempty"`
	Parts     []Part `json:"parts"` // that changed
	With      []Part `json:"with"`  // versions and settings that changed with it

	Old, New *Operation `json:"-"`
}

// Part is a property that changed.
type Part struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Function is an elementary function with other results.
type Function struct {
	Library string `json:"library"`
	Name    string `json:"name"`
	Change  Part   `json:"change"` // of the hash of the results
	With    []Part `json:"with"`   // versions and settings that changed with it
	Sums    string `json:"-"`      // as locked
}

// Compare returns the changes from old to new, in the order of their names. Of
// new, missing names the operations and the libraries (see Library.ChangeName)
// that could not be probed, with the reason.
func Compare(old, new *Profile, missing map[string]string) *Difference {
	d := &Difference{Changes: []*Change{}, Functions: []*Function{}, Moved: []Part{}}
	for _, o := range old.Operations {
		name := o.Name()
		now := new.Operation(name)
		if now == nil {
			if why, asked := missing[name]; asked {
				d.Changes = append(d.Changes, &Change{Name: name, Kind: Gone, Why: why, Old: o})
			}
			continue
		}
		d.Operations++
		with := changed(o.versions(), now.versions())
		if parts := changed(o.behaviour(), now.behaviour()); len(parts) > 0 {
			with = append(with, changedSettings(old.Settings, new.Settings, choosesLibrary)...)
			d.Changes = append(d.Changes, &Change{
				Name: name, Kind: Changed, Parts: parts, With: with, Old: o, New: now,
			})
			continue
		}
		d.moved(with)
	}
	for _, o := range new.Operations {
		if name := o.Name(); old.Operation(name) == nil {
			d.Changes = append(d.Changes, &Change{Name: name, Kind: NotLocked, New: o})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if old.Operation(name) == nil && !old.hasLibrary(name) {
			d.Changes = append(d.Changes,
				&Change{Name: name, Kind: NotLocked, Why: missing[name]})
		}
	}
	d.libraries(old, new, missing)
	for _, c := range d.Changes {
		c.Parts, c.With = append([]Part{}, c.Parts...), append([]Part{}, c.With...)
	}
	for _, f := range d.Functions {
		f.With = append([]Part{}, f.With...)
	}
	return d
}

// behaviour returns the properties that results depend on.
func (o *Operation) behaviour() []Part {
	return []Part{
		{"verdict", "", o.Verdict}, {"tree", "", o.Tree}, {"family", "", o.Family},
		{"arithmetic", "", o.arithmetic()}, {"depends on threads", "", string(o.Threads)},
		{"depends on position", "", string(o.Position)},
		{"depends on alignment", "", string(o.Alignment)},
	}
}

// arithmetic returns the arithmetic: words, followed by all of it.
func (o *Operation) arithmetic() string {
	return strings.TrimSpace(o.Arithmetic + " " + o.Replay)
}

// versions returns the versions and settings that were probed.
func (o *Operation) versions() []Part {
	return []Part{
		{"library", "", o.Library}, {"kernel", "", o.Kernel}, {"settings", "", o.Settings},
		{"threads", "", o.UsedThreads},
	}
}

// changed returns the parts of two lists that differ. Words for an arithmetic
// are followed by its JSON only where the words are the same.
func changed(old, new []Part) []Part {
	parts := []Part{}
	for i, p := range old {
		q := new[i]
		if p.New == q.New {
			continue
		}
		a, _, _ := strings.Cut(p.New, " {")
		b, _, _ := strings.Cut(q.New, " {")
		if a == b {
			a, b = p.New, q.New
		}
		parts = append(parts, Part{p.Name, a, b})
	}
	return parts
}

// libraries compares elementary functions. A library that old lacks is not
// locked where old has none of its format: the project asks for a new format.
func (d *Difference) libraries(old, new *Profile, missing map[string]string) {
	for _, l := range old.Libraries {
		m := new.library(l.Title())
		if m == nil {
			name := l.ChangeName()
			why, asked := missing[name]
			if !asked {
				why = "the library is not here"
			}
			d.Changes = append(d.Changes,
				&Change{Name: name, Kind: Gone, Why: why, Functions: len(l.Functions)})
			continue
		}
		d.Libraries++
		with := changed([]Part{{"library", "", l.Version}}, []Part{{"library", "", m.Version}})
		with = append(with, l.settings(old.Settings, new.Settings)...)
		before := len(d.Functions)
		for _, name := range slices.Sorted(maps.Keys(l.Functions)) {
			if a, b := l.Functions[name], m.Functions[name]; a != b {
				d.Functions = append(d.Functions, &Function{l.Title(), name,
					Part{"results", a, b}, with, l.Sums[name]})
			}
		}
		if len(d.Functions) == before {
			d.moved(with)
		}
	}
	for _, m := range new.Libraries {
		sameFormat := func(l *Library) bool { return l.DType == m.DType }
		if !slices.ContainsFunc(old.Libraries, sameFormat) {
			d.Changes = append(d.Changes,
				&Change{Name: m.ChangeName(), Kind: NotLocked, Functions: len(m.Functions)})
		}
	}
}

// moved adds versions and settings that changed nothing else.
func (d *Difference) moved(parts []Part) {
	for _, p := range parts {
		if !slices.Contains(d.Moved, p) {
			d.Moved = append(d.Moved, p)
		}
	}
}

// library returns the library of a title, or nil.
func (p *Profile) library(title string) *Library {
	i := slices.IndexFunc(p.Libraries, func(l *Library) bool { return l.Title() == title })
	if i < 0 {
		return nil
	}
	return p.Libraries[i]
}

// hasLibrary reports whether one of the libraries has a ChangeName.
func (p *Profile) hasLibrary(name string) bool {
	return slices.ContainsFunc(p.Libraries, func(l *Library) bool { return l.ChangeName() == name })
}

// ChangeName names a library in a Change.
func (l *Library) ChangeName() string { return l.Title() + " elementary functions" }

// settings returns the variables of the environment that choose the code of the
// library's functions, and changed.
func (l *Library) settings(old, new []string) []Part {
	return changedSettings(old, new, func(name string) bool {
		return choosesLibrary(name) || l.Name == "c" && name == "GLIBC_TUNABLES" ||
			l.Name == "numpy" && strings.HasPrefix(name, "NPY_")
	})
}

// choosesLibrary reports whether a variable chooses the files of libraries.
func choosesLibrary(name string) bool { return strings.HasPrefix(name, "LD_") }

// changedSettings returns the variables that changed, of those that count.
func changedSettings(old, new []string, counts func(name string) bool) (parts []Part) {
	a, b := assignments(old), assignments(new)
	for _, name := range slices.Sorted(maps.Keys(union(a, b))) {
		if counts(name) && a[name] != b[name] {
			parts = append(parts, Part{name, a[name], b[name]})
		}
	}
	return parts
}

// assignments returns the values of variables.
func assignments(list []string) map[string]string {
	values := map[string]string{}
	for _, s := range list {
		name, value, _ := strings.Cut(s, "=")
		values[name] = value
	}
	return values
}

// union returns the keys of both maps.
func union(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// Allow moves the changes of operations and functions whose name matches one of
// the patterns to a list of their own. A * in a pattern stands for any text.
func (d *Difference) Allow(patterns []string) (allowed []string) {
	matches := func(name string) bool {
		ok := Allows(patterns, name)
		if ok {
			allowed = append(allowed, name)
		}
		return ok
	}
	d.Changes = slices.DeleteFunc(d.Changes, func(c *Change) bool { return matches(c.Name) })
	d.Functions = slices.DeleteFunc(d.Functions, func(f *Function) bool {
		return matches(f.Title())
	})
	return allowed
}

// Allows reports whether the name of an operation or function matches one of
// the patterns. A * in a pattern stands for any text.
func Allows(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

// Title names a function: "numpy f64 exp".
func (f *Function) Title() string { return f.Library + " " + f.Name }

// Empty reports whether nothing changed that results depend on.
func (d *Difference) Empty() bool { return len(d.Changes) == 0 && len(d.Functions) == 0 }

// match reports whether a pattern with * for any text matches a beginning of s
// that ends with s or before a space: "py:numpy.*" matches every operation of
// NumPy.
func match(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	if !star {
		return s == "" || s[0] == ' '
	}
	for i := range len(s) + 1 {
		if match(rest, s[i:]) {
			return true
		}
	}
	return false
}
