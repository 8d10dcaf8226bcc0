package wire

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Version is the version of the protocol, the second word of a hello.
const Version = 1

// maxLine bounds a line of the protocol, its end included.
const maxLine = 1 << 16

// sharedAlign is the alignment of the arrays in shared memory.
const sharedAlign = 64

// Field is one key=value of a line.
type Field struct{ Name, Value string }

// formatLine returns head and the fields as one line, with its end.
func formatLine(head string, fields []Field) string {
	var b strings.Builder
	b.WriteString(head)
	for _, f := range fields {
		b.WriteString(" " + f.Name + "=" + escape(f.Value))
	}
	b.WriteByte('\n')
	return b.String()
}

// escape percent-encodes the bytes that could end a word, and all that are not
// plain ASCII.
func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("-._~/:,+@()", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// parseFields reads the words of a line after its head. A name comes once.
func parseFields(words []string) ([]Field, error) {
	seen := make(map[string]bool)
	var fields []Field
	for _, w := range words {
		name, val, ok := strings.Cut(w, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%s is not key=value", quote(w))
		}
		if seen[name] {
			return nil, fmt.Errorf("key %s comes twice", quote(name))
		}
		seen[name] = true
		v, err := url.PathUnescape(val)
		if err != nil {
			return nil, fmt.Errorf("the value of %s is not percent-encoded: %s", quote(name),
				quote(val))
		}
		fields = append(fields, Field{name, v})
	}
	return fields, nil
}

// quote quotes s for a message and cuts it.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}

// helloFields returns the fields of a hello for a key: those that are set.
func helloFields(key probe.Key, lanes int) []Field {
	fs := []Field{{"op", string(key.Op)}, {"dtype", key.DType.String()}, {"n", strconv.Itoa(key.N)},
		{"lanes", strconv.Itoa(lanes)}}
	num := func(name string, v int) {
		if v != 0 {
			fs = append(fs, Field{name, strconv.Itoa(v)})
		}
	}
	text := func(name, v string) {
		if v != "" {
			fs = append(fs, Field{name, v})
		}
	}
	num("m", key.M)
	num("cols", key.Cols)
	text("axis", key.Axis)
	text("trans", key.Trans)
	text("order", key.Order)
	if key.Stride > 1 {
		num("stride", key.Stride)
	}
	num("align", key.Align)
	if key.Threads != 1 {
		num("threads", key.Threads)
	}
	text("integers", string(key.Integers))
	if key.Acc != 0 {
		text("acc", key.Acc.String())
	}
	text("out_index", joinInts(key.OutIndex))
	text("device", key.Device)
	return fs
}

// joinInts writes a list of integers as a value.
func joinInts(v []int) string {
	words := make([]string, len(v))
	for i, n := range v {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// splitInts parses the output of joinInts.
func splitInts(s string) ([]int, error) {
	var v []int
	for _, w := range strings.Split(s, ",") {
		n, err := strconv.Atoi(w)
		if err != nil {
			return nil, fmt.Errorf("%s is not a list of integers", quote(s))
		}
		v = append(v, n)
	}
	return v, nil
}

// setHello stores one field of a hello in key or lanes. known is false for a
// field that is not the protocol's.
func setHello(key *probe.Key, lanes *int, f Field) (known bool, err error) {
	switch f.Name {
	case "op":
		key.Op, err = probe.ParseOp(f.Value)
	case "dtype":
		key.DType, err = parseFormat(f.Value)
	case "acc":
		key.Acc, err = parseFormat(f.Value)
	case "n":
		key.N, err = positive(f.Value)
	case "lanes":
		*lanes, err = positive(f.Value)
	case "m":
		key.M, err = positive(f.Value)
	case "cols":
		key.Cols, err = positive(f.Value)
	case "stride":
		key.Stride, err = positive(f.Value)
	case "align":
		key.Align, err = positive(f.Value)
	case "threads":
		key.Threads, err = strconv.Atoi(f.Value)
	case "out_index":
		key.OutIndex, err = splitInts(f.Value)
	case "axis":
		key.Axis = f.Value
	case "trans":
		key.Trans = f.Value
	case "order":
		key.Order = f.Value
	case "device":
		key.Device = f.Value
	default:
		return false, nil
	}
	if err != nil {
		return true, fmt.Errorf("%s: %w", f.Name, err)
	}
	return true, nil
}

// parseFormat reads the name of a format that Encode and Decode know.
func parseFormat(name string) (fp.Format, error) {
	f, err := fp.Parse(name)
	if err == nil && f > fp.BFloat16 {
		err = fmt.Errorf("arrays of %s cannot be exchanged", f)
	}
	return f, err
}

// positive reads an integer of at least 1.
func positive(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is not a number of at least 1", quote(s))
	}
	return n, nil
}

// replyFields returns the fields of an answer to a hello, those that the
// program knows better than the host.
func replyFields(key probe.Key) []Field {
	var fs []Field
	for _, f := range []Field{{"library", key.Library}, {"version", key.Version},
		{"kernel", key.Kernel}, {"settings", key.Settings}, {"runtime", key.Runtime}} {
		if f.Value != "" {
			fs = append(fs, f)
		}
	}
	if key.Out != 0 {
		fs = append(fs, Field{"out", key.Out.String()})
	}
	if key.Mean {
		fs = append(fs, Field{"mean", "1"})
	}
	if key.Threads != 0 {
		fs = append(fs, Field{"threads", strconv.Itoa(key.Threads)})
	}
	return fs
}

// set stores one field of an answer to a hello.
func (a *answer) set(f Field) (err error) {
	switch f.Name {
	case "library":
		a.key.Library = f.Value
	case "version":
		a.key.Version = f.Value
	case "kernel":
		a.key.Kernel = f.Value
	case "settings":
		a.key.Settings = f.Value
	case "runtime":
		a.key.Runtime = f.Value
	case "out":
		a.key.Out, err = parseFormat(f.Value)
	case "integers":
		if a.key.Results = probe.Integer(f.Value); !a.key.Results.Valid() {
			err = fmt.Errorf("%s is no type of integers", quote(f.Value))
		}
	case "threads":
		a.key.Threads, err = strconv.Atoi(f.Value)
	case "lanes":
		a.lanes, err = positive(f.Value)
	case "mean":
		a.key.Mean, err = flag(f.Value)
	case "cells":
		a.cells, err = flag(f.Value)
	case "shm":
		a.shared, err = flag(f.Value)
	case "keeps":
		a.keeps, err = flag(f.Value)
	case "moves":
		a.reach, err = parsePlacement(f.Value)
	default:
		return fmt.Errorf("key %s is none of the protocol's", quote(f.Name))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// answer is a program's answer to a hello.
type answer struct {
	key    probe.Key
	lanes  int
	cells  bool
	shared bool
	keeps  bool // the program does not write to its inputs
	reach  probe.Placement
}

// formatPlacement writes the offsets of X, Y and the results as a value.
func formatPlacement(p probe.Placement) string { return joinInts([]int{p.X, p.Y, p.Out}) }

// parsePlacement reads the output of formatPlacement.
func parsePlacement(s string) (probe.Placement, error) {
	v, err := splitInts(s)
	if err != nil {
		return probe.Placement{}, err
	}
	if len(v) != 3 || slices.Min(v) < 0 {
		return probe.Placement{}, fmt.Errorf("%s is not three numbers of at least 0", quote(s))
	}
	return probe.Placement{X: v[0], Y: v[1], Out: v[2]}, nil
}

// flag reads 0 or 1.
func flag(s string) (bool, error) {
	if s != "0" && s != "1" {
		return false, fmt.Errorf("%s is neither 0 nor 1", quote(s))
	}
	return s == "1", nil
}

// layout holds the positions of the arrays in shared memory: X at 0, Y at y,
// the outputs at out, size bytes together.
type layout struct{ x, y, out, size int }

// layoutOf returns the layout for a key. Outputs have room for the whole matrix
// in the widest format, since the host does not know yet which one the program
// uses.
func layoutOf(key probe.Key, lanes int) layout {
	up := func(n int) int { return (n + sharedAlign - 1) &^ (sharedAlign - 1) }
	size := key.DType.Bytes()
	l := layout{y: up(lanes * key.N * size)}
	l.out = l.y
	if key.Op.Products() {
		l.out += up(key.N * size)
	}
	l.size = l.out + up(max(lanes, key.M*max(key.Cols, 1))*fp.Binary64.Bytes())
	return l
}
