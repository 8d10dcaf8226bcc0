package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// accMagic is the first line of an accumulator file, with the version.
const accMagic = "lastbit accumulator 1\n"

// An accFile is exact sums as they are kept in a file. Its bytes are canonical: the
// same operation on the same rows gives the same ones, however the rows were split.
//
//	"lastbit accumulator 1\n"
//	operation           text
//	columns             number, then as many texts: as they were asked for
//	key column          0, or 1 and a text
//	for each result     (one for each column, or just one)
//	  groups            number (1 without a key column), then for each, keys ascending bytewise
//	    key             text (empty without a key column)
//	    states          text for each sum of the operation: exact.Accumulator.MarshalBinary
//	checksum            SHA-256 of all that
//
// A number is an unsigned varint of as few bytes as can be, and a text is its length
// as a number, and its bytes.
type accFile struct {
	op      *operation
	columns []string
	by      string
	grouped bool
	results []*series
}

// names are the columns that the results are of: of one result, none.
func (f *accFile) names() []string {
	if f.op.pairs() || len(f.columns) < 2 {
		return []string{""}
	}
	return f.columns
}

// encode returns the bytes of the file.
func (f *accFile) encode() []byte {
	b := []byte(accMagic)
	text := func(s []byte) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	text([]byte(f.op.name))
	b = binary.AppendUvarint(b, uint64(len(f.columns)))
	for _, c := range f.columns {
		text([]byte(c))
	}
	if f.grouped {
		b = append(b, 1)
		text([]byte(f.by))
	} else {
		b = append(b, 0)
	}
	for _, s := range f.results {
		b = binary.AppendUvarint(b, uint64(len(s.groups)))
		keys := make([]string, 0, len(s.groups))
		for key := range s.groups {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			text([]byte(key))
			t := s.groups[key].total.(*exactTotal)
			t.finish()
			for i := range t.sums {
				state, _ := t.sums[i].MarshalBinary() // never an error
				text(state)
			}
		}
	}
	return appendChecksum(b)
}

func appendChecksum(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

var (
	errNotAcc   = errors.New("it does not begin as an accumulator file")
	errChecksum = errors.New("its checksum is wrong")
	errCutOff   = errors.New("it is cut off, or lengths in it are wrong")
	errOrder    = errors.New("its keys are not in order")
)

// notAcc says what is wrong with the first bytes of a file that are not accMagic.
func notAcc(head []byte) error {
	first, _, _ := strings.Cut(accMagic, "1")
	if rest, ok := bytes.CutPrefix(head, []byte(first)); ok {
		version, _, _ := bytes.Cut(rest, []byte{'\n'})
		return fmt.Errorf("it is of version %.8s of the format, and version 1 is known", version)
	}
	return errNotAcc
}

// accReader takes an accumulator file apart. After an error it gives nothing more.
type accReader struct {
	b   []byte
	err error
}

func (r *accReader) number() uint64 {
	n, k := binary.Uvarint(r.b)
	if r.err == nil && (k <= 0 || k > 1 && r.b[k-1] == 0) {
		r.err = errCutOff
	}
	if r.err != nil {
		return 0
	}
	r.b = r.b[k:]
	return n
}

// count reads how many parts follow, of at least one byte each.
func (r *accReader) count() int {
	n := r.number()
	if n > uint64(len(r.b)) {
		r.err = errCutOff
		return 0
	}
	return int(n)
}

func (r *accReader) text() []byte {
	n := r.count()
	s := r.b[:n]
	r.b = r.b[n:]
	return s
}

// decodeAcc reads the bytes of a file, and refuses what encode does not write.
func decodeAcc(b []byte) (*accFile, error) {
	if !bytes.HasPrefix(b, []byte(accMagic)) {
		return nil, notAcc(b)
	}
	body := len(b) - sha256.Size
	if body < len(accMagic) {
		return nil, errCutOff
	}
	if sum := sha256.Sum256(b[:body]); !bytes.Equal(sum[:], b[body:]) {
		return nil, errChecksum
	}
	r := &accReader{b: b[len(accMagic):body]}
	name := string(r.text())
	f := &accFile{op: findOperation(name)}
	if f.op == nil && r.err == nil {
		return nil, fmt.Errorf("there is no operation %q", name)
	}
	for range r.count() {
		f.columns = append(f.columns, string(r.text()))
	}
	switch r.number() {
	case 0:
	case 1:
		f.grouped, f.by = true, string(r.text())
	default:
		r.err = errCutOff
	}
	if r.err != nil {
		return nil, r.err
	}
	algo := &algorithm{name: exactAlgorithm, op: f.op}
	for _, column := range f.names() {
		s := &series{column: column, algo: algo, groups: map[string]*keyGroup{}}
		if err := r.groups(s, f.grouped); err != nil {
			return nil, err
		}
		f.results = append(f.results, s)
	}
	if len(r.b) > 0 {
		return nil, errCutOff
	}
	return f, nil
}

// groups reads the groups of one result.
func (r *accReader) groups(s *series, grouped bool) error {
	n := r.count()
	if r.err == nil && !grouped && n != 1 {
		return errCutOff
	}
	last := ""
	for i := range n {
		key := string(r.text())
		states := make([][]byte, len(s.algo.op.sums))
		for j := range states {
			states[j] = r.text()
		}
		if r.err != nil {
			return r.err
		}
		if !grouped && key != "" || i > 0 && key <= last {
			return errOrder
		}
		last = key
		t := newExactTotal(s.algo.op)
		if err := t.decode(states); err != nil {
			return err
		}
		s.groups[key] = &keyGroup{key: key, count: t.count(), total: t}
	}
	return r.err
}

func badAcc(name, what, cure string, err error) error {
	return &probe.Fault{ID: "bad-accumulator", Thing: name, Cause: what, Cure: cure, Err: cause(err)}
}

// readAcc reads an accumulator file.
func readAcc(name string) (*accFile, error) {
	refused := func(err error) error {
		return badAcc(name, "it cannot be read as an accumulator file", "make it anew with lastbit sum --partial", err)
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, refused(err)
	}
	defer in.Close()
	head := make([]byte, len(accMagic))
	if n, err := io.ReadFull(in, head); err != nil || string(head) != accMagic {
		return nil, refused(notAcc(head[:n]))
	}
	rest, err := io.ReadAll(in)
	if err != nil {
		return nil, refused(err)
	}
	f, err := decodeAcc(append(head, rest...))
	if err != nil {
		return nil, refused(err)
	}
	return f, nil
}

// writeAcc writes a file, whole or not at all. Into what is no file on a disk, a device
// or a pipe, it writes as into any stream.
func writeAcc(ctx context.Context, name string, b []byte) error {
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
	return &probe.Fault{ID: "write-failed", Thing: name, Cause: "it cannot be written", Cure: "see that its folder is there, and the disk not full", Err: cause(err)}
}

// writeStream writes to what is there. A pipe without a reader waits for one, for as
// long as ctx does.
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

// replace writes a file under another name, and gives it the right one when it is
// whole. mode is that of the file that is there, or 0.
func replace(name string, b []byte, mode fs.FileMode) error {
	name, err := resolved(name)
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

// resolved follows symbolic links, also to a file that is not there yet.
func resolved(name string) (string, error) {
	for range 40 {
		target, err := os.Readlink(name)
		if err != nil {
			return name, nil // it is no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Dir(name) + string(filepath.Separator) + target
		}
		name = target
	}
	return "", errors.New("too many symbolic links")
}
