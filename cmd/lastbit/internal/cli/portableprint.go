package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/vetreport"
	"github.com/lastbit/lastbit/vet/portable"
)

// portableAnswer is the JSON of lastbit portable.
type portableAnswer struct {
	Portable   bool            `json:"portable"`
	Places     int             `json:"places"`
	Files      int             `json:"files"`
	Rewritable int             `json:"rewritable"`
	Packages   int             `json:"packages"`
	Targets    []string        `json:"targets"`
	Kinds      map[string]int  `json:"kinds"`
	List       []portablePlace `json:"list"`
	Steps      []portableStep  `json:"steps,omitempty"`   // of --write
	Changed    []string        `json:"changed,omitempty"` // files, by --write
	Notes      []string        `json:"notes,omitempty"`
	Unread     []string        `json:"not_examined,omitempty"`
	Skipped    []string        `json:"files_not_examined,omitempty"`
	Known      int             `json:"known,omitempty"` // places of the baseline
	Gone       int             `json:"gone,omitempty"`  // its entries without a place
	Copies     []portableCopy  `json:"copies,omitempty"`
}

type portableCopy struct {
	Module  string `json:"module"`
	Version string `json:"version,omitempty"`
	Folder  string `json:"folder"`
	Files   int    `json:"files"`
	License string `json:"license"`
	Replace string `json:"replace"` // "" in the vendor folder
}

type portablePlace struct {
	Package    string   `json:"package"`
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Column     int      `json:"column"`
	Kind       string   `json:"kind"`
	Message    string   `json:"message"`
	Rewritable bool     `json:"rewritable"`
	Reason     string   `json:"reason,omitempty"`
	Targets    []string `json:"targets,omitempty"`
}

type portableStep struct {
	Kind   string `json:"kind"`
	Places int    `json:"places"`
	Files  int    `json:"files"`
}

// object returns the answer as JSON.
func (v *portableVerb) object(r *portable.Result) portableAnswer {
	a := portableAnswer{
		Portable: len(r.Left.Places) == 0 && len(r.Left.Failed) == 0,
		Places:   len(r.Left.Places), Files: r.Left.Files(), Rewritable: r.Left.Rewritable(),
		Packages: r.Left.Packages, Targets: v.targetNames(), Kinds: map[string]int{},
		List: []portablePlace{}, Notes: portableNotes(r), Changed: changedFiles(r),
		Known: v.known, Gone: v.gone, Unread: r.Left.Unread,
		Skipped: relatives(r.Left.Skipped),
	}
	for _, p := range r.Left.Places {
		a.Kinds[p.Kind]++
		a.List = append(a.List, portablePlace{p.Package, vetreport.Relative(p.At.File), p.At.Line,
			p.At.Column, p.Kind, p.Message, p.Rewritable, p.Reason, p.Targets})
	}
	for _, c := range r.Copies {
		copied := portableCopy{Module: c.Path, Version: c.Version, Folder: c.Dir, Files: c.Files,
			License: c.License}
		if !c.Vendored {
			copied.Replace = c.Replace()
		}
		a.Copies = append(a.Copies, copied)
	}
	for _, s := range r.Steps {
		a.Steps = append(a.Steps, portableStep(s))
	}
	return a
}

// targetNames returns the processors that the compiler was asked about.
func (v *portableVerb) targetNames() []string {
	names := []string{}
	for _, t := range v.options.Targets {
		names = append(names, t.String())
	}
	return names
}

// changedFiles returns the files of a result, as people type them.
func changedFiles(r *portable.Result) []string {
	return relatives(slices.Sorted(maps.Keys(r.Files)))
}

// relatives returns files as people type them.
func relatives(files []string) []string {
	var all []string
	for _, name := range files {
		all = append(all, vetreport.Relative(name))
	}
	return all
}

// print prints the steps, the answer, the counts and the places.
func (v *portableVerb) print(r *portable.Result) {
	v.printSteps(r)
	left := r.Left
	v.printAnswer(left)
	if v.baseline != "" {
		fmt.Fprintf(v.stdout, "known: %s of %s, and %d gone\n", text.Count(v.known, "place"),
			v.baseline, v.gone)
	}
	fmt.Fprintf(v.stdout, "asked: the sources%s\n", v.compilers())
	for _, n := range bitsNote(left, firstOf) {
		fmt.Fprintln(v.stdout, "note: "+n)
	}
	if n := len(left.Unread); n > 0 {
		fmt.Fprintf(v.stdout, "not examined: %s of this module that these import: %s\n",
			text.Count(n, "package"), firstOf(left.Unread))
	}
	if n := len(left.Skipped); n > 0 {
		fmt.Fprintf(v.stdout, "not examined: %s for other platforms or build tags: %s\n",
			text.Count(n, "file"), firstOf(relatives(left.Skipped)))
	}
	v.printPlaces(left)
}

