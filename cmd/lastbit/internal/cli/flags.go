package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// defaultN is small enough to draw every addition, and large enough for vector
// lanes and their combination to show. Blocks, buffers and threads begin later:
// ask for more.
const defaultN = 32

// Values of flags.
var (
	opNames     = words(probe.Ops())
	formatNames = []string{"f64", "f32", "f16", "bf16"}
)

// words returns names as strings.
func words[T ~string](names []T) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = string(n)
	}
	return all
}

// opChoices are the operations.
var opChoices = choices{
	words: opNames,
	fault: probe.Fault{ID: "bad-op", Cause: "there is no operation of that name"},
}

// formatChoices are the number formats, and their longer names.
var formatChoices = choices{
	words: formatNames,
	also:  []string{"float64", "float32", "float16", "bfloat16"},
	takes: func(s string) bool {
		_, isInteger := probe.ParseInteger(s)
		_, err := fp.Parse(s)
		return isInteger || err == nil // spec refuses integers where they mean nothing
	},
	fault: probe.Fault{ID: "bad-dtype", Cause: "there is no number format of that name"},
}

// algorithmChoices are the ways to find a tree.
var algorithmChoices = choices{
	words: reveal.Algorithms(),
	fault: probe.Fault{ID: "bad-algorithm", Cause: "there is no algorithm of that name"},
}

// specFlags are the flags that choose the operation, format, shape and layout
// of a target.
type specFlags struct {
	n, m, cols, stride, align, threads     int
	ranks                                  int
	op, dtype, acc, axis, trans, order, on string
	shape                                  string
	index                                  []int
	env                                    []string
	timeout                                time.Duration
	integers                               bool // --dtype takes types of integers, too
}

func (f *specFlags) add(cmd *cobra.Command) {
	f.addNumbers(cmd.Flags())
	cmd.Flags().StringVar(&f.shape, "shape", "",
		"-n, --m and --cols in one: 32x16x128 has 32 rows, 16 columns and 128 summands")
	f.addOthers(cmd)
}

// addNumbers defines the flags that lastbit invariant takes ranges for.
func (f *specFlags) addNumbers(fl *pflag.FlagSet) {
	countVar(fl, &f.n, "n", "n", defaultN, "number of summands, also as 1e6")
	countVar(fl, &f.m, "m", "", 0, "rows of a matrix (default chosen by the driver)")
	countVar(fl, &f.cols, "cols", "", 0,
		"columns of gemm's second matrix (default chosen by the driver)")
	fl.IntVar(&f.stride, "stride", 1, "distance between elements, in elements")
	fl.IntVar(&f.align, "align", 0, "start of the data, in bytes past a multiple of 64")
	fl.IntVar(&f.threads, "threads", 1, "threads; -1 is the implementation's own default")
	countVar(fl, &f.ranks, "ranks", "", 0, ranksUsage)
}

// ranksUsage is the help of --ranks.
const ranksUsage = "ranks that share the summands, for sim: and mpi: (default the target's own)"

// addOthers defines all other flags.
func (f *specFlags) addOthers(cmd *cobra.Command) {
	fl := cmd.Flags()
	choiceVar(cmd, fl, &f.op, "op", "", opChoices,
		text.List(opNames)+" (default the target's own)")
	choiceVar(cmd, fl, &f.dtype, "dtype", "", formatChoices,
		"format of the inputs: "+text.List(formatNames)+
			" (default f32, or another format that the target takes)")
	choiceVar(cmd, fl, &f.acc, "acc", "", formatChoices,
		"format to accumulate in, for targets that let you choose (NumPy's dtype=)")
	fl.StringVar(&f.axis, "axis", "", "sum over this axis of a matrix: 0 or 1")
	fl.StringVar(&f.trans, "trans", "", "operands that are stored transposed: a, b or ab")
	fl.StringVar(&f.order, "order", "", "memory order of matrices: C (rows) or F (columns)")
	fl.IntSliceVar(&f.index, "out-index", nil,
		"which output: i, or i,j for gemm (default the first)")
	fl.StringVar(&f.on, "device", "", "cpu or cuda, for targets that have devices")
	fl.StringArrayVar(&f.env, "env", nil,
		"a variable of the target's environment, NAME=value; may be given several times")
	fl.DurationVar(&f.timeout, "timeout", 10*time.Second, "longest time of one call")
	complete(cmd, "axis", []string{"0", "1"})
	complete(cmd, "trans", []string{"a", "b", "ab"})
	complete(cmd, "order", []string{"C", "F"})
	complete(cmd, "device", []string{"cpu", "cuda"})
}

// spec returns the Spec of the flags. The default format of the inputs is f32.
func (f *specFlags) spec() (s probe.Spec, err error) {
	if err := f.readShape(); err != nil {
		return s, err
	}
	if err := checkEnv(f.env); err != nil {
		return s, err
	}
	if err := f.check(); err != nil {
		return s, err
	}
	s = probe.Spec{
		DType: fp.Binary32, N: f.n, M: f.m, Cols: f.cols,
		Axis: f.axis, Trans: f.trans, Order: f.order, Stride: f.stride, Align: f.align,
		Threads: f.threads, Ranks: f.ranks, OutIndex: f.index, Device: f.on, Timeout: f.timeout,
		Env: f.env,
	}
	if f.op != "" {
		if s.Op, err = probe.ParseOp(f.op); err != nil {
			return s, err
		}
	}
	if err := f.readDType(&s); err != nil {
		return s, err
	}
	if f.acc != "" {
		s.Acc, err = parseFormat("acc", f.acc)
	}
	return s, err
}

