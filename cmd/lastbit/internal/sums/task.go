package sums

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/dataset"
)

// A Task is one run of lastbit sum.
type Task struct {
	Files     []string
	Algorithm *Algorithm
	// Options describe how to read the files. The results have its Columns and
	// its Key.
	Options dataset.Options
	Budget  *Budget
	// Progress is called with the bytes or rows read of a file; nil is allowed.
	Progress func(file string, done, total int64)
	// Note is called with each sentence about how values were computed from
	// what a file stores; nil is allowed.
	Note func(string)

	noted map[string]bool

	rank *rank // nil without MPI
}

// Check refuses contradictory options. mpi is set for a rank of an MPI job.
func (t *Task) Check(mpi bool) error {
	op, algo := t.Algorithm.op, t.Algorithm.name
	stdin := slices.Index(t.Files, "-")
	switch {
	case op.IsOfPairs() && len(t.Options.Columns) != 2 &&
		(len(t.Files) != 2 || len(t.Options.Columns) > 1):
		return BadUsage("--op "+op.name, "it takes two columns, or one column of each of two files",
			"add --column a,b, or name two files")
	case t.isSideBySide() && t.Options.Key != "":
		return BadUsage("--by "+t.Options.Key, "two files side by side have no column of keys",
			"put both columns into one file")
	case !t.Algorithm.isExact() && mpi:
		return BadUsage("--mpi --algorithm "+algo, "only exact sums are merged over ranks",
			"use --algorithm exact")
	case stdin >= 0 && mpi:
		return BadUsage("--mpi -", "one rank at the most has the standard input", "name a file")
	case stdin >= 0 && slices.Contains(t.Files[stdin+1:], "-"):
		return BadUsage("-", "standard input can be read once", "name it once")
	case stdin >= 0 && t.Options.Format == "":
		return BadUsage("-", "standard input has no name that shows its format",
			"add --format "+text.List(dataset.Formats()))
	}
	if t.Algorithm.passes == 1 {
		return nil
	}
	for _, name := range t.Files {
		if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
			return limit(name,
				"--algorithm "+algo+" reads everything twice, and a stream can be read once",
				"write it to a file, or use --algorithm exact", nil)
		}
	}
	return nil
}

// CheckPartial refuses to write accumulator files or digests of sums that are
// not exact.
func (t *Task) CheckPartial() error {
	if t.Algorithm.isExact() {
		return nil
	}
	return BadUsage("--algorithm "+t.Algorithm.name, "only exact sums are merged and hashed",
		"leave --partial and --digest out, or use --algorithm exact")
}

// Warning returns a sentence about a file that is named twice, or "". Rows
// count as often as their file is named; the two files of pairs may be the
// same.
func (t *Task) Warning() string {
	if t.isSideBySide() {
		return ""
	}
	return Repeated(t.Files)
}

// Repeated returns a sentence about two names of the same file, or "".
func Repeated(files []string) string {
	var infos []os.FileInfo
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			info = nil
		}
		for j, other := range infos {
			if info == nil || other == nil || !os.SameFile(info, other) {
				continue
			}
			if files[j] == name {
				return name + " is named twice, and everything in it counts twice"
			}
			return fmt.Sprintf("%s and %s are the same file, and everything in it counts twice",
				files[j], name)
		}
		infos = append(infos, info)
	}
	return ""
}

// isSideBySide reports whether two files are the two columns of pairs.
func (t *Task) isSideBySide() bool {
	return t.Algorithm.op.IsOfPairs() && len(t.Options.Columns) != 2
}

// RefuseOverwrite refuses to write over a file that is read.
func (t *Task) RefuseOverwrite(out string) error {
	target, err := os.Stat(out)
	if out == "" || err != nil {
		return nil // nothing is there
	}
	for _, name := range t.Files {
		in, err := os.Stat(name)
		if file, ok := t.Options.Stdin.(*os.File); ok && name == "-" {
			in, err = file.Stat()
		}
		if err == nil && os.SameFile(in, target) {
			return BadUsage("--partial "+out, "it is the file that is read, "+name,
				"name another file")
		}
	}
	return nil
}

