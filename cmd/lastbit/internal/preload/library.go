package preload

import (
	"cmp"
	"debug/elf"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// FileName is the name of the library.
const FileName = "liblastbit_blas.so"

// Variable names the library where it is not beside lastbit.
const Variable = "LASTBIT_BLAS"

// expected are symbols that a library of this version has: its interface, and
// one of each naming scheme.
var expected = []string{
	"lastbit_blas_interface", "cblas_ddot", "dgesv_", "scipy_cblas_ddot64_", "scipy_dgesv_64_",
	"scipy_dgesv_", "cblas_ddot64_", "dgesv_64_",
}

// Library returns the path of a usable library: the given path, the path in the
// environment variable Variable, or a file beside the program lastbit or in a
// folder lib beside it.
func Library(given string) (string, error) {
	if runtime.GOOS != "linux" {
		return "", badPlatform()
	}
	path, err := find(cmp.Or(given, os.Getenv(Variable)))
	if err != nil {
		return "", err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return "", badLibrary(path, "its path cannot be made absolute", err)
	}
	if strings.ContainsAny(path, " :$") {
		return "", badLibrary(path,
			"its path has a blank, a colon or a dollar sign, which LD_PRELOAD cannot hold", nil)
	}
	return path, checkLibrary(path)
}

// find returns the named file, or the first that exists of the usual ones.
func find(named string) (string, error) {
	if named != "" {
		_, err := os.Stat(named)
		if err != nil {
			return "", badLibrary(named, "it cannot be read", err)
		}
		return named, nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", badLibrary(FileName, "the folder of lastbit is not known", err)
	}
	folder := filepath.Dir(program)
	for _, path := range []string{
		filepath.Join(folder, FileName),
		filepath.Join(folder, "lib", FileName),
		filepath.Join(filepath.Dir(folder), "lib", FileName),
	} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", badLibrary(FileName, "it is not in "+folder+", the folder of lastbit", nil)
}

// checkLibrary refuses a file that the loader would ignore, or that is another
// library.
func checkLibrary(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		return badLibrary(path, "it is not a shared library", err)
	}
	defer f.Close()
	if f.Machine != machine() {
		return badLibrary(path, "it is for "+f.Machine.String()+", and lastbit is for "+
			machine().String(), nil)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return badLibrary(path, "it exports no symbols", err)
	}
	defined := map[string]bool{}
	for _, s := range symbols {
		defined[s.Name] = defined[s.Name] || s.Section != elf.SHN_UNDEF
	}
	if !defined[expected[0]] {
		return badLibrary(path, "it is not "+FileName, nil)
	}
	missing := slices.IndexFunc(expected, func(name string) bool { return !defined[name] })
	if missing >= 0 {
		return badLibrary(path, "the symbol "+expected[missing]+" is missing", nil)
	}
	return nil
}

// machine returns the processor that lastbit is built for.
func machine() elf.Machine {
	switch runtime.GOARCH {
	case "amd64":
		return elf.EM_X86_64
	case "arm64":
		return elf.EM_AARCH64
	case "ppc64le":
		return elf.EM_PPC64
	case "riscv64":
		return elf.EM_RISCV
	case "s390x":
		return elf.EM_S390
	}
	return elf.EM_NONE
}

func badPlatform() error {
	return &probe.Fault{
		ID:    "run-platform",
		Thing: "lastbit run",
		Cause: "it needs the dynamic loader of Linux, and this is " + runtime.GOOS,
		Cure:  "run it on Linux",
	}
}

func badLibrary(path, cause string, err error) error {
	return &probe.Fault{
		ID:    "run-library",
		Thing: path,
		Cause: cause,
		Cure: "build the library by make lib, and name it by --lib or " + Variable +
			", or put it beside lastbit",
		Err: err,
	}
}