// readDType reads --dtype.
func (f *specFlags) readDType(s *probe.Spec) (err error) {
	if f.dtype == "" {
		return nil
	}
	if t, ok := probe.ParseInteger(f.dtype); ok {
		if s.Integers, s.DType = t, fp.Binary64; f.integers {
			return nil
		}
		return &probe.Fault{ID: "bad-dtype", Thing: "--dtype " + f.dtype,
			Cause: "only lastbit reveal takes integers", Cure: "use f64, f32, f16 or bf16"}
	}
	s.DType, err = parseFormat("dtype", f.dtype)
	return err
}

// readShape reads --shape, as keys print it: rows × columns × summands, rows ×
// summands, or summands. Three numbers ask for a matrix product.
func (f *specFlags) readShape() error {
	if f.shape == "" {
		return nil
	}
	words := strings.Split(strings.ReplaceAll(f.shape, "×", "x"), "x")
	numbers := make([]int, len(words))
	for i, w := range words {
		var err error
		if numbers[i], err = parseCount(w); err != nil || numbers[i] < 1 || len(words) > 3 {
			return &probe.Fault{ID: "bad-usage", Thing: "--shape " + f.shape,
				Cause: "it is not a shape",
				Cure:  "write rows x columns x summands, such as 32x16x128, or rows x summands"}
		}
	}
	f.n = numbers[len(numbers)-1]
	if len(numbers) > 1 {
		f.m = numbers[0]
	}
	if len(numbers) > 2 {
		if f.cols = numbers[1]; f.op == "" {
			f.op = string(probe.Gemm)
		}
	}
	return nil
}

// checkEnv refuses assignments without a name.
func checkEnv(env []string) error {
	for _, e := range env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			return &probe.Fault{ID: "bad-usage", Thing: "--env " + e,
				Cause: "it is not an assignment", Cure: "write NAME=value"}
		}
	}
	return nil
}

// check refuses numbers that no target can honour.
func (f *specFlags) check() error {
	if err := checkN(f.n); err != nil {
		return err
	}
	bad := &probe.Fault{ID: "bad-usage"}
	switch {
	case f.stride < 1:
		bad.Thing = fmt.Sprintf("--stride %d", f.stride)
		bad.Cause, bad.Cure = "a stride is 1 or more", "leave it out for 1"
	case f.threads == 0:
		bad.Thing = "--threads 0"
		bad.Cause = "a number of threads is 1 or more, or -1 for the implementation's default"
		bad.Cure = "leave it out for 1"
	case f.ranks < 0:
		bad.Thing = fmt.Sprintf("--ranks %d", f.ranks)
		bad.Cause, bad.Cure = "a number of ranks is 1 or more", "leave it out for the target's own"
	case f.timeout <= 0:
		bad.Thing = fmt.Sprintf("--timeout %v", f.timeout)
		bad.Cause, bad.Cure = "no call takes that little time", "use a time such as 10s"
	default:
		return nil
	}
	return bad
}

// checkN refuses a number of summands that has no order, or needs too much
// memory.
func checkN(n int) error {
	bad := &probe.Fault{ID: "bad-n", Thing: fmt.Sprintf("-n %d", n)}
	switch limit := maxSummands(meminfo); {
	case n < 0:
		bad.Cause, bad.Cure = "a number of summands is not negative", "use 1 or more"
	case n == 0:
		bad.Cause, bad.Cure = "a sum of no summands has no order", "use 1 or more"
	case n > limit:
		bad.Cause = "so many summands and their results do not fit into memory"
		bad.Cure = fmt.Sprintf("use at most %d", limit)
	default:
		return nil
	}
	return bad
}

// parseFormat reads the number format that a flag gives.
func parseFormat(flag, name string) (fp.Format, error) {
	format, err := fp.Parse(name)
	if err != nil {
		return 0, formatChoices.refuse(flag, name)
	}
	return format, nil
}

// revealFlags are the flags that choose how to examine a target.
type revealFlags struct {
	algorithm         string
	seed              uint64
	replays, maxCalls int
	oneLane           bool
	ballast           []byte // see options
}

// ballastSize is the memory that a finding of some thousand summands takes,
// about.
const ballastSize = 64 << 20

func (f *revealFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	choiceVar(cmd, fl, &f.algorithm, "algorithm", "auto", algorithmChoices,
		"how to find the tree: "+text.List(reveal.Algorithms()))
	fl.Uint64Var(&f.seed, "seed", 0,
		"seed of the random inputs; the same seed asks the same questions")
	countVar(fl, &f.replays, "replays", "", 0,
		"inputs to replay (default 64; 128 for results of 16 bits)")
	countVar(fl, &f.maxCalls, "max-calls", "", 0,
		"give up after this many calls (default no limit)")
	fl.BoolVar(&f.oneLane, "one-lane", false,
		"matrices: take all evidence from the asked result, at one probe a call, "+
			"and none from results that agreed with it so far")
}

// options returns the options of a finding. It takes memory that is never
// touched: the garbage collector runs when the memory in use has doubled, and
// so not during a short search.
func (f *revealFlags) options(progress func(string, int, int)) (reveal.Options, error) {
	if f.replays < 0 || f.maxCalls < 0 {
		return reveal.Options{}, &probe.Fault{
			ID:    "bad-usage",
			Thing: fmt.Sprintf("--replays %d --max-calls %d", f.replays, f.maxCalls),
			Cause: "replays and calls are not negative", Cure: "leave them out for the defaults",
		}
	}
	f.ballast = make([]byte, ballastSize)
	return reveal.Options{
		Algorithm: f.algorithm, Seed: f.seed, Replays: f.replays, MaxCalls: f.maxCalls,
		OneLane: f.oneLane, Progress: progress,
	}, nil
}
