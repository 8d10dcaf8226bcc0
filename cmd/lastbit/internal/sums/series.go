package sums

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/fp"
)

// maxPending bounds the rows of a group that wait to be added together: 512
// bytes.
const maxPending = 64

// A keyGroup is the rows with one key.
type keyGroup struct {
	key   string
	count int64
	// missing counts rows without a value, which are left out.
	missing int64
	total   total
	naive   [2]float64
	x, y    []float64 // rows that wait
	// ux and uy are their units, if they are decimals, and scale the scale of
	// these.
	ux, uy []float64
	scale  int
}

// A series is the results of one column, or of a pair of columns: one for every
// key.
type series struct {
	column string
	algo   *Algorithm
	pass   int
	groups map[string]*keyGroup
	ids    []*keyGroup // by the numbers of a file's keys
	by     string
	budget *Budget

	// compact has all groups, if it is not nil. places are theirs by the
	// numbers of a file's keys, which in the first file are the same; known is
	// made for a second one.
	compact *compactGroups
	places  []uint32
	known   map[string]uint32
}

// newSeries returns a series without rows.
func newSeries(column string, algo *Algorithm) *series {
	return &series{column: column, algo: algo, pass: 1, groups: map[string]*keyGroup{}}
}

// group returns the group of a key.
func (s *series) group(key string) (*keyGroup, error) {
	if g := s.groups[key]; g != nil {
		return g, nil
	}
	if err := s.budget.take(s.by, len(s.groups), cost(len(s.algo.op.summands))); err != nil {
		return nil, err
	}
	t, err := s.algo.start(s.pass, nil, 0)
	if err != nil {
		return nil, err
	}
	g := &keyGroup{key: key, total: t}
	s.groups[key] = g
	return g, nil
}

// nextPass prepares to read all rows once more.
func (s *series) nextPass() error {
	s.pass++
	for _, g := range s.groups {
		var err error
		if g.total, err = s.algo.start(s.pass, g.total, g.count); err != nil {
			return err
		}
		g.count, g.missing, g.naive = 0, 0, [2]float64{}
	}
	return nil
}

// nextFile forgets the numbers of a file's keys.
func (s *series) nextFile() {
	s.ids, s.places = s.ids[:0], nil
	if s.compact != nil && s.compact.n > 0 && s.known == nil {
		s.known = map[string]uint32{}
		for g := range s.compact.n {
			s.known[s.compact.key(g)] = uint32(g)
		}
	}
}

// size returns the number of groups.
func (s *series) size() int {
	if s.compact != nil {
		return s.compact.n
	}
	return len(s.groups)
}

// add adds rows: a column x, and of a pair y, else nil.
func (s *series) add(b *dataset.Block, x, y *dataset.Column) error {
	for _, key := range b.Fresh {
		if err := s.fresh(key); err != nil {
			return err
		}
	}
	if s.algo.isExact() && (x.Units != nil || y != nil && y.Units != nil) {
		return s.addDecimals(b, x, y)
	}
	var second []float64
	if y != nil {
		second = y.Values
	} else {
		y = &dataset.Column{}
	}
	isPlain := x.Rest == nil && y.Rest == nil && len(x.Empty) == 0 && len(y.Empty) == 0
	switch {
	case isPlain && s.compact != nil && len(s.compact.grown) == 0:
		s.compact.addRows(b.Keys, s.places, x.Values, second)
		return nil
	case isPlain && len(b.Keys) == 0:
		return s.addRows(s.groups[""], x.Values, second)
	}
	return s.addEach(b, x, y, second != nil)
}

// fresh makes a group for the next key of a file, unless there is one.
func (s *series) fresh(key string) error {
	if s.compact == nil {
		g, err := s.group(key)
		s.ids = append(s.ids, g)
		return err
	}
	place, isKnown := s.known[key]
	if !isKnown {
		sums := int64(len(s.algo.op.summands))
		if err := s.budget.take(s.by, s.compact.n, compactBytes+sums*compactSumBytes); err != nil {
			return err
		}
		place = uint32(s.compact.n)
		s.compact.add(key)
		if s.known != nil {
			s.known[key] = place
		}
	}
	if s.known != nil {
		s.places = append(s.places, place)
	}
	return nil
}

// place returns the group of a file's key.
func (s *series) place(key int) int {
	if s.known != nil {
		return int(s.places[key])
	}
	return key
}

// grown returns the group of a place as a keyGroup.
func (s *series) grown(place int) (*keyGroup, error) {
	if g := s.compact.grown[place]; g != nil {
		return g, nil
	}
	if err := s.budget.more(s.by, s.compact.n, len(s.algo.op.summands)); err != nil {
		return nil, err
	}
	return s.compact.grow(place), nil
}

// addRows adds rows to a group. The naive sum takes as long as everything else;
// a core that is free computes it.
func (s *series) addRows(g *keyGroup, x, y []float64) error {
	var done sync.WaitGroup
	done.Go(func() { s.addNaively(g, x, y) })
	err := g.total.add(x, y)
	done.Wait()
	g.count += int64(len(x))
	return err
}

