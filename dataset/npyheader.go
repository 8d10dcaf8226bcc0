package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// npyHeader is the header of a .npy file of version 1, 2 or 3. These differ in
// the width of the length, and in the encoding of names, which are not read.
type npyHeader struct {
	npyType
	fortran bool
	shape   []int
	bytes   int64 // length of everything before the values
}

// count returns the number of values, which must not exceed most.
func (h *npyHeader) count(most int64) (int64, error) {
	n := int64(1)
	for _, d := range h.shape {
		if d > 0 && n > most/int64(d) {
			return 0, fmt.Errorf("the shape %s is too large", shapeText(h.shape))
		}
		n *= int64(d)
	}
	return n, nil
}

const (
	npyMagic = "\x93NUMPY"
	// maxHead bounds a header; an array's header has about a hundred bytes.
	maxHead = 1 << 16
)

// readHeader reads a header, and nothing after it.
func readHeader(b *bufio.Reader) (h npyHeader, err error) {
	head, err := b.Peek(12)
	if err != nil && !errors.Is(err, io.EOF) {
		return h, err
	}
	if len(head) < 12 || string(head[:len(npyMagic)]) != npyMagic {
		return h, errors.New("it is not a .npy file")
	}
	before, length := 10, int64(binary.LittleEndian.Uint16(head[8:]))
	switch version := head[6]; version {
	case 1:
	case 2, 3:
		before, length = 12, int64(binary.LittleEndian.Uint32(head[8:]))
	default:
		const known = "and those that are known are 1, 2 and 3"
		return h, fmt.Errorf("it is of version %d of the format, %s", version, known)
	}
	if length > maxHead {
		return h, errors.New("its header is too long")
	}
	text := make([]byte, int64(before)+length)
	if _, err := io.ReadFull(b, text); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the file ends in its header")
		}
		return h, err
	}
	literal := string(text[before:])
	if version := text[len(npyMagic)]; version < 3 {
		literal = latin1(text[before:])
	}
	h, err = parseHeader(literal)
	h.bytes = int64(len(text))
	return h, err
}

// latin1 returns a text in ISO 8859-1 as UTF-8.
func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// parseHeader reads the literal of a Python dictionary with the keys descr,
// fortran_order and shape, in any order.
func parseHeader(s string) (h npyHeader, err error) {
	p := &literal{s: s}
	seen := map[string]bool{}
	p.expect("{")
	for !p.found("}") && p.err == nil {
		key := p.text()
		if p.expect(":"); seen[key] {
			p.fail("the key " + strconv.Quote(key) + " is there twice")
		}
		seen[key] = true
		switch key {
		case "descr":
			h.npyType = p.valueType()
		case "fortran_order":
			h.fortran = p.boolean()
		case "shape":
			h.shape = p.tuple()
		default:
			p.fail("it has a key " + strconv.Quote(key))
		}
		if !p.at("}") {
			p.expect(",")
		}
	}
	if p.err == nil && (len(seen) != 3 || !p.end()) {
		p.fail("it is not the three of descr, fortran_order and shape")
	}
	return h, p.err
}

// A literal is parsed from its start. After an error it yields nothing more.
type literal struct {
	s   string
	err error
}

func (p *literal) fail(what string) {
	if p.err == nil {
		p.err = errors.New("its header is broken: " + what)
	}
}

// at reports whether a sign comes next, after spaces.
func (p *literal) at(sign string) bool {
	p.s = strings.TrimLeft(p.s, " \t\r\n")
	return p.err == nil && strings.HasPrefix(p.s, sign)
}

// found consumes a sign if it comes next.
func (p *literal) found(sign string) bool {
	if !p.at(sign) {
		return false
	}
	p.s = p.s[len(sign):]
	return true
}

func (p *literal) expect(sign string) {
	if !p.found(sign) {
		const most = 20
		p.fail(fmt.Sprintf("%q where %q should be", p.s[:min(len(p.s), most)], sign))
	}
}

// end reports whether nothing more comes.
func (p *literal) end() bool { return strings.Trim(p.s, " \t\r\n\x00") == "" }

// text reads a string in quotes of either kind, without escapes.
func (p *literal) text() string {
	quote := "'"
	if p.at(`"`) {
		quote = `"`
	}
	p.expect(quote)
	s, rest, closed := strings.Cut(p.s, quote)
	if p.err != nil || !closed || strings.ContainsAny(s, "\\\n") {
		p.fail("a text is not closed")
		return ""
	}
	p.s = rest
	return s
}

// valueType reads a type: "<f4", or a list of fields.
func (p *literal) valueType() npyType {
	if !p.at("[") {
		return npyType{descr: p.text()}
	}
	p.expect("[")
	t := npyType{fields: []npyField{}}
	for !p.found("]") && p.err == nil {
		t.fields = append(t.fields, p.field())
		if !p.at("]") {
			p.expect(",")
		}
	}
	return t
}

// field reads a name, or a title and a name, a type, and the shape of a field
// that is an array.
func (p *literal) field() npyField {
	var f npyField
	p.expect("(")
	if p.found("(") {
		p.text()
		p.expect(",")
		f.name = p.text()
		p.expect(")")
	} else {
		f.name = p.text()
	}
	p.expect(",")
	f.npyType = p.valueType()
	if p.found(",") && !p.at(")") {
		f.shape = p.tuple()
		p.found(",")
	}
	p.expect(")")
	return f
}

func (p *literal) boolean() bool {
	if p.found("True") {
		return true
	}
	p.expect("False")
	return false
}

// tuple reads integers. Each may end with Python 2's L.
func (p *literal) tuple() []int {
	x := []int{}
	p.expect("(")
	for !p.found(")") && p.err == nil {
		x = append(x, p.integer())
		if p.found(",") {
			continue
		}
		if !p.at(")") || len(x) == 1 {
			p.expect(",")
		}
	}
	return x
}

func (p *literal) integer() int {
	p.at("") // cuts spaces off
	digits := p.s[:len(p.s)-len(strings.TrimLeft(p.s, "0123456789"))]
	n, err := strconv.Atoi(digits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		p.fail("a dimension of " + digits + " is too large")
	case err != nil:
		p.fail("a dimension is not a number")
	}
	p.s = p.s[len(digits):]
	p.found("L")
	return n
}
