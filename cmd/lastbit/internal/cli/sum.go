package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/hdf"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// sumFlags are the flags of lastbit sum.
type sumFlags struct {
	op, by, algorithm, format, order, dtype string
	columns                                 []string
	skipEmpty, skipNaN, packed, mpi         bool
	fileFlags
	resultFlags
}

// resultFlags are the flags of sum and merge about their results.
type resultFlags struct {
	result, partial string
	digest          bool
	maxKeys         int
}

func (f *resultFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.result, "result", "f64", "format of the result, rounded once: f64 or f32")
	fl.StringVar(&f.partial, "partial", "", "write the exact sums to this file, for lastbit merge")
	fl.BoolVar(&f.digest, "digest", false, "print the SHA-256 hash of the exact sums")
	countVar(fl, &f.maxKeys, "max-keys", "", 0,
		"stop at more keys than this (default as many as fit into memory)")
	complete(cmd, "result", []string{"f64", "f32"})
}

func sumCommand(a *app) *cobra.Command {
	var f sumFlags
	cmd := &cobra.Command{
		Use:   "sum FILE…",
		Short: "Sum columns of files exactly, and show how far off a naive sum is",
		Long:  sumHelp(),
		Example: `  lastbit sum data.npy
  lastbit sum data.npy --op variance --json
  lastbit sum data.npy --partial data.acc --digest
  lastbit sum trades.csv --column price,amount --by symbol
  lastbit sum trades.csv --column price,amount --op dot`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.sum(cmd, args, &f) },
	}
	f.add(cmd)
	return cmd
}

func (f *sumFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.op, "op", "sum", "operation: "+text.List(sums.OperationNames()))
	fl.StringSliceVar(&f.columns, "column", nil,
		"columns, by name or by number from 1; may be given again, or as a,b")
	fl.StringVar(&f.by, "by", "", "column of keys: one result for each")
	choiceVar(cmd, fl, &f.algorithm, "algorithm", sums.ExactAlgorithm, sumAlgorithms(),
		"exact, ordered, or binned:NAME[,k=LEVELS]")
	choiceVar(cmd, fl, &f.format, "format", "", choices{words: dataset.Formats()},
		"format of the files: "+text.List(dataset.Formats())+" (default by their names)")
	f.fileFlags.add(fl)
	fl.BoolVar(&f.skipEmpty, "skip-empty", false,
		"leave out missing values: empty cells, NA, N/A, n/a, null, NULL, None, none, fill values")
	fl.BoolVar(&f.skipNaN, "skip-nan", false, "leave out numbers that are NaN")
	fl.BoolVar(&f.packed, "packed", false,
		"netcdf, hdf5: the stored numbers, without scale_factor and add_offset")
	fl.StringVar(&f.dtype, "dtype", "f64", "raw: type of the values: "+text.List(dataset.DTypes()))
	fl.StringVar(&f.order, "order", "little", "raw: byte order: little or big")
	fl.BoolVar(&f.mpi, "mpi", false,
		"sum with the other ranks of the MPI job that this process is one of")
	f.resultFlags.add(cmd)
	complete(cmd, "op", sums.OperationNames())
	complete(cmd, "dtype", dataset.DTypes())
	complete(cmd, "order", []string{"little", "big"})
}

// sumFormats are the formats that each flag of sum about files is for.
var sumFormats = slices.Concat(fileFormats, []flagFormats{
	{"skip-empty", []string{"csv", "tsv", "parquet"}, []string{"netcdf", "hdf5"}},
	{flag: "packed", formats: []string{"netcdf", "hdf5"}},
	{flag: "dtype", formats: []string{"raw"}}, {flag: "order", formats: []string{"raw"}},
})

// sumAlgorithms returns the values of --algorithm. Those with options are left
// to package sums.
func sumAlgorithms() choices {
	names := sums.AlgorithmNames()
	return choices{
		words: names,
		takes: func(s string) bool { return strings.Contains(s, ",") },
		fault: probe.Fault{
			ID: "bad-usage", Cause: "unknown value",
			Cure: "use exact, ordered, or one of " + strings.Join(names[2:], ", "),
		},
	}
}

