package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/fp"
)

// canDraw makes the folder that pictures go to, if one is named, and sees that they can be written.
func canDraw(folder string, formats []fp.Format) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return unwritable(folder, err)
	}
	var empty []*mathTable
	for _, format := range formats {
		empty = append(empty, &mathTable{DType: format})
	}
	for _, d := range mathPictures(empty) {
		if err := writable(filepath.Join(folder, d.Name+".svg")); err != nil {
			return err
		}
	}
	return nil
}

// mathPictures draws the pictures.
func mathPictures(tables []*mathTable) []*plots.Bars {
	all := []*plots.Bars{drawMeans(tables)}
	for _, t := range tables {
		all = append(all, t.drawRatios(), t.drawRounding())
	}
	return all
}

// drawMath writes the pictures.
func drawMath(folder string, tables []*mathTable) error {
	for _, d := range mathPictures(tables) {
		var b strings.Builder
		if err := d.SVG(&b); err != nil {
			return err
		}
		name := filepath.Join(folder, d.Name+".svg")
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			return unwritable(name, err)
		}
	}
	return nil
}

// drawRatios draws the paper's Figure 1.
func (t *mathTable) drawRatios() *plots.Bars {
	d := &plots.Bars{Name: "math-ratios-" + t.DType.String(), Title: "Time of correctly rounded functions over others', " + formatWords(t.DType),
		Y: "ratio of times; below 1: crmath is faster", Line: 1, Notes: []string{libm.ThisMachine().String()}}
	for k, c := range t.Comparisons {
		s := plots.BarSeries{Name: c.name()}
		if c.Mean != nil {
			s.Name += fmt.Sprintf(", mean %.2f", *c.Mean)
		}
		for _, line := range t.Functions {
			s.Values = append(s.Values, orNone(line.Ratios[k]))
		}
		d.Series = append(d.Series, s)
	}
	d.Groups = t.names()
	return d
}

// drawMeans draws the paper's Figure 2.
func drawMeans(tables []*mathTable) *plots.Bars {
	d := &plots.Bars{Name: "math-means", Title: "Time of correctly rounded functions over others': geometric means",
		Y: "ratio of times; below 1: crmath is faster", Line: 1, Notes: []string{libm.ThisMachine().String()}}
	for i, t := range tables {
		d.Groups = append(d.Groups, formatWords(t.DType))
		for _, c := range t.Comparisons {
			k := slices.IndexFunc(d.Series, func(s plots.BarSeries) bool { return s.Name == c.name() })
			if k < 0 {
				k = len(d.Series)
				d.Series = append(d.Series, plots.BarSeries{Name: c.name(), Values: slices.Repeat([]float64{-1}, len(tables))})
			}
			d.Series[k].Values[i] = orNone(c.Mean)
		}
	}
	return d
}

// name is a comparison's in a legend.
func (c *mathComparison) name() string { return c.versions[0] + " over " + c.versions[1] }

// drawRounding draws how many results are wrong.
func (t *mathTable) drawRounding() *plots.Bars {
	d := &plots.Bars{Name: "math-rounding-" + t.DType.String(), Title: "Results that are not correctly rounded, " + formatWords(t.DType),
		Y: "% of results, and how far the worst is off; none of crmath's", Notes: []string{libm.ThisMachine().String()}}
	for k, l := range t.Libraries {
		if isOurs(l.Name) {
			continue
		}
		s := plots.BarSeries{Name: l.Version}
		for _, line := range t.Functions {
			value, label := -1.0, ""
			if p := line.Cells[k].Rounding; p != nil {
				value, label = 100*float64(p.Wrong)/float64(p.Count), percent(p.Wrong, p.Count)
				if w := worst(p); w != "" {
					label += ", " + w
				}
			}
			s.Values, s.Labels = append(s.Values, value), append(s.Labels, label)
		}
		d.Series = append(d.Series, s)
	}
	d.Groups = t.names()
	return d
}

func (t *mathTable) names() (names []string) {
	for _, line := range t.Functions {
		names = append(names, line.Function)
	}
	return names
}

// orNone is a bar's value.
func orNone(v *float64) float64 {
	if v == nil {
		return -1
	}
	return *v
}
