package sums

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/exact"
)

// accMagic is the first line of an accumulator file, with the version.
const accMagic = "lastbit accumulator 1\n"

// decimalMagic begins a file with sums of decimals.
const decimalMagic = "lastbit accumulator 2\n"

// missingMagic begins a file whose sums leave out some rows.
const missingMagic = "lastbit accumulator 3\n"

// A Partial is the sums of some rows. Exact ones can be written to an
// accumulator file, whose bytes are canonical: the same operation on the same
// rows gives the same ones, for any split of the rows.
//
//	"lastbit accumulator 1\n"
//	operation           text
//	columns             number, then as many texts: as given
//	key column          0, or 1 and a text
//	for each result     (one for each column, or just one)
//	  groups            number (1 without a key); for each, keys ascending:
//	    key             text (empty without a key column)
//	    states          text for each sum: exact.Accumulator.MarshalBinary
//	checksum            SHA-256 of everything before it
//
// Version 2 holds sums of decimals. Their states follow the other states of a
// group:
//
//	scales          number; for each, ascending from 1:
//	  scale         number
//	  states        as above
//
// Version 3 is version 2, and holds a number after each group: the rows that
// were left out. At least one is not 0.
//
// A number is an unsigned varint of as few bytes as possible, and a text is its
// length as a number, and its bytes.
type Partial struct {
	op      *Operation
	columns []string
	by      string
	grouped bool
	results []*series
}

// Operation returns the operation.
func (p *Partial) Operation() *Operation { return p.op }

// names returns the columns of the results: of a single result, none.
func (p *Partial) names() []string {
	if p.op.IsOfPairs() || len(p.columns) < 2 {
		return []string{""}
	}
	return p.columns
}

// IsTable reports whether there may be several results.
func (p *Partial) IsTable() bool { return p.grouped || len(p.results) > 1 }

// encode returns the bytes of an accumulator file.
func (p *Partial) encode() []byte {
	magic := p.magic()
	b := []byte(magic)
	b = appendText(b, p.op.name)
	b = binary.AppendUvarint(b, uint64(len(p.columns)))
	for _, c := range p.columns {
		b = appendText(b, c)
	}
	if p.grouped {
		b = append(b, 1)
		b = appendText(b, p.by)
	} else {
		b = append(b, 0)
	}
	for _, s := range p.results {
		b = s.append(b, magic)
	}
	return appendChecksum(b)
}

// magic returns the first line of the file.
func (p *Partial) magic() string {
	switch {
	case p.hasMissing():
		return missingMagic
	case p.hasDecimals():
		return decimalMagic
	}
	return accMagic
}

// hasMissing reports whether rows were left out.
func (p *Partial) hasMissing() bool {
	for _, s := range p.results {
		if s.compact != nil && s.compact.areAnyMissing() {
			return true
		}
		for _, g := range s.groups {
			if g.missing > 0 {
				return true
			}
		}
	}
	return false
}

// hasDecimals reports whether a sum of a result is one of decimals.
func (p *Partial) hasDecimals() bool {
	for _, s := range p.results {
		groups := s.groups
		if s.compact != nil {
			for _, g := range s.compact.grown {
				if len(g.total.(*exactTotal).scaled) > 0 {
					return true
				}
			}
		}
		for _, g := range groups {
			if len(g.total.(*exactTotal).scaled) > 0 {
				return true
			}
		}
	}
	return false
}

// append appends one result to a file that begins with magic.
func (s *series) append(b []byte, magic string) []byte {
	b = binary.AppendUvarint(b, uint64(s.size()))
	for g := range s.inOrder(false) {
		b = appendText(b, g.key)
		t := g.total.(*exactTotal)
		b = appendStates(b, t.sums)
		if magic == accMagic {
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(t.scaled)))
		for _, scaled := range t.scaled {
			b = binary.AppendUvarint(b, uint64(scaled.scale))
			b = appendStates(b, scaled.sums)
		}
		if magic == missingMagic {
			b = binary.AppendUvarint(b, uint64(g.missing))
		}
	}
	return b
}

func appendStates(b []byte, sums []exact.Accumulator) []byte {
	for i := range sums {
		state, _ := sums[i].MarshalBinary() // never an error
		b = appendText(b, string(state))
	}
	return b
}

