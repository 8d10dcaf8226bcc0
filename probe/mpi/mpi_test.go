package mpi

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
	"github.com/lastbit/lastbit/probe/internal/ranks"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
)

func TestMain(m *testing.M) {
	ServeIfWorker()
	os.Exit(m.Run())
}

var names = []string{"openmpi", "mpich"}

// open opens a target, or ends the test where its MPI is missing.
func open(t testing.TB, address string, s probe.Spec) probe.Target {
	t.Helper()
	if !dl.Supported {
		t.Skip(dl.ErrUnsupported)
	}
	target, err := Open(context.Background(), address, s)
	return drivertest.Opened(t, target, err, mpiMissing, address)
}

func TestConformance(t *testing.T) {
	for _, name := range names {
		spec := probe.Spec{DType: fp.Binary32, N: 3, M: 5, OutIndex: []int{2}}
		t.Run(name, func(t *testing.T) {
			open(t, name+":allreduce", spec).Close()
			probetest.Run(t, func() (probe.Target, error) {
				return Open(context.Background(), name+":allreduce", spec)
			})
		})
	}
}

// TestTrees checks that the order of MPI_SUM can be found, and is verified by
// replaying it. The library chooses the order, but two ranks have only one.
func TestTrees(t *testing.T) {
	for _, name := range names {
		for _, function := range []string{allreduce, reduce} {
			for _, s := range []probe.Spec{{N: 1}, {N: 2, DType: fp.Binary32},
				{N: 4, M: 3000, OutIndex: []int{2999}}, {N: 7, DType: fp.Binary32}} {
				if name == "mpich" && (s.N > 4 || s.N > 2 && function == reduce) {
					continue // ranks that wait without giving way take long
				}
				t.Run(fmt.Sprintf("%s/%s/n=%d", name, function, s.N), func(t *testing.T) {
					found, err := reveal.Reveal(t.Context(), open(t, name+":"+function, s),
						reveal.Options{Seed: 1})
					if err != nil {
						t.Fatal(err)
					}
					if found.Verdict != reveal.TreeVerdict || !found.Verified ||
						found.Tree.Leaves() != s.N {
						t.Errorf("%v, verified: %v", found.Verdict, found.Verified)
					}
				})
			}
		}
	}
}

// TestAlgorithms requests Open MPI's algorithms with a known order: linear adds
// each rank to the sum of the next ones; a ring begins with another rank in
// every part of the array.
func TestAlgorithms(t *testing.T) {
	tree := func(algorithm string, element int) string {
		t.Setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1")
		t.Setenv("OMPI_MCA_coll_tuned_allreduce_algorithm", algorithm)
		found, err := reveal.Reveal(t.Context(),
			open(t, "openmpi:allreduce", probe.Spec{N: 5, M: 10, OutIndex: []int{element}}),
			reveal.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if found.Verdict != reveal.TreeVerdict || !found.Verified {
			t.Fatalf("%v, verified: %v", found.Verdict, found.Verified)
		}
		return found.Tree.String()
	}
	if got := tree("1", 3); got != "(0 (1 (2 (3 4))))" {
		t.Errorf("linear is %s", got)
	}
	if first, last := tree("4", 0), tree("4", 9); first == last {
		t.Errorf("a ring adds the first and the last element as %s", first)
	}
}

// TestSharedSummands compares sums and products that one and two ranks share
// with the sum of their parts: two parts have one order.
func TestSharedSummands(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 4))
	for _, name := range names {
		for _, s := range []probe.Spec{
			{Op: probe.Gemv, DType: fp.Binary32, N: 37, M: 5, Ranks: 2, OutIndex: []int{3}},
			{Op: probe.Dot, DType: fp.Binary64, N: 21, Ranks: 1},
			{Op: probe.Dot, DType: fp.Binary32, N: 1, Ranks: 2},
			{Op: probe.Sum, DType: fp.Binary32, N: 30, M: 4, Ranks: 2},
		} {
			target := open(t, name+":allreduce", s)
			if k := target.Key(); k.Ranks != s.Ranks || k.N != s.N || k.Op != s.Op ||
				target.Lanes() != max(s.M, 1) {
				t.Errorf("the key of %+v is %+v", s, k)
			}
			b := probe.NewBatch(target)
			for _, v := range [][]float64{b.X, b.Y} {
				for i := range v {
					v[i] = s.DType.Round(rng.NormFloat64(), fp.NearestEven)
				}
			}
			if err := target.Call(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			for i, got := range b.Out {
				want := 0.0
				for r := range s.Ranks {
					from, to := ranks.Cut(s.N, s.Ranks, r)
					var y []float64
					if b.Y != nil {
						y = b.Y[from:to]
					}
					part := ranks.Partial(s.DType, b.X[i*s.N+from:i*s.N+to], y)
					want = s.DType.Add(want, part, fp.NearestEven)
				}
				if got != want {
					t.Errorf("%s %+v, element %d: %v, want %v", name, s, i, got, want)
				}
			}
			target.Close()
		}
	}
}

