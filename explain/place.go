package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Where describes the places of the differences. An array is a matrix here: its
// last index counts columns, all others rows. A vector has one row.
type Where struct {
	Rows    int `json:"rows"`
	Columns int `json:"columns"`
	// Grid counts the differences in tiles of TileRows × TileColumns elements.
	Grid        [][]int64 `json:"grid"`
	TileRows    int       `json:"tile_rows"`
	TileColumns int       `json:"tile_columns"`
	// Clusters are sentences about the places, none where the differences are
	// spread all over.
	Clusters []string `json:"clusters"`
}

// mostTiles bounds the tiles of a grid along one axis.
const mostTiles = 64

// mostLines bounds the rows, or columns, that are counted one by one.
const mostLines = 1 << 20

// places counts differences by row, by column and by tile.
type places struct {
	shape      []int
	rows, cols int     // 0 columns: unknown
	row, col   []int64 // counts; nil where there are too many
	low, high  [2]int  // the least and the largest row and column
	tile       map[[2]int]int64
	height     int
	width      int
}

func newPlaces(shape []int) *places {
	p := &places{shape: shape, rows: 1, height: 1, width: 1, tile: map[[2]int]int64{}}
	if shape != nil {
		p.cols = 1
	}
	for k, n := range shape {
		if k == len(shape)-1 {
			p.cols = n
		} else {
			p.rows *= n
		}
	}
	p.height = (p.rows + mostTiles - 1) / mostTiles
	p.width = max((p.cols+mostTiles-1)/mostTiles, 1)
	if p.rows <= mostLines {
		p.row = make([]int64, p.rows)
	}
	if p.cols <= mostLines {
		p.col = make([]int64, p.cols)
	}
	p.low = [2]int{p.rows, math.MaxInt}
	return p
}

// add counts a difference at an index.
func (p *places) add(index []int) {
	r, c := 0, 0
	for k, i := range index {
		if k == len(index)-1 {
			c = i
		} else {
			r = r*p.shape[k] + i
		}
	}
	if p.row != nil {
		p.row[r]++
	}
	if c < len(p.col) {
		p.col[c]++
	}
	p.low = [2]int{min(p.low[0], r), min(p.low[1], c)}
	p.high = [2]int{max(p.high[0], r), max(p.high[1], c)}
	if c/p.width >= mostTiles {
		p.widen(c)
	}
	p.tile[[2]int{r / p.height, c / p.width}]++
}

// widen doubles the width of tiles until column c has one.
func (p *places) widen(c int) {
	for c/p.width >= mostTiles {
		p.width *= 2
		tile := map[[2]int]int64{}
		for at, n := range p.tile {
			tile[[2]int{at[0], at[1] / 2}] += n
		}
		p.tile = tile
	}
}

// where returns the places of that many differences in an array of that shape.
func (p *places) where(shape []int, differing int64) Where {
	w := Where{Rows: p.rows, Columns: p.cols, TileRows: p.height, TileColumns: p.width,
		Clusters: []string{}}
	if p.shape == nil {
		w.Columns = shape[0]
	}
	if w.Rows == 0 || w.Columns == 0 {
		return w
	}
	w.Grid = make([][]int64, (w.Rows+p.height-1)/p.height)
	for r := range w.Grid {
		w.Grid[r] = make([]int64, (w.Columns+p.width-1)/p.width)
		for c := range w.Grid[r] {
			w.Grid[r][c] = p.tile[[2]int{r, c}]
		}
	}
	if differing >= minClustered {
		w.Clusters = append(w.Clusters, cluster("row", w.Rows, p.low[0], p.high[0], p.row)...)
		w.Clusters = append(w.Clusters,
			cluster("column", w.Columns, p.low[1], p.high[1], p.col)...)
		if len(shape) < 2 {
			for i, s := range w.Clusters {
				w.Clusters[i] = vectorWords.Replace(s)
			}
		}
	}
	return w
}

// minClustered is the least number of differences that clusters are looked for
// in.
const minClustered = 8

// cluster describes the lines of one axis that have differences, where they are
// less than half of its n lines: a range, the tail, or every few lines.
func cluster(name string, n, low, high int, counts []int64) []string {
	if n < 4 || low > high {
		return nil
	}
	if 2*(high-low+1) <= n {
		switch {
		case low == high:
			return []string{fmt.Sprintf("all in %s %d", name, low)}
		case high == n-1:
			return []string{fmt.Sprintf("all in the tail, %ss %d to %d", name, low, high)}
		}
		return []string{fmt.Sprintf("all in %ss %d to %d", name, low, high)}
	}
	if at := residues(counts); at != "" {
		return []string{"all in " + name + "s with number mod " + at}
	}
	return nil
}

// residues describes the lines with differences by their numbers modulo a power
// of two, the one that leaves the smallest share of them: "16 = 0 to 3". It
// returns "" where none leaves half of them or less.
func residues(counts []int64) (text string) {
	const longest = 128
	best := 0.5
	for period := 2; period <= longest && len(counts) >= 4*period; period *= 2 {
		some := make([]bool, period)
		for i, n := range counts {
			some[i%period] = some[i%period] || n > 0
		}
		first := slices.Index(some, true)
		last := period - 1
		for !some[last] {
			last--
		}
		share := float64(last-first+1) / float64(period)
		switch {
		case share > best || share == best && text != "":
			continue
		case first == last:
			text = fmt.Sprintf("%d = %d", period, first)
		default:
			text = fmt.Sprintf("%d = %d to %d", period, first, last)
		}
		best = share
	}
	return text
}

// vectorWords names the elements of a vector, which has no columns.
var vectorWords = strings.NewReplacer("column", "element")
