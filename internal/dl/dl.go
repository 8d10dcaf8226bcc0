// Package dl loads shared libraries and calls their C functions, without cgo.
//
// It is the only place that does. Where the dynamic linker cannot be reached
// from Go, the package builds all the same and Open returns ErrUnsupported.
//
// A C function runs on the thread of the goroutine that calls it and with all
// its rights: a fault in it ends the process, and neither its signature nor
// what it does with its arguments can be checked from here. Call foreign code
// in a process that may die.
package dl

import (
	"errors"
	"fmt"
	"runtime"
)

// ErrUnsupported says that this platform cannot load shared libraries.
var ErrUnsupported = fmt.Errorf("shared libraries cannot be loaded on %s/%s: %w", runtime.GOOS,
	runtime.GOARCH, errors.ErrUnsupported)

// MissingError says that a library, and those that it depends on, have no
// symbol of that name.
type MissingError struct {
	Library string // path as given to Open
	Symbol  string
}

// Error names the library and the symbol.
func (e *MissingError) Error() string {
	return fmt.Sprintf("%s has no symbol %s", e.Library, e.Symbol)
}
