package mpi

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/process"
	"github.com/lastbit/lastbit/probe/internal/prose"
	"github.com/lastbit/lastbit/probe/wire"
)

// The reductions, as an address names them.
const (
	allreduce = "allreduce"
	reduce    = "reduce"
)

// Open opens a reduction. The address is allreduce or reduce, optionally after
// an MPI and a colon: openmpi, mpich, or the path of an mpirun. The default is
// the first mpirun on PATH.
//
// N is the number of ranks. Each rank holds one summand of every lane.
// Where Ranks is set, it is the number of ranks, and they share N summands of a
// sum, a dot product or gemv: each adds its own part, with one accumulator of
// the format of the inputs and fused multiply-adds, and the library adds these
// sums.
//
// M is the length of the array that every rank hands to MPI, 1 by default; the
// sums of its elements are the lanes of a call. Libraries choose their
// algorithm by the number of ranks and M·(bytes of an element), and some add
// different elements of an array in different orders: OutIndex is the element
// of the finding. The result is rank 0's, the root of reduce.
//
// The key's Kernel is the device that moves the library's messages, where the
// library reports it, and the settings of its collective algorithms in the
// environment.
//
// The error is a *probe.Fault: bad-address, bad-spec, mpi-missing, mpi-library,
// unsupported-option, or one of package wire.
func Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	name := "mpi:" + address
	which, function := "", address
	if at := strings.LastIndexByte(address, ':'); at >= 0 {
		which, function = address[:at], address[at+1:]
	}
	if function != allreduce && function != reduce || which == "" && function != address {
		return nil, &probe.Fault{ID: badAddress, Thing: name,
			Cause: fmt.Sprintf("%q is not a reduction of MPI", function),
			Cure: "write mpi:allreduce or mpi:reduce; " +
				"mpi:openmpi:allreduce or mpi:mpich:allreduce for a certain MPI"}
	}
	k, err := keyOf(name, s)
	if err != nil {
		return nil, err
	}
	switch {
	case !dl.Supported:
		return nil, unsupported(name)
	case process.TakeRole(guardRole):
		return nil, &probe.Fault{ID: notServing, Thing: name,
			Cause: "this process was started to be a rank, " +
				"but its main does not call ServeIfWorker of probe/mpi",
			Cure: "call it first thing in main"}
	}
	l, err := findLauncher(ctx, name, which)
	if err != nil {
		return nil, err
	}
	return launch(ctx, l, function, k, s)
}

// Options are the fields of a Spec that a reduction honours: the length of the
// array, the index of the examined element, and the number of ranks that share
// the summands.
const Options = probe.WithRows | probe.WithOutIndex | probe.WithRanks

// startCalls is the time for mpirun to start the ranks of a job, in units of
// one call's timeout: a minute for the default of 10 s. minStart bounds it from
// below.
const (
	startCalls = 6
	minStart   = 10 * time.Second
)

// launch starts a job.
func launch(ctx context.Context, l launcher, function string, k probe.Key,
	s probe.Spec) (probe.Target, error) {
	args, env, err := process.Self(guardRole)
	if err != nil {
		return nil, &probe.Fault{ID: "worker-start", Thing: k.Target,
			Cause: "this program does not know its own path, to start itself again",
			Cure:  "install it at a path that can be read", Err: err}
	}
	env = append(append(env, crowded()...), launcherVariable+"="+l.path,
		ranksVariable+"="+strconv.Itoa(rankCount(k)))
	w, err := wire.Open(ctx, wire.Program{
		Args: args,
		Env:  env,
		Fields: []wire.Field{{Name: fieldFunction, Value: function},
			{Name: fieldRanks, Value: strconv.Itoa(k.Ranks)}},
		Start: max(startCalls*s.CallTimeout(), minStart),
		Call:  s.CallTimeout(),
	}, k, k.M)
	if err != nil {
		return nil, explain(err)
	}
	return target{w}, nil
}

// crowded returns settings that let Open MPI start more ranks than there are
// processors, and make waiting ranks give way to each other. They also let root
// use it, as in a container. None changes an order of additions. MPICH needs no
// such setting for the first, and has none for the second.
func crowded() []string {
	return []string{
		"OMPI_MCA_rmaps_base_oversubscribe=1",
		"PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
		"OMPI_MCA_mpi_yield_when_idle=1",
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1",
	}
}

// target is a worker whose Faults are worded for MPI.
type target struct{ *wire.Worker }

func (t target) Call(ctx context.Context, b *probe.Batch) error {
	if err := t.Worker.Call(ctx, b); err != nil {
		return explain(err)
	}
	return nil
}

// maxValues bounds the values of all ranks together.
const maxValues = 1 << 24