func sumHelp() string {
	return `Sum adds all the numbers of files, or a column of them, exactly: the result is the
real sum of these numbers, rounded once. So it does not depend on the order of the
rows, on their split into files, on the machine or its cores, and other exact tools
(Python's math.fsum) give the same bits. Sum also prints the result of a loop from
left to right, and its error in ULPs.

Files are .npy, .npz, .csv, .tsv, .parquet, .raw (or .bin), .nc and .h5; text, .npy and
raw files may be compressed: .csv.gz. With --separator, any other name is a text.
"-" is standard input, with --format. Files are read one after the other as a stream:
memory does not grow with their length. Sum adds every value of a .npy array, or with
--column a column of a matrix. The columns of a text have names or numbers from 1, those
of a matrix numbers, and those of .npz and parquet files names. So have the fields of
records in .npy and .npz files (price, pos.x; v.1 of an array within), and complex
numbers have real and imag. A longdouble is refused. Arrays of an .npz file may differ
in length, except for --op dot and --by.

A cell of a text is the float64 nearest to its number, so that 0.1 is
0.1000000000000000055…, as everywhere else. It is decimal or a hexadecimal float
(0x1.8p3), an infinity, or NaN with any sign. --decimal , and --thousands . read
1.234,5; --currency reads $5, and --percent reads 5% as 0.05. With --decimal , cells are
separated by ; unless --separator is given. --separator ' ' reads columns that any blanks
align, with comments from a #, and Fortran's 1.5D+03. Texts are UTF-8, or UTF-16 with a
mark of its byte order. A text that another separator splits as well in every line is
refused, unless --separator is given. Integers in .npy, .parquet and raw files
are exact, beyond 2^53 too, and so are decimals in parquet files: they are summed as
integers, and the sum is rounded once; ordered and binned sums take the float64 nearest
to each. Empty cells are an error, as is NA, or a parquet null; --skip-empty leaves them
out, and --skip-nan leaves out NaN; missing counts both. An empty line is not a row.

Raw files may have --offset bytes before the values, and with --record-marks 4 (or 8) the
lengths around the records that Fortran writes. A file that looks as if it had them is
refused without that flag; --record-marks 0 reads them as values.

The first line of a text is a header if --column has a name (2019 is a name in a file
of three columns), or if the line holds a word in a requested column. If it holds a
word, and a number in a requested column, both are possible: give --header or
--no-header. The column of --by does not count. A line without words is data. With a
header, #2 is the second column even if another is named 2.

With --by there is a result for every key. Each key takes about 130 bytes of memory and
its text, 200 for variances; keys whose numbers span many powers of ten, or are decimals,
take up to 4 KiB. Sum stops with an error before memory runs out; --max-keys sets another
bound. Keys are sorted, numbers by their value. Keys of a text are compared as text: 1
and 1.0 are two. Numbers of arrays and parquet files are one key if they are printed
alike: 0 and -0 are two, and every NaN is the same. Dates and times in parquet files are
keys such as 2024-05-31 and 2024-05-31T12:00:00.5, with +00:00 if they are instants.

netCDF and HDF5 files (.nc, .h5) are read through Python's h5py or netCDF4, or SciPy for
classic netCDF; --column is the path of a variable. Values that are missing, by _FillValue,
missing_value, valid_range or netCDF's default fill value, are an error; --skip-empty
leaves them out. Packed values are stored * scale_factor + add_offset, each operation
rounded to float64; --packed sums what is stored.

Operations (--op):
` + sums.AboutOperations() + `
Two arrays are paired as they are stored, and must have the same shape and order.
The naive result is computed by the textbook's loop in the format of --result; that of
a variance by (Σx² − (Σx)²/n)/(n − 1).

--algorithm exact keeps the promise exact. ordered adds by one published tree, and
keeps all rows in memory; binned:NAME[,k=LEVELS] are published reproducible sums, with
NAME algorithm3, algorithm4, doublesweep, singlesweep (which read the files twice) or
onereduction. These compute in the format of --result.

--partial writes the exact sums to a small file, in bytes that depend on the rows
alone; lastbit merge adds such files, and gives the bits of one run over everything.

With --mpi the process is a rank of an MPI job: mpirun -n 4 lastbit sum --mpi data.npy.
Each rank reads its own part of every .npy and raw file, and whole files of the other
formats, in turn; rank 0 prints the sum over all, with the bits of one run over
everything. On an error all ranks end, and one reports it.

In JSON, a value that is not finite is the string "NaN", "+Inf" or "-Inf", and
naive_ulps is null where only one of the two is NaN. exact has every digit of a sum,
before it is rounded. A key that is not UTF-8 is in key_bytes too, in hexadecimal. With
--by, or with several columns, the JSON is a list.`
}

// check refuses flags that have no meaning by themselves.
func (f *sumFlags) check() error {
	if err := f.fileFlags.check(); err != nil {
		return err
	}
	return oneOf("order", f.order, []string{"little", "big"})
}

// out returns the format of the result.
func (f *resultFlags) out() (fp.Format, error) {
	switch f.result {
	case "f64":
		return fp.Binary64, nil
	case "f32":
		return fp.Binary32, nil
	}
	return 0, oneOf("result", f.result, []string{"f64", "f32"})
}

