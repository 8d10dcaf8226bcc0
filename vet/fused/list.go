package fused

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/internal/gocommand"
	"github.com/lastbit/lastbit/internal/overlay"
)

// A Position is a place in a source file. Columns count bytes from 1.
type Position struct {
	File         string // an absolute path
	Line, Column int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Compare orders positions by file, line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line),
		cmp.Compare(p.Column, q.Column))
}

// MaxColumn is the last column that the compiler counts: an operation behind it
// has this column, too.
const MaxColumn = 255

// An Op is a fused operation in the code of a package.
type Op struct {
	Package string   // the compiled package
	At      Position // of the addition or subtraction
	// Through holds the calls that the operation was inlined through, outermost
	// first. All holds them for every copy of the operation, and Through is the
	// shortest.
	Through []Position
	All     [][]Position
}

// A Build chooses how packages are compiled.
type Build struct {
	Dir   string   // the working folder of the go command; "" is the current one
	Tags  []string // build tags
	Tests bool     // compile tests too
	Flags []string // of the go command, besides these
	// Overlay holds the contents of files in the place of those on disk.
	Overlay map[string][]byte
}

// A BuildError is a failed compilation.
type BuildError struct {
	Target  Target
	Package string // the first one that failed; "" where the go command failed earlier
	Output  string // of the compiler or of the go command
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("fused: %s does not compile for %s: %s", e.Package, e.Target, e.Output)
}

// List compiles packages for a target and returns the operations that the
// compiler fuses in them, each once for a package, sorted by package and
// position. Dependencies that the patterns do not match are compiled, but
// listed only where their code is inlined. With a *BuildError it returns the
// operations of the packages that do compile.
func List(ctx context.Context, b Build, t Target, patterns ...string) ([]Op, error) {
	args := []string{"list", "-export", "-gcflags=-d=fmahash=vy"}
	if b.Tests {
		args = append(args, "-test")
	}
	if len(b.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(b.Tags, ","))
	}
	files, remove, err := overlay.WriteTemp(ctx, b.Overlay)
	if err != nil {
		return nil, err
	}
	defer remove()
	args = append(append(args, b.Flags...), files...)
	cmd := gocommand.New(ctx, b.Dir, append(append(args, "--"), patterns...)...)
	cmd.Env = append(cmd.Env, t.Environment()...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	failed := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); failed != nil && !errors.As(failed, &exit) {
		return nil, failed
	}
	text := stderr.String()
	if len(files) > 0 {
		text = overlay.Restore(files[0], b.Overlay, text)
	}
	out, err := parse(text, b.Dir)
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return out.sorted(), &BuildError{Target: t, Package: out.failed, Output: out.fault()}
	}
	return out.sorted(), nil
}

// output holds the parsed output of the go command.
type output struct {
	ops  map[string]Op     // by package and position
	text map[string]string // lines about something else, by package

	pkg    string // the package of the lines that are read
	failed string // the first package with such lines
}

// parse reads the output of the compiler in a folder. The go command puts a
// line "# package" before that for each package.
func parse(text, dir string) (*output, error) {
	base, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	o := &output{ops: map[string]Op{}, text: map[string]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if pkg, ok := strings.CutPrefix(line, "# "); ok {
			o.pkg, _, _ = strings.Cut(pkg, " ") // p [p.test]
			continue
		}
		o.add(line, base)
	}
	return o, nil
}

// fault returns the lines about something else than fused operations: those
// in the first package that has any, or of the go command itself.
func (o *output) fault() string { return strings.TrimSpace(o.text[o.failed]) }

// triggered matches the line that the compiler prints for a fused operation:
// positions from the outermost call to the operation itself, then a hash. Each
// comes with a line for the tool bisect, which is left out.
var (
	triggered = regexp.MustCompile(`^fmahash triggered (.*) [01]+$`)
	forBisect = regexp.MustCompile(`^(.*) \[bisect-match 0x([0-9a-f]+)\]$`)
)

// A Match is a fused operation in a compiler's output for the flag
// -d=fmahash=vy, with the number that chooses it in other patterns of the flag.
type Match struct {
	Package string // the compiled package, with _test for tests outside of it
	At      Position
	Hash    uint64
}

// Matches returns the fused operations in the output of a go command that ran
// in a folder.
func Matches(text, dir string) ([]Match, error) {
	base, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var all []Match
	pkg := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			pkg, _, _ = strings.Cut(name, " ") // p [p.test]
			continue
		}
		m := forBisect.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		hash, err := strconv.ParseUint(m[2], 16, 64)
		if err != nil {
			return nil, err
		}
		last := m[1][strings.LastIndexByte(m[1], ';')+1:]
		if p, ok := ParsePosition(strings.TrimSpace(last)); ok {
			all = append(all, Match{pkg, p.in(base), hash})
		}
	}
	return all, nil
}

// add adds a line of the compiler's output.
func (o *output) add(line, base string) {
	m := triggered.FindStringSubmatch(line)
	if m == nil {
		if !forBisect.MatchString(line) {
			o.failed = cmp.Or(o.failed, o.pkg)
			o.text[o.pkg] += line + "\n"
		}
		return
	}
	var all []Position
	for s := range strings.SplitSeq(m[1], "; ") {
		if p, ok := ParsePosition(s); ok {
			all = append(all, p.in(base))
		}
	}
	if len(all) == 0 { // code that the compiler generates has no position
		return
	}
	last := len(all) - 1
	key := o.pkg + " " + all[last].String()
	op, ok := o.ops[key]
	if op.All = append(op.All, all[:last]); !ok || last < len(op.Through) {
		op.Package, op.At, op.Through = o.pkg, all[last], all[:last]
	}
	o.ops[key] = op
}

// ParsePosition parses file:line:column.
func ParsePosition(s string) (Position, bool) {
	rest, column, ok1 := cutLast(s)
	file, line, ok2 := cutLast(rest)
	if !ok1 || !ok2 || file == "" || line == 0 {
		return Position{}, false
	}
	return Position{filepath.Clean(file), line, column}, true
}

// in returns a position of a file that the go command named relative to its
// working folder, base.
func (p Position) in(base string) Position {
	if !filepath.IsAbs(p.File) {
		p.File = filepath.Join(base, p.File)
	}
	return p
}

// cutLast splits a number after the last colon off a text.
func cutLast(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

// sorted returns the operations by package and position.
func (o *output) sorted() []Op {
	ops := make([]Op, 0, len(o.ops))
	for _, op := range o.ops {
		ops = append(ops, op)
	}
	slices.SortFunc(ops, func(a, b Op) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), a.At.Compare(b.At))
	})
	return ops
}
