//go:build !faketime && !static && ((linux && !android && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64)) || (darwin && !ios && (amd64 || arm64)))

package dl

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Supported reports whether this platform can load shared libraries.
const Supported = true

// Library is a loaded shared library. Several goroutines may call its methods
// at once, except Close, which comes last.
type Library struct {
	path   string
	handle uintptr
}

// Open loads the library at path, resolves all its symbols and runs its
// constructors on the calling thread. The dynamic linker searches for a path
// without a slash. The empty path returns the program itself and the libraries
// linked to it, libc first. The error is the dynamic linker's own.
func Open(path string) (*Library, error) { return open(path, purego.RTLD_LOCAL) }

// OpenGlobal is Open for a library that loads plugins: they, and every library
// loaded later, find its symbols.
func OpenGlobal(path string) (*Library, error) { return open(path, purego.RTLD_GLOBAL) }

func open(path string, scope int) (*Library, error) {
	// dlerror returns the last error of its thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if path == "" {
		return &Library{path: "the program", handle: purego.RTLD_DEFAULT}, nil
	}
	h, err := purego.Dlopen(path, purego.RTLD_NOW|scope)
	if err != nil {
		return nil, err // it names the library
	}
	return &Library{path: path, handle: h}, nil
}

// Close gives the library back to the dynamic linker. Functions obtained from
// it must not be called afterwards.
func (l *Library) Close() error {
	if l.handle == purego.RTLD_DEFAULT {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := purego.Dlclose(l.handle); err != nil {
		return fmt.Errorf("dl: %w", err)
	}
	return nil
}

// Addr returns the address of a symbol of the library or its dependencies, or a
// *MissingError.
func (l *Library) Addr(symbol string) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	a, err := purego.Dlsym(l.handle, symbol)
	if err != nil || a == 0 {
		return 0, &MissingError{l.path, symbol}
	}
	return a, nil
}

// Has reports whether Addr would find the symbol.
func (l *Library) Has(symbol string) bool {
	_, err := l.Addr(symbol)
	return err == nil
}

// Func makes *fptr, a variable of function type, call the C function of that
// name. Go's sized integers, floats and pointers correspond to C's. A string
// result is copied from a char*; a float result is declared as Float32, which
// keeps its bits. The error is a *MissingError, or the reason why C cannot be
// called that way. A call takes 0.2 to 0.9 µs.
func (l *Library) Func(symbol string, fptr any) (err error) {
	addr, err := l.Addr(symbol)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("dl: %s cannot be called as a %T: %v", symbol, fptr, r)
		}
	}()
	purego.RegisterFunc(fptr, addr)
	return nil
}

// Callback returns the address of a C function that calls fn: integers and
// pointers for arguments, at most one of them for a result. C calls it on the
// thread, and in the goroutine, that called C; fn must not panic. A process has
// room for 2000 callbacks, and none is ever freed.
func Callback(fn any) (addr uintptr, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("dl: C cannot call a %T: %v", fn, r)
		}
	}()
	return purego.NewCallback(fn), nil
}

// info is C's Dl_info. Only dli_fname is read.
type info struct {
	file *byte   // a C string
	_    uintptr // dli_fbase
	_    *byte   // dli_sname
	_    uintptr // dli_saddr
}

// File returns the file that a symbol comes from, under the dynamic linker's
// name: for a soname, the path that was found. Symbolic links are not resolved.
func (l *Library) File(symbol string) (string, error) {
	addr, err := l.Addr(symbol)
	if err != nil {
		return "", err
	}
	self, err := Open("")
	if err != nil {
		return "", err
	}
	var dladdr func(uintptr, *info) int32
	if err := self.Func("dladdr", &dladdr); err != nil {
		return "", err
	}
	var i info
	if dladdr(addr, &i) == 0 || i.file == nil {
		return "", fmt.Errorf("dl: the dynamic linker does not know where %s of %s comes from",
			symbol, l.path)
	}
	return goString(i.file), nil
}

// goString copies a C string.
func goString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
