package clib

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// machines maps GOARCH to the processor of the ELF files that this program can
// load.
var machines = map[string]elf.Machine{
	"386": elf.EM_386, "amd64": elf.EM_X86_64, "arm": elf.EM_ARM, "arm64": elf.EM_AARCH64,
	"loong64": elf.EM_LOONGARCH, "ppc64le": elf.EM_PPC64, "riscv64": elf.EM_RISCV,
}

// checkFile returns the Fault of a library's file before a process is started
// for it. The dynamic linker looks for names without a slash.
func checkFile(target, path string) error {
	if !strings.ContainsRune(path, '/') {
		return nil
	}
	fault := func(id, cause, cure string, err error) error {
		return &probe.Fault{ID: id, Thing: target, Cause: path + " " + cause, Cure: cure, Err: err}
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if runtime.GOOS == "darwin" {
			return nil // the system's own libraries are in no file
		}
		return fault(libraryMissing, "does not exist", cures[libraryMissing], nil)
	case err != nil:
		return fault(libraryMissing, "cannot be read", cures[libraryMissing], err)
	case !st.Mode().IsRegular():
		return fault(libraryFormat, "is not a file", "give the path of a shared library", nil)
	case runtime.GOOS != "linux":
		return nil
	}
	f, err := elf.Open(path)
	if err != nil {
		return fault(libraryFormat, "is not a shared library",
			"give the path of an ELF file; a linker script or an archive is none", err)
	}
	defer f.Close()
	switch want := machines[runtime.GOARCH]; {
	case f.Machine != want:
		return fault(libraryFormat,
			fmt.Sprintf("is for another processor, %v, than this program, %v", f.Machine, want),
			"use a lastbit built for that one, or another library", nil)
	case f.Type != elf.ET_DYN:
		return fault(libraryFormat, "is an ELF file, but no shared library",
			"link it with cc -shared", nil)
	}
	return nil
}

// directories returns patterns of the folders that hold libraries, in the order
// of a search: the user's own, then folders of package managers, then folders
// for manual installations.
func directories() []string {
	var dirs []string
	for _, name := range []string{"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		dirs = append(dirs, filepath.SplitList(os.Getenv(name))...)
	}
	if prefix := os.Getenv("CONDA_PREFIX"); prefix != "" {
		dirs = append(dirs, filepath.Join(prefix, "lib"))
	}
	for _, dir := range []string{"/usr/local/lib", "/usr/local/lib64", "/usr/lib", "/usr/lib64",
		"/usr/lib/*-linux-*"} {
		dirs = append(dirs, dir)
		for _, sub := range []string{"openblas*", "blis*", "blas", "atlas*"} {
			dirs = append(dirs, filepath.Join(dir, sub))
		}
	}
	for _, dir := range []string{"/opt/homebrew/opt/*/lib", "/usr/local/opt/*/lib",
		"/home/linuxbrew/.linuxbrew/opt/*/lib", "/opt/*/lib", "/opt/*/lib64", "/opt/local/lib"} {
		dirs = append(dirs, dir)
	}
	return dirs
}

// files returns the files that have a vendor's names, each once, without
// symbolic links.
func (v vendor) files() []string {
	var files []string
	for _, dir := range directories() {
		for _, pattern := range v.file {
			found, _ := filepath.Glob(filepath.Join(dir, pattern))
			for _, f := range found {
				real, err := filepath.EvalSymlinks(f)
				if err == nil && !slices.Contains(files, real) && checkFile("", real) == nil {
					files = append(files, real)
				}
			}
		}
	}
	return files
}

// candidates returns the paths to try for a vendor: those that the dynamic
// linker finds by itself, then files.
func (v vendor) candidates() []string { return append(slices.Clone(v.soname), v.files()...) }

// Names returns the addresses of the BLAS libraries that are known by name,
// whether they are here or not.
func Names() []string {
	var names []string
	for _, v := range vendors() {
		names = append(names, "blas:"+v.name)
	}
	return names
}