// Run reads the files, as often as the algorithm needs, and returns the sums.
// The error is a *probe.Fault, or the error of ctx.
func (t *Task) Run(ctx context.Context) (*Partial, error) {
	p := &Partial{
		op: t.Algorithm.op, columns: t.Options.Columns, by: t.Options.Key,
		grouped: t.Options.Key != "",
	}
	for _, column := range p.names() {
		s := newSeries(column, t.Algorithm)
		s.by = p.by
		if !p.grouped {
			if _, err := s.group(""); err != nil {
				return nil, err
			}
		} else if t.Algorithm.isExact() {
			s.compact = &compactGroups{algo: t.Algorithm}
		}
		s.budget = t.Budget
		p.results = append(p.results, s)
	}
	for pass := 1; ; pass++ {
		if err := t.read(ctx, p.results); err != nil {
			return nil, DataFault(err)
		}
		if pass == t.Algorithm.passes {
			return p, nil
		}
		for _, s := range p.results {
			if err := s.nextPass(); err != nil {
				return nil, err
			}
		}
	}
}

// read adds the rows of all files to the results.
func (t *Task) read(ctx context.Context, results []*series) error {
	inputs := t.inputs()
	last := -1
	open := func(i int) (*dataset.Reader, error) { return t.open(inputs[i]) }
	err := feed(ctx, len(inputs), open, func(b fed) error {
		if b.input != last {
			last = b.input
			for _, s := range results {
				s.nextFile()
			}
		}
		if t.Progress != nil {
			t.Progress(b.name, b.done, b.total)
		}
		return t.add(b.block, inputs[b.input], results)
	})
	for _, s := range results {
		err = errors.Join(err, s.flushAll())
	}
	return err
}

// add adds the rows of a block to the results.
func (t *Task) add(b *dataset.Block, in input, results []*series) error {
	if in.column >= 0 {
		return results[in.column].add(b, &b.Columns[0], nil)
	}
	for i, s := range results {
		x, y := &b.Columns[i], (*dataset.Column)(nil)
		if t.Algorithm.op.IsOfPairs() {
			y = &b.Columns[1]
		}
		if err := s.add(b, x, y); err != nil {
			return err
		}
	}
	return nil
}

// An input is read from its start to its end.
type input struct {
	file   int // of Task.Files
	column int // of Options.Columns, or −1 for all of them
}

// looseFormats are the formats whose columns may differ in length.
var looseFormats = []string{"npz", "netcdf", "hdf5"}

// inputs returns the inputs to read, in order: the files, and the arrays of an
// archive one after the other if nothing connects their rows.
func (t *Task) inputs() []input {
	if t.isSideBySide() {
		return []input{{0, -1}}
	}
	var inputs []input
	for i, name := range t.Files {
		isTied := t.Algorithm.op.IsOfPairs() || t.Options.Key != "" || len(t.Options.Columns) < 2
		if isTied || !slices.Contains(looseFormats, t.Options.FormatOf(name)) {
			inputs = append(inputs, input{i, -1})
			continue
		}
		for j := range t.Options.Columns {
			inputs = append(inputs, input{i, j})
		}
	}
	return inputs
}

// open opens an input.
func (t *Task) open(in input) (*dataset.Reader, error) {
	o, err := t.part(in.file)
	if err != nil {
		return nil, err
	}
	if in.column >= 0 {
		o.Columns = o.Columns[in.column : in.column+1]
	}
	r, err := dataset.Open(t.Files[in.file], o)
	if err != nil {
		return nil, err
	}
	t.note(r)
	if !t.isSideBySide() {
		return r, nil
	}
	second, err := dataset.Open(t.Files[1], o)
	if err != nil {
		r.Close()
		return nil, err
	}
	t.note(second)
	return dataset.Pair(r, second)
}

// note passes the notes of a file on, each once.
func (t *Task) note(r *dataset.Reader) {
	for _, sentence := range r.Notes() {
		sentence = r.Name() + ": " + sentence
		if t.Note != nil && !t.noted[sentence] {
			t.Note(sentence)
		}
		if t.noted == nil {
			t.noted = map[string]bool{}
		}
		t.noted[sentence] = true
	}
}
