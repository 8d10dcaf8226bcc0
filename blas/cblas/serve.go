package cblas

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unsafe"
)

// Serve answers calls that a forked process of liblastbit_blas sends, until it
// closes the connection. A call is the bytes of a [Call], then the elements of
// each array; an answer is the bytes of the call, then the elements of each
// array that it wrote.
func Serve(r io.Reader, w io.Writer, complain func(error)) error {
	for {
		c, err := receive(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.Run(); err != nil {
			complain(err)
		}
		if err := c.answer(w); err != nil {
			return err
		}
	}
}

// receive reads a call. The addresses of its arrays belong to the other
// process, and are replaced before Go sees them.
func receive(r io.Reader) (*Call, error) {
	var header [unsafe.Sizeof(Call{})]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return nil, err
	}
	for i := range slots {
		at := unsafe.Offsetof(Call{}.Arrays) + uintptr(i)*unsafe.Sizeof(Array{})
		binary.NativeEndian.PutUint64(header[at:], 0)
	}
	c := new(Call)
	copy(c.bytes(), header[:])
	for i := range c.Arrays {
		a := &c.Arrays[i]
		if a.Count <= 0 {
			continue
		}
		if a.Size <= 0 || a.Size > 16 || a.Count > 1<<40 {
			return nil, fmt.Errorf("an array of %d elements of %d bytes", a.Count, a.Size)
		}
		words := make([]uint64, (a.Count*int64(a.Size)+7)/8)
		a.At = unsafe.Pointer(&words[0])
		if _, err := io.ReadFull(r, a.bytes()); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// answer writes a call and the arrays that it wrote.
func (c *Call) answer(w io.Writer) error {
	if _, err := w.Write(c.bytes()); err != nil {
		return err
	}
	for i := range c.Arrays {
		if a := &c.Arrays[i]; a.Count > 0 && a.Direction&2 != 0 {
			if _, err := w.Write(a.bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Call) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(c)), unsafe.Sizeof(*c))
}

func (a *Array) bytes() []byte {
	return unsafe.Slice((*byte)(a.At), a.Count*int64(a.Size))
}
