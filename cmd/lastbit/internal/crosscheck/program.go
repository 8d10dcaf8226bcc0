package crosscheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A programOutput holds the output of one run of a program.
type programOutput struct {
	lines []string
	exit  int
	files map[string]string // that it wrote in its working folder
}

// A VaryError is a program whose output has other lines each time.
type VaryError struct{ Package string }

func (e *VaryError) Error() string {
	return "crosscheck: the output of " + e.Package + " differs between two runs on this machine"
}

// Run builds a program, package main of a module, for all platforms, runs it
// and compares the outputs: lines of standard output, the exit code, and the
// files that it writes in its working folder. That has links to the entries of
// the current folder.
func Run(ctx context.Context, o Options) (*Report, error) {
	remove, err := o.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	pkg, err := o.mainPackage(ctx)
	if err != nil {
		return nil, err
	}
	all := o.all()
	err = o.each(ctx, all, false, "building and running", func(
		ctx context.Context, q *prepared,
	) error {
		return o.buildAndRunProgram(ctx, q, pkg)
	})
	if err != nil {
		return nil, err
	}
	home := all[0]
	first, second := home.outputs[0], home.outputs[1]
	if len(first.lines) != len(second.lines) || first.exit != second.exit {
		return nil, &VaryError{pkg}
	}
	except := varyingLines(first, second)
	r := &Report{Lines: len(first.lines), Files: len(first.files)}
	for _, q := range all {
		p := Platform{Name: q.name, Ran: q.outputs != nil && q.why == "", Why: q.why}
		r.Platforms = append(r.Platforms, p)
		if !p.Ran || q == home {
			continue
		}
		d := outputsDiffer(first, q.outputs[0], except)
		switch {
		case d == nil:
		case r.First == nil:
			d.Platforms, d.by, d.Package = []string{q.name}, q, pkg
			d.Lines = map[string]string{home.name: d.here, q.name: d.there}
			r.First = d
		default:
			r.First.Platforms = append(r.First.Platforms, q.name)
			r.First.addLine(q.name, q.outputs[0])
		}
	}
	r.Same = r.First == nil
	if r.Same || o.NoCause {
		return r, nil
	}
	return r, o.explainProgram(ctx, home, r.First, except)
}

// addLine adds the line of another platform.
func (d *Difference) addLine(name string, out *programOutput) {
	lines := out.lines
	if d.File != "" {
		lines = strings.Split(out.files[d.File], "\n")
	}
	if d.Line > 0 && d.Line <= len(lines) {
		d.Lines[name] = lines[d.Line-1]
	}
}

// place names a line of a file, or of standard output.
type place struct {
	file string
	line int
}

// varyingLines returns the lines that differ between two runs on one machine.
func varyingLines(first, second *programOutput) map[place]bool {
	all := map[place]bool{}
	for i := range first.lines {
		all[place{"", i}] = first.lines[i] != lineAt(second.lines, i)
	}
	for name, text := range first.files {
		other := strings.Split(second.files[name], "\n")
		for i, line := range strings.Split(text, "\n") {
			all[place{name, i}] = line != lineAt(other, i)
		}
	}
	return all
}

// outputsDiffer returns the first difference of two outputs, except in some
// lines, or nil.
func outputsDiffer(here, there *programOutput, except map[place]bool) *Difference {
	if d := linesDiffer(here.lines, there.lines, "", except); d != nil {
		return d
	}
	for _, name := range slices.Sorted(maps.Keys(here.files)) {
		text, ok := there.files[name]
		if !ok {
			return &Difference{File: name, here: "written", there: "not written"}
		}
		d := linesDiffer(strings.Split(here.files[name], "\n"), strings.Split(text, "\n"), name,
			except)
		if d != nil {
			return d
		}
	}
	if here.exit != there.exit {
		return &Difference{here: fmt.Sprintf("exit code %d", here.exit),
			there: fmt.Sprintf("exit code %d", there.exit)}
	}
	return nil
}

// linesDiffer returns the first line that differs, or nil.
func linesDiffer(here, there []string, file string, except map[place]bool) *Difference {
	for i := range max(len(here), len(there)) {
		x, y := lineAt(here, i), lineAt(there, i)
		if x != y && !except[place{file, i}] {
			return &Difference{File: file, Line: i + 1, here: x, there: y}
		}
	}
	return nil
}

// lineAt returns a line, or a word for none.
func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no line)"
}

