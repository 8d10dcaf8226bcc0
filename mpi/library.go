package mpi

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"unsafe"

	"github.com/lastbit/lastbit/internal/dl"
)

// libraryVariable names the environment variable for Options.Library.
const libraryVariable = "LASTBIT_MPI_LIBRARY"

// Library identifies an MPI library.
type Library struct {
	Name    string // Open MPI, MPICH, …
	Version string // 4.1.4
	Device  string // MPICH: its transport, such as ch4:ofi; "" if unknown
	File    string // path of the library
}

// String returns name and version.
func (l Library) String() string { return strings.TrimSpace(l.Name + " " + l.Version) }

// loaded is a library whose functions can be called.
type loaded struct {
	fn   functions
	abi  abi
	info Library
}

// flavor is one of the two binary interfaces.
type flavor int

const (
	openMPI flavor = iota
	mpich
)

// sonames returns the names that the dynamic linker may find a library by. The
// last one may be of either flavor.
func (f flavor) sonames() []string {
	if runtime.GOOS == "darwin" {
		return [][]string{{"libmpi.40.dylib", "libmpi.dylib"},
			{"libmpich.12.dylib", "libmpi.12.dylib", "libmpi.dylib"}}[f]
	}
	return [][]string{{"libmpi.so.40", "libmpi.so.80", "libmpi.so"},
		{"libmpich.so.12", "libmpi.so.12", "libmpi.so"}}[f]
}

// folders returns patterns of the folders where packages put a library that the
// dynamic linker does not search for.
func (f flavor) folders() []string {
	name := [...]string{"openmpi", "mpich"}[f]
	return []string{"/usr/lib64/" + name + "/lib", "/usr/lib/*-linux-*/" + name + "/lib",
		"/usr/local/" + name + "/lib", "/opt/" + name + "/lib",
		"/usr/local/lib", "/opt/homebrew/lib", "/opt/local/lib/" + name + "-mp"}
}

// flavors returns the flavors that may be loaded: the flavor of the mpirun that
// started this process, which its environment shows. Another launcher (a batch
// system) may go with either, and a world of one rank has none.
func flavors(getenv func(string) string) ([]flavor, error) {
	ompi, hydra := getenv("OMPI_COMM_WORLD_SIZE") != "", getenv("PMI_RANK") != ""
	batch := getenv("SLURM_PROCID") != "" || getenv("PMIX_RANK") != ""
	switch {
	case ompi && hydra && !batch:
		return nil, fmt.Errorf("mpi: the environment is that of Open MPI's mpirun and of MPICH's "+
			"at once: name the library in %s", libraryVariable)
	case ompi:
		return []flavor{openMPI}, nil
	case hydra && !batch:
		return []flavor{mpich}, nil
	case hydra:
		return []flavor{mpich, openMPI}, nil
	}
	return []flavor{openMPI, mpich}, nil
}

// findLibrary loads the library that the options or the environment name.
func findLibrary(o Options) (*loaded, error) {
	path := o.Library
	if path == "" {
		path = os.Getenv(libraryVariable)
	}
	if path != "" {
		l, err := load(path)
		if err != nil {
			return nil, fmt.Errorf("mpi: %s cannot be used: %w", path, err)
		}
		return l, nil
	}
	which, err := flavors(os.Getenv)
	if err != nil {
		return nil, err
	}
	return search(which)
}

// search loads the first library of these flavors that exists.
func search(which []flavor) (*loaded, error) {
	if !dl.Supported {
		return nil, fmt.Errorf("mpi: %w: %w", ErrMissing, dl.ErrUnsupported)
	}
	var tried []string
	var broken error // found, but unusable
	for _, f := range which {
		for _, path := range f.candidates() {
			l, err := load(path)
			if err == nil && l.abi.wide == (f == openMPI) {
				return l, nil
			}
			if _, found := os.Stat(path); found == nil && err != nil {
				broken = errors.Join(broken, err)
			}
			if !strings.ContainsRune(path, '/') {
				tried = append(tried, path)
			}
		}
	}
	err := fmt.Errorf("mpi: %w: not %s; install Open MPI (Debian: openmpi-bin) or MPICH (Debian: "+
		"mpich), or name the library in %s",
		ErrMissing, strings.Join(tried, ", "), libraryVariable)
	return nil, errors.Join(err, broken)
}

// candidates returns the paths to try, those for the dynamic linker first.
func (f flavor) candidates() []string {
	paths := f.sonames()
	dirs := f.folders()
	if launcher := launcherFolder(); launcher != "" {
		dirs = append([]string{filepath.Join(launcher, "../lib"),
			filepath.Join(launcher, "../lib64")}, dirs...)
	}
	for _, dir := range dirs {
		for _, name := range f.sonames() {
			found, _ := filepath.Glob(filepath.Join(dir, name))
			paths = append(paths, found...)
		}
	}
	return paths
}

// launcherFolder returns the folder of the program that started this one, which
// is part of the MPI whose mpirun it was; "" if unknown.
func launcherFolder() string {
	exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", os.Getppid()))
	if err != nil {
		return ""
	}
	return filepath.Dir(exe)
}

// load loads a library and determines its flavor.
func load(path string) (*loaded, error) {
	// Open MPI's components look for its symbols.
	lib, err := dl.OpenGlobal(path)
	if err != nil {
		return nil, err
	}
	l := &loaded{abi: mpichABI()}
	if err := l.fn.bind(lib); err != nil {
		return nil, err
	}
	if lib.Has("ompi_mpi_comm_world") {
		if l.abi, err = openMPIABI(lib); err != nil {
			return nil, err
		}
	}
	l.info = identify(l.fn.version)
	if file, err := lib.File("MPI_Init_thread"); err == nil {
		if l.info.File, err = filepath.EvalSymlinks(file); err != nil {
			l.info.File = file
		}
	}
	return l, nil
}

var (
	versionNumber = regexp.MustCompile(`[0-9]+\.[0-9][-.+0-9A-Za-z]*`)
	deviceName    = regexp.MustCompile(`Device\s*:\s*(\S+)`)
)

// identify parses MPI_Get_library_version, which may be called before MPI_Init:
// "Open MPI v4.1.4, package: …", or lines with "MPICH Version: 4.0.2" first and
// "MPICH Device: ch4:ofi" among the others.
func identify(version func(*byte, *int32) int32) Library {
	buf := make([]byte, maxVersionString)
	var n int32
	if version(unsafe.SliceData(buf), &n) != 0 || n < 0 || int(n) > len(buf) {
		return Library{Name: "MPI"}
	}
	return parseVersion(string(buf[:n]))
}

func parseVersion(text string) Library {
	first, _, _ := strings.Cut(text, "\n")
	l := Library{Version: versionNumber.FindString(first)}
	name := first
	if l.Version != "" {
		name, _, _ = strings.Cut(first, l.Version)
	}
	name = strings.TrimRight(name, "v \t:")
	l.Name = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(name), "Version"))
	if m := deviceName.FindStringSubmatch(text); m != nil {
		l.Device = m[1]
	}
	return l
}
