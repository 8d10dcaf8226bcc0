package mpi

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
)

func environment(vars ...string) func(string) string {
	return func(name string) string {
		for _, v := range vars {
			if key, value, _ := strings.Cut(v, "="); key == name {
				return value
			}
		}
		return ""
	}
}

func TestFlavors(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want []flavor
	}{
		{nil, []flavor{openMPI, mpich}},
		{[]string{"OMPI_COMM_WORLD_SIZE=4", "PMIX_RANK=1"}, []flavor{openMPI}},
		{[]string{"PMI_RANK=0", "PMI_SIZE=2"}, []flavor{mpich}},
		{[]string{"PMI_RANK=0", "SLURM_PROCID=0"}, []flavor{mpich, openMPI}},
		{[]string{"PMIX_RANK=0", "SLURM_PROCID=0"}, []flavor{openMPI, mpich}},
		{[]string{"PMI_RANK=0", "OMPI_COMM_WORLD_SIZE=4"}, nil},
	} {
		got, err := flavors(environment(c.env...))
		if !slices.Equal(got, c.want) || (err != nil) != (c.want == nil) {
			t.Errorf("%v: %v (%v), want %v", c.env, got, err, c.want)
		}
	}
}

func TestSizeOfJob(t *testing.T) {
	for _, c := range []struct {
		env string
		ok  bool
	}{{"", true}, {"PMI_SIZE=4", true}, {"OMPI_COMM_WORLD_SIZE=4", true}, {"PMI_SIZE=5", false},
		{"OMPI_COMM_WORLD_SIZE=1", false}, {"PMI_SIZE=x", true}} {
		if err := sizeOfJob(Library{Name: "MPICH"}, 4, environment(c.env)); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.env, err)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]Library{
		"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022": {
			Name: "Open MPI", Version: "4.1.4"},
		"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n" +
			"MPICH ABI:\t14:2:2\nMPICH Device:\tch4:ucx\n": {
			Name: "MPICH", Version: "4.0.2", Device: "ch4:ucx"},
		"Intel(R) MPI Library 2021.5 for Linux* OS\n": {
			Name: "Intel(R) MPI Library", Version: "2021.5"},
		"MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Device       :\tch3:mrail\n": {
			Name: "MVAPICH2", Version: "2.3.7", Device: "ch3:mrail"},
		"something else": {Name: "something else"},
	} {
		if got := parseVersion(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestMissing(t *testing.T) {
	if _, err := search(nil); !errors.Is(err, ErrMissing) || dl.Supported &&
		!strings.Contains(err.Error(), "install Open MPI") {
		t.Errorf("without a library: %v", err)
	}
	if !dl.Supported {
		return
	}
	for _, path := range []string{"/nowhere/libmpi.so", "libm.so.6"} {
		_, err := Init(Options{Library: path})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
		t.Setenv(libraryVariable, path)
		if _, again := Init(Options{}); again == nil || again.Error() != err.Error() {
			t.Errorf("in the environment: %v, as an option: %v", again, err)
		}
	}
}

// TestAlone starts a process without mpirun.
func TestAlone(t *testing.T) {
	libraries := []string{"libmpi.so.40", "libmpich.so.12"}
	for i, mpirun := range mpiruns {
		require.Program(t, mpirun)
		t.Setenv(libraryVariable, libraries[i])
		if _, stderr, err := launch(t, "", 0, "collectives"); err != nil || stderr != "" {
			t.Errorf("%s: %v\n%s", libraries[i], err, stderr)
		}
		if _, stderr, err := launch(t, "", 0, "alone"); err == nil || stderr != "it fails\n" {
			t.Errorf("%s: %v\n%s", libraries[i], err, stderr)
		}
	}
}

// TestOtherLibrary loads the library of one MPI under the mpirun of the other.
func TestOtherLibrary(t *testing.T) {
	for i, library := range []string{"libmpich.so.12", "libmpi.so.40"} {
		mpirun := require.Program(t, mpiruns[i])
		require.Program(t, mpiruns[1-i])
		t.Setenv(libraryVariable, library)
		_, stderr, err := launch(t, mpirun, 2, "collectives")
		if err == nil || !strings.Contains(stderr, "mpi: mpirun has started 2 ranks") {
			t.Errorf("%s with %s: %v\n%s", mpirun, library, err, stderr)
		}
	}
}
