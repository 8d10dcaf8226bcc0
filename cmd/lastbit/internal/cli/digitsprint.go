package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/instrument/digits"
)

// write writes the report for people.
func (v *digitsVerb) write(w io.Writer, a *digits.Analysis) {
	fmt.Fprintln(w, headline(a))
	if a.Exit != 0 {
		fmt.Fprintf(w, "the program's exit code is %d\n", a.Exit)
	}
	if len(a.Tokens) > 0 {
		fmt.Fprintln(w)
		fmt.Fprint(w, digits.Render(a.Plain.Stdout, a.Tokens))
	}
	v.writeLines(w, a.Lines)
	writeUnordered(w, a.Unordered)
	v.writeBlame(w, a)
	v.writeAdvice(w, a.Advice)
	v.writeSynchronous(w, a.Synchronous)
}

// writeBlame writes the lines that cause the loss.
func (v *digitsVerb) writeBlame(w io.Writer, a *digits.Analysis) {
	if len(a.Blame) > 0 {
		fmt.Fprintln(w)
	}
	sources := 0
	for _, g := range a.Blame {
		if g.Role == digits.Source {
			if sources++; sources > maxLines {
				continue
			}
		}
		fmt.Fprintf(w, "%s:%d  %s\n", g.File, g.Line, g.Role)
		for _, c := range g.Calls {
			fmt.Fprintf(w, "    %s\n", c)
		}
	}
	if sources > maxLines {
		fmt.Fprintf(w, "%s more: --json lists all\n",
			count(sources-maxLines, "source", "sources"))
	}
	if a.BlameEnded {
		fmt.Fprintln(w, "the search was ended after many runs: fewer sources may cause the loss")
	}
	if p := a.Paths; p != nil && p.Cut {
		fmt.Fprintf(w, "%s, cut to their innermost %s: longer paths are too many\n",
			count(p.Count, "path of calls", "paths of calls"), count(p.Depth, "call", "calls"))
	}
	if p := a.Paths; p != nil && p.Unlisted > 0 {
		fmt.Fprintf(w, "%s in further paths of calls found no room, and were not blamed: "+
			"leave out --calls to blame lines\n",
			count(int(p.Unlisted), "operation", "operations"))
	}
}

// writeSynchronous writes the warnings of the three-sample type.
func (v *digitsVerb) writeSynchronous(w io.Writer, s *digits.Synchronous) {
	switch {
	case s == nil:
		return
	case len(s.Instabilities) == 0:
		fmt.Fprintln(w, "\nthree samples show no instability")
	default:
		fmt.Fprintln(w, "\nthree samples show:")
	}
	for _, i := range s.Instabilities {
		fmt.Fprintf(w, "%s:%d  %s, %s, the first in execution %d\n", i.File, i.Line, i.Kind,
			count(i.Count, "time", "times"), i.First)
	}
	if len(s.Apart) > 0 {
		fmt.Fprintf(w, "%s executed a different number of times, and not compared\n",
			count(len(s.Apart), "line is", "lines are"))
	}
}

// writeAdvice writes the precision that lines need.
func (v *digitsVerb) writeAdvice(w io.Writer, all []digits.Advice) {
	if v.options.Advise > 0 {
		fmt.Fprintf(w, "\nto keep %s:\n", count(v.options.Advise, "digit", "digits"))
	}
	for _, a := range all {
		advice := "float32 is enough"
		if a.Precision == digits.MoreThanFloat {
			advice = "needs more than float64"
		}
		fmt.Fprintf(w, "%s:%d  %s\n", a.File, a.Line, advice)
	}
}

// maxLines bounds the lines that are listed without --profile.
const maxLines = 10

// writeLines writes the lines that lose digits.
func (v *digitsVerb) writeLines(w io.Writer, lines []digits.Line) {
	if len(lines) == 0 {
		return
	}
	more := 0
	if !v.options.Profile && len(lines) > maxLines {
		lines, more = lines[:maxLines], len(lines)-maxLines
	}
	rows := [][]string{{"", "digits lost", "cancellations", "unstable", "NaN or Inf"}}
	for _, l := range lines {
		rows = append(rows, []string{
			fmt.Sprintf("%s:%d", l.File, l.Line), fmt.Sprintf("%.1f", l.Lost),
			fmt.Sprint(l.Cancellations), fmt.Sprint(l.Unstable), fmt.Sprint(l.NaN),
		})
	}
	fmt.Fprintln(w)
	text.Table(w, "", rows, 1, 2, 3, 4)
	if more > 0 {
		fmt.Fprintf(w, "%s more: --profile lists all\n", count(more, "line", "lines"))
	}
}

