package probe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// Options is a set of fields of Spec: those that a driver, or one of its
// functions, honours besides Op, DType, N and Timeout, which every driver does.
type Options uint16

// The options, one for each field.
const (
	WithAcc      Options = 1 << iota // Acc
	WithRows                         // M
	WithCols                         // Cols
	WithAxis                         // Axis
	WithTrans                        // Trans
	WithOrder                        // Order
	WithStride                       // Stride
	WithAlign                        // Align
	WithThreads                      // Threads
	WithOutIndex                     // OutIndex
	WithDevice                       // Device
	WithEnv                          // Env

	AllOptions Options = 1<<iota - 1
)

// WithRanks is the option of a driver whose targets share the summands of one
// sum among several processes: Ranks. AllOptions does not have it.
const WithRanks Options = 1 << 14

// WithIntegers is the option of a driver, or one of its functions, that takes
// integers: Integers. AllOptions does not have it.
const WithIntegers Options = 1 << 13

// ShortFormats is the option of a driver that takes formats besides f64, f32,
// f16 and bf16 as Spec.DType.
const ShortFormats Options = 1 << 15

// option describes one field of Spec.
type option struct {
	bit   Options
	name  string            // in a message
	flag  string            // of the command
	value func(Spec) string // in print; "" where it asks for nothing
	clear func(*Spec)       // makes it ask for nothing
}

// optionTable lists every option, in the order of the constants. A value asks
// for nothing where it means the same as leaving the field out: one row, a
// stride of 1, the input format as the accumulator.
func optionTable() []option {
	return []option{
		{WithAcc, "accumulation format", "--acc",
			func(s Spec) string { return unless(s.Acc == 0 || s.Acc == s.DType, s.Acc) },
			func(s *Spec) { s.Acc = 0 }},
		{WithRows, "number of rows", "--m",
			func(s Spec) string { return unless(s.M == 0 || s.M == 1, s.M) },
			func(s *Spec) { s.M = 0 }},
		{WithCols, "number of columns", "--cols",
			func(s Spec) string { return unless(s.Cols == 0 || s.Cols == 1, s.Cols) },
			func(s *Spec) { s.Cols = 0 }},
		{WithAxis, "axis", "--axis",
			func(s Spec) string { return s.Axis },
			func(s *Spec) { s.Axis = "" }},
		{WithTrans, "transposition", "--trans",
			func(s Spec) string { return s.Trans },
			func(s *Spec) { s.Trans = "" }},
		{WithOrder, "memory order", "--order",
			func(s Spec) string { return unless(strings.EqualFold(s.Order, "C"), s.Order) },
			func(s *Spec) { s.Order = "" }},
		{WithStride, "stride", "--stride",
			func(s Spec) string { return unless(s.Stride == 0 || s.Stride == 1, s.Stride) },
			func(s *Spec) { s.Stride = 0 }},
		{WithAlign, "alignment", "--align",
			func(s Spec) string { return unless(s.Align == 0, s.Align) },
			func(s *Spec) { s.Align = 0 }},
		{WithThreads, "number of threads", "--threads",
			func(s Spec) string { return unless(s.Threads >= -1 && s.Threads <= 1, s.Threads) },
			func(s *Spec) { s.Threads = 0 }},
		{WithOutIndex, "output position", "--out-index",
			func(s Spec) string { return joinInts(s.OutIndex) },
			func(s *Spec) { s.OutIndex = nil }},
		{WithDevice, "device", "--device",
			func(s Spec) string { return unless(s.Device == "cpu", s.Device) },
			func(s *Spec) { s.Device = "" }},
		{WithEnv, "environment", "--env",
			func(s Spec) string { return strings.Join(s.Env, " ") },
			func(s *Spec) { s.Env = nil }},
		{WithRanks, "number of ranks", "--ranks",
			func(s Spec) string { return unless(s.Ranks == 0, s.Ranks) },
			func(s *Spec) { s.Ranks = 0 }},
	}
}

// unless returns the value in print, and "" where it asks for nothing.
func unless(nothing bool, value any) string {
	if nothing {
		return ""
	}
	return fmt.Sprint(value)
}

// joinInts returns a list of integers as the command takes it: "3,0".
func joinInts(list []int) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = strconv.Itoa(v)
	}
	return strings.Join(words, ",")
}

// Flags returns the flags of the command that set the options, in the order of
// the constants.
func (o Options) Flags() []string {
	var flags []string
	for _, f := range optionTable() {
		if o&f.bit != 0 {
			flags = append(flags, f.flag)
		}
	}
	return flags
}

// isUsual reports whether all drivers know the format, or there is none.
func isUsual(f fp.Format) bool { return !f.Valid() || f <= fp.BFloat16 }

// Restrict returns s without the options that target does not honour, if they
// ask for nothing. If s asks for something there, the error is a *Fault that
// names the first such option: bad-shape for rows and columns, bad-out-index
// for the output position, else unsupported-option. Every driver calls it with
// its own options, so that an option is refused unless a driver lists it. The
// *Fault is unsupported-dtype for a format that is not f64, f32, f16 or bf16,
// unless the driver honours ShortFormats and the inputs have the format, and
// for integers unless it honours WithIntegers.
func (s Spec) Restrict(target string, honoured Options) (Spec, error) {
	for _, f := range []fp.Format{s.DType, s.Acc} {
		if isUsual(f) || honoured&ShortFormats != 0 && f == s.DType && f != s.Acc {
			continue
		}
		return s, &Fault{ID: "unsupported-dtype", Thing: target,
			Cause: fmt.Sprintf("it does not take %s", f), Cure: "use f64, f32, f16 or bf16"}
	}
	if s.Integers != "" && honoured&WithIntegers == 0 {
		return s, &Fault{ID: "unsupported-dtype", Thing: target,
			Cause: fmt.Sprintf("it takes no integers, and %s was asked for", s.Integers),
			Cure:  "use f64, f32, f16 or bf16"}
	}
	for _, o := range optionTable() {
		if honoured&o.bit != 0 {
			continue
		}
		if v := o.value(s); v != "" {
			cure := "leave " + o.flag + " out"
			if flags := honoured.Flags(); len(flags) > 0 {
				cure += "; it honours " + strings.Join(flags, ", ")
			}
			cause := fmt.Sprintf("it has no %s to choose, but %s was asked for", o.name, v)
			f := &Fault{ID: "unsupported-option", Thing: target, Cause: cause, Cure: cure}
			switch o.bit {
			case WithRows, WithCols:
				f.ID = "bad-shape"
			case WithOutIndex:
				f.ID = "bad-out-index"
			}
			return s, f
		}
		o.clear(&s)
	}
	return s, nil
}
