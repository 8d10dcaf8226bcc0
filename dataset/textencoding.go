package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// textReader returns a text as UTF-8 without the mark of its bytes' order.
// UTF-16 is known by that mark.
func textReader(r io.Reader) (io.Reader, error) {
	const most = 4
	b := bufio.NewReaderSize(r, 64)
	head, err := b.Peek(most)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	starts := func(s string) bool { return len(head) >= len(s) && string(head[:len(s)]) == s }
	skip := func(n int) { _, _ = b.Discard(n) } // of bytes that were peeked
	switch {
	case starts("\xff\xfe\x00\x00") || starts("\x00\x00\xfe\xff"):
		return nil, wideText()
	case starts("\xff\xfe"):
		skip(2)
		return &wideReader{r: b, order: binary.LittleEndian}, nil
	case starts("\xfe\xff"):
		skip(2)
		return &wideReader{r: b, order: binary.BigEndian}, nil
	case starts("\ufeff"):
		skip(3)
	}
	return b, nil
}

// wideText returns the error of a text whose characters have more bytes and no
// mark that could be read.
func wideText() error {
	return &Error{
		Cause: "it is UTF-16 or UTF-32, without the mark of UTF-16 (FE FF or FF FE) at its start",
		Cure:  "convert it: iconv -f UTF-16LE -t UTF-8, or -f UTF-16BE, or -f UTF-32",
	}
}

// isWide reports whether the first cell of a text is UTF-16 or UTF-32, by its
// NUL bytes. The separator behind it, or the end of the line, has NUL bytes,
// too: they belong to the cell where the highest byte of a character is first,
// and otherwise to the rest.
func isWide(cell, rest string) bool {
	for _, size := range []int{2, 4} {
		for _, first := range []int{0, size - 1} { // the byte other than NUL
			n := len(cell)
			if first > 0 {
				n -= size - 1
			}
			if n <= 0 || n%size != 0 || first == 0 && rest != "" && rest[0] != 0 {
				continue
			}
			fits := true
			for i := range len(cell) {
				isNUL := cell[i] == 0
				fits = fits && isNUL == (i%size != first)
			}
			if fits {
				return true
			}
		}
	}
	return false
}

// A wideReader reads UTF-16 as UTF-8.
type wideReader struct {
	r     io.Reader
	order binary.ByteOrder
	in    []byte // bytes of no whole character yet
	out   []byte
	err   error
}

func (w *wideReader) Read(p []byte) (int, error) {
	for len(w.out) == 0 && w.err == nil {
		w.fill()
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	if n > 0 {
		return n, nil
	}
	return 0, w.err
}

// fill decodes some characters.
func (w *wideReader) fill() {
	const most = 64 << 10
	held := len(w.in)
	w.in = append(w.in, make([]byte, most)...)
	n, err := w.r.Read(w.in[held:])
	w.in = w.in[:held+n]
	i := 0
	for ; i+1 < len(w.in); i += 2 {
		r := rune(w.order.Uint16(w.in[i:]))
		if utf16.IsSurrogate(r) {
			if i+3 >= len(w.in) {
				break
			}
			r = utf16.DecodeRune(r, rune(w.order.Uint16(w.in[i+2:])))
			if r == utf8.RuneError {
				w.err = brokenText()
				return
			}
			i += 2
		}
		w.out = utf8.AppendRune(w.out, r)
	}
	w.in = append(w.in[:0], w.in[i:]...)
	if err == io.EOF && len(w.in) > 0 {
		err = brokenText()
	}
	w.err = err
}

func brokenText() error {
	return &Error{
		Cause: "it begins as UTF-16, and holds bytes that are not",
		Cure:  "it is cut off or damaged: make it again",
	}
}
