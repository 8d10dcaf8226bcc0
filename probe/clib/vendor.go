package clib

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/internal/dl"
)

// vendor is a BLAS that is known by name.
type vendor struct {
	name    string                       // in an address: openblas
	aliases []string                     //
	title   string                       // in a key: OpenBLAS
	mark    []string                     // symbols, one of them unique to it
	version func(lib *dl.Library) string // nil: taken from the file's name
	kernel  func(lib *dl.Library) string
	// threads sets the number of threads and returns the actual one.
	threads func(lib *dl.Library, n int) (int, error)
	// current returns the number of threads in use, 0 where it is not known.
	current func(lib *dl.Library) int
	soname  []string // names for the dynamic linker
	file    []string // patterns of its file's name
	install string   // how to get it
}

// vendors returns the libraries that are known. The reference BLAS comes last,
// because others contain its CBLAS, and some its symbols.
func vendors() []vendor {
	return []vendor{
		{
			name: "openblas", title: "OpenBLAS",
			mark:    []string{"openblas_get_config"},
			version: openBLASVersion, kernel: openBLASKernel, threads: openBLASThreads,
			current: currentThreads("openblas_get_num_threads"),
			soname: []string{"libopenblas.so.0", "libopenblas.so", "libopenblas.dylib",
				"libopenblas64.so.0"},
			file: []string{"libopenblas*.so*", "libopenblas*.dylib"},
			install: "install it " +
				"(Debian: libopenblas0-pthread, Fedora: openblas-threads, Homebrew: openblas)",
		},
		{
			name: "blis", title: "BLIS",
			mark:    []string{"bli_info_get_version_str"},
			version: blisVersion, kernel: blisKernel, threads: blisThreads,
			current: currentThreads("bli_thread_get_num_threads"),
			soname: []string{"libblis.so.4", "libblis.so", "libblis.dylib", "libblis.so.3",
				"libblis64.so.4"},
			file:    []string{"libblis*.so*", "libblis*.dylib"},
			install: "install it (Debian: libblis4-pthread, Fedora: blis, Homebrew: blis)",
		},
		{
			name: "reference", aliases: []string{"netlib"}, title: "reference BLAS",
			// The globals of netlib's CBLAS. Libraries that include it hide or
			// rename them.
			mark: []string{"RowMajorStrg", "CBLAS_CallFromC"},

			soname:  []string{"libblas.so.3", "libcblas.so.3", "libblas.so", "libcblas.so"},
			file:    []string{"libblas.so*", "libcblas.so*", "libblas.*dylib", "libcblas.*dylib"},
			install: "install it (Debian: libblas3, Fedora: blas, Homebrew: lapack)",
		},
	}
}

// others returns the marks of further libraries. Each has a CBLAS that could
// pass for another's, because it contains or dispatches to one.
func others() []vendor {
	return []vendor{
		{title: "MKL", mark: []string{"MKL_Get_Version_String"}},
		{title: "FlexiBLAS", mark: []string{"flexiblas_avail"}},
		{title: "ATLAS", mark: []string{"ATL_buildinfo"}},
		{title: "Arm Performance Libraries", mark: []string{"armplversion"}},
	}
}

// vendorNamed returns the vendor with that name or alias.
func vendorNamed(name string) (vendor, bool) {
	for _, v := range vendors() {
		for _, n := range append([]string{v.name}, v.aliases...) {
			if strings.EqualFold(n, name) {
				return v, true
			}
		}
	}
	return vendor{}, false
}

// vendorTitled returns the vendor that has the title in keys.
func vendorTitled(title string) (vendor, bool) {
	for _, v := range vendors() {
		if v.title == title {
			return v, true
		}
	}
	return vendor{}, false
}

// identify returns the vendor of a loaded library. An unknown library has no
// name, and the title of its file.
func identify(lib *dl.Library, file string) vendor {
	for _, v := range append(others(), vendors()...) {
		if slices.ContainsFunc(v.mark,
			func(name string) bool { return lib.Has(affixed(lib, name)) }) {
			return v
		}
	}
	title, _, _ := strings.Cut(filepath.Base(file), ".")
	return vendor{title: title}
}

