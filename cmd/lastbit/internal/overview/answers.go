package overview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/explainfiles"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/reveal"
)

// Answer is a sentence of the first screen, with the anchor of its evidence.
type Answer struct {
	Text   string `json:"text"`
	Anchor string `json:"anchor"`
	Level  Level  `json:"level"`
}

// Level tells the reader whether an answer needs attention.
type Level string

// The levels of answers.
const (
	Good    Level = "good"    // nothing to do
	Look    Level = "look"    // results may differ, or digits are lost
	Missing Level = "missing" // no answer: a section failed or was interrupted
)

// answers returns the sentences of the first screen, in the order of sections.
func answers(r *Report) []Answer {
	list := []Answer{}
	for _, s := range r.Sections {
		fill := answerers[s.Verb]
		list = append(list, fill(r)...)
		if s.State == Failed || s.State == Interrupted {
			list = append(list, Answer{s.Title + ": " + sentence(s.Why), s.ID, Missing})
		}
	}
	return list
}

// answerers holds the function that answers for each verb.
var answerers = map[string]func(*Report) []Answer{
	"audit": answerWays, "libm": answerFunctions, "invariant": answerSweeps, "lock": answerLock,
	"vet": answerGo, "digits": answerDigits, "explain": answerPairs,
}

// sentence ends s with a full stop.
func sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// capital begins s with a capital letter.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// maxNames bounds the targets that an answer names.
const maxNames = 3

func answerWays(r *Report) []Answer {
	if r.Audit == nil {
		return nil
	}
	s := r.Audit.Summary
	level := Good
	if s.Conclusion != reveal.Same || len(s.Doubts) > 0 {
		level = Look
	}
	list := []Answer{{s.Answer(), "ways", level}}
	if said, anchor := r.Audit.Notable(); said != "" {
		list = append(list, Answer{said, anchor, level})
	}
	if r.Agreement != nil {
		list = append(list, Answer{sentence(r.Agreement.Answer()), "agreement", level})
	}
	var doubtful []string
	for _, d := range s.Doubts {
		if !slices.Contains(doubtful, d.Target) {
			doubtful = append(doubtful, d.Target)
		}
	}
	if n := len(doubtful); n > 0 {
		names := strings.Join(doubtful[:min(n, maxNames)], ", ")
		if n > maxNames {
			names += fmt.Sprintf(" and %d more", n-maxNames)
		}
		list = append(list, Answer{"Look at " + names + ": not proven, or perhaps a bug.",
			r.Audit.Where(doubtful[0]), Look})
	}
	if s.Failed > 0 {
		list = append(list, Answer{capital(text.Count(s.Failed, "target")) +
			" could not be run.", "ways", Missing})
	}
	return list
}

func answerFunctions(r *Report) []Answer {
	if r.Libm == nil {
		return nil
	}
	wrong, all := 0, 0
	var worst *libm.Print
	for _, p := range r.Libm.Prints {
		if p.Library == "crmath" {
			continue
		}
		all++
		if p.Wrong == 0 {
			continue
		}
		wrong++
		if worst == nil || p.Worst > worst.Worst {
			worst = p
		}
	}
	if worst == nil {
		return []Answer{{fmt.Sprintf("All %s round correctly on the arguments tried.",
			text.Count(all, "elementary function")), "functions", Good}}
	}
	return []Answer{{fmt.Sprintf("%d of %s round some results wrongly; the worst is %s of %s (%s).",
		wrong, text.Count(all, "elementary function"), functionName(worst), worst.Version,
		worst.WorstWords()), "functions", Look}}
}

func answerSweeps(r *Report) (list []Answer) {
	for i, s := range r.Invariant {
		anchor := fmt.Sprintf("invariance-%d", i+1)
		switch {
		case s.Error != nil:
			list = append(list, Answer{s.Name + ": " + sentence(reason(s.Error)), anchor, Missing})
		default:
			level := Look
			if s.Result.Conclusion == reveal.Same {
				level = Good
			}
			list = append(list, Answer{s.Name + ": " + sentence(s.Answer), anchor, level})
		}
	}
	return list
}

