package sums

import (
	"cmp"
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
	if err := s.budget.Take(s.by, len(s.groups), len(s.algo.op.summands)); err != nil {
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
func (s *series) nextFile() { s.ids = s.ids[:0] }

// add adds rows: a column x, and of a pair y, else nil.
func (s *series) add(b *dataset.Block, x, y *dataset.Column) error {
	for _, key := range b.Fresh {
		g, err := s.group(key)
		if err != nil {
			return err
		}
		s.ids = append(s.ids, g)
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
	if len(b.Keys) == 0 && isPlain {
		return s.addRows(s.groups[""], x.Values, second)
	}
	return s.addEach(b, x, y, second != nil)
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
		g := s.groupOf(b, i)
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
		var err error
		if xRest, yRest := restOf(x, i), restOf(y, i); xRest != 0 || yRest != 0 {
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

// groupOf returns the group of row i, nil for a row without a key.
func (s *series) groupOf(b *dataset.Block, i int) *keyGroup {
	if len(b.Keys) == 0 {
		return s.groups[""]
	}
	if b.Keys[i] < 0 {
		return nil
	}
	return s.ids[b.Keys[i]]
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
	for _, g := range s.groups {
		if err := s.flush(g); err != nil {
			return err
		}
	}
	return nil
}

// sorted returns the groups in the order of their keys: numbers by their value,
// then everything else by its bytes.
func (s *series) sorted() []*keyGroup {
	list := make([]*keyGroup, 0, len(s.groups))
	for _, g := range s.groups {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *keyGroup) int { return compareKeys(a.key, b.key) })
	return list
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
