package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/explainfiles"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// showCommand returns the hidden verb that shows a result of --json to people.
// The Python package calls it.
func showCommand(a *app) *cobra.Command {
	format := ""
	cmd := &cobra.Command{
		Use:   "show [RESULT.json]",
		Short: "Show a result of reveal, compare, invariant or explain --json",
		Long: `Show reads the JSON of a result from a file, or from its standard input, and prints
what the verb prints without --json, or a part of a page with pictures of the
trees.`,
		Example: `  lastbit reveal py:numpy.sum -n 1000 --json > tree.json
  lastbit show tree.json --format html`,
		Hidden: true,
		Args:   cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			shown, err := readShown(a.stdin, args)
			if err != nil {
				return err
			}
			if format == "html" {
				return shown.writeHTML(a.stdout)
			}
			return shown.write(a.stdout)
		},
	}
	formats := []string{"text", "html"}
	choiceVar(cmd, cmd.Flags(), &format, "format", "text", choices{words: formats},
		text.List(formats))
	return cmd
}

// shown is a result for people: its text, and the findings whose pictures a
// page has.
type shown struct {
	write    func(io.Writer) error
	findings []*reveal.Finding
	pictured bool // the pictures have the whole text
}

// readShown reads the JSON of a result from a file, or from stdin without one.
// The verb that wrote it shows in its fields.
func readShown(stdin io.Reader, files []string) (*shown, error) {
	r := stdin
	if len(files) > 0 {
		f, err := os.Open(files[0])
		if err != nil {
			return nil, badData(files[0], "it cannot be read", "give a result of --json",
				cause(err))
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, noResult(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, noResult(err)
	}
	has := func(name string) bool { _, ok := fields[name]; return ok }
	switch {
	case has("verdict"):
		return shownAs(data, func(f *reveal.Finding) shown {
			return shown{func(w io.Writer) error { return describe.WriteFinding(w, f) },
				[]*reveal.Finding{f}, f.Witness == nil}
		})
	case has("groups"):
		return shownAs(data, func(c *reveal.Comparison) shown {
			s := shown{write: func(w io.Writer) error { return describe.WriteComparison(w, c) }}
			for _, members := range c.Groups {
				s.findings = append(s.findings, c.Findings[members[0]])
			}
			return s
		})
	case has("classes"):
		return shownAs(data, func(v *reveal.Invariance) shown {
			s := shown{write: func(w io.Writer) error { return describe.WriteInvariance(w, v) }}
			for _, c := range v.Classes {
				s.findings = append(s.findings, c.Representative)
			}
			return s
		})
	case has("differing") && !has("arrays"):
		return shownAs(data, func(r *explainfiles.Report) shown {
			return shown{write: func(w io.Writer) error { return writeReport(w, r) }}
		})
	}
	return nil, noResult(nil)
}

// shownAs reads a result of one type.
func shownAs[T any](data []byte, show func(*T) shown) (*shown, error) {
	result := new(T)
	if err := json.Unmarshal(data, result); err != nil {
		return nil, noResult(err)
	}
	s := show(result)
	return &s, nil
}

func noResult(err error) error {
	return badData("lastbit show",
		"its input is not a result of reveal, compare, invariant or explain",
		"give what one of them has printed with --json", err)
}

// writeReport writes a comparison of arrays, with its cause where one was asked
// for.
func writeReport(w io.Writer, r *explainfiles.Report) error {
	if r.Explanation == nil {
		r.Explanation = &explain.Explanation{}
	}
	explainfiles.Write(w, r, r.Explanation.A != nil)
	return nil
}

// writeHTML writes a part of a page: the text, and a picture of each tree.
func (s *shown) writeHTML(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("<div class=\"lastbit\">\n")
	if !s.pictured {
		var words bytes.Buffer
		if err := s.write(&words); err != nil {
			return err
		}
		fmt.Fprintf(&b, "<pre style=\"white-space:pre-wrap\">%s</pre>\n",
			html.EscapeString(words.String()))
	}
	for _, f := range s.findings {
		if f.Tree == nil && !s.pictured {
			continue
		}
		b.WriteString("<div style=\"overflow-x:auto\">\n")
		if err := report.SVG(&b, describe.Drawing(f)); err != nil {
			return err
		}
		b.WriteString("</div>\n")
	}
	b.WriteString("</div>\n")
	_, err := w.Write(b.Bytes())
	return err
}
