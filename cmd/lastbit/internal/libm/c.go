package libm

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
)

// cFiles lists the files that may hold the C library's functions.
var cFiles = []string{"libm.so.6", "libm.so", "libSystem.B.dylib"}

// C returns the C library's functions. It fails where no library can be called,
// and on 386, where the functions would compute with fewer bits here than in a
// program in C, and look worse than they are.
func C[T Float]() (Library[T], error) {
	if runtime.GOARCH == "386" {
		return Library[T]{}, errors.New("the C library's functions are not called on 386: " +
			"Go keeps the x87 unit at 53 bits, and they are made for 64")
	}
	var lib *dl.Library
	err := error(dl.ErrUnsupported)
	for _, name := range cFiles {
		if lib, err = dl.Open(name); err == nil {
			break
		}
	}
	if err != nil {
		return Library[T]{}, fmt.Errorf("the C library's functions cannot be called: %w", err)
	}
	return Library[T]{
		Name: "c", Version: cVersion(),
		Find:  func(f *Function[T]) (Loop[T], error) { return cLoop(lib, f) },
		Timed: func(f *Function[T]) bool { return dl.Loops && f.Results == 1 },
	}, nil
}

// cLoop returns the loop of C's function.
func cLoop[T Float](lib *dl.Library, f *Function[T]) (Loop[T], error) {
	name := cSymbol(lib, f)
	if name == "" {
		return nil, nil
	}
	return symbolLoop(lib, name, f)
}

// symbolLoop returns the loop of a library's function.
func symbolLoop[T Float](lib *dl.Library, name string, f *Function[T]) (Loop[T], error) {
	switch {
	case f.Results == 2:
		var call func(x T, sin, cos *T)
		err := lib.Func(name, &call)
		return func(out, x, _ []T) error {
			for i, v := range x {
				call(v, &out[i], &out[len(x)+i])
			}
			return nil
		}, err
	case f.Binary:
		call, err := dl.Map2[T](lib, name)
		return func(out, x, y []T) error {
			call(out, x, y)
			return nil
		}, err
	}
	call, err := dl.Map[T](lib, name)
	return func(out, x, _ []T) error {
		call(out, x)
		return nil
	}, err
}

// cSymbol returns C's name of a function, or "" where it has none. On macOS,
// functions of no standard have two underscores in front.
func cSymbol[T Float](lib *dl.Library, f *Function[T]) string {
	own := cName(f)
	if own == "" {
		return ""
	}
	for _, name := range []string{own, "__" + own} {
		if lib.Has(name) {
			return name
		}
	}
	return ""
}

// cName returns the name of a function in C, or "" if it cannot be called.
func cName[T Float](f *Function[T]) string {
	if FormatOf[T]() == fp.Binary32 && f.C != "" {
		return f.C + "f"
	}
	return f.C
}

// cVersion returns the C library's own name for itself, where it has one.
func cVersion() string {
	lib, err := dl.Open("")
	if err == nil && lib.Has("gnu_get_libc_version") {
		var version func() string
		if lib.Func("gnu_get_libc_version", &version) == nil {
			return "glibc " + version()
		}
	}
	return systemVersion()
}
