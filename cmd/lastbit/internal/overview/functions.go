package overview

import (
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
)

// functionsView holds the parts of a fingerprint that the page shows.
type functionsView struct {
	Count     int // arguments of each function
	Libraries []libraryView
	Worst     []*libm.Print
	Rows      []functionRow
	Columns   []string
	Absent    []libm.Absence
}

// libraryView sums up the functions of a library in a format.
type libraryView struct {
	Name, DType, Worst string
	All, Wrong         int
	Bars               []bar
}

// bar is a bar of a histogram: the functions whose largest error is in a range.
type bar struct {
	Label  string
	Count  int
	Height float64 // from 0 to 1
}

// functionRow is a function with a cell for each library.
type functionRow struct {
	Name  string
	Cells []functionCell
}

type functionCell struct {
	Share, Worst, At string
	Heat             int
}

// maxWorst bounds the functions of a library and format that are listed with
// their arguments.
const maxWorst = 2

// limits are the upper bounds of the bars, in ULPs.
var limits = []struct {
	upTo  float64
	label string
}{
	{0.5, "0.5"}, {0.51, "0.51"}, {0.6, "0.6"}, {1, "1"}, {2, "2"}, {10, "10"},
	{math.Inf(1), "more"},
}

func newFunctionsView(f *libm.Fingerprint) *functionsView {
	v := &functionsView{Count: libm.FixedCount, Absent: f.Absent}
	index := map[string]int{}
	var wrong []*libm.Print
	for _, p := range f.Prints {
		if p.Library == "crmath" {
			continue
		}
		column := p.Version + " " + libm.FormatName(p.DType)
		k := slices.Index(v.Columns, column)
		if k < 0 {
			k = len(v.Columns)
			v.Columns = append(v.Columns, column)
			v.Libraries = append(v.Libraries,
				libraryView{Name: p.Version, DType: libm.FormatName(p.DType)})
		}
		v.Libraries[k].add(p)
		i, ok := index[p.Function]
		if !ok {
			i = len(v.Rows)
			index[p.Function] = i
			v.Rows = append(v.Rows, functionRow{Name: p.Function})
		}
		row := &v.Rows[i]
		for len(row.Cells) <= k {
			row.Cells = append(row.Cells, functionCell{})
		}
		row.Cells[k] = cellOf(p)
		if p.Wrong > 0 {
			wrong = append(wrong, p)
		}
	}
	for i := range v.Rows {
		for len(v.Rows[i].Cells) < len(v.Columns) {
			v.Rows[i].Cells = append(v.Rows[i].Cells, functionCell{})
		}
	}
	for i := range v.Libraries {
		v.Libraries[i].scale()
	}
	slices.SortStableFunc(wrong, func(a, b *libm.Print) int {
		switch {
		case a.Worst > b.Worst:
			return -1
		case a.Worst < b.Worst:
			return 1
		}
		return 0
	})
	listed := map[string]int{}
	for _, p := range wrong {
		column := p.Version + " " + libm.FormatName(p.DType)
		if listed[column]++; listed[column] <= maxWorst {
			v.Worst = append(v.Worst, p)
		}
	}
	return v
}

// add counts a function.
func (l *libraryView) add(p *libm.Print) {
	if l.Bars == nil {
		for _, limit := range limits {
			l.Bars = append(l.Bars, bar{Label: limit.label})
		}
	}
	l.All++
	if p.Wrong > 0 {
		l.Wrong++
	}
	for k, limit := range limits {
		if k == 0 && p.Wrong > 0 { // by less than the label shows
			continue
		}
		if float64(p.Worst) <= limit.upTo || k == len(limits)-1 {
			l.Bars[k].Count++
			return
		}
	}
}

// scale fills the heights of the bars.
func (l *libraryView) scale() {
	most := 1
	for _, b := range l.Bars {
		most = max(most, b.Count)
	}
	for i := range l.Bars {
		l.Bars[i].Height = float64(l.Bars[i].Count) / float64(most)
	}
}

func cellOf(p *libm.Print) functionCell {
	c := functionCell{Share: libm.Percent(p.Wrong, p.Count), Worst: p.WorstWords(),
		At: arguments(p)}
	switch {
	case p.Wrong == 0:
	case p.Worst < 1:
		c.Heat = 1
	case p.Worst < 10:
		c.Heat = 2
	default:
		c.Heat = 3
	}
	return c
}

// arguments returns the arguments of the worst result.
func arguments(p *libm.Print) string {
	var list []string
	for _, x := range p.At {
		list = append(list, string(x))
	}
	return strings.Join(list, ", ")
}

// Call writes the call whose result is the worst.
func (functionsView) Call(p *libm.Print) string {
	return p.Function + "(" + arguments(p) + ")"
}

// Format names the format of a function.
func (functionsView) Format(p *libm.Print) string { return libm.FormatName(p.DType) }