// writeUnordered names lines that the program's schedule changes.
func writeUnordered(w io.Writer, all []digits.Place) {
	if len(all) == 0 {
		return
	}
	const listed = 3
	var names []string
	for _, at := range all[:min(len(all), listed)] {
		names = append(names, fmt.Sprintf("%s:%d", at.File, at.Line))
	}
	more := ""
	if len(all) > listed {
		more = fmt.Sprintf(" and %s more", count(len(all)-listed, "line", "lines"))
	}
	fmt.Fprintf(w, "\nThe program's schedule, or the time, changes the operations of %s%s: "+
		"their losses are not estimated, and --seed does not fix them.\n",
		strings.Join(names, ", "), more)
}

// lossyNumbers counts the numbers that are printed with digits that are not
// right.
func lossyNumbers(a *digits.Analysis) (n int) {
	for _, t := range a.Tokens {
		if t.Digits != nil && t.Shown != t.Plain && !t.Varies && *t.Digits < digits.MaxDigits {
			n++
		}
	}
	return n
}

// headline answers the question: how many digits are right.
func headline(a *digits.Analysis) string {
	numbers, lossy, varying, words, upTo := 0, 0, 0, 0, ""
	var worst *digits.Token
	for i, t := range a.Tokens {
		if t.Varies {
			varying++
		} else if t.Differs && t.Digits == nil {
			words++
		}
		if t.Digits == nil {
			continue
		}
		numbers++
		switch {
		case t.Shown == t.Plain || t.Varies:
		case *t.Digits >= digits.MaxDigits:
			upTo = ", up to the 16th"
		default:
			lossy++
			if worst == nil || *t.Digits < *worst.Digits {
				worst = &a.Tokens[i]
			}
		}
	}
	others := ""
	if words > 0 {
		others = fmt.Sprintf("; %s with random rounding",
			count(words, "word changes", "words change"))
	}
	if varying > 0 {
		others += fmt.Sprintf("; %s without random rounding",
			count(varying, "word changes", "words change"))
	}
	if a.Stopped > 0 {
		others += fmt.Sprintf("; %s ended, which took far longer than the program itself",
			count(a.Stopped, "run was", "runs were"))
	}
	if a.OtherExits > 0 {
		others += fmt.Sprintf("; the exit code changes in %s",
			count(a.OtherExits, "run", "runs"))
	}
	left := leftOut(a.Omitted)
	switch {
	case a.Runs == 0:
		return "one run without random rounding"
	case numbers == 0:
		return "the program printed no number" + others + left
	case worst == nil && (left != "" || !isUsual(&a.Report)):
		return fmt.Sprintf("no printed digit of %s changed%s%s%s%s",
			count(numbers-varying, "number", "numbers"), upTo, inRuns(&a.Report), others, left)
	case worst == nil:
		return fmt.Sprintf("all printed digits of %s are right%s, in %d runs%s",
			count(numbers-varying, "number", "numbers"), upTo, a.Runs, others)
	}
	how := ""
	if !isUsual(&a.Report) {
		how = ";" + inRuns(&a.Report)
	}
	return fmt.Sprintf("%d of %s lost digits; the worst has %.1f right: %s, line %d%s%s%s",
		lossy, count(numbers, "number", "numbers"), *worst.Digits,
		bare(worst.Plain), worst.Line, how, others, left)
}

// bare returns a word without the punctuation around it. Brackets stay around a
// word with brackets inside, such as a point.
func bare(word string) string {
	const marks, brackets = ".,;:", "()[]{}"
	if s := strings.Trim(word, marks+brackets); !strings.ContainsAny(s, brackets) {
		return s
	}
	return strings.Trim(word, marks)
}
