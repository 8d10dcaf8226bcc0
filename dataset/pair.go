package dataset

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// Pair returns a reader of the columns of a, then the columns of b. Both must
// have as many rows, and two arrays the same shape and order. The reader owns a
// and b: closing it closes them, and so does an error.
func Pair(a, b *Reader) (*Reader, error) {
	if err := a.form().match(b.form(), b.name); err != nil {
		a.Close()
		b.Close()
		return nil, placed(a.name, err)
	}
	return &Reader{name: a.name, src: &pair{a: a, b: b}, skip: a.skip || b.skip}, nil
}

// form returns the arrangement of the rows of the whole file, as far as known.
func (r *Reader) form() form {
	switch t := r.src.(type) {
	case *table:
		return t.form
	case *foreign:
		return t.form
	}
	return form{rows: r.src.rows()}
}

// A pair is two readers side by side.
type pair struct {
	a, b *Reader
	done int64
}

func (p *pair) columns() []string { return slices.Concat(p.a.Columns(), p.b.Columns()) }

func (p *pair) rows() int64 { return max(p.a.Rows(), p.b.Rows()) }

func (p *pair) floats() fp.Format { return p.a.FloatFormat() }

func (p *pair) progress() (int64, int64) { return p.a.Progress() }

func (p *pair) close() error { return errors.Join(p.a.Close(), p.b.Close()) }

func (p *pair) read(b *Block) (int, error) {
	n := len(p.a.Columns())
	left, right := Block{Columns: b.Columns[:n:n]}, Block{Columns: b.Columns[n:]}
	k, err := p.a.fill(&left)
	if err != nil {
		return 0, err
	}
	m, err := p.b.fill(&right)
	if err == nil && k != m {
		short, long := p.a.name, p.b.name
		if m < k {
			short, long = long, short
		}
		err = &Error{
			File:  short,
			Cause: fmt.Sprintf("it has %d rows, and %s has more", p.done+int64(min(k, m)), long),
			Cure:  "give columns of as many rows",
		}
	}
	p.done += int64(k)
	return k, err
}