func (s *series) addNaively(g *keyGroup, x, y []float64) {
	for i, part := range s.algo.op.summands {
		if s.algo.out == fp.Binary32 {
			g.naive[i] = addNaively[float32](g.naive[i], part, x, y)
		} else {
			g.naive[i] = addNaively[float64](g.naive[i], part, x, y)
		}
	}
}

// addEach adds the rows that are not empty, each to its group.
func (s *series) addEach(b *dataset.Block, x, y *dataset.Column, pairs bool) error {
	xEmpty, yEmpty := x.Empty, y.Empty
	for i, v := range x.Values {
		isEmpty := isNext(&xEmpty, i)
		isEmpty = isNext(&yEmpty, i) || isEmpty
		xRest, yRest := restOf(x, i), restOf(y, i)
		if s.compact != nil && (isEmpty || xRest == 0 && yRest == 0) {
			w := 0.0
			if pairs {
				w = y.Values[i]
			}
			if s.addCompact(b.Keys[i], v, w, isEmpty) {
				continue
			}
		}
		g, err := s.groupOf(b, i)
		if err != nil {
			return err
		}
		if isEmpty {
			if g != nil {
				g.missing++
			}
			continue
		}
		w := 0.0
		if pairs {
			w = y.Values[i]
		}
		if xRest != 0 || yRest != 0 {
			err = s.addWide(g, v, xRest, w, yRest)
		} else {
			err = s.wait(g, v, w, pairs)
		}
		if err != nil {
			return err
		}
	}
	if len(b.Keys) == 0 {
		return s.flush(s.groups[""])
	}
	return nil
}

// addCompact adds a row to compact groups, and returns true, unless its group
// has grown.
func (s *series) addCompact(key int, x, y float64, isEmpty bool) bool {
	if key < 0 {
		return true // a row without a key is empty
	}
	place := s.place(key)
	switch {
	case s.compact.grown[place] != nil:
		return false
	case isEmpty:
		s.compact.skip(place)
	default:
		s.compact.addRow(place, x, y)
	}
	return true
}

// groupOf returns the group of row i, nil for a row without a key.
func (s *series) groupOf(b *dataset.Block, i int) (*keyGroup, error) {
	switch {
	case len(b.Keys) == 0:
		return s.groups[""], nil
	case b.Keys[i] < 0:
		return nil, nil
	case s.compact != nil:
		return s.grown(s.place(b.Keys[i]))
	}
	return s.ids[b.Keys[i]], nil
}

// isNext reports whether row i is the next of the empty ones.
func isNext(empty *[]int, i int) bool {
	for len(*empty) > 0 && (*empty)[0] < i {
		*empty = (*empty)[1:]
	}
	return len(*empty) > 0 && (*empty)[0] == i
}

func restOf(c *dataset.Column, i int) float64 {
	if c.Rest == nil {
		return 0
	}
	return c.Rest[i]
}

// wait keeps a row until there are enough of its group.
func (s *series) wait(g *keyGroup, v, w float64, pairs bool) error {
	if len(g.ux) > 0 {
		if err := s.flush(g); err != nil {
			return err
		}
	}
	g.x = append(g.x, v)
	if pairs {
		g.y = append(g.y, w)
	}
	if len(g.x) < maxPending {
		return nil
	}
	return s.flush(g)
}

// flush adds the rows that wait.
func (s *series) flush(g *keyGroup) error {
	if len(g.x) == 0 {
		return nil
	}
	s.addNaively(g, g.x, g.y)
	var err error
	if len(g.ux) > 0 {
		g.total.(*exactTotal).addScaled(g.scale, g.ux, g.uy)
	} else {
		err = g.total.add(g.x, g.y)
	}
	g.count += int64(len(g.x))
	g.x, g.y, g.ux, g.uy = g.x[:0], g.y[:0], g.ux[:0], g.uy[:0]
	return err
}

// addWide adds a row of integers beyond 2^53. The naive sum rounds them.
func (s *series) addWide(g *keyGroup, x, xRest, y, yRest float64) error {
	if err := s.flush(g); err != nil {
		return err
	}
	s.addNaively(g, []float64{x + xRest}, []float64{y + yRest})
	g.count++
	return g.total.addWide(x, xRest, y, yRest)
}

// flushAll adds all rows that wait.
func (s *series) flushAll() error {
	groups := s.groups
	if s.compact != nil {
		for _, g := range s.compact.grown {
			if err := s.flush(g); err != nil {
				return err
			}
		}
	}
	for _, g := range groups {
		if err := s.flush(g); err != nil {
			return err
		}
	}
	return nil
}

// sorted returns the groups in the order of their keys: numbers by their value,
// then everything else by its bytes.
func (s *series) sorted() iter.Seq[*keyGroup] { return s.inOrder(true) }

// inOrder returns the groups in the order of compareKeys, or of their keys'
// bytes. Each is valid until the next.
func (s *series) inOrder(byValue bool) iter.Seq[*keyGroup] {
	if s.compact != nil {
		return s.compact.inOrder(byValue)
	}
	compare := strings.Compare
	if byValue {
		compare = compareKeys
	}
	list := slices.Collect(maps.Values(s.groups))
	slices.SortFunc(list, func(a, b *keyGroup) int { return compare(a.key, b.key) })
	return slices.Values(list)
}

func compareKeys(a, b string) int {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return strings.Compare(a, b)
}
