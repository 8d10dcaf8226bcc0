package sums

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"math"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// compactGroups holds the exact sums of many groups in little memory: about 90
// bytes for each and its key, in pages that are never copied. It takes rows of
// plain numbers. A group with other rows, such as decimals, becomes a keyGroup.
type compactGroups struct {
	algo    *Algorithm
	pages   []*page
	n       int
	missing map[int]int64     // rows without a value
	grown   map[int]*keyGroup // groups that have become a keyGroup
	sorted  []sortKey         // by value, once that is known
}

// pageGroups is the number of groups on a page.
const pageGroups = 1 << 12

// manyGroups is the number of groups from which on a list of them counts.
const manyGroups = 1 << 16

// A page holds some groups.
type page struct {
	keys  []byte
	ends  [pageGroups]uint32 // of the keys
	sums  [2][]exact.Accumulator
	naive [2][]float64
}

// add appends an empty group.
func (c *compactGroups) add(key string) {
	i := c.n % pageGroups
	if i == 0 {
		p := new(page)
		for k := range c.algo.op.summands {
			p.sums[k] = make([]exact.Accumulator, pageGroups)
			p.naive[k] = make([]float64, pageGroups)
		}
		c.pages = append(c.pages, p)
	}
	p := c.pages[len(c.pages)-1]
	p.keys = append(p.keys, key...)
	p.ends[i] = uint32(len(p.keys))
	c.n++
	c.sorted = nil
}

// key returns the key of a group.
func (c *compactGroups) key(g int) string { return string(c.bytes(g)) }

// bytes returns the key of a group.
func (c *compactGroups) bytes(g int) []byte {
	p, i := c.pages[g/pageGroups], g%pageGroups
	begin := uint32(0)
	if i > 0 {
		begin = p.ends[i-1]
	}
	return p.keys[begin:p.ends[i]]
}

// addRow adds a row of plain numbers. y is 0 unless the operation is one of
// pairs.
func (c *compactGroups) addRow(g int, x, y float64) {
	p, i := c.pages[g/pageGroups], g%pageGroups
	for k, part := range c.algo.op.summands {
		a, naive := &p.sums[k][i], &p.naive[k][i]
		switch part {
		case values:
			a.Add(x)
		case magnitudes:
			a.Add(max(x, -x))
		case squares:
			a.AddProduct(x, x)
		case products:
			a.AddProduct(x, y)
		}
		if c.algo.out == fp.Binary32 {
			*naive = addNaively[float32](*naive, part, []float64{x}, []float64{y})
		} else {
			*naive = addNaively[float64](*naive, part, []float64{x}, []float64{y})
		}
	}
}

// addRows adds the rows of a block. places are the groups of its keys; without
// them the keys' numbers are.
func (c *compactGroups) addRows(keys []int, places []uint32, x, y []float64) {
	if len(c.algo.op.summands) > 1 || c.algo.op.summands[0] != values || c.algo.out == fp.Binary32 {
		for i, v := range x {
			w := 0.0
			if y != nil {
				w = y[i]
			}
			if g := keys[i]; g >= 0 {
				if places != nil {
					g = int(places[g])
				}
				c.addRow(g, v, w)
			}
		}
		return
	}
	for i, v := range x {
		g := keys[i]
		if g < 0 {
			continue
		}
		if places != nil {
			g = int(places[g])
		}
		p, j := c.pages[g/pageGroups], g%pageGroups
		p.sums[0][j].Add(v)
		p.naive[0][j] += v
	}
}

// copyTo copies a group that has not grown to a keyGroup with the total t.
func (c *compactGroups) copyTo(k *keyGroup, t *exactTotal, g int) {
	p, i := c.pages[g/pageGroups], g%pageGroups
	*k = keyGroup{key: c.key(g), total: t, missing: c.missing[g]}
	for j := range t.sums {
		t.sums[j] = p.sums[j][i]
		k.naive[j] = p.naive[j][i]
	}
	k.count = t.sums[0].Count()
}

// grow returns a group as a keyGroup that takes all its rows from now on.
func (c *compactGroups) grow(g int) *keyGroup {
	k := new(keyGroup)
	c.copyTo(k, newExactTotal(c.algo.op), g)
	if c.grown == nil {
		c.grown = map[int]*keyGroup{}
	}
	c.grown[g] = k
	p, i := c.pages[g/pageGroups], g%pageGroups
	for j := range c.algo.op.summands {
		p.sums[j][i].Reset()
	}
	delete(c.missing, g)
	return k
}

// skip counts a row without a value.
func (c *compactGroups) skip(g int) {
	if k := c.grown[g]; k != nil {
		k.missing++
		return
	}
	if c.missing == nil {
		c.missing = map[int]int64{}
	}
	c.missing[g]++
}

// areAnyMissing reports whether a row has no value.
func (c *compactGroups) areAnyMissing() bool {
	for _, g := range c.grown {
		if g.missing > 0 {
			return true
		}
	}
	return len(c.missing) > 0
}

// A sortKey orders groups: by number keys before all others, then by prefix.
// Where these are equal, the keys decide.
type sortKey struct {
	prefix uint64 // the order of a number, or the first eight bytes of a text
	group  uint32
	isText bool
}

// sortKeyOf returns the sort key of a group. Numbers are sorted by their value
// if byValue is set, else as all keys by their bytes.
func (c *compactGroups) sortKeyOf(g int, byValue bool) sortKey {
	key := c.bytes(g)
	if byValue {
		if v, err := strconv.ParseFloat(string(key), 64); err == nil {
			return sortKey{orderOf(v), uint32(g), false}
		}
	}
	var first [8]byte
	copy(first[:], key)
	return sortKey{binary.BigEndian.Uint64(first[:]), uint32(g), true}
}

// orderOf maps numbers to integers in the order of cmp.Compare.
func orderOf(v float64) uint64 {
	switch b := math.Float64bits(v); {
	case v != v:
		return 0
	case v == 0:
		return 1 << 63
	case v < 0:
		return ^b
	default:
		return b | 1<<63
	}
}

// compare compares the keys of two groups.
func (c *compactGroups) compare(a, b sortKey) int {
	if a.isText != b.isText {
		if b.isText {
			return -1
		}
		return 1
	}
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	x, y := c.bytes(int(a.group)), c.bytes(int(b.group))
	if !a.isText && len(x) != len(y) {
		return cmp.Compare(len(x), len(y))
	}
	return bytes.Compare(x, y)
}

// inOrder returns the groups in the order of compareKeys, or of their keys'
// bytes. Each is valid until the next, unless it has grown.
func (c *compactGroups) inOrder(byValue bool) iter.Seq[*keyGroup] {
	list := c.sorted
	if list == nil || !byValue {
		if c.n >= manyGroups {
			debug.FreeOSMemory() // of the index that the reader found keys by
		}
		list = make([]sortKey, c.n)
		for g := range list {
			list[g] = c.sortKeyOf(g, byValue)
		}
		slices.SortFunc(list, c.compare)
	}
	if byValue {
		c.sorted = list
	}
	return func(yield func(*keyGroup) bool) {
		t := newExactTotal(c.algo.op)
		k := new(keyGroup)
		for _, at := range list {
			g := int(at.group)
			if grown := c.grown[g]; grown != nil {
				if !yield(grown) {
					return
				}
				continue
			}
			c.copyTo(k, t, g)
			if !yield(k) {
				return
			}
		}
	}
}
