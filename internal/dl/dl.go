// Package dl loads shared libraries and calls their C functions, without cgo.
//
// No other package does. Where Go cannot reach the dynamic linker, the package
// still builds and Open returns ErrUnsupported.
//
// A C function runs on the thread of the calling goroutine, with all its
// rights. A fault in it ends the process, and nothing here can check its
// signature or its use of the arguments. Call foreign code in a process that
// may die.
package dl

import (
	"errors"
	"fmt"
	"runtime"
)

// ErrUnsupported is the error of a platform that cannot load shared libraries,
// and of a statically linked program (-tags static).
var ErrUnsupported = fmt.Errorf("shared libraries cannot be loaded on %s/%s: %w", runtime.GOOS,
	runtime.GOARCH, errors.ErrUnsupported)

// MissingError is the error of a symbol that neither a library nor its
// dependencies have.
type MissingError struct {
	Library string // path as given to Open
	Symbol  string
}

// Error names the library and the symbol.
func (e *MissingError) Error() string {
	return fmt.Sprintf("%s has no symbol %s", e.Library, e.Symbol)
}
