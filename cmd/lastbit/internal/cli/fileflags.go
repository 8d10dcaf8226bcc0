package cli

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/dataset"
)

// fileFlags are the flags of sum and explain about how files are read.
type fileFlags struct {
	separator, decimal, thousands string
	header, noHeader              bool
	currency, percent             bool
	offset                        int64
	recordMarks                   int
}

func (f *fileFlags) add(fl *pflag.FlagSet) {
	fl.BoolVar(&f.header, "header", false, "text: the first line names the columns")
	fl.BoolVar(&f.noHeader, "no-header", false, "text: the first line is data")
	fl.StringVar(&f.separator, "separator", "",
		"text: the character between cells (default that of the format); ' ' for any blanks")
	fl.StringVar(&f.decimal, "decimal", ".", "text: the decimal mark, '.' or ','")
	fl.StringVar(&f.thousands, "thousands", "",
		"text: the mark between groups of three digits, such as '.' in 1.234,5")
	fl.BoolVar(&f.currency, "currency", false,
		"text: leave out a sign of currency: €1.50, 1.50 EUR")
	fl.BoolVar(&f.percent, "percent", false, "text: 12.5% is 0.125")
	fl.Int64Var(&f.offset, "offset", 0, "raw: bytes before the values")
	fl.IntVar(&f.recordMarks, "record-marks", 0,
		"raw: bytes of the marks around Fortran's records, 4 or 8; 0 for none")
}

// flagFormats are the formats that a flag is for.
type flagFormats struct {
	flag         string
	formats, and []string
}

// fileFormats are the formats that each flag of fileFlags is for.
var fileFormats = []flagFormats{
	{flag: "header", formats: texts},
	{flag: "no-header", formats: texts},
	{flag: "separator", formats: texts},
	{flag: "decimal", formats: texts},
	{flag: "thousands", formats: texts},
	{flag: "currency", formats: texts},
	{flag: "percent", formats: texts},
	{flag: "offset", formats: []string{"raw"}},
	{flag: "record-marks", formats: []string{"raw"}},
}

var texts = []string{"csv", "tsv"}

// usedFlags refuses flags that apply to none of the files' formats, rather than
// ignore them. A name without a format may be a folder.
func usedFlags(cmd *cobra.Command, files []string, format string, flags []flagFormats) error {
	for _, u := range flags {
		used := slices.ContainsFunc(files, func(name string) bool {
			is := dataset.Options{Format: format}.FormatOf(name)
			return is == "" || slices.Contains(u.formats, is) || slices.Contains(u.and, is)
		})
		if cmd.Flags().Changed(u.flag) && !used {
			are := text.List(u.formats)
			if u.and != nil {
				are += ", and for " + text.List(u.and)
			}
			return sums.BadUsage("--"+u.flag, "it is for "+are+", and none of the files is that",
				"leave it out")
		}
	}
	return nil
}

// check refuses values without a meaning.
func (f *fileFlags) check() error {
	switch {
	case len(f.separator) > 1 || f.separator == "\"" || f.separator == "\n" || f.separator == "\r":
		return badSeparator(f.separator)
	case f.header && f.noHeader:
		return sums.BadUsage("--header --no-header", "the first line cannot be both",
			"leave one out")
	case f.decimal != "." && f.decimal != ",":
		return sums.BadUsage("--decimal "+strconv.Quote(f.decimal), "it is not a decimal mark",
			"use '.' or ','")
	}
	switch {
	case f.offset < 0:
		return sums.BadUsage(fmt.Sprintf("--offset %d", f.offset), "it is negative",
			"give the bytes before the values")
	case f.recordMarks != 0 && f.recordMarks != 4 && f.recordMarks != 8:
		return sums.BadUsage(fmt.Sprintf("--record-marks %d", f.recordMarks),
			"marks have 4 or 8 bytes", "use 4, as most compilers write, or 8, or 0 for none")
	}
	if err := f.marks().Check(); err != nil {
		return sums.BadUsage("--thousands "+strconv.Quote(f.thousands), err.Cause, err.Cure)
	}
	return nil
}

func badSeparator(s string) error {
	return sums.BadUsage("--separator "+strconv.Quote(s),
		"cells are separated by one character of ASCII, and no quote",
		"use ',' or ';', or --format tsv for tabs")
}

func (f *fileFlags) marks() dataset.Marks {
	m := dataset.Marks{Thousands: f.thousands, Currency: f.currency, Percent: f.percent}
	if f.decimal != "" && f.decimal != "." {
		m.Decimal = f.decimal[0]
	}
	return m
}

// set sets the options of the flags.
func (f *fileFlags) set(cmd *cobra.Command, o *dataset.Options) {
	o.Offset, o.RecordMarks = f.offset, f.recordMarks
	if f.recordMarks == 0 && cmd.Flags().Changed("record-marks") {
		o.RecordMarks = dataset.NoRecordMarks
	}
	if f.separator != "" {
		o.Separator = f.separator[0]
	}
	switch {
	case f.header:
		o.Header = dataset.WithHeader
	case f.noHeader:
		o.Header = dataset.NoHeader
	}
	o.Marks = f.marks()
}
