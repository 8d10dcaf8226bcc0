package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// sumFlags are the flags of lastbit sum.
type sumFlags struct {
	op, by, algorithm, format, separator, order, dtype string
	columns                                            []string
	header, noHeader, skipEmpty, mpi                   bool
	resultFlags
}

// resultFlags are the flags of sum and merge that say what is made of sums.
type resultFlags struct {
	result, partial string
	digest          bool
}

func (f *resultFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.result, "result", "f64", "format of the result, rounded once: f64 or f32")
	fl.StringVar(&f.partial, "partial", "", "write the exact sums to this file, for lastbit merge")
	fl.BoolVar(&f.digest, "digest", false, "print the SHA-256 hash of the exact sums")
	complete(cmd, "result", []string{"f64", "f32"})
}

func (a *app) sumCommand() *cobra.Command {
	var f sumFlags
	cmd := &cobra.Command{
		Use:   "sum FILE…",
		Short: "Sum columns of files exactly, and tell how far off a naive sum is",
		Long: `Sum adds all the numbers of files, or a column of them, exactly: the result is the
real sum of what is in the files, rounded once. So it does not depend on the order of
the rows, on how they are split into files, on the machine or its cores, and other
tools that are exact (Python's math.fsum) give the same bits. Beside it stands what a
loop from left to right gives, and how far that is off, in ULPs.

Files are .npy, .npz, .csv, .tsv, .parquet and .raw (or .bin); those of text, .npy and
raw may be compressed: .csv.gz. "-" is standard input, with --format. Files are read one
after the other as a stream: memory does not grow with their length. Of a .npy array
every value is added, or with --column a column of a matrix. Columns of a text have
names or numbers from 1, those of a matrix numbers, and those of .npz and parquet files
names.

A cell of a text is the float64 nearest to the number in it, so that 0.1 is
0.1000000000000000055…, as everywhere else. It is decimal or a hexadecimal float
(0x1.8p3), an infinity, or NaN with any sign. Integers in .npy, .parquet and raw files
are exact, beyond 2^53 too. Empty cells are an error, as is NA, or a parquet null;
--skip-empty leaves them out. An empty line is not a row.

The first line of a text is a header if a column is asked for by its name (2019 is a
name in a file of three columns), or if it holds a word in a column asked for. If it
holds a word, and a number in a column asked for, both are possible: say --header or
--no-header. The column of --by does not count. A line without words is data. With a
header, #2 is the second column even if another is named 2.

With --by there is a result for every key, and memory for each: about 3 KiB, 6 KiB for
variances. Keys are sorted, numbers by their value. Keys of a text are as they are
written: 1 and 1.0 are two. Numbers of arrays and parquet files are one key if they are
printed alike: so 0 and -0 are two, and every NaN is the same.

Operations (--op):
` + aboutOperations() + `
Two arrays are paired as they are stored, and have to be of one shape and order.
The naive result is computed by the textbook's loop in the format of --result; that of
a variance by (Σx² − (Σx)²/n)/(n − 1).

--algorithm exact keeps the promise exact. ordered adds by one published tree, and
keeps all rows in memory; binned:NAME[,k=LEVELS] are published reproducible sums, with
NAME algorithm3, algorithm4, doublesweep, singlesweep (which read the files twice) or
onereduction. These compute in the format of --result.

--partial writes the exact sums to a small file, in bytes that depend on the rows
alone; lastbit merge adds such files, and gives the bits of one run over everything.

With --mpi it is a rank of an MPI job: mpirun -n 4 lastbit sum --mpi data.npy. Each rank
reads its own part of every .npy and raw file, and whole files of the other formats,
in turn; rank 0 prints the sum over all, with the bits of one run over everything.
What goes wrong ends all ranks, and one says it.

In JSON, a value that is not finite is the string "NaN", "+Inf" or "-Inf", and
naive_ulps is null where only one of the two is NaN. A key that is not UTF-8 stands in
key_bytes too, in hexadecimal. With --by, or with several columns, the JSON is a list.`,
		Example: `  lastbit sum data.npy
  lastbit sum data.npy --op variance --json
  lastbit sum data.npy --partial data.acc --digest
  lastbit sum trades.csv --column price,amount --by symbol
  lastbit sum trades.csv --column price,amount --op dot`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.sum(cmd, args, &f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.op, "op", "sum", "what to compute: "+list(operationNames()))
	fl.StringSliceVar(&f.columns, "column", nil, "columns, by name or by number from 1; may be given again, or as a,b")
	fl.StringVar(&f.by, "by", "", "column of keys: one result for each")
	fl.StringVar(&f.algorithm, "algorithm", exactAlgorithm, "exact, ordered, or binned:NAME[,k=LEVELS]")
	fl.StringVar(&f.format, "format", "", "format of the files: "+list(dataset.Formats())+" (default by their names)")
	fl.BoolVar(&f.header, "header", false, "text: the first line names the columns")
	fl.BoolVar(&f.noHeader, "no-header", false, "text: the first line is data")
	fl.BoolVar(&f.skipEmpty, "skip-empty", false, "leave out empty cells, NA, N/A, n/a, null, NULL, None and none")
	fl.StringVar(&f.separator, "separator", "", "text: the character between cells (default that of the format)")
	fl.StringVar(&f.dtype, "dtype", "f64", "raw: type of the values: "+list(dataset.DTypes()))
	fl.StringVar(&f.order, "order", "little", "raw: byte order: little or big")
	fl.BoolVar(&f.mpi, "mpi", false, "sum with the other ranks of the MPI job that this process is one of")
	f.resultFlags.add(cmd)
	complete(cmd, "op", operationNames())
	complete(cmd, "algorithm", append([]string{exactAlgorithm, "ordered"}, prefixed("binned:", binnedNames)...))
	complete(cmd, "format", dataset.Formats())
	complete(cmd, "dtype", dataset.DTypes())
	complete(cmd, "order", []string{"little", "big"})
	return cmd
}

// prefixed puts a prefix before every name.
func prefixed(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = prefix + name
	}
	return out
}