// Guess returns the address of a function for the path of a library, or for a
// path and a symbol, also after another scheme. It returns "" for any other
// word.
func Guess(word string) string {
	if _, path, ok := strings.Cut(word, ":"); ok && strings.ContainsRune(path, filepath.Separator) {
		if address := Guess(path); address != "" {
			return address
		}
	}
	if isLibrary(word) {
		return "clib:" + word + ":symbol"
	}
	if at := strings.LastIndexByte(word, ':'); at > 0 && isLibrary(word[:at]) {
		return "clib:" + word
	}
	return ""
}

// GuessCBLAS returns the address of a BLAS for the path of a library that has
// the name of one. It returns "" for any other word.
func GuessCBLAS(word string) string {
	name := strings.ToLower(filepath.Base(word))
	isBLAS := func(part string) bool { return strings.Contains(name, part) }
	if isLibrary(word) && slices.ContainsFunc([]string{"blas", "blis", "mkl"}, isBLAS) {
		return "blas:" + word
	}
	return ""
}

// isLibrary reports whether a word is the name of a shared library's file.
func isLibrary(word string) bool {
	name := filepath.Base(word)
	return strings.HasSuffix(name, ".so") || strings.Contains(name, ".so.") ||
		strings.HasSuffix(name, ".dylib")
}

// listTimeout bounds the time to load and close one library.
const listTimeout = 5 * time.Second

// List returns the BLAS libraries of this machine, each file once, and a line
// for each known one that is not here. It loads each in a process of its own. A
// library that does not load within 5 s is listed as absent.
func List(ctx context.Context) []probe.Listing {
	var all []probe.Listing
	seen := map[string]bool{}
	for _, v := range vendors() {
		found, err := listVendor(ctx, v, seen)
		var f *probe.Fault
		if len(found) == 0 && errors.As(err, &f) {
			found = append(found,
				probe.Listing{Address: "blas:" + v.name, Library: v.title,
					Absent: strings.TrimSuffix(f.Cause+"; "+f.Cure, "; ")})
		}
		all = append(all, found...)
	}
	for i := range all {
		all[i].Ops = []probe.Op{probe.Dot, probe.Gemv, probe.Gemm}
		all[i].DTypes = []fp.Format{fp.Binary32, fp.Binary64}
	}
	return all
}

// listVendor lists the library that OpenCBLAS opens by a vendor's name, and
// then the paths of other files with that vendor's names. seen holds the files
// and the libraries that have been listed; the error comes from opening the
// name.
func listVendor(ctx context.Context, v vendor, seen map[string]bool) (found []probe.Listing,
	err error) {
	look := func(address string, open func(ctx context.Context) (probe.Target, error)) error {
		ctx, cancel := context.WithTimeout(ctx, listTimeout)
		defer cancel()
		t, err := open(ctx)
		if err != nil {
			return err
		}
		defer t.Close()
		k := t.Key()
		other, known := vendorTitled(k.Library)
		if known && other.name != v.name && seen[k.Library] {
			return nil // such as OpenBLAS as libblas.so.3
		}
		if !seen[k.Runtime] {
			seen[k.Runtime], seen[k.Library] = true, true
			found = append(found,
				probe.Listing{Address: address, Library: describe(k), Where: k.Runtime})
		}
		return nil
	}
	s := probe.Spec{N: 1}
	err = look("blas:"+v.name,
		func(ctx context.Context) (probe.Target, error) { return OpenCBLAS(ctx, v.name, s) })
	for _, path := range v.files() {
		if !seen[path] {
			_ = look("blas:"+path,
				func(ctx context.Context) (probe.Target, error) { return OpenCBLAS(ctx, path, s) })
		}
	}
	return found, err
}

// describe returns the name of a library with its version and its kernel.
func describe(k probe.Key) string {
	s := strings.TrimSpace(k.Library + " " + k.Version)
	if k.Kernel != "" {
		s += " [" + k.Kernel + "]"
	}
	return s
}
