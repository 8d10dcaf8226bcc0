package libm

import (
	"fmt"
	"runtime"

	"github.com/lastbit/lastbit/internal/dl"
)

// cNames are the files that the C library's functions may be in.
var cNames = []string{"libm.so.6", "libm.so", "libSystem.B.dylib"}

// C returns the C library's functions. The error says that there is none to be had.
func C() (Library, error) {
	var lib *dl.Library
	err := error(dl.ErrUnsupported)
	for _, name := range cNames {
		if lib, err = dl.Open(name); err == nil {
			break
		}
	}
	if err != nil {
		return Library{}, fmt.Errorf("the C library's functions cannot be called: %w", err)
	}
	return Library{Name: "c", Version: cVersion(), Call: func(f *Function, x, y []float64) ([]float64, error) {
		if !lib.Has(f.Name) {
			return nil, nil
		}
		var unary func(float64) float64
		var binary func(x, y float64) float64
		if f.binary {
			err := lib.Func(f.Name, &binary)
			return apply(func(x, y float64) float64 { return binary(x, y) }, x, y), err
		}
		err := lib.Func(f.Name, &unary)
		return apply(one(func(x float64) float64 { return unary(x) }), x, y), err
	}}, nil
}

// cVersion is the C library's own name for itself, where it has one.
func cVersion() string {
	lib, err := dl.Open("")
	if err == nil && lib.Has("gnu_get_libc_version") {
		var version func() string
		if lib.Func("gnu_get_libc_version", &version) == nil {
			return "glibc " + version()
		}
	}
	return runtime.GOOS
}
