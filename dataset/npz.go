package dataset

import (
	"archive/zip"
	"bufio"
	"fmt"
	"strings"
)

// openNPZ opens arrays of an archive that numpy.savez wrote. A column is all
// the values of a member, in the order they are stored in.
func openNPZ(in *input, o Options, k *keys) (source, error) {
	members, names, err := npzMembers(in)
	if err != nil {
		return nil, err
	}
	if o.Columns == nil {
		if o.Columns, err = onlyColumn(names, o.Key, names); err != nil {
			return nil, err
		}
	}
	t := &table{names: o.Columns, total: -1, keys: k}
	for i, name := range columnNames(o) {
		if i == len(o.Columns) {
			i = keyColumn
		}
		f, part := member(members, name)
		err := t.addMember(f, pick{column: i, name: name}, part)
		if err == nil {
			continue
		}
		t.close()
		if e, ok := err.(*Error); ok {
			e.Column = name
			if f == nil {
				e.Cure = "it has " + listed(names)
			}
		}
		return nil, err
	}
	return t, nil
}

// member returns the array of a name, and the part of its values that the rest
// of the name is: a.x is the field x of a, unless an array is called a.x.
func member(members map[string]*zip.File, name string) (f *zip.File, part string) {
	for i := len(name); i > 0; i = strings.LastIndexByte(name[:i], '.') {
		if f := members[name[:i]]; f != nil {
			return f, strings.TrimPrefix(name[i:], ".")
		}
	}
	return nil, ""
}

// npzMembers returns the arrays of an archive, and their names in order.
func npzMembers(in *input) (members map[string]*zip.File, names []string, err error) {
	if in.at == nil {
		return nil, nil, in.needsFile("an archive")
	}
	z, err := zip.NewReader(in.at, in.size)
	if err != nil {
		return nil, nil, &Error{
			Cause: "it cannot be read as a .npz archive",
			Cure:  "write it with numpy.savez",
			Err:   err,
		}
	}
	members = map[string]*zip.File{}
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		if members[name] != nil {
			return nil, nil, &Error{
				Column: name,
				Cause:  "two members have that name",
				Cure:   "write it with numpy.savez",
			}
		}
		members[name] = f
		names = append(names, name)
	}
	return members, names, nil
}

// Arrays returns the names of the arrays in a .npz archive, in its order. The
// error is an *Error.
func Arrays(name string) ([]string, error) {
	in, err := openInput(name, nil)
	if err != nil {
		return nil, err
	}
	defer in.close()
	_, names, err := npzMembers(in)
	if err != nil {
		return nil, placed(name, err)
	}
	return names, nil
}

// addMember opens a member as a lane of its own.
func (t *table) addMember(f *zip.File, p pick, part string) error {
	if f == nil {
		return &Error{Cause: "the archive has no array of that name"}
	}
	r, err := f.Open()
	if err != nil {
		return &Error{Cause: "it cannot be read", Err: err}
	}
	b := bufio.NewReaderSize(r, laneBuffer)
	h, err := readNPYHead(b)
	if err == nil {
		p, err = h.memberPick(p, part)
	}
	if err == nil && len(t.lanes) > 0 {
		err = h.form().match(t.form, t.lanes[0].picks[0].name)
	}
	if err != nil {
		r.Close()
		return err
	}
	t.total, t.form = h.values, h.form()
	t.lanes = append(t.lanes, &lane{r: b, width: h.width, picks: []pick{p},
		ends: true, close: r.Close})
	return nil
}

// memberPick returns the pick of a part of every value.
func (h *npyHead) memberPick(p pick, name string) (pick, error) {
	o := Options{}
	if name != "" {
		o.Columns = []string{name}
	}
	if p.column == keyColumn && name != "" {
		if key, ok := h.textKey(name); ok {
			p.enc, p.offset = key.enc, key.offset
			return p, nil
		}
	}
	if enc := textEncoding(h.descr); p.column == keyColumn && name == "" && enc.isText() {
		enc.bytes = h.width
		p.enc = enc
		return p, nil
	}
	if name != "" && h.fields == nil && h.half() == "" {
		_, err := h.find(name)
		return p, err
	}
	c, err := h.choose(o)
	if err == nil && c.isMatrix {
		err = &Error{Cause: "a column of an array in an archive cannot be read",
			Cure: "name real or imag alone"}
	}
	if e, ok := err.(*Error); ok {
		e.nameParts(p.name)
	}
	if err != nil {
		return p, err
	}
	p.enc, p.offset = c.picks[0].enc, c.picks[0].offset
	return p, nil
}

// noColumn is the cure of a file with nothing to sum.
const noColumn = "name a file with a column to sum"

// onlyColumn returns the only column besides the key. The error lists the
// columns as shown.
func onlyColumn(names []string, key string, shown []string) ([]string, error) {
	var found []string
	for _, name := range names {
		if name != key {
			found = append(found, name)
		}
	}
	switch {
	case len(found) == 1:
		return found, nil
	case len(found) > 1:
		return nil, &Error{
			Cause: fmt.Sprintf("it has %d columns", len(names)),
			Cure:  "name one with --column: " + listed(shown),
		}
	case len(names) == 0:
		return nil, &Error{Cause: "it has no columns", Cure: noColumn}
	}
	return nil, &Error{Cause: "its only column is the key", Cure: noColumn}
}

// listed joins names; of many, the first.
func listed(names []string) string {
	const most = 20
	if len(names) == 0 {
		return "none"
	}
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