func TestIdentity(t *testing.T) {
	t.Setenv("OMPI_MCA_coll_base_verbose", "0")
	t.Setenv("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "auto")
	for name, title := range map[string]string{"openmpi": "Open MPI", "mpich": "MPICH"} {
		k := open(t, name+":allreduce", probe.Spec{N: 2}).Key()
		if k.Target != "mpi:"+name+":allreduce" || k.Library != title || k.Version == "" ||
			k.M != 1 || !reflect.DeepEqual(k.OutIndex, []int{0}) || k.DType != fp.Binary64 ||
			k.Threads != 1 {
			t.Errorf("%+v", k)
		}
		if !filepath.IsAbs(k.Runtime) || !strings.Contains(filepath.Base(k.Runtime), "mpi") {
			t.Errorf("the library is %s", k.Runtime)
		}
		if !strings.HasSuffix(k.Kernel,
			"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=auto OMPI_MCA_coll_base_verbose=0") {
			t.Errorf("settings are missing in %q", k.Kernel)
		}
		l, err := findLauncher(t.Context(), "mpi:x", name)
		if err != nil {
			t.Fatal(err)
		}
		byPath := open(t, l.path+":allreduce", probe.Spec{N: 2}).Key()
		byPath.Target = k.Target
		if !reflect.DeepEqual(k, byPath) {
			t.Errorf("by its path it is %+v, by its name %+v", byPath, k)
		}
	}
	if k := open(t, "allreduce", probe.Spec{N: 1}).Key(); k.Target != "mpi:allreduce" {
		t.Errorf("%+v", k)
	}
}

func TestRefused(t *testing.T) {
	for _, s := range []probe.Spec{
		{N: 0}, {N: -1}, {N: maxRanks(runtime.NumCPU()) + 1}, {N: 2, Op: probe.Dot}, {N: 2,
			DType: fp.Binary16}, {N: 2, DType: 99},
		{N: 2, Ranks: -1}, {N: 0, Ranks: 2}, {N: 2, Ranks: 2, Op: probe.Gemm},
		{N: 2, Ranks: 2, DType: fp.BFloat16}, {N: 2, Ranks: maxRanks(runtime.NumCPU()) + 1},
		{N: 2, Ranks: 2, Op: probe.Dot, M: 3}, {N: 2, M: -1}, {N: 2, M: maxValues},
		{N: 2, OutIndex: []int{1}}, {N: 2, OutIndex: []int{-1}},
		{N: 2, M: 3, OutIndex: []int{0, 1}},
	} {
		_, err := Open(t.Context(), "allreduce", s)
		drivertest.Fault(t, err, badSpec)
	}
	for _, s := range []probe.Spec{
		{N: 2, Threads: 2}, {N: 2, Threads: -2}, {N: 2, Acc: fp.Binary32}, {N: 2, Axis: "0"}, {N: 2,
			Trans: "a"},
		{N: 2, Order: "F"}, {N: 2, Stride: 2}, {N: 2, Stride: -1}, {N: 2, Align: 8}, {N: 2,
			Device: "cuda"},
	} {
		_, err := Open(t.Context(), "allreduce", s)
		drivertest.Fault(t, err, "unsupported-option")
	}
	_, wide := Open(t.Context(), "allreduce", probe.Spec{N: 2, Cols: 2})
	drivertest.Fault(t, wide, "bad-shape")
	for _, address := range []string{"", ":", "sum", "openmpi", "openmpi:", ":allreduce",
		"openmpi:scan"} {
		_, err := Open(t.Context(), address, probe.Spec{N: 2})
		drivertest.Fault(t, err, badAddress)
	}
	if !dl.Supported {
		return
	}
	_, err := Open(t.Context(), "lam:allreduce", probe.Spec{N: 2})
	drivertest.Fault(t, err, badAddress)
	_, err = Open(t.Context(), "/nowhere/mpirun:allreduce", probe.Spec{N: 2})
	drivertest.Fault(t, err, mpiMissing)
	echo := require.Program(t, "echo")
	_, err = Open(t.Context(), echo+":allreduce", probe.Spec{N: 2})
	drivertest.Fault(t, err, mpiMissing, echo+" is another program")
	t.Setenv("PATH", t.TempDir())
	for _, address := range []string{"allreduce", "openmpi:reduce", "mpich:allreduce"} {
		_, err := Open(t.Context(), address, probe.Spec{N: 2})
		drivertest.Fault(t, err, mpiMissing)
	}
	for _, l := range List(t.Context()) {
		if !strings.Contains(l.Absent, "install") || l.Where != "" {
			t.Errorf("%+v", l)
		}
	}
}

func TestList(t *testing.T) {
	for _, name := range names {
		if open(t, name+":allreduce", probe.Spec{N: 1}).Close() != nil {
			t.Error("it does not close")
		}
	}
	var addresses []string
	for _, l := range List(t.Context()) {
		addresses = append(addresses, l.Address)
		if l.Absent != "" || l.Where == "" || !strings.Contains(l.Library, ".") {
			t.Errorf("%+v", l)
		}
	}
	want := []string{
		"mpi:openmpi:allreduce", "mpi:openmpi:reduce", "mpi:mpich:allreduce", "mpi:mpich:reduce",
	}
	if !slices.Equal(addresses, want) {
		t.Error(addresses)
	}
}

// TestLibrary checks that the fault repeats the message of a rank that cannot
// use its library.
func TestLibrary(t *testing.T) {
	for _, name := range names {
		open(t, name+":allreduce", probe.Spec{N: 1}).Close()
		t.Run(name, func(t *testing.T) {
			t.Setenv("LASTBIT_MPI_LIBRARY", "/nowhere/libmpi.so")
			_, err := Open(t.Context(), name+":allreduce", probe.Spec{N: 2})
			drivertest.Fault(t, err, mpiLibrary, "/nowhere/libmpi.so")
		})
	}
}

// TestTooManyRanks checks that a number of ranks that this machine could not
// run is refused before anything is started, with a number that it can run.
func TestTooManyRanks(t *testing.T) {
	_, err := Open(t.Context(), "allreduce", probe.Spec{N: 1 << 20})
	f := drivertest.Fault(t, err, badSpec)
	if !strings.Contains(f.Cause, "ranks") ||
		!strings.Contains(f.Cure, fmt.Sprintf("-n %d or fewer", maxRanks(runtime.NumCPU()))) {
		t.Error(f)
	}
	for processors, want := range map[int]int{1: 64, 2: 64, 8: 256, 32: 1024, 500: 1024} {
		if got := maxRanks(processors); got != want {
			t.Errorf("%d ranks on %d processors, want %d", got, processors, want)
		}
	}
}

// TestTimeoutBoundsTheStart starts ranks by an mpirun that never does: the
// timeout of a call bounds the start, too.
func TestTimeoutBoundsTheStart(t *testing.T) {
	if !dl.Supported || runtime.GOOS == "windows" {
		t.Skip("there is no mpirun here")
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mpirun")
	const script = "#!/bin/sh\n" +
		"case $1 in --version) echo 'mpirun (Open MPI) 4.1.4';; *) exec sleep 100;; esac\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), path+":allreduce", probe.Spec{N: 2, Timeout: time.Second})
	drivertest.Fault(t, err, "worker-timeout", "within 10s")
}