func answerLock(r *Report) []Answer {
	if r.Lock == nil {
		return nil
	}
	level := Look
	if r.Lock.Conclusion == reveal.Same {
		level = Good
	}
	return []Answer{{r.Lock.File + ": " + sentence(r.Lock.Answer), "project", level}}
}

func answerGo(r *Report) []Answer {
	if r.Vet == nil {
		return nil
	}
	level := Look
	if len(r.Vet.Findings) == 0 {
		level = Good
	}
	list := []Answer{{r.Vet.Answer(), "go", level}}
	if i := slices.IndexFunc(r.Vet.Findings, func(p Place) bool {
		return p.Analyzer == "fma"
	}); i >= 0 {
		p := r.Vet.Findings[i]
		where := ""
		if len(p.Targets) > 0 {
			where = " for " + strings.Join(p.Targets, ", ")
		}
		list = append(list, Answer{fmt.Sprintf("%s:%d is the first line that a compiler fuses%s.",
			p.File, p.Line, where), fmt.Sprintf("go-%d", i+1), Look})
	}
	if n := len(r.Vet.Failed); n > 0 {
		list = append(list, Answer{capital(text.Count(n, "package")) +
			" of your Go code could not be examined.", "go", Missing})
	}
	return list
}

// Answer counts the places in a sentence.
func (v *Vet) Answer() string {
	switch n := len(v.Findings); n {
	case 0:
		return "No place was found in your Go code that computes other bits on other machines."
	case 1:
		return "1 place in your Go code computes other bits elsewhere."
	default:
		return fmt.Sprintf("%d places in your Go code compute other bits elsewhere.", n)
	}
}

func answerDigits(r *Report) (list []Answer) {
	for i, p := range r.Digits {
		a := Answer{Anchor: fmt.Sprintf("digits-%d", i+1), Level: Good}
		switch {
		case p.Error != nil:
			a.Text, a.Level = p.Name+": "+sentence(reason(p.Error)), Missing
		case p.Wrong > 0:
			a.Text = fmt.Sprintf("The program %s prints %s with digits that are not right.",
				p.Name, text.Count(p.Wrong, "number"))
			a.Level = Look
		default:
			a.Text = "The program " + p.Name + ": " + sentence(p.Answer)
		}
		list = append(list, a)
	}
	return list
}

func answerPairs(r *Report) (list []Answer) {
	for i, p := range r.Explain {
		anchor := fmt.Sprintf("differences-%d", i+1)
		if p.Error != nil {
			a := Answer{p.name() + ": " + sentence(reason(p.Error)), anchor, Missing}
			list = append(list, a)
			continue
		}
		for _, one := range p.Reports {
			a := Answer{p.name() + ": ", anchor, Good}
			if one.Name != "" {
				a.Text += one.Name + ": "
			}
			a.Text += explainfiles.Headline(one.Differences)
			if one.Differing > 0 {
				a.Level = Look
			}
			if one.Explanation != nil && len(one.Explanation.Values) > 0 {
				a.Text += "; the cause: " + string(one.Explanation.Values[0].Cause)
			}
			a.Text = sentence(a.Text)
			list = append(list, a)
		}
		for _, s := range p.alone() {
			list = append(list, Answer{p.name() + ": " + sentence(s), anchor, Look})
		}
	}
	return list
}

// alone describes the arrays that one of the two lacks, a line for each side.
func (p *Pair) alone() (lines []string) {
	for _, side := range []struct {
		file  string
		names []string
	}{{p.A, p.OnlyA}, {p.B, p.OnlyB}} {
		if len(side.names) > 0 {
			lines = append(lines, "only in "+side.file+": "+strings.Join(side.names, ", "))
		}
	}
	return lines
}

// name names the pair.
func (p *Pair) name() string { return p.A + " and " + p.B }

// functionName returns the name of a function with its format.
func functionName(p *libm.Print) string { return p.Function + " " + p.DType.String() }
