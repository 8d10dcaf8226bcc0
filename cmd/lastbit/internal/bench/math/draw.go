package math

import (
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/fp"
)

// pictureNames returns the names of the pictures of some formats.
func pictureNames(formats []fp.Format) (names []string) {
	var empty []*Table
	for _, format := range formats {
		empty = append(empty, &Table{DType: format})
	}
	for _, d := range charts(empty) {
		names = append(names, d.Name)
	}
	return names
}

// charts draws tables: the geometric means, and for each table the ratios
// for each set of arguments and the shares of wrong results.
func charts(tables []*Table) []*plots.Bars {
	all := []*plots.Bars{drawMeans(tables)}
	for _, t := range tables {
		for _, s := range libm.Sets() {
			all = append(all, t.drawRatios(s))
		}
		all = append(all, t.drawRounding())
	}
	return all
}

// setSuffixes are the ends of the names of pictures.
var setSuffixes = map[libm.Set]string{
	libm.Typical: "", libm.Domain: "-domain", libm.Hard: "-hard",
}

// drawRatios draws Figure 1 of Arteaga, Fuhrer and Hoefler (2014).
func (t *Table) drawRatios(set libm.Set) *plots.Bars {
	d := &plots.Bars{
		Name:  "math-ratios-" + t.DType.String() + setSuffixes[set],
		Title: "Time of correctly rounded functions over others', " + libm.FormatName(t.DType),
		Y:     "ratio of times; below 1: crmath is faster", Line: 1,
		Notes: []string{libm.ThisMachine().String(), setNames[set]},
	}
	for k, c := range t.Comparisons {
		s := plots.BarSeries{Name: c.name()}
		if mean := c.of(set).Mean; mean != nil {
			s.Name += fmt.Sprintf(", mean %.2f", *mean)
		}
		for _, line := range t.Functions {
			s.Values = append(s.Values, experiment.BarValue(line.of(set).Ratios[k]))
		}
		d.Series = append(d.Series, s)
	}
	d.Groups = t.names()
	return d
}

// drawMeans draws Figure 2 of Arteaga, Fuhrer and Hoefler (2014).
func drawMeans(tables []*Table) *plots.Bars {
	d := &plots.Bars{
		Name:  "math-means",
		Title: "Time of correctly rounded functions over others': geometric means",
		Y:     "ratio of times; below 1: crmath is faster", Line: 1,
		Notes: []string{libm.ThisMachine().String()},
	}
	sets := libm.Sets()
	for i, t := range tables {
		for j, set := range sets {
			d.Groups = append(d.Groups, libm.FormatName(t.DType)+setSuffixes[set])
			for _, c := range t.Comparisons {
				k := slices.IndexFunc(d.Series,
					func(s plots.BarSeries) bool { return s.Name == c.name() })
				if k < 0 {
					k = len(d.Series)
					none := slices.Repeat([]float64{-1}, len(tables)*len(sets))
					d.Series = append(d.Series, plots.BarSeries{Name: c.name(), Values: none})
				}
				d.Series[k].Values[i*len(sets)+j] = experiment.BarValue(c.of(set).Mean)
			}
		}
	}
	return d
}

// name returns the name of a comparison in a legend.
func (c *Comparison) name() string { return c.versions[0] + " over " + c.versions[1] }

// drawRounding draws the shares of wrong results.
func (t *Table) drawRounding() *plots.Bars {
	d := &plots.Bars{
		Name:  "math-rounding-" + t.DType.String(),
		Title: "Results that are not correctly rounded, " + libm.FormatName(t.DType),
		Y:     "% of results, and how far the worst is off; none of crmath's",
		Notes: []string{libm.ThisMachine().String()},
	}
	for k, l := range t.Libraries {
		if isOurs(l.Name) {
			continue
		}
		s := plots.BarSeries{Name: l.Version}
		for _, line := range t.Functions {
			value, label := -1.0, ""
			if p := line.Cells[k].Rounding; p != nil {
				value = 100 * float64(p.Wrong) / float64(p.Count)
				label = libm.Percent(p.Wrong, p.Count) + ", " + p.WorstWords()
			}
			s.Values, s.Labels = append(s.Values, value), append(s.Labels, label)
		}
		d.Series = append(d.Series, s)
	}
	d.Groups = t.names()
	return d
}

// names returns the names of the functions of a table.
func (t *Table) names() (names []string) {
	for _, line := range t.Functions {
		names = append(names, line.Function)
	}
	return names
}
