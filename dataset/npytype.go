package dataset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An npyType is the type of a value in a .npy file: a number such as "<f4", or
// a record of fields.
type npyType struct {
	descr  string
	fields []npyField // of a record
}

// An npyField is a field of a record. Its shape is nil unless it is an array.
type npyField struct {
	name string
	npyType
	shape []int
}

// maxItem bounds the bytes of a value.
const maxItem = 1 << 30

// size returns the number of bytes of a value, at most maxItem.
func (t npyType) size() (int, error) {
	if t.fields == nil {
		return itemSize(t.descr)
	}
	total := 0
	for _, f := range t.fields {
		n, err := f.size()
		if err != nil {
			return 0, err
		}
		count := f.count()
		if count > 0 && n > (maxItem-total)/count {
			return 0, unknownType(f.descr)
		}
		total += n * count
	}
	return total, nil
}

// count returns the number of values of a field, at most maxItem.
func (f npyField) count() int {
	n := 1
	for _, d := range f.shape {
		if d > 0 && n > maxItem/d {
			return maxItem
		}
		n *= d
	}
	return n
}

// itemSize returns the size in bytes of a value that is not a record.
func itemSize(descr string) (int, error) {
	const order, digits = 1, 2
	if len(descr) <= digits || !strings.ContainsRune("<>|=", rune(descr[0])) {
		return 0, unknownType(descr)
	}
	number, _, _ := strings.Cut(descr[digits:], "[") // <M8[ns]
	n, err := strconv.Atoi(number)
	if descr[order] == 'U' {
		n *= 4
	}
	if err != nil || n < 0 || n > maxItem {
		return 0, unknownType(descr)
	}
	return n, nil
}

// typeNames are the names of types that are not numbers here, by their letter.
var typeNames = map[byte]string{
	'M': "dates (datetime64)", 'm': "spans of time (timedelta64)", 'O': "Python objects",
	'S': "texts", 'U': "texts", 'a': "texts",
}

// unknownType returns an error for a type that is not a number.
func unknownType(descr string) error {
	e := &Error{
		Cause: fmt.Sprintf("values of type %q are neither floats of up to 64 bits nor integers",
			descr),
		Cure: "convert them: x.astype(…)",
	}
	if len(descr) < 2 {
		return e
	}
	words := typeNames[descr[1]]
	switch rest := descr[1:]; {
	case words != "":
		e.Cause = fmt.Sprintf("values of type %q are %s, and not numbers", descr, words)
	case rest == "c8" || rest == "c16":
		e.Cause = fmt.Sprintf("values of type %q are complex numbers, which have two parts", descr)
		e.Cure = partsCure("")
	case rest == "f16" || rest == "f12":
		words = "longdouble"
	case rest == "c32" || rest == "c24":
		words = "clongdouble"
	}
	if strings.HasSuffix(words, "longdouble") {
		e.Cause = fmt.Sprintf("values of type %q are %s: 80 bits on x86, and 64, 106 or 113 "+
			"elsewhere, and the file does not hold which", descr, words)
		e.Cure = "x.astype('f8') rounds each to a float64"
		if words[0] == 'c' {
			e.Cure = "x.astype('c16') rounds both parts of each to float64"
		}
	}
	return e
}

// partsCure returns the cure for a name of complex numbers, which have two
// parts.
func partsCure(name string) string {
	if name == "" {
		return "name one with --column real or --column imag"
	}
	return fmt.Sprintf("name one with --column %s.real or --column %s.imag", name, name)
}

// nameParts names the parts in the cure of an error about complex numbers.
func (e *Error) nameParts(name string) {
	if e.Cure == partsCure("") {
		e.Cure = partsCure(name)
	}
}

// A part is a number within every value of an array.
type part struct {
	enc    encoding
	offset int
	// columns is set where the part is of a column of a matrix, whose index is
	// column.
	columns bool
	column  int
}

// find returns the part of a name. A record has the names of its fields, joined
// by dots (pos.x), with numbers from 1 for the elements of a field that is an
// array (v.2). A complex number has real and imag.
func (t npyType) find(name string) (part, error) {
	p, err := t.resolve(name)
	if e, ok := err.(*Error); ok && e.Column == "" {
		e.Column = name
		e.nameParts(name)
	}
	return p, err
}

func (t npyType) resolve(name string) (part, error) {
	if t.fields == nil {
		return t.simple(name)
	}
	offset := 0
	for _, f := range t.fields {
		size, err := f.size()
		if err != nil {
			return part{}, err
		}
		rest, ok := f.cut(name)
		if !ok {
			offset += size * f.count()
			continue
		}
		if f.shape != nil {
			var i int
			if i, rest, err = f.element(rest); err != nil {
				return part{}, err
			}
			offset += i * size
		}
		if f.fields != nil && rest == "" {
			return part{}, &Error{
				Cause: "it is a record of several fields",
				Cure:  "name one: " + listed(f.names(name+".")),
			}
		}
		p, err := f.npyType.resolve(rest)
		p.offset += offset
		return p, err
	}
	return part{}, &Error{
		Cause: "its records have no such field",
		Cure:  "they have " + listed(t.names("")),
	}
}

