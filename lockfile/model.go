package lockfile

import (
	"cmp"
	"slices"

	"github.com/lastbit/lastbit/probe"
)

// Version is the version of the format that this package reads and writes.
const Version = 2

// Name is the usual name of a lock file.
const Name = "lastbit.lock"

// Unverified is the verdict of an operation whose tree did not pass its proof.
const Unverified = "unverified tree"

// File is a lock file.
type File struct {
	Profiles []*Profile // sorted by class
	trees    map[string]string
}

// Profile holds the operations of one class of machines.
type Profile struct {
	Class      string       `json:"class"`              // see docs/use/lock.md
	Settings   []string     `json:"settings,omitempty"` // NAME=value of its environment
	Operations []*Operation `json:"operations"`         // sorted by name
	Libraries  []*Library   `json:"libm"`               // of elementary functions, sorted by title
}

// Answer is whether an operation depends on something.
type Answer string

// The answers. An operation that does not have the property has none: "".
const (
	Yes     Answer = "yes"
	No      Answer = "no"
	Unknown Answer = "unknown"
)

// Operation is an operation of a project: the request, and the finding. Tree,
// Family, Arithmetic and Replay describe a verified tree, and are otherwise
// empty.
type Operation struct {
	Target string
	Spec   probe.Spec

	Verdict    string // of package reveal, or Unverified
	Tree       string // hash
	Family     string
	Arithmetic string // in words
	Replay     string // a sumtree.Arithmetic in JSON

	// On whether the tree or the arithmetic depends.
	Threads, Position, Alignment Answer

	// The versions and settings that were probed, as the library reports them.
	Library, Kernel, Settings, UsedThreads string

	text string // of the tree, where no family gives it
}

// Name identifies an operation in a profile: the request on one line.
func (o *Operation) Name() string {
	k := o.Spec.Key(o.Target)
	k.Threads = 1
	if o.Spec.Threads > 0 {
		k.Threads = o.Spec.Threads
	}
	return k.String()
}

// Verified reports whether the operation has a verified tree.
func (o *Operation) Verified() bool { return o.Tree != "" }

// Library holds the hashes of the results of a library's elementary functions.
type Library struct {
	Name      string            `json:"library"` // c, go, numpy
	Version   string            `json:"version"`
	DType     string            `json:"dtype"`
	Functions map[string]string `json:"functions"` // name → hash
	// Sums find a result that changed. A file of an earlier lastbit has none.
	Sums map[string]string `json:"-"` // name → text
}

// Title identifies a library in a profile.
func (l *Library) Title() string { return l.Name + " " + l.DType }

// Profile returns the profile of a class, or nil.
func (f *File) Profile(class string) *Profile {
	for _, p := range f.Profiles {
		if p.Class == class {
			return p
		}
	}
	return nil
}

// Put adds a profile, in place of the one of its class.
func (f *File) Put(p *Profile) {
	f.Profiles = slices.DeleteFunc(f.Profiles, func(q *Profile) bool { return q.Class == p.Class })
	f.Profiles = append(f.Profiles, p)
	f.sort()
}

// sort puts everything in the order of the file.
func (f *File) sort() {
	slices.SortFunc(f.Profiles, func(a, b *Profile) int { return cmp.Compare(a.Class, b.Class) })
	for _, p := range f.Profiles {
		slices.Sort(p.Settings)
		slices.SortFunc(p.Operations, func(a, b *Operation) int {
			return cmp.Compare(a.Name(), b.Name())
		})
		slices.SortFunc(p.Libraries, func(a, b *Library) int {
			return cmp.Compare(a.Title(), b.Title())
		})
	}
}

// Operation returns the operation of a name, or nil.
func (p *Profile) Operation(name string) *Operation {
	for _, o := range p.Operations {
		if o.Name() == name {
			return o
		}
	}
	return nil
}
