package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/probe"
)

// output remembers the first error of a writer, so that a command fails when
// the disk is full.
type output struct {
	w   io.Writer
	err error
}

// Write writes p. After an error it writes nothing more.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// fault returns the fault of an output that failed.
func (o *output) fault() error {
	return &probe.Fault{
		ID: "write-failed", Thing: "standard output",
		Cause: "not everything could be written",
		Cure:  "see that the disk is not full and that the reader stays", Err: o.err,
	}
}

// checkOutput refuses a file that write could not write, before the work that
// fills it.
func checkOutput(file string) error {
	if file == "" || file == "-" {
		return nil
	}
	return writable(file)
}

// writable refuses a file that cannot be written. It creates no file, and does
// not open pipes, whose readers would see an end.
func writable(name string) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	_, missing := os.Lstat(name)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err == nil {
		err = f.Close()
	}
	if err == nil && missing != nil {
		err = os.Remove(name)
	}
	if err != nil {
		return sums.Unwritable(name, err)
	}
	return nil
}

// write calls f with standard output, or writes a file once f has succeeded.
func (a *app) write(file string, f func(io.Writer) error) error {
	if file == "" || file == "-" {
		return f(a.stdout)
	}
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		return sums.Unwritable(file, err)
	}
	return nil
}

// cause removes the path from an error of the file system, because the fault
// names it.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
