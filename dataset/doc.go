// Package dataset reads columns of numbers from the files users have: .npy,
// .npz, CSV, TSV, Parquet and raw numbers, and all but .npz and Parquet also
// compressed by gzip.
//
//	o := dataset.Options{Columns: []string{"price"}}
//	r, err := dataset.Open("trades.csv", o)
//	if err != nil {
//		return err
//	}
//	defer r.Close()
//	var sum exact.Accumulator
//	var b dataset.Block
//	for {
//		if err := r.Next(&b); err == io.EOF {
//			break
//		} else if err != nil {
//			return err
//		}
//		sum.AddSlice(b.Columns[0].Values)
//	}
//
// Open streams: memory does not grow with the length of the file. ReadNPY reads
// a whole array of floats at once.
//
// # Values
//
// Every number is the one that the file stores. Floats of 16 and 32 bits become
// the float64 of the same value; −0, infinities and subnormals are kept. An
// integer that no float64 holds is the exact sum of two: see Column.Rest. A
// decimal of a parquet file is an integer of units of a power of ten: see
// Column.Units.
//
// A cell of a text becomes the float64 nearest to the number it holds, ties to
// even, as C's strtod reads it: 12, 1.5e3, 0x1.8p3, inf, -Infinity, nan, -nan.
// A number beyond the largest float64 is an error. So is a cell without a
// value, unless Options.SkipEmpty leaves it out. Marks describe numbers in
// other wordings: 1.234,5, $5, 5%. Texts are UTF-8, or UTF-16 with a byte order
// mark.
//
// # Columns
//
// A column of a .npy file is a column of a matrix by its number, a field of
// records by its name (price, pos.x, v.1), or a part of complex numbers (real,
// imag). The name of an array of an archive may end in such a part.
//
// A column has a name or a number from 1. A text whose header holds numbers, as
// years, may mean either; #2 always means the second column. DetectHeader
// describes how Open decides whether a text has a header. It refuses to guess.
//
// # Parquet
//
// Columns of integers, floats, booleans and decimals are numbers, also within
// structs; cells that are lists are an error. Keys may be texts, dates, times,
// decimals and UUIDs too. A time is written as in RFC 3339, without zeros at
// the end of its second, so that it is one key in every unit; an instant ends
// in +00:00. Every page is checked: a wrong checksum, length or number of
// values, and values that the column's statistics exclude, are errors.
//
// # Errors
//
// An Error describes a fault in a file: it names the file, the line or row and
// the column, the cause, and the cure. No content makes this package panic.
//
// # Cost
//
// One pass, in blocks of 256 KiB, which stay in the cache of a processor.
package dataset