// maxRanks returns the largest number of ranks that are started on a number of
// processors. Each rank is a process, and MPICH's ranks wait busily: with 64 of
// them on two processors, revealing takes more than a minute.
func maxRanks(processors int) int { return max(64, min(32*processors, 1024)) }

// rankCount returns the number of ranks of a target: its summands, where nobody
// has chosen another number.
func rankCount(k probe.Key) int {
	if k.Ranks > 0 {
		return k.Ranks
	}
	return k.N
}

// checkOp fills in the defaults of the operation and the format, and refuses
// others than ranks compute.
func checkOp(s *probe.Spec) (cause, cure string) {
	ops := []probe.Op{probe.Sum}
	if s.Ranks != 0 {
		ops = []probe.Op{probe.Sum, probe.Dot, probe.Gemv}
	}
	if s.Op == "" {
		s.Op = probe.Sum
	}
	if s.DType == 0 {
		s.DType = fp.Binary64
	}
	switch {
	case !slices.Contains(ops, s.Op) && s.Ranks == 0:
		return fmt.Sprintf("MPI reduces sums, and computes no %s", s.Op),
			"leave --op out; with --ranks, ranks share the summands of a dot product or of gemv"
	case !slices.Contains(ops, s.Op):
		return fmt.Sprintf("its ranks compute no %s", s.Op), "use --op " + prose.List(ops, "or")
	case s.Op == probe.Dot && s.M > 1:
		return fmt.Sprintf("a dot product has no %d rows", s.M), "use --op gemv"
	case s.DType != fp.Binary32 && s.DType != fp.Binary64:
		return fmt.Sprintf("MPI has no operations on %s", s.DType), "use --dtype f32 or f64"
	}
	return "", ""
}

// keyOf returns the key of the target that s requests.
func keyOf(name string, s probe.Spec) (probe.Key, error) {
	refuse := func(cause, cure string, args ...any) (probe.Key, error) {
		return probe.Key{}, &probe.Fault{ID: badSpec, Thing: name,
			Cause: fmt.Sprintf(cause, args...), Cure: cure}
	}
	if cause, cure := checkOp(&s); cause != "" {
		return refuse("%s", cure, cause)
	}
	s, err := s.Restrict(name, Options)
	if err != nil {
		return probe.Key{}, err
	}
	k := s.Key(name)
	k.M = max(k.M, 1)
	if k.OutIndex == nil {
		k.OutIndex = []int{0}
	}
	switch {
	case s.N < 1 && s.Ranks == 0:
		return refuse("n is the number of ranks and cannot be %d", "use -n 2 or more", s.N)
	case s.N < 1:
		return refuse("a sum of %d summands", "ask for at least one with -n", s.N)
	case s.Ranks < 0:
		return refuse("%d ranks", "use --ranks 1 or more", s.Ranks)
	case rankCount(k) > maxRanks(runtime.NumCPU()):
		return k, tooManyRanks(name, s.Ranks > 0, rankCount(k), runtime.NumCPU())
	case s.M < 0 || k.M > maxValues/k.N:
		return refuse("an array cannot have %d elements of %d summands",
			"use --m 1 or more, up to 2^24 divided by n", s.M, s.N)
	case len(k.OutIndex) > 1 || k.OutIndex[0] < 0 || k.OutIndex[0] >= k.M:
		return refuse("there is no output %v of %d",
			"use --out-index i, below the --m elements of the array", s.OutIndex, k.M)
	}
	return k, nil
}

// tooManyRanks is the Fault of a job too large for this machine.
func tooManyRanks(name string, asked bool, n, processors int) error {
	const (
		cause = "%s the number of ranks, each a process, and %d are too many for %d processors"
		cure  = "use %s %d or fewer here, or a machine with %d processors; " +
			"16 ranks show the algorithm, and --m sets the length of their arrays"
	)
	is, flag := "n is", "-n"
	if asked {
		is, flag = "it is", "--ranks"
	}
	enough := (min(n, 1024) + 31) / 32
	return &probe.Fault{
		ID: badSpec, Thing: name,
		Cause: fmt.Sprintf(cause, is, n, processors),
		Cure:  fmt.Sprintf(cure, flag, maxRanks(processors), enough),
	}
}

// settings returns the variables of the environment that choose algorithms of
// collective operations, in Open MPI's coll components and in MPICH's
// reductions.
func settings(environ []string) string {
	var found []string
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		ompi := strings.HasPrefix(name, "OMPI_MCA_coll")
		mpich := strings.HasPrefix(name, "MPIR_CVAR_") &&
			(strings.Contains(name, "REDUCE") || strings.Contains(name, "COLL"))
		if ompi || mpich {
			found = append(found, v)
		}
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}

// kernel returns the device and the settings in use.
func kernel(device string) string {
	return strings.TrimSpace(device + " " + settings(os.Environ()))
}