// mainPackage returns the import path of the program.
func (o *Options) mainPackage(ctx context.Context) (string, error) {
	out, err := o.list(ctx, host(), "{{.Name}} {{.ImportPath}}", o.Patterns...)
	name := strings.Join(o.Patterns, " ")
	if err != nil {
		return "", err
	}
	fields := strings.Fields(out)
	switch {
	case len(fields) != 2:
		return "", &LoadError{name, "it is not one package"}
	case fields[0] != "main":
		return "", &LoadError{name, "it is package " + fields[0] + ", not a program"}
	}
	return fields[1], nil
}

// list lists packages by the go command.
func (o *Options) list(
	ctx context.Context, p platform, format string, args ...string,
) (string, error) {
	words := slices.Concat([]string{"list", "-f", format}, o.tagFlags(), args)
	cmd := o.newGo(ctx, p, words...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && ctx.Err() == nil {
		return "", &LoadError{strings.Join(args, " "), strings.TrimSpace(stderr.String())}
	}
	return string(out), errors.Join(err, ctx.Err())
}

// buildAndRunProgram builds and runs the program of a platform.
func (o *Options) buildAndRunProgram(ctx context.Context, q *prepared, pkg string) error {
	var err error
	if q.dir, err = os.MkdirTemp(o.temp, "platform-"); err != nil {
		return err
	}
	q.files = changes{}
	binary := filepath.Join(q.dir, "program")
	args := slices.Concat([]string{"build", "-p=1", "-o", binary}, o.tagFlags(), []string{pkg})
	if _, err := o.goCommand(ctx, q.platform, args...); err != nil {
		return err
	}
	runs := 1
	if q.name == host().name {
		runs = 2
	}
	for range runs {
		out, err := o.runProgram(ctx, q.platform, binary)
		if err != nil {
			return err
		}
		q.outputs = append(q.outputs, out)
	}
	return nil
}

// runProgram runs a program in a new folder with links to the entries of the
// current one.
func (o *Options) runProgram(
	ctx context.Context, p platform, binary string,
) (*programOutput, error) {
	dir, err := os.MkdirTemp(o.temp, "run-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	linked, err := linkEntries(dir, o.Dir)
	if err != nil {
		return nil, err
	}
	out, err := o.execute(ctx, p, dir, binary, o.Args, nil)
	if err != nil {
		return nil, err
	}
	r := &programOutput{exit: out.exit, files: map[string]string{}}
	if text := strings.TrimSuffix(string(out.text), "\n"); text != "" {
		r.lines = strings.Split(text, "\n")
	}
	return r, r.readFiles(dir, linked)
}

// linkEntries links to the entries of a folder in another one.
func linkEntries(dir, from string) (map[string]bool, error) {
	from, err := filepath.Abs(from)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, err
	}
	linked := map[string]bool{}
	for _, e := range entries {
		to := filepath.Join(dir, e.Name())
		if err := os.Symlink(filepath.Join(from, e.Name()), to); err != nil {
			return nil, err
		}
		linked[to] = true
	}
	return linked, nil
}

// readFiles reads the files in a folder, except links that were there before.
func (r *programOutput) readFiles(dir string, linked map[string]bool) error {
	return filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || linked[path] || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		r.files[filepath.ToSlash(rel)] = string(text)
		return err
	})
}

// explainProgram adds the cause of other outputs of a program.
func (o *Options) explainProgram(
	ctx context.Context, home *prepared, d *Difference, except map[place]bool,
) error {
	for _, q := range []*prepared{home, d.by} {
		out, err := o.list(ctx, q.platform,
			"{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}", "-deps", d.Package)
		if err != nil {
			return err
		}
		q.sources, err = o.load(ctx, q.platform, false, strings.Fields(out)...)
		if err != nil {
			return err
		}
	}
	b := &bench{o: o, home: home, other: d.by, pkg: d.Package, verb: []string{"build"}}
	outputs := map[string]*programOutput{}
	b.compare = func(ctx context.Context, here, there program, key string) (bool, error) {
		if outputs[key] == nil {
			var err error
			if outputs[key], err = o.runProgram(ctx, home.platform, here.binary); err != nil {
				return false, err
			}
		}
		out, err := o.runProgram(ctx, d.by.platform, there.binary)
		if err != nil {
			return false, err
		}
		return outputsDiffer(outputs[key], out, except) == nil, nil
	}
	var err error
	d.Cause, err = o.cause(ctx, b, func(site) int { return 0 })
	if errors.Is(err, errElsewhere) {
		d.Cause, err = &Cause{}, nil
	}
	return err
}