// A summation is what lastbit sum was asked to do.
type summation struct {
	files   []string
	algo    *algorithm
	options dataset.Options
	// sideBySide tells that two files are the two columns of pairs.
	sideBySide bool
	rank       *rank // nil without MPI
}

// summation checks the flags.
func (a *app) summation(files []string, f *sumFlags) (*summation, error) {
	op, out, err := f.choices()
	if err != nil {
		return nil, err
	}
	algo, err := parseAlgorithm(f.algorithm, op, out)
	if err != nil {
		return nil, err
	}
	s := &summation{files: files, algo: algo, options: dataset.Options{
		Format: f.format, Columns: f.columns, Key: f.by, Stdin: a.stdin, SkipEmpty: f.skipEmpty, DType: f.dtype, BigEndian: f.order == "big"}}
	if f.separator != "" {
		s.options.Separator = f.separator[0]
	}
	switch {
	case f.header:
		s.options.Header = dataset.WithHeader
	case f.noHeader:
		s.options.Header = dataset.NoHeader
	}
	if op.pairs() && len(f.columns) != 2 {
		if len(files) != 2 || len(f.columns) > 1 {
			return nil, usageFault("--op "+op.name, "it takes two columns, or one column of each of two files", "add --column a,b, or name two files")
		}
		s.sideBySide = true
	}
	if err := s.check(f); err != nil {
		return s, err
	}
	return s, errors.Join(f.resultFlags.check(), f.spares(files, a.stdin))
}

