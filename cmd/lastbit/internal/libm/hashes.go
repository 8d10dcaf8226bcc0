package libm

import (
	"context"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Hashes identifies the results of a function of a library with its fixed
// arguments. Unlike a Print, it does not compare them with the right results.
type Hashes struct {
	Library, Version, Function string
	DType                      fp.Format
	Hash                       string // as in a Print
	Sums                       Sums
}

// TakeHashes calls all functions of the C library and of NumPy, in some
// formats.
func TakeHashes(ctx context.Context, formats []fp.Format, run Python,
) (list []Hashes, absent []Absence, err error) {
	for _, format := range formats {
		add := addHashes[float64]
		if format == fp.Binary32 {
			add = addHashes[float32]
		}
		if list, absent, err = add(ctx, list, run); err != nil {
			return nil, nil, err
		}
	}
	return list, absent, nil
}

// addHashes adds the functions of one format.
func addHashes[T Float](ctx context.Context, list []Hashes, run Python,
) (_ []Hashes, absent []Absence, err error) {
	for _, name := range []string{"c", "numpy"} {
		l, err := libraryOf[T](ctx, name, run)
		if err != nil {
			absent = append(absent, Absence{name, err.Error(), err})
			continue
		}
		jobs, err := l.call(Functions[T]())
		if err != nil {
			return nil, nil, uncallable(ctx, l.Version, err)
		}
		for _, j := range jobs {
			list = append(list, Hashes{l.Name, l.Version, j.Function.Name, FormatOf[T](),
				hashOf(j.Out), sumsOf(j.Out)})
		}
	}
	return list, absent, ctx.Err()
}

// uncallable returns the fault of a library whose functions could not be
// called, or the error of the context.
func uncallable(ctx context.Context, library string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &probe.Fault{
		ID: "failed", Thing: library, Cause: "its functions could not be called",
		Cure: "see that they work in a program of their own", Err: err,
	}
}