// identity describes a loaded library.
type identity struct {
	library, version, kernel, file string

	threads int // in use; 0 where it is not known
}

func (v vendor) identity(lib *dl.Library, file string) identity {
	id := identity{library: v.title, version: fileVersion(file), file: file}
	if v.version != nil {
		id.version = v.version(lib)
	}
	if v.kernel != nil {
		id.kernel = v.kernel(lib)
	}
	if v.current != nil {
		id.threads = v.current(lib)
	}
	return id
}

// setThreads makes the library use n threads, or its default for n = −1.
func (v vendor) setThreads(lib *dl.Library, n int) error {
	if n < 0 || n == 1 && v.threads == nil {
		return nil
	}
	if v.threads == nil {
		return &refusal{threadsFixed,
			v.title + " has no way to use more than one thread that is known here"}
	}
	got, err := v.threads(lib, n)
	if err == nil && got != n {
		err = &refusal{threadsFixed,
			fmt.Sprintf("%s uses %d threads when told to use %d", v.title, got, n)}
	}
	return err
}

var (
	numbers     = regexp.MustCompile(`[0-9]+(\.[0-9]+)+[-.+0-9A-Za-z]*`)
	fileNumbers = regexp.MustCompile(`\.so\.([0-9]+(?:\.[0-9]+)+)$|\.([0-9]+(?:\.[0-9]+)+)\.dylib$`)
)

// fileVersion returns the version at the end of a file's name: 3.11.0 of
// libblas.so.3.11.0. A single number is the version of the interface, and is
// left out.
func fileVersion(file string) string {
	if m := fileNumbers.FindStringSubmatch(filepath.Base(file)); m != nil {
		return m[1] + m[2]
	}
	return ""
}

// text calls a function without arguments and returns its result, or "" if
// there is no such function.
func text(lib *dl.Library, name string) string {
	var f func() string
	if lib.Func(affixed(lib, name), &f) != nil {
		return ""
	}
	return f()
}

// openBLASVersion: the configuration reads "OpenBLAS 0.3.21 DYNAMIC_ARCH …".
func openBLASVersion(lib *dl.Library) string {
	return numbers.FindString(text(lib, "openblas_get_config"))
}

func openBLASKernel(lib *dl.Library) string { return text(lib, "openblas_get_corename") }

func openBLASThreads(lib *dl.Library, n int) (int, error) {
	var set func(int32)
	var get func() int32
	if err := lib.Func(affixed(lib, "openblas_set_num_threads"), &set); err != nil {
		return 0, err
	}
	if err := lib.Func(affixed(lib, "openblas_get_num_threads"), &get); err != nil {
		return 0, err
	}
	set(int32(n))
	return int(get()), nil
}

// currentThreads returns the result of a function without arguments, whose type
// is as wide as an int32 or wider, or 0 where there is no such function.
func currentThreads(name string) func(lib *dl.Library) int {
	return func(lib *dl.Library) int {
		var get func() int32
		if lib.Func(affixed(lib, name), &get) != nil {
			return 0
		}
		return int(get())
	}
}

func blisVersion(lib *dl.Library) string { return text(lib, "bli_info_get_version_str") }

func blisKernel(lib *dl.Library) string {
	var query func() int32
	var name func(int32) string
	if lib.Func("bli_arch_query_id", &query) != nil || lib.Func("bli_arch_string", &name) != nil {
		return ""
	}
	return name(query())
}

// blisThreads: BLIS counts in its dim_t, as wide as a pointer unless it was
// configured otherwise.
func blisThreads(lib *dl.Library, n int) (int, error) {
	var set func(int)
	var enabled func() int
	if err := lib.Func("bli_thread_set_num_threads", &set); err != nil {
		return 0, err
	}
	if lib.Func("bli_info_get_enable_threading", &enabled) == nil && int32(enabled()) == 0 {
		return 1, nil
	}
	set(n)
	return n, nil
}

// fileOf returns the file that a symbol comes from, without symbolic links.
func fileOf(lib *dl.Library, symbol string) (string, error) {
	file, err := lib.File(symbol)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return file, nil
}
