package sums

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/lastbit/lastbit/probe"
)

// badAcc returns the fault of an accumulator file.
func badAcc(name, cause, cure string, err error) error {
	return &probe.Fault{ID: "bad-accumulator", Thing: name, Cause: cause, Cure: cure,
		Err: withoutPath(err)}
}

// ReadFile reads an accumulator file.
func ReadFile(name string, budget *Budget) (*Partial, error) {
	p, err := readFile(name, budget)
	var fault *probe.Fault
	if err == nil || errors.As(err, &fault) {
		return p, err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, badAcc(name, "there is no such file", "check the path", nil)
	}
	return nil, badAcc(name, "it cannot be read as an accumulator file",
		"make it again with lastbit sum --partial", err)
}

func readFile(name string, budget *Budget) (*Partial, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	head := make([]byte, len(accMagic))
	n, _ := io.ReadFull(in, head)
	if err := checkMagic(head[:n]); err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	return decodePartial(append(head, rest...), budget)
}

// WriteFile writes an accumulator file, whole or not at all. To a device or a
// pipe it writes as to any stream. The sums must be exact.
func (p *Partial) WriteFile(ctx context.Context, name string) error {
	b := p.encode()
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		err = writeStream(ctx, name, b)
	case err == nil:
		err = replace(name, b, info.Mode().Perm())
	case errors.Is(err, fs.ErrNotExist):
		err = replace(name, b, 0)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	return Unwritable(name, err)
}

// Unwritable returns the fault of a file that cannot be written.
func Unwritable(name string, err error) error {
	f := &probe.Fault{ID: "write-failed", Thing: name, Cause: "it cannot be written",
		Cure: "name a folder that can be written to, on a disk that is not full",
		Err:  withoutPath(err)}
	folder := filepath.Dir(name)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		f.Cure, f.Err = "create the folder", fmt.Errorf("the folder %s does not exist", folder)
	}
	return f
}

// CheckFolder returns the error of a file that cannot be written because its
// folder is missing, before hours are spent on its content. "" means no file.
func CheckFolder(name string) error {
	if name == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(name)); errors.Is(err, fs.ErrNotExist) {
		return Unwritable(name, err)
	}
	return nil
}

// writeStream writes to a device or a pipe. A pipe without a reader waits for
// one, for as long as ctx does.
func writeStream(ctx context.Context, name string, b []byte) error {
	done := make(chan error, 1)
	go func() {
		out, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err == nil {
			_, err = out.Write(b)
			err = errors.Join(err, out.Close())
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// replace writes a file under a temporary name, and renames it when it is
// whole. mode is the mode of the file to replace, or 0.
func replace(name string, b []byte, mode fs.FileMode) error {
	name, err := resolve(name)
	if err != nil {
		return err
	}
	temporary := filepath.Join(filepath.Dir(name), fmt.Sprintf(".lastbit-%016x", rand.Uint64()))
	out, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = out.Write(b)
	if err == nil && mode != 0 {
		err = out.Chmod(mode)
	}
	if err == nil {
		err = out.Sync()
	}
	err = errors.Join(err, out.Close())
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}

// resolve follows symbolic links, even to a file that does not exist yet.
func resolve(name string) (string, error) {
	for range 40 {
		target, err := os.Readlink(name)
		if err != nil {
			return name, nil // not a link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Dir(name) + string(filepath.Separator) + target
		}
		name = target
	}
	return "", errors.New("too many symbolic links")
}
