package fused

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// An Op is a fused operation in the code of a package.
type Op struct {
	Package string   // the compiled package
	At      Position // of the addition or subtraction
	// Through holds the calls that the operation was inlined through, outermost
	// first.
	Through []Position
}

// A Build chooses how packages are compiled.
type Build struct {
	Dir  string   // the working folder of the go command; "" is the current one
	Tags []string // build tags
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
// listed only where their code is inlined.
func List(ctx context.Context, b Build, t Target, patterns ...string) ([]Op, error) {
	args := []string{"build", "-json", "-o", os.DevNull, "-gcflags=-d=fmahash=vy"}
	if len(b.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(b.Tags, ","))
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), patterns...)...)
	cmd.Dir = b.Dir
	cmd.Env = append(os.Environ(), t.environment()...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	failed := cmd.Run()
	if exit := (*exec.ExitError)(nil); failed != nil && !errors.As(failed, &exit) {
		return nil, failed
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out, err := parse(&stdout, b.Dir)
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return nil, out.failure(t, stderr.String())
	}
	return out.sorted(), nil
}

// An event is a line of go build -json, as go help buildjson describes it.
type event struct{ ImportPath, Action, Output string }

// output holds the parsed output of the go command.
type output struct {
	ops    map[string]Op // by package and position
	text   map[string]string
	failed string // the first package that did not compile
}

// parse reads the events of a build in a folder.
func parse(events *bytes.Buffer, dir string) (*output, error) {
	base, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	o := &output{ops: map[string]Op{}, text: map[string]string{}}
	for d := json.NewDecoder(events); d.More(); {
		var e event
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("fused: the output of go build -json: %w", err)
		}
		switch e.Action {
		case "build-fail":
			o.failed = cmp.Or(o.failed, e.ImportPath)
		case "build-output":
			for line := range strings.Lines(e.Output) {
				o.add(e.ImportPath, strings.TrimSpace(line), base)
			}
		}
	}
	return o, nil
}

// triggered matches the line that the compiler prints for a fused operation:
// positions from the outermost call to the operation itself, then a hash. Each
// comes with a line for the tool bisect, which is left out.
var (
	triggered = regexp.MustCompile(`^fmahash triggered (.*) [01]+$`)
	forBisect = regexp.MustCompile(` \[bisect-match 0x[0-9a-f]+\]$`)
)

// add adds a line of the compiler's output.
func (o *output) add(pkg, line, base string) {
	m := triggered.FindStringSubmatch(line)
	if m == nil {
		if !forBisect.MatchString(line) && !strings.HasPrefix(line, "# ") {
			o.text[pkg] += line + "\n"
		}
		return
	}
	var all []Position
	for s := range strings.SplitSeq(m[1], "; ") {
		if p, ok := parsePosition(s, base); ok {
			all = append(all, p)
		}
	}
	if len(all) == 0 { // code that the compiler generates has no position
		return
	}
	last := len(all) - 1
	op := Op{Package: pkg, At: all[last], Through: all[:last]}
	key := pkg + " " + op.At.String()
	if old, ok := o.ops[key]; !ok || len(op.Through) < len(old.Through) {
		o.ops[key] = op
	}
}

// parsePosition parses file:line:column; the go command shortens the names of
// files below its working folder, base.
func parsePosition(s, base string) (Position, bool) {
	rest, column, ok1 := cutLast(s)
	file, line, ok2 := cutLast(rest)
	if !ok1 || !ok2 || file == "" || line == 0 {
		return Position{}, false
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(base, file)
	}
	return Position{filepath.Clean(file), line, column}, true
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

// failure returns the error of a build that failed.
func (o *output) failure(t Target, stderr string) error {
	text := o.text[o.failed]
	if strings.TrimSpace(text) == "" {
		text = stderr
	}
	return &BuildError{Target: t, Package: o.failed, Output: strings.TrimSpace(text)}
}