// usedFlags refuses what none of the files' formats has: it would be ignored.
func usedFlags(cmd *cobra.Command, files []string, format string) error {
	texts := []string{"csv", "tsv"}
	for _, u := range []struct {
		flag    string
		formats []string
	}{
		{"header", texts}, {"no-header", texts}, {"separator", texts},
		{"skip-empty", []string{"csv", "tsv", "parquet"}},
		{"dtype", []string{"raw"}}, {"order", []string{"raw"}},
	} {
		used := slices.ContainsFunc(files, func(name string) bool {
			is := dataset.Options{Format: format}.FormatOf(name)
			return is == "" || slices.Contains(u.formats, is)
		})
		if cmd.Flags().Changed(u.flag) && !used {
			return usageFault("--"+u.flag, "it is for "+list(u.formats)+", and none of the files is that", "leave it out")
		}
	}
	return nil
}

// choices are the operation and the format of the result.
func (f *sumFlags) choices() (*operation, fp.Format, error) {
	op := findOperation(f.op)
	if op == nil {
		return nil, 0, oneOf("op", f.op, operationNames())
	}
	out, err := f.out()
	if err == nil {
		err = oneOf("order", f.order, []string{"little", "big"})
	}
	if err == nil && f.header && f.noHeader {
		err = usageFault("--header --no-header", "the first line cannot be both", "leave one out")
	}
	if err == nil && (len(f.separator) > 1 || f.separator == "\"" || f.separator == "\n" || f.separator == "\r") {
		err = usageFault("--separator "+strconv.Quote(f.separator), "cells are separated by one character of ASCII, and no quote", "use ',' or ';', or --format tsv for tabs")
	}
	return op, out, err
}

// out is the format of the result.
func (f *resultFlags) out() (fp.Format, error) {
	switch f.result {
	case "f64":
		return fp.Binary64, nil
	case "f32":
		return fp.Binary32, nil
	}
	return 0, oneOf("result", f.result, []string{"f64", "f32"})
}

// check refuses to write where the results are printed.
func (f *resultFlags) check() error {
	if f.partial == "-" {
		return usageFault("--partial -", "standard output has the results", "name a file")
	}
	return nil
}

// spares refuses to write over what is read.
func (f *resultFlags) spares(files []string, stdin io.Reader) error {
	out, err := os.Stat(f.partial)
	if f.partial == "" || err != nil {
		return nil // nothing is there
	}
	for _, name := range files {
		in, err := os.Stat(name)
		if file, ok := stdin.(*os.File); ok && name == "-" {
			in, err = file.Stat()
		}
		if err == nil && os.SameFile(in, out) {
			return usageFault("--partial "+f.partial, "it is the file that is read, "+name, "name another file")
		}
	}
	return nil
}

// check refuses what does not go together.
func (s *summation) check(f *sumFlags) error {
	stdin := slices.Index(s.files, "-")
	switch {
	case s.sideBySide && f.by != "":
		return usageFault("--by "+f.by, "two files side by side have no column of keys", "put both columns into one file")
	case !s.algo.isExact() && f.mpi:
		return usageFault("--mpi --algorithm "+f.algorithm, "only exact sums are merged over ranks", "use --algorithm exact")
	case stdin >= 0 && f.mpi:
		return usageFault("--mpi -", "one rank at the most has the standard input", "name a file")
	case !s.algo.isExact() && (f.partial != "" || f.digest):
		return usageFault("--algorithm "+f.algorithm, "only exact sums are merged and hashed", "leave --partial and --digest out, or use --algorithm exact")
	case stdin >= 0 && slices.Contains(s.files[stdin+1:], "-"):
		return usageFault("-", "standard input can be read once", "name it once")
	case stdin >= 0 && f.format == "":
		return usageFault("-", "standard input has no name that tells its format", "add --format "+list(dataset.Formats()))
	}
	if s.algo.passes == 1 {
		return nil
	}
	for _, name := range s.files {
		if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
			return limit(name, "--algorithm "+f.algorithm+" reads everything twice, and a stream can be read once", "write it to a file, or use --algorithm exact", nil)
		}
	}
	return nil
}