// cut returns what follows the name of a field and a dot in a name.
func (f npyField) cut(name string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(name, f.name)
	if !ok || f.name == "" || rest != "" && rest[0] != '.' {
		return "", false
	}
	return strings.TrimPrefix(rest, "."), true
}

// element returns the index of the element that a name begins with, and what
// follows it.
func (f npyField) element(name string) (i int, rest string, err error) {
	number, rest, _ := strings.Cut(name, ".")
	n, ok := position(number)
	if !ok || n < 1 || n > f.count() {
		return 0, "", &Error{
			Cause: fmt.Sprintf("the field is an array of %d values", f.count()),
			Cure:  fmt.Sprintf("name one by its number, as %s.1", f.name),
		}
	}
	return n - 1, rest, nil
}

// simple returns the part of a value that is not a record.
func (t npyType) simple(name string) (part, error) {
	imaginary := 0
	switch name {
	case "imag", "imaginary":
		imaginary = 1
	case "", "real":
	default:
		return part{}, &Error{Cause: "its values have no such part", Cure: t.noPartCure()}
	}
	if half := t.half(); half != "" && name != "" {
		enc, err := numpyEncoding(half)
		return part{enc: enc, offset: imaginary * enc.bytes}, err
	}
	enc, err := numpyEncoding(t.descr)
	if err == nil && name != "" {
		err = &Error{Cause: "its values are real numbers, without parts",
			Cure: "leave the part out"}
	}
	return part{enc: enc}, err
}

func (t npyType) noPartCure() string {
	if t.half() != "" {
		return "a complex number has real and imag"
	}
	return "leave it out"
}

// half returns the type of a part of a complex number, "" for other types.
func (t npyType) half() string {
	if len(t.descr) < 2 {
		return ""
	}
	switch t.descr[1:] {
	case "c8":
		return t.descr[:1] + "f4"
	case "c16":
		return t.descr[:1] + "f8"
	}
	return ""
}

// names returns the names of the parts that are numbers, after a prefix; of an
// array only the first.
func (t npyType) names(prefix string) []string {
	var names []string
	for _, f := range t.fields {
		name := prefix + f.name
		if f.name == "" {
			continue
		}
		if f.shape != nil {
			name += ".1"
		}
		_, err := numpyEncoding(f.descr)
		switch {
		case f.fields != nil:
			names = append(names, f.names(name+".")...)
		case f.half() != "":
			names = append(names, name+".real", name+".imag")
		case err == nil:
			names = append(names, name)
		}
	}
	return names
}

// parts returns the parts that are asked for; the part of the key comes last.
// ok is false where every value is one number: the columns asked for are
// columns of a matrix then.
func (t npyType) parts(o Options) (names []string, parts []part, ok bool, err error) {
	names = o.Columns
	switch {
	case t.fields != nil && len(names) == 0:
		all := t.names("")
		hasArray := slices.ContainsFunc(t.fields, func(f npyField) bool { return f.shape != nil })
		if len(all) == 1 && hasArray {
			return nil, nil, false, &Error{Cause: "its records hold an array of numbers",
				Cure: "name one with --column: " + listed(all)}
		}
		if names, err = onlyColumn(all, o.Key, all); err != nil {
			return nil, nil, false, err
		}
	case t.fields == nil && t.half() == "":
		_, err := numpyEncoding(t.descr)
		return nil, nil, false, err
	case len(names) == 0:
		return nil, nil, false, unknownType(t.descr)
	}
	o.Columns = names
	for i, name := range columnNames(o) {
		p, err := t.partOf(name, o.Key != "" && i == len(names))
		if err != nil {
			return nil, nil, false, err
		}
		parts = append(parts, p)
	}
	return names, parts, true, nil
}

// partOf returns the part of a name: for a matrix of complex numbers, with the
// number of a column, as in 2.real. A key may be a text.
func (t npyType) partOf(name string, isKey bool) (part, error) {
	if t.fields == nil {
		if number, rest, found := strings.Cut(name, "."); found {
			if n, ok := position(number); ok {
				p, err := t.find(rest)
				p.columns, p.column = true, n-1
				return p, err
			}
		}
		if _, ok := position(name); ok || name == "" {
			err := unknownType(t.descr)
			if e, ok := err.(*Error); ok {
				e.nameParts(name)
			}
			return part{}, err
		}
	}
	if isKey {
		if p, ok := t.textKey(name); ok {
			return p, nil
		}
	}
	return t.find(name)
}

// textKey returns the part of a field that is a text.
func (t npyType) textKey(name string) (part, bool) {
	offset := 0
	for _, f := range t.fields {
		size, err := f.size()
		if err != nil {
			return part{}, false
		}
		if f.name != name || f.shape != nil {
			offset += size * f.count()
			continue
		}
		enc := textEncoding(f.descr)
		enc.bytes = size
		return part{enc: enc, offset: offset}, enc.class != float
	}
	return part{}, false
}
