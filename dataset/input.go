package dataset

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// An input is an open file, or a stream.
type input struct {
	name string
	io.Reader
	file *os.File // nil if the caller closes it
	// at and size describe a regular file that is not compressed, and are nil
	// and −1 otherwise.
	at   io.ReaderAt
	size int64
	raw  counter
	// rawSize is the size of a regular file, compressed or not; else 0.
	rawSize int64
}

// openInput opens a file, or stdin as "-". A file whose name ends in .gz is
// decompressed.
func openInput(name string, stdin io.Reader) (*input, error) {
	if name == "-" {
		if stdin == nil {
			stdin = strings.NewReader("")
		}
		in := &input{name: name, size: -1, raw: counter{r: stdin}}
		in.Reader = &in.raw
		return in, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, placed(name, err)
	}
	in := &input{name: name, file: f, size: -1, raw: counter{r: f}}
	in.Reader = &in.raw
	if err := in.inspect(); err != nil {
		f.Close()
		return nil, placed(name, err)
	}
	return in, nil
}

// inspect sets the fields that depend on the kind of the file.
func (in *input) inspect() error {
	info, err := in.file.Stat()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &Error{Cause: "it is a folder", Cure: "name the files in it"}
	case info.Mode().IsRegular():
		in.at, in.size, in.rawSize = in.file, info.Size(), info.Size()
	}
	if isCompressed(in.name) {
		in.at, in.size = nil, -1
		in.Reader = &unzipper{r: bufio.NewReaderSize(&in.raw, laneBuffer)}
	}
	return nil
}

func (in *input) close() {
	if in.file != nil {
		in.file.Close()
	}
}

// progress returns the bytes read of the file, and its size.
func (in *input) progress() (done, total int64) { return in.raw.n, in.rawSize }

// needsFile returns the error of a format that cannot be read from a stream.
func (in *input) needsFile(what string) error {
	if isCompressed(in.name) {
		return &Error{
			Cause: what + " cannot be read while it is compressed",
			Cure:  "decompress it first: gunzip -k",
		}
	}
	return &Error{Cause: what + " cannot be read from a stream", Cure: "write it to a file first"}
}

// isCompressed reports whether a file of that name is read through gzip.
func isCompressed(name string) bool { return strings.EqualFold(filepath.Ext(name), gzipExt) }

const (
	gzipExt   = ".gz"
	gzipMagic = "\x1f\x8b"
)

// A counter counts the bytes read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// An unzipper decompresses a gzip stream of one or more members.
type unzipper struct {
	r *bufio.Reader
	z *gzip.Reader
}

func (u *unzipper) Read(p []byte) (n int, err error) {
	if u.z == nil {
		if u.z, err = gzip.NewReader(u.r); errors.Is(err, io.EOF) {
			return 0, u.damaged(io.ErrUnexpectedEOF) // not even an empty gzip file is empty
		}
	}
	if err == nil {
		n, err = u.z.Read(p)
	}
	if err != nil && err != io.EOF {
		err = u.damaged(err)
	}
	return n, err
}

func (u *unzipper) damaged(err error) error {
	return &Error{
		Cause: "it cannot be decompressed",
		Cure:  "it is cut off, or damaged, or not a gzip file: make it again",
		Err:   err,
	}
}