func appendText(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
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

// checkMagic returns the error in the first bytes of a file.
func checkMagic(head []byte) error {
	if slices.Contains([]string{accMagic, decimalMagic, missingMagic}, string(head)) {
		return nil
	}
	first, _, _ := strings.Cut(accMagic, "1")
	if rest, ok := bytes.CutPrefix(head, []byte(first)); ok {
		version, _, _ := bytes.Cut(rest, []byte{'\n'})
		return fmt.Errorf("it is of version %.8s of the format, and 1 to 3 are known", version)
	}
	return errNotAcc
}

// decodePartial reads the bytes of an accumulator file, and refuses all others
// than encode's.
func decodePartial(b []byte, budget *Budget) (*Partial, error) {
	if err := checkMagic(b[:min(len(b), len(accMagic))]); err != nil {
		return nil, err
	}
	body := len(b) - sha256.Size
	if body < len(accMagic) {
		return nil, errCutOff
	}
	if sum := sha256.Sum256(b[:body]); !bytes.Equal(sum[:], b[body:]) {
		return nil, errChecksum
	}
	r := &accReader{
		b:     b[len(accMagic):body],
		magic: string(b[:len(accMagic)]),
	}
	p, err := r.head()
	if err != nil {
		return nil, err
	}
	for _, column := range p.names() {
		s := newSeries(column, &Algorithm{name: ExactAlgorithm, op: p.op})
		if s.by = p.by; p.grouped {
			s.budget = budget
		}
		if err := r.groups(s, p.grouped); err != nil {
			return nil, err
		}
		p.results = append(p.results, s)
	}
	if len(r.b) > 0 || r.magic != p.magic() {
		return nil, errCutOff
	}
	return p, nil
}

// An accReader takes an accumulator file apart. After an error it returns
// nothing more.
type accReader struct {
	b     []byte
	magic string // the first line of the file
	err   error
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

// count reads the number of parts that follow, of at least one byte each.
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

// head reads the part before the results.
func (r *accReader) head() (*Partial, error) {
	name := string(r.text())
	p := &Partial{op: FindOperation(name)}
	if p.op == nil && r.err == nil {
		return nil, fmt.Errorf("there is no operation %q", name)
	}
	for range r.count() {
		p.columns = append(p.columns, string(r.text()))
	}
	switch r.number() {
	case 0:
	case 1:
		p.grouped, p.by = true, string(r.text())
	default:
		r.err = errCutOff
	}
	return p, r.err
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
		states := r.states(s.algo.op)
		if r.err != nil {
			return r.err
		}
		if !grouped && key != "" || i > 0 && key <= last {
			return errOrder
		}
		last = key
		if err := s.budget.take(s.by, len(s.groups), cost(len(states))); err != nil {
			return err
		}
		t := newExactTotal(s.algo.op)
		if err := t.decode(0, states); err != nil {
			return err
		}
		if r.magic != accMagic {
			if err := r.scales(t); err != nil {
				return err
			}
		}
		missing := uint64(0)
		if r.magic == missingMagic {
			missing = r.number()
		}
		if missing > math.MaxInt64 {
			return errTooMany
		}
		s.groups[key] = &keyGroup{key: key, count: t.count(), missing: int64(missing), total: t}
	}
	return r.err
}

func (r *accReader) states(op *Operation) [][]byte {
	states := make([][]byte, len(op.summands))
	for j := range states {
		states[j] = r.text()
	}
	return states
}

// scales reads the sums of decimals of a group.
func (r *accReader) scales(t *exactTotal) error {
	last := uint64(0)
	for range r.count() {
		const most = 1 << 20
		scale := r.number()
		states := r.states(t.op)
		if r.err == nil && (scale <= last || scale > most) {
			r.err = errOrder
		}
		if r.err != nil {
			return r.err
		}
		last = scale
		if err := t.decode(int(scale), states); err != nil {
			return err
		}
		if t.of(int(scale))[0].Count() == 0 {
			return errImpossible
		}
		if t.count() < 0 { // after each, since two overflows would be hidden
			return errTooMany
		}
	}
	return r.err
}