func usageFault(thing, cause, cure string) error {
	return &probe.Fault{ID: "bad-usage", Thing: thing, Cause: cause, Cure: cure}
}

func (a *app) sum(cmd *cobra.Command, files []string, f *sumFlags) error {
	ctx := cmd.Context()
	err := notEmpty(cmd, "column", "by", "format", "separator", "dtype", "partial")
	var s *summation
	if err == nil {
		err = usedFlags(cmd, files, f.format)
	}
	if err == nil {
		s, err = a.summation(files, f)
	}
	if f.mpi {
		return a.sumRanks(ctx, cmd, s, f, err)
	}
	if err != nil {
		return err
	}
	results, err := s.run(ctx, a.newProgress())
	if err != nil {
		return dataFault(err)
	}
	return a.finish(ctx, &accFile{op: s.algo.op, columns: f.columns, by: f.by, grouped: f.by != "", results: results}, s.algo, &f.resultFlags, true)
}

// run reads the files, as often as the algorithm needs.
func (s *summation) run(ctx context.Context, p *progress) ([]*series, error) {
	defer p.end()
	acc := accFile{op: s.algo.op, columns: s.options.Columns}
	var results []*series
	for _, column := range acc.names() {
		r, err := newSeries(column, s.algo, s.options.Key != "")
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	for pass := 1; ; pass++ {
		if err := s.read(ctx, results, p); err != nil {
			return nil, err
		}
		if pass == s.algo.passes {
			return results, nil
		}
		for _, r := range results {
			if err := r.nextPass(); err != nil {
				return nil, err
			}
		}
	}
}

// read adds the rows of all files to the results.
func (s *summation) read(ctx context.Context, results []*series, p *progress) error {
	file := -1
	err := feed(ctx, s.inputs(), s.open, func(b fed) error {
		if b.file != file {
			file = b.file
			for _, r := range results {
				r.nextFile()
			}
		}
		p.show(printable(b.name)+", %", int(100*b.done/max(b.total, 1)), 100)
		for i, r := range results {
			x, y := &b.block.Columns[i], (*dataset.Column)(nil)
			if s.algo.op.pairs() {
				y = &b.block.Columns[1]
			}
			if err := r.add(b.block, x, y); err != nil {
				return err
			}
		}
		return nil
	})
	for _, r := range results {
		err = errors.Join(err, r.flushAll())
	}
	return err
}

// inputs is how many inputs there are, each of which is read from its start to its end.
func (s *summation) inputs() int {
	if s.sideBySide {
		return 1
	}
	return len(s.files)
}

// open opens an input.
func (s *summation) open(i int) (*dataset.Reader, error) {
	o, err := s.part(i)
	if err != nil {
		return nil, err
	}
	r, err := dataset.Open(s.files[i], o)
	if err != nil || !s.sideBySide {
		return r, err
	}
	second, err := dataset.Open(s.files[1], o)
	if err != nil {
		r.Close()
		return nil, err
	}
	return dataset.Pair(r, second)
}

// dataFault makes a fault of what is wrong with a file.
func dataFault(err error) error {
	var e *dataset.Error
	if !errors.As(err, &e) {
		return err
	}
	return badData(e.Place(), e.Cause, e.Cure, e.Err)
}

// finish writes the sums to a file, if that was asked for, and prints the results.
func (a *app) finish(ctx context.Context, acc *accFile, algo *algorithm, f *resultFlags, naive bool) error {
	lines, err := summarize(acc, algo, f.digest, naive)
	if err != nil {
		return err
	}
	if f.partial != "" {
		if err := writeAcc(ctx, f.partial, acc.encode()); err != nil {
			return err
		}
	}
	if a.json {
		if acc.grouped || len(acc.results) > 1 {
			return a.printJSON(lines)
		}
		return a.printJSON(lines[0])
	}
	writeSums(a.stdout, lines, acc.grouped || len(acc.results) > 1)
	return nil
}
