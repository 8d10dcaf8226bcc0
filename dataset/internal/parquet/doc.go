// Package parquet reads the columns of parquet files whose rows hold at most
// one value each, and trusts nothing that it can check.
//
//	f, err := parquet.Open(file, size)
//	c := f.Columns[0]
//	r := f.Reader(c)
//	valid, words := make([]bool, 1024), make([]uint64, 1024)
//	for {
//		n, err := r.Next(valid)
//		if err == io.EOF {
//			break // every page has been checked
//		}
//		values := parquet.Count(valid[:n])
//		err = r.Words(words[:values])
//	}
//
// # Checks
//
// A number that this package returns stands in a page that passed all of these;
// Next returns the error of a page after its last row, and before io.EOF.
//
//   - The checksum of a page, if it has one, matches its bytes.
//   - A page decompresses to as many bytes as its header states.
//   - It holds as many values as its header states, and after them no bytes
//     except the zeros that some writers add.
//   - The chunk of a column holds as many values as its row group has rows.
//   - The minimum, the maximum and the number of nulls in the statistics of a
//     chunk hold for its values: see bounds.
//
// # Memory
//
// Memory grows with the largest page and dictionary, never with a number in a
// header: values are decoded in the batches that the caller asks for.
//
// # Formats
//
// All encodings of values, and the one of levels that writers use; data pages
// of both versions; the codecs snappy, gzip, zstd, brotli, LZ4_RAW, and LZ4 in
// the framing of Hadoop or in none. LZO, encryption, and values in other files
// are errors.
//
// Reference: Apache Parquet Format 2.12,
// https://github.com/apache/parquet-format.
package parquet
