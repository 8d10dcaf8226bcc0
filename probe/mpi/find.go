package mpi

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/process"
)

// launcher is a program that starts the ranks of a job.
type launcher struct{ path, library, version string }

// brand is an MPI that addresses can name.
type brand struct {
	name    string         // in an address
	title   string         // in a key
	mark    *regexp.Regexp // of mpirun --version's output; its group is the version
	mpirun  []string       // names that only its mpirun has
	install string
}

// brands returns the known implementations.
func brands() []brand {
	openMPI := `Open MPI|OpenRTE|PRRTE|PMIx Reference RunTime Environment`
	return []brand{
		{
			name: "openmpi", title: "Open MPI",
			mark:    regexp.MustCompile(`\((?:` + openMPI + `)\)\s+v?([0-9][.0-9A-Za-z]*)`),
			mpirun:  []string{"mpirun.openmpi", "mpiexec.openmpi", "orterun"},
			install: "install Open MPI (Debian: openmpi-bin)",
		},
		{
			name: "mpich", title: "MPICH",
			mark:    regexp.MustCompile(`HYDRA build details:\s+Version:\s+([0-9][.0-9A-Za-z]*)`),
			mpirun:  []string{"mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra"},
			install: "install MPICH (Debian: mpich)",
		},
	}
}

// anyMPI holds the names of mpirun that every MPI has.
var anyMPI = []string{"mpirun", "mpiexec"}

// versionTimeout bounds the time that an mpirun takes to print its version.
const versionTimeout = 10 * time.Second

// findLauncher returns the launcher of an address: a brand's launcher, the
// mpirun at a path, or for "" the first on PATH.
func findLauncher(ctx context.Context, target, which string) (launcher, error) {
	all := brands()
	names, install := anyMPI, "install Open MPI (Debian: openmpi-bin) or MPICH (Debian: mpich)"
	switch b, known := branded(which); {
	case strings.ContainsRune(which, filepath.Separator):
		names, install = []string{which}, "give the path of an mpirun"
	case known:
		all, names, install = []brand{b}, append(b.mpirun, anyMPI...), b.install
	case which != "":
		return launcher{}, &probe.Fault{ID: badAddress, Thing: target,
			Cause: fmt.Sprintf("no MPI called %q is known", which),
			Cure: "use openmpi or mpich, " +
				"or give the path of an mpirun: mpi:/path/mpirun:allreduce"}
	default:
		for _, b := range all {
			names = append(names, b.mpirun...)
		}
	}
	cause := "there is no " + names[0]
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		l, err := identify(ctx, path, all)
		if err == nil {
			return l, nil
		}
		if ctx.Err() != nil {
			return l, &probe.Fault{ID: "cancelled", Thing: target, Cause: "the work was cancelled",
				Err: context.Cause(ctx)}
		}
		cause = err.Error()
	}
	return launcher{}, &probe.Fault{ID: mpiMissing, Thing: target, Cause: cause, Cure: install}
}

// branded returns the brand of that name.
func branded(name string) (brand, bool) {
	for _, b := range brands() {
		if b.name == name {
			return b, true
		}
	}
	return brand{}, false
}

// identify returns the brand and version of an mpirun.
func identify(ctx context.Context, path string, among []brand) (launcher, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	out, err := process.Output(ctx, path, "--version")
	if err != nil {
		return launcher{}, fmt.Errorf("%s --version failed: %w", path, err)
	}
	for _, b := range among {
		if m := b.mark.FindSubmatch(out); m != nil {
			return launcher{path, b.title, string(m[1])}, nil
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return launcher{}, fmt.Errorf("%s is another program: %s", path, line)
}

// Names returns the addresses of the reductions, for the first mpirun on PATH
// and for every known MPI.
func Names() []string {
	names := []string{"mpi:" + allreduce, "mpi:" + reduce}
	for _, b := range brands() {
		names = append(names, "mpi:"+b.name+":"+allreduce, "mpi:"+b.name+":"+reduce)
	}
	return names
}

// List returns the reductions of every known MPI, with its mpirun, or the
// reason why there is none.
func List(ctx context.Context) []probe.Listing {
	var all []probe.Listing
	for _, b := range brands() {
		l, err := findLauncher(ctx, "mpi:"+b.name, b.name)
		listing := probe.Listing{Ops: []probe.Op{probe.Sum},
			DTypes:  []fp.Format{fp.Binary32, fp.Binary64},
			Library: strings.TrimSpace(b.title + " " + l.version), Where: l.path}
		if f, ok := err.(*probe.Fault); ok {
			listing.Absent = f.Cause + "; " + f.Cure
		}
		for _, function := range []string{allreduce, reduce} {
			listing.Address = "mpi:" + b.name + ":" + function
			all = append(all, listing)
		}
	}
	return all
}
