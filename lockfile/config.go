package lockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// ConfigName is the name of the file that names a project's operations.
const ConfigName = "lastbit.toml"

// Config names the operations of a project, and what its report holds.
type Config struct {
	Requests []Request
	Libm     []fp.Format // formats of the elementary functions to lock
	Report   Contents

	locks bool
}

// Locks reports whether the file says what to lock: operations, or elementary
// functions.
func (c *Config) Locks() bool { return c.locks }

// Request is an operation to probe. Op, M and Cols of its Spec may be zero: the
// target's own.
type Request struct {
	Target string
	Spec   probe.Spec
}

// Answers reports whether an operation is one that a request asks for: it has
// everything that the request names.
func (o *Operation) Answers(r Request) bool {
	a, b := o.Spec, r.Spec
	if b.Op == "" {
		b.Op = a.Op
	}
	for _, p := range []struct{ asked, has *int }{{&b.M, &a.M}, {&b.Cols, &a.Cols}} {
		if *p.asked == 0 {
			*p.asked = *p.has
		}
	}
	return o.Target == r.Target && reflect.DeepEqual(a, b)
}

// configText is a lastbit.toml.
type configText struct {
	Libm      *list[string]
	Report    Contents
	Operation []struct {
		Target, Op, DType                  list[string]
		N, M, Cols, Stride, Align, Threads list[int]
		Acc, Axis, Trans, Order, Device    string
		OutIndex                           []int `toml:"out_index"`
		Env                                []string
	}
}

// list is one value, or a list of them.
type list[T any] []T

// UnmarshalTOML implements toml.Unmarshaler.
func (l *list[T]) UnmarshalTOML(v any) error {
	values, many := v.([]any)
	if !many {
		values = []any{v}
	}
	*l = list[T]{}
	for _, v := range values {
		if n, ok := v.(int64); ok {
			v = int(n)
		}
		t, ok := v.(T)
		if !ok {
			return fmt.Errorf("%v is not %s", v, kindOf(t))
		}
		*l = append(*l, t)
	}
	return nil
}

// kindOf names the type of a value for people.
func kindOf(v any) string {
	if _, ok := v.(int); ok {
		return "a whole number"
	}
	return "a text in quotes"
}

// or returns the list, or one of zero where it is empty.
func (l list[T]) or(zero T) list[T] {
	if len(l) == 0 {
		return list[T]{zero}
	}
	return l
}

// ReadConfig reads a lastbit.toml. It returns nil where there is no such file.
// The error is the *probe.Fault bad-config.
func ReadConfig(name string) (*Config, error) {
	text, err := readFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, badConfig(name, "it cannot be read", err)
	}
	return ParseConfig(name, text)
}

func badConfig(name, cause string, err error) error {
	return &probe.Fault{ID: "bad-config", Thing: name, Cause: cause,
		Cure: "write it as docs/use/lock.md shows", Err: err}
}

// ParseConfig reads the text of a lastbit.toml; name is for errors.
func ParseConfig(name, text string) (*Config, error) {
	var raw configText
	meta, err := toml.Decode(text, &raw)
	if err != nil {
		return nil, badConfig(name, "it cannot be understood", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, badConfig(name, unknownKey(unknown[0]), nil)
	}
	c, err := raw.config()
	if err != nil {
		return nil, badConfig(name, "it cannot be understood", err)
	}
	return c, nil
}

func (t *configText) config() (*Config, error) {
	c := &Config{Libm: []fp.Format{fp.Binary64}, Report: t.Report,
		locks: t.Libm != nil || len(t.Operation) > 0}
	if err := c.Report.check(); err != nil {
		return nil, err
	}
	if t.Libm != nil {
		c.Libm = nil
		for _, word := range *t.Libm {
			format, err := fp.Parse(word)
			if err != nil || format != fp.Binary64 && format != fp.Binary32 {
				return nil, fmt.Errorf("libm is f64, f32 or a list of them, not %q", word)
			}
			c.Libm = append(c.Libm, format)
		}
	}
	for _, o := range t.Operation {
		if len(o.Target) == 0 || len(o.DType) == 0 || len(o.N) == 0 {
			return nil, errors.New("an operation needs a target, dtype and n")
		}
		base := probe.Spec{
			Axis: o.Axis, Trans: o.Trans, Order: o.Order, OutIndex: o.OutIndex, Device: o.Device,
			Env: o.Env,
		}
		var err error
		if base.Acc, err = format(o.Acc); err != nil {
			return nil, err
		}
		product(len(o.Target), len(o.Op.or("")), len(o.DType), len(o.N), len(o.M.or(0)),
			len(o.Cols.or(0)), len(o.Stride.or(0)), len(o.Align.or(0)), len(o.Threads.or(-1)),
		)(func(at []int) bool {
			s := base
			s.N, s.M, s.Cols = o.N[at[3]], o.M.or(0)[at[4]], o.Cols.or(0)[at[5]]
			s.Stride, s.Align = o.Stride.or(0)[at[6]], o.Align.or(0)[at[7]]
			s.Threads = o.Threads.or(-1)[at[8]]
			if op := o.Op.or("")[at[1]]; op != "" {
				if s.Op, err = probe.ParseOp(op); err != nil {
					return false
				}
			}
			if s.DType, err = format(o.DType[at[2]]); err != nil {
				return false
			}
			if err = checkNumbers(s); err != nil {
				return false
			}
			c.Requests = append(c.Requests, Request{o.Target[at[0]], s})
			return true
		})
		if err == nil {
			err = checkEnv(o.Env)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Target[0], err)
		}
	}
	return c, nil
}

// checkNumbers refuses numbers that no target can honour.
func checkNumbers(s probe.Spec) error {
	if s.N < 1 {
		return fmt.Errorf("n = %d, which has to be 1 or more", s.N)
	}
	if s.Align < 0 {
		return fmt.Errorf("align = %d, which has to be 0 or more", s.Align)
	}
	for _, v := range []struct {
		name  string
		value int // 0 is the default
	}{{"m", s.M}, {"cols", s.Cols}, {"stride", s.Stride}} {
		if v.value < 0 {
			return fmt.Errorf("%s = %d, which has to be 1 or more; leave it out for the default",
				v.name, v.value)
		}
	}
	if s.Threads < -1 || s.Threads == 0 {
		return fmt.Errorf("threads = %d, which has to be 1 or more, or -1 for the library's own "+
			"number", s.Threads)
	}
	return nil
}

// checkEnv refuses assignments without a name.
func checkEnv(env []string) error {
	for _, e := range env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			return fmt.Errorf("env has %q, which is not NAME=value", e)
		}
	}
	return nil
}

// format parses the name of a format, 0 for none.
func format(name string) (fp.Format, error) {
	if name == "" {
		return 0, nil
	}
	return fp.Parse(name)
}

// product yields the indices of every combination of lists of the given
// lengths.
func product(lengths ...int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		at := make([]int, len(lengths))
		for {
			if !yield(at) {
				return
			}
			k := len(at) - 1
			for ; k >= 0; k-- {
				if at[k]++; at[k] < lengths[k] {
					break
				}
				at[k] = 0
			}
			if k < 0 {
				return
			}
		}
	}
}
