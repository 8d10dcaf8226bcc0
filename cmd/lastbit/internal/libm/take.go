package libm

import (
	"context"
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// version counts the changes of the arguments and of the file's format.
// Fingerprints of other versions cannot be compared with these.
const version = 3

// A Fingerprint describes the rounding of the functions of all libraries of a
// machine.
type Fingerprint struct {
	Version int         `json:"fingerprint"`
	Machine Machine     `json:"machine"`
	Right   []RightHash `json:"right"`
	Prints  []*Print    `json:"functions"`
	Absent  []Absence   `json:"absent"` // libraries that the machine does not have
}

// A RightHash is the hash of crmath's results, checked to be the right ones.
type RightHash struct {
	DType     fp.Format `json:"dtype"`
	Functions int       `json:"functions"`
	Hash      string    `json:"hash"`
}

// An Absence is a library that the machine does not have.
type Absence struct {
	Library string `json:"library"`
	Why     string `json:"why"`
	Err     error  `json:"-"` // behind it; nil in one from a file
}

// Progress is called at the start of each step, with its name and number.
type Progress func(step string, done, steps int)

// Take fingerprints all functions of all libraries of this machine, in some
// formats.
func Take(ctx context.Context, formats []fp.Format, run Python, show Progress) (*Fingerprint,
	error) {
	f := &Fingerprint{
		Version: version, Machine: ThisMachine(),
		Right: []RightHash{}, Prints: []*Print{}, Absent: []Absence{},
	}
	for _, format := range formats {
		add := addPrints[float64]
		if format == fp.Binary32 {
			add = addPrints[float32]
		}
		if err := add(ctx, f, run, show); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// addPrints fingerprints the functions of one format.
func addPrints[T Float](ctx context.Context, f *Fingerprint, run Python, show Progress) error {
	libraries, absent := installed[T](ctx, run)
	f.Absent = absent // the same for every format
	for i, l := range libraries {
		show(l.Version, i, len(libraries))
		prints, err := Prints(l, Functions[T]())
		if err != nil || ctx.Err() != nil {
			return uncallable(ctx, l.Version, err)
		}
		if l.Name == "crmath" {
			right, err := checkRight(FormatOf[T](), prints)
			if err != nil {
				return err
			}
			f.Right = append(f.Right, right)
		}
		f.Prints = append(f.Prints, prints...)
	}
	return ctx.Err()
}

// installed returns the libraries of this machine, and those that it lacks.
func installed[T Float](ctx context.Context, run Python) (found []Library[T], absent []Absence) {
	absent = []Absence{}
	for _, name := range libraryOrder {
		l, err := libraryOf[T](ctx, name, run)
		if err != nil {
			absent = append(absent, Absence{name, err.Error(), err})
			continue
		}
		found = append(found, l)
	}
	return found, absent
}

// libraryOf returns the library of a name in JSON.
func libraryOf[T Float](ctx context.Context, name string, run Python) (Library[T], error) {
	switch name {
	case "crmath":
		return Crmath[T](), nil
	case "go":
		return Go[T](), nil
	case "c":
		return C[T]()
	}
	return NumPy[T](ctx, run)
}

// checkRight checks crmath's results, the reference for all others: their hash
// is the same on every machine.
func checkRight(format fp.Format, prints []*Print) (RightHash, error) {
	r := RightHash{format, len(prints), HashOfAll(prints)}
	want := Golden(format)
	if r.Hash == want {
		return r, nil
	}
	return r, &probe.Fault{
		ID: "wrong-bits", Thing: "crmath, " + FormatName(format),
		Cause: fmt.Sprintf("it gives other bits in this build than elsewhere: "+
			"their hash is %.8s, and that of the right ones %.8s", r.Hash, want),
		Cure: "trust no result of this build, and report it with this line and the machine's kind",
	}
}

// Formats returns the formats of a fingerprint's functions.
func (f *Fingerprint) Formats() (formats []fp.Format) {
	for _, p := range f.Prints {
		if !slices.Contains(formats, p.DType) {
			formats = append(formats, p.DType)
		}
	}
	return formats
}
