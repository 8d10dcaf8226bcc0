package cli

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// defaultN is small enough for a drawing of every addition, and large enough for
// vector lanes and their combination to show. Blocks, buffers and threads begin
// later: ask for more.
const defaultN = 32

// mostN is the largest number of summands on any machine, and memoryEach how many
// bytes each takes while it is looked at, as measured.
const (
	mostN      = 1 << 27
	memoryEach = 900
)

// mostSummands returns how many summands fit into the memory that is left, as
// Linux gives it in a file: with more, the system would kill something. Fewer than
// 2^20 are always tried, and without such a file mostN.
func mostSummands(meminfo string) int {
	free := freeMemory(meminfo)
	if free == 0 {
		return mostN
	}
	return int(min(mostN, max(free/memoryEach, 1<<20)))
}

// freeMemory returns how many bytes of memory are left, or 0 where no file tells.
func freeMemory(meminfo string) int64 {
	text, err := os.ReadFile(meminfo)
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "MemAvailable:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseInt(fields[0], 10, 50)
	if err != nil {
		return 0
	}
	return kib << 10
}

// specFlags are the flags that say what of a target is looked at.
type specFlags struct {
	n, m, cols, stride, align, threads     int
	op, dtype, acc, axis, trans, order, on string
	index                                  []int
	timeout                                time.Duration
}

func (f *specFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.IntVarP(&f.n, "n", "n", defaultN, "number of summands")
	fl.StringVar(&f.op, "op", "", "sum, dot, gemv or gemm (default the target's own)")
	fl.StringVar(&f.dtype, "dtype", "", "format of the inputs: f64, f32, f16 or bf16 (default f32, or what the target takes instead)")
	fl.StringVar(&f.acc, "acc", "", "format to accumulate in, for targets that let one choose (numpy's dtype=)")
	fl.IntVar(&f.m, "m", 0, "rows of a matrix (default chosen by the driver)")
	fl.IntVar(&f.cols, "cols", 0, "columns of gemm's second matrix (default chosen by the driver)")
	fl.StringVar(&f.axis, "axis", "", "sum over this axis of a matrix: 0 or 1")
	fl.StringVar(&f.trans, "trans", "", "operands that are stored transposed: a, b or ab")
	fl.StringVar(&f.order, "order", "", "memory order of matrices: C (rows) or F (columns)")
	fl.IntVar(&f.stride, "stride", 1, "distance between elements, in elements")
	fl.IntVar(&f.align, "align", 0, "start of the data, in bytes past a multiple of 64")
	fl.IntVar(&f.threads, "threads", 1, "threads; -1 is whatever the implementation does by default")
	fl.IntSliceVar(&f.index, "out-index", nil, "which output: i, or i,j for gemm (default the first)")
	fl.StringVar(&f.on, "device", "", "cpu or cuda, for targets that have devices")
	fl.DurationVar(&f.timeout, "timeout", 10*time.Second, "longest time of one call")
	values := map[string][]string{
		"op": {"sum", "dot", "gemv", "gemm"}, "dtype": {"f64", "f32", "f16", "bf16"}, "acc": {"f64", "f32", "f16", "bf16"},
		"axis": {"0", "1"}, "trans": {"a", "b", "ab"}, "order": {"C", "F"}, "device": {"cpu", "cuda"},
	}
	for name, list := range values {
		complete(cmd, name, list)
	}
}

// complete tells the shell what a flag takes.
func complete(cmd *cobra.Command, flag string, values []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // a flag of that name does not exist: a mistake in this package
	}
}