// printAnswer prints the answer, and the counts of places.
func (v *portableVerb) printAnswer(left *portable.Report) {
	n, unread := len(left.Places), text.Count(len(left.Failed), "package")
	switch {
	case n == 0 && len(left.Failed) > 0:
		fmt.Fprintf(v.stdout, "not known: %s could not be examined; no %s found in %s\n", unread,
			v.new("place"), text.Count(left.Packages, "package"))
		return
	case n == 0:
		fmt.Fprintf(v.stdout, "yes: no %s found in %s\n", v.new("place"),
			text.Count(left.Packages, "package"))
		return
	}
	more := ""
	if len(left.Failed) > 0 {
		more = "; " + unread + " could not be examined"
	}
	fmt.Fprintf(v.stdout, "no: %s in %s; %s%s\n", text.Count(n, v.new("place")),
		text.Count(left.Files(), "file"), canBe(left.Rewritable()), more)
	v.printKinds(left)
}

// new returns a word for a thing that a baseline does not list.
func (v *portableVerb) new(thing string) string {
	if v.baseline != "" {
		return "new " + thing
	}
	return thing
}

// compilers returns whom the compiler was asked for, if it was.
func (v *portableVerb) compilers() string {
	if len(v.options.Only) > 0 && !slices.Contains(v.options.Only, "fma") {
		return ""
	}
	return ", and the compiler for " + strings.Join(v.targetNames(), ", ")
}

// canBe returns how many places can be rewritten.
func canBe(n int) string {
	if n == 0 {
		return "none can be rewritten"
	}
	return fmt.Sprintf("%d can be rewritten", n)
}

// printSteps prints what was rewritten.
func (v *portableVerb) printSteps(r *portable.Result) {
	for _, s := range r.Steps {
		fmt.Fprintf(v.stdout, "%s: %s rewritten in %s\n", s.Kind, text.Count(s.Places, "place"),
			text.Count(s.Files, "file"))
	}
	if len(r.Copies) > 0 {
		v.printCopies(r.Copies)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(v.stdout, "note: "+n)
	}
}

// portableNotes returns all notes of a result, with every place.
func portableNotes(r *portable.Result) []string {
	every := func(places []string) string { return strings.Join(places, ", ") }
	return slices.Concat(r.Notes, bitsNote(r.Left, every))
}

// bitsNote returns a note about the bits of NaN, if some are taken. list makes
// a text of the places.
func bitsNote(r *portable.Report, list func([]string) string) []string {
	if len(r.Bits) == 0 {
		return nil
	}
	var all []string
	for _, p := range r.Bits {
		all = append(all, fmt.Sprintf("%s:%d", vetreport.Relative(p.File), p.Line))
	}
	return []string{"bits of numbers are taken, and a NaN that arithmetic makes has " +
		"other ones on another processor: " + list(all)}
}

// printCopies prints the modules that were rewritten, and how to take them.
func (v *portableVerb) printCopies(all []portable.Copy) {
	how := "; these lines of go.mod take the copies"
	if all[0].Vendored {
		how = " in the vendor folder, which go mod vendor undoes"
	}
	fmt.Fprintf(v.stdout, "\n%s rewritten%s:\n\n", text.Count(len(all), "module"), how)
	for _, c := range all {
		what := c.Replace()
		if c.Vendored {
			what = c.Path + " " + c.Version
		}
		fmt.Fprintf(v.stdout, "%s // %s, %s\n", what, text.Count(c.Files, "file"), c.License)
	}
	fmt.Fprintln(v.stdout)
}

// printKinds prints the number of places of each kind.
func (v *portableVerb) printKinds(r *portable.Report) {
	counts := map[string]int{}
	for _, p := range r.Places {
		counts[p.Kind]++
	}
	kinds := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(kinds, func(a, b string) int { return counts[b] - counts[a] })
	for _, k := range kinds {
		fmt.Fprintf(v.stdout, "  %5d %s %s\n", counts[k], text.Pad(k, 10), portable.Title(k))
	}
}

// printPlaces prints the places by file.
func (v *portableVerb) printPlaces(r *portable.Report) {
	file := ""
	for _, p := range r.Places {
		if p.At.File != file {
			file = p.At.File
			fmt.Fprintf(v.stdout, "\n%s\n", vetreport.Relative(file))
		}
		fmt.Fprintf(v.stdout, "  %d:%d: %s (%s)\n", p.At.Line, p.At.Column,
			text.Visible(p.Message), p.Kind)
		if !p.Rewritable {
			fmt.Fprintf(v.stdout, "    not rewritten: %s\n", text.Visible(p.Reason))
		}
	}
}

// annotate prints a command for each place that GitHub shows beside its line.
func (v *portableVerb) annotate(r *portable.Report) {
	for _, p := range r.Places {
		vetreport.Annotate(v.stdout, "error", "lastbit portable "+p.Kind, p.At, p.Message)
	}
}

// printDiff prints the changes of files.
func (v *portableVerb) printDiff(r *portable.Result) error {
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		old, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		short := filepath.ToSlash(vetreport.Relative(name))
		text := diff.Diff("a/"+short, old, "b/"+short, r.Files[name])
		if _, err := v.stdout.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// firstOf lists the first of many names.
func firstOf(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
