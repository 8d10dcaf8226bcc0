package parquet

import "errors"

// A dictionary holds the values that pages name by their indices.
type dictionary struct {
	words []uint64
	bytes [][]byte
}

var errIndex = errors.New("a page names a value that its dictionary does not have")

// newDictionary decodes the page of a dictionary. The values stay valid.
func (c *Column) newDictionary(h pageHeader, b []byte) (*dictionary, error) {
	if h.encoding != plain && h.encoding != plainDictionary {
		return nil, errors.New("a dictionary is not in a plain encoding")
	}
	n := int64(h.values)
	least := int64(max(c.width(), 4)) // a text has a length
	if c.Physical == Boolean || n < 0 || n*min(least, int64(max(c.width(), 1))) > int64(len(b)) {
		return nil, errors.New("a dictionary ends before its values do")
	}
	d, err := c.newDecoder(plain, append([]byte(nil), b...), int(n), nil)
	if err != nil {
		return nil, err
	}
	dict := &dictionary{}
	if c.IsWords() {
		dict.words = make([]uint64, n)
		err = d.words(dict.words)
	} else {
		for range n {
			v, err := d.bytes()
			if err != nil {
				return nil, err
			}
			dict.bytes = append(dict.bytes, v)
		}
	}
	if err != nil {
		return nil, err
	}
	return dict, d.end()
}

// indexed has the indices of values in a dictionary.
type indexed struct {
	h    hybrid
	dict *dictionary
	buf  []uint32
}

func newIndexed(b []byte, dict *dictionary) (*indexed, error) {
	d := &indexed{dict: dict}
	const maxWidth = 32
	if b[0] > maxWidth {
		return nil, errRun
	}
	d.h = newHybrid(b[1:], uint(b[0]))
	return d, nil
}

func (d *indexed) words(out []uint64) error {
	d.buf = sized(d.buf, len(out))
	if err := d.h.next(d.buf); err != nil {
		return err
	}
	for i, v := range d.buf {
		if int64(v) >= int64(len(d.dict.words)) {
			return errIndex
		}
		out[i] = d.dict.words[v]
	}
	return nil
}

func (d *indexed) bytes() ([]byte, error) {
	d.buf = sized(d.buf, 1)
	if err := d.h.next(d.buf); err != nil {
		return nil, err
	}
	if int64(d.buf[0]) >= int64(len(d.dict.bytes)) {
		return nil, errIndex
	}
	return d.dict.bytes[d.buf[0]], nil
}

func (d *indexed) end() error { return d.h.end() }