// check refuses outputs that cannot be written, and bounds without a meaning.
func (f *resultFlags) check() error {
	switch {
	case f.partial == "-":
		return sums.BadUsage("--partial -", "standard output has the results", "name a file")
	case f.maxKeys < 0:
		return sums.BadUsage(fmt.Sprintf("--max-keys %d", f.maxKeys),
			"the number of keys cannot be negative", "use 1 or more")
	}
	return sums.CheckFolder(f.partial)
}

func (f *resultFlags) budget() *sums.Budget {
	return sums.NewBudget(f.maxKeys, freeMemory("/proc/meminfo"))
}

// task returns the Task of the flags.
func (f *sumFlags) task(cmd *cobra.Command, files []string, stdin io.Reader) (*sums.Task, error) {
	err := notEmpty(cmd, "column", "by", "format", "separator", "decimal", "thousands", "dtype",
		"partial")
	if err == nil {
		err = usedFlags(cmd, files, f.format, sumFormats)
	}
	if err != nil {
		return nil, err
	}
	op := sums.FindOperation(f.op)
	if op == nil {
		return nil, oneOf("op", f.op, sums.OperationNames())
	}
	out, err := f.out()
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return nil, err
	}
	algo, err := sums.ParseAlgorithm(f.algorithm, op, out, freeMemory("/proc/meminfo"))
	if err != nil {
		return nil, err
	}
	t := &sums.Task{Files: files, Algorithm: algo, Budget: f.budget(),
		Options: f.options(cmd, stdin)}
	if f.partial != "" || f.digest {
		err = t.CheckPartial()
	}
	for _, check := range []func() error{
		func() error { return t.Check(f.mpi) }, f.resultFlags.check,
		func() error { return t.RefuseOverwrite(f.partial) },
	} {
		if err == nil {
			err = check()
		}
	}
	return t, err
}

// options returns how the files are read.
func (f *sumFlags) options(cmd *cobra.Command, stdin io.Reader) dataset.Options {
	o := dataset.Options{
		Format: f.format, Columns: f.columns, Key: f.by, Stdin: stdin,
		SkipEmpty: f.skipEmpty, SkipNaN: f.skipNaN, Packed: f.packed, DType: f.dtype,
		BigEndian: f.order == "big",
	}
	f.fileFlags.set(cmd, &o)
	return o
}

// gcPercent is the garbage collector's target with --by, where groups fill the
// memory.
const gcPercent = 10

func (a *app) sum(cmd *cobra.Command, files []string, f *sumFlags) error {
	ctx := cmd.Context()
	t, err := f.task(cmd, files, a.stdin)
	if t != nil {
		t.Options.Foreign = hdf.Opener(ctx, a.python().Script)
		t.Note = a.note
	}
	if err == nil && !(f.mpi && sums.IsLaterRank()) {
		a.warn(t.Warning())
	}
	if f.mpi {
		finish := func(p *sums.Partial) error {
			return a.finish(ctx, p, t.Algorithm, &f.resultFlags, false)
		}
		return t.RunRank(ctx, err, func(err error) { a.fail(ctx, cmd, nil, err) }, finish)
	}
	if err != nil {
		return err
	}
	if f.by != "" {
		// Most memory is the groups, which stay: the heap need not be twice
		// that.
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	bar := a.newProgress()
	defer bar.End()
	t.Progress = func(file string, done, total int64) {
		bar.Show(sums.Printable(file)+", %", int(100*done/max(total, 1)), 100)
	}
	p, err := t.Run(ctx)
	bar.End()
	if err != nil {
		return err
	}
	return a.finish(ctx, p, t.Algorithm, &f.resultFlags, true)
}

// note writes a sentence to standard error.
func (a *app) note(sentence string) {
	fmt.Fprintln(a.stderr, "lastbit: note: "+text.Visible(sentence))
}

// warn writes a sentence to standard error.
func (a *app) warn(sentence string) {
	if sentence != "" {
		fmt.Fprintln(a.stderr, "lastbit: warning: "+text.Visible(sentence))
	}
}

// finish writes the sums to the file of --partial, and prints the results.
func (a *app) finish(
	ctx context.Context, p *sums.Partial, algo *sums.Algorithm, f *resultFlags, naive bool,
) error {
	how := sums.Printing{Algorithm: algo, Digest: f.digest, Naive: naive}
	if f.partial != "" {
		if err := p.WriteFile(ctx, f.partial); err != nil {
			return err
		}
	}
	if a.json {
		return p.WriteJSON(a.stdout, how)
	}
	return p.Print(a.stdout, how)
}

// errSaid ends a rank in silence: another one has reported the error.
var errSaid = sums.ErrReported

// silent reports whether a process leaves the report of wrong arguments to the
// first rank of its MPI job.
func silent(args []string) bool { return slices.Contains(args, "--mpi") && sums.IsLaterRank() }
