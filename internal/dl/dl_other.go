//go:build faketime || static || !((linux && !android && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64)))

package dl

// Supported reports whether this platform can load shared libraries.
const Supported = false

// Library is a loaded shared library. There is none on this platform.
type Library struct{}

// Open returns ErrUnsupported.
func Open(path string) (*Library, error) { return nil, ErrUnsupported }

// OpenGlobal returns ErrUnsupported.
func OpenGlobal(path string) (*Library, error) { return nil, ErrUnsupported }

// Callback returns ErrUnsupported.
func Callback(fn any) (uintptr, error) { return 0, ErrUnsupported }

// Close returns ErrUnsupported.
func (l *Library) Close() error { return ErrUnsupported }

// Addr returns ErrUnsupported.
func (l *Library) Addr(symbol string) (uintptr, error) { return 0, ErrUnsupported }

// Has returns false.
func (l *Library) Has(symbol string) bool { return false }

// Func returns ErrUnsupported.
func (l *Library) Func(symbol string, fptr any) error { return ErrUnsupported }

// File returns ErrUnsupported.
func (l *Library) File(symbol string) (string, error) { return "", ErrUnsupported }