// spec returns what the flags ask for. An input format that is not given is f32.
func (f *specFlags) spec() (s probe.Spec, err error) {
	s = probe.Spec{DType: fp.Binary32, N: f.n, M: f.m, Cols: f.cols, Axis: f.axis, Trans: f.trans, Order: f.order,
		Stride: f.stride, Align: f.align, Threads: f.threads, OutIndex: f.index, Device: f.on, Timeout: f.timeout}
	if f.n < 1 {
		return s, &probe.Fault{ID: "bad-n", Thing: fmt.Sprintf("-n %d", f.n), Cause: "a sum of no summands has no order", Cure: "use 1 or more"}
	}
	if most := mostSummands("/proc/meminfo"); f.n > most {
		return s, &probe.Fault{ID: "bad-n", Thing: fmt.Sprintf("-n %d", f.n), Cause: "so many summands do not fit into memory with what is computed of them", Cure: fmt.Sprintf("use at most %d", most)}
	}
	if f.stride < 1 || f.threads == 0 {
		return s, &probe.Fault{ID: "bad-usage", Thing: fmt.Sprintf("--stride %d --threads %d", f.stride, f.threads),
			Cause: "elements are 1 or more apart, and a number of threads is 1 or more, or -1", Cure: "leave them out for the defaults"}
	}
	if f.timeout <= 0 {
		return s, &probe.Fault{ID: "bad-usage", Thing: fmt.Sprintf("--timeout %v", f.timeout), Cause: "no call can be that quick", Cure: "use a time such as 10s"}
	}
	if f.op != "" {
		if s.Op, err = probe.ParseOp(f.op); err != nil {
			return s, err
		}
	}
	if f.dtype != "" {
		if s.DType, err = parseFormat("--dtype", f.dtype); err != nil {
			return s, err
		}
	}
	if f.acc != "" {
		s.Acc, err = parseFormat("--acc", f.acc)
	}
	return s, err
}

// parseFormat reads a number format.
func parseFormat(flag, name string) (fp.Format, error) {
	format, err := fp.Parse(name)
	if err != nil {
		return 0, &probe.Fault{ID: "bad-dtype", Thing: flag + " " + name, Cause: "there is no number format of that name", Cure: "use f64, f32, f16 or bf16"}
	}
	return format, nil
}

// revealFlags are the flags that say how to look.
type revealFlags struct {
	algorithm         string
	seed              uint64
	replays, maxCalls int
	oneLane           bool
}

func (f *revealFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.algorithm, "algorithm", "auto", "how to find the tree: "+list(reveal.Algorithms()))
	fl.Uint64Var(&f.seed, "seed", 0, "seed of the random inputs; the same seed asks the same questions")
	fl.IntVar(&f.replays, "replays", 0, "inputs to replay (default 64; 128 for results of 16 bits)")
	fl.IntVar(&f.maxCalls, "max-calls", 0, "give up after so many calls (default no limit)")
	fl.BoolVar(&f.oneLane, "one-lane", false, "matrices: take all evidence from the asked result, at one probe a call,\nand none from results that agreed with it so far")
	complete(cmd, "algorithm", reveal.Algorithms())
}

func (f *revealFlags) options(progress func(string, int, int)) (reveal.Options, error) {
	if f.replays < 0 || f.maxCalls < 0 {
		return reveal.Options{}, &probe.Fault{ID: "bad-usage", Thing: fmt.Sprintf("--replays %d --max-calls %d", f.replays, f.maxCalls),
			Cause: "replays and calls are not negative", Cure: "leave them out for the defaults"}
	}
	return reveal.Options{Algorithm: f.algorithm, Seed: f.seed, Replays: f.replays, MaxCalls: f.maxCalls, OneLane: f.oneLane, Progress: progress}, nil
}

// list joins names as prose does.
func list(names []string) string {
	s := ""
	for i, name := range names {
		switch i {
		case 0:
		case len(names) - 1:
			s += " or "
		default:
			s += ", "
		}
		s += name
	}
	return s
}

// notEmpty refuses flags that were given without a value: they would be ignored.
func notEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if !cmd.Flags().Changed(name) {
			continue
		}
		value := cmd.Flags().Lookup(name).Value
		words := []string{value.String()}
		if list, ok := value.(interface{ GetSlice() []string }); ok {
			words = list.GetSlice()
		}
		if len(words) == 0 || slices.Contains(words, "") {
			return &probe.Fault{ID: "bad-usage", Thing: "--" + name, Cause: "its value is empty", Cure: "give one, or leave it out"}
		}
	}
	return nil
}

// oneOf checks a flag that takes one of a few words.
func oneOf(flag, value string, words []string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return &probe.Fault{ID: "bad-usage", Thing: "--" + flag + " " + value, Cause: "there is no such choice", Cure: "use " + list(words)}
}

// atOnce calls f for 0 … n−1, at most so many of them at a time, and returns when
// all have.
func atOnce(n, most int, f func(i int)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, most)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	wg.Wait()
}
