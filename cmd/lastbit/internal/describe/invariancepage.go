package describe

import (
	"bytes"
	"embed"
	"html/template"
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

//go:embed page
var pageFiles embed.FS

// treesHead stands before the trees of a sweep.
const treesHead = `<h2 class="trees">The trees</h2>
<p class="mute">The order and the evidence of each class. Open one to see its tree.</p>
`

// WriteInvariancePage writes the classes of a sweep as one HTML page: a bar of
// the values in the colours of their classes, the classes, and for each two
// neighbours the input that shows the change. The trees are folded at the end.
func WriteInvariancePage(w io.Writer, v *reveal.Invariance) error {
	var part report.Part
	body, err := AddInvariance(&part, v, "")
	if err != nil {
		return err
	}
	part.Body = body + treesHead
	page := report.Page{
		Title: "Invariance of " + v.Key.Target, Lead: InvarianceVerdict(v),
		Parts: []report.Part{part},
	}
	if v.Axis == targetAxis {
		page.Title = "Invariance over targets"
	}
	return report.HTML(w, page)
}

// InvarianceVerdict answers in one line whether a sweep is invariant.
func InvarianceVerdict(v *reveal.Invariance) string {
	return invarianceVerdict(text.For(io.Discard), v)
}

// AddInvariance adds the trees of a sweep to a part, and returns its pictures
// and classes. Their anchors begin with prefix.
func AddInvariance(part *report.Part, v *reveal.Invariance, prefix string,
) (template.HTML, error) {
	t, err := template.ParseFS(pageFiles, "page/invariance.html")
	if err != nil {
		return "", err
	}
	var anchors []string
	for k, c := range v.Classes {
		d := Drawing(c.Representative)
		d.Title = GroupName(k) + ": " + valueOn(v, c.Revealed)
		anchors = append(anchors, part.Add(d))
	}
	var body bytes.Buffer
	if err := t.Execute(&body, newSweepView(v, anchors, prefix)); err != nil {
		return "", err
	}
	return template.HTML(body.String()), nil
}

// sweepView holds the parts of a sweep that the page shows.
type sweepView struct {
	Axis, Key string
	Prefix    string // of anchors
	Runs      []runView
	Classes   []classView
	Changes   []changeView
}

// mark is the letter of a class and its colour.
type mark struct {
	Letter string
	Colour int
}

// runView is a run of neighbouring values of one class.
type runView struct {
	mark
	Count  int
	Values string
	Class  string // ID of the drawing
}

// classView describes a class in words.
type classView struct {
	mark
	Values, Order, Meaning, Evidence string
	Proven                           bool
	Reason                           string // why it is not proven
	Drawing                          string // ID
}

// changeView is the first change between two classes.
type changeView struct {
	A, B   mark
	Places string
	Size   string // of the witness; "" for none
	Rows   []report.Trait
}

// pageColours is the number of colours that a page of package report has.
const pageColours = 6

func markOf(class int) mark { return mark{GroupName(class), class % pageColours} }

// newSweepView returns the parts of a sweep that the page shows.
// anchors has one of each class's drawing.
func newSweepView(v *reveal.Invariance, anchors []string, prefix string) sweepView {
	s := sweepView{Axis: valueOn(v, valuesOf(v)), Key: v.Key.String(),
		Runs: runsOf(v, anchors), Prefix: prefix}
	if v.Axis == targetAxis {
		s.Axis = valuesOf(v)
	}
	briefs := classBriefs(v)
	for k, c := range v.Classes {
		view := classView{
			mark: markOf(k), Values: membersOf(v, c), Order: briefs[k],
			Meaning: FamilyMeaning(c.Representative), Evidence: classEvidence(v, c),
			Proven: c.Verified, Drawing: anchors[k],
		}
		if !c.Verified {
			view.Reason = Verdict(c.Representative)
		}
		s.Classes = append(s.Classes, view)
	}
	seen := map[[2]int]bool{}
	for _, edge := range v.Boundaries {
		pair := edge.Classes
		if pair[0] > pair[1] {
			pair[0], pair[1] = pair[1], pair[0]
		}
		if seen[pair] {
			continue
		}
		seen[pair] = true
		change := changeView{
			A: markOf(edge.Classes[0]), B: markOf(edge.Classes[1]),
			Places: valueOn(v, edge.From) + " and " + valueOn(v, edge.To),
			Rows:   boundaryRows(v, edge),
		}
		if edge.Witness != nil {
			change.Size = describeSize(edge.Witness, v.Key.Op)
		}
		s.Changes = append(s.Changes, change)
	}
	return s
}

// runsOf returns the runs of neighbouring values of one class.
func runsOf(v *reveal.Invariance, anchors []string) []runView {
	class := make([]int, len(v.Values))
	for k, c := range v.Classes {
		for _, i := range c.Indices {
			class[i] = k
		}
	}
	var runs []runView
	for first := 0; first < len(class); {
		end := first
		for end+1 < len(class) && class[end+1] == class[first] && v.Axis != targetAxis {
			end++
		}
		values := v.Values[first]
		if end > first {
			values += " … " + v.Values[end]
		}
		runs = append(runs, runView{
			mark: markOf(class[first]), Count: end - first + 1, Values: values,
			Class: anchors[class[first]],
		})
		first = end + 1
	}
	return runs
}
