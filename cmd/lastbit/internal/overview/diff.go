package overview

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/audit"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/explainfiles"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/lock"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// Diff holds what differs between two reports.
type Diff struct {
	A Side `json:"a"`
	B Side `json:"b"`
	// Conclusion is reveal.Open where nothing differs, and Unverified or Apart
	// is not empty.
	Conclusion reveal.Conclusion `json:"conclusion"`
	Unverified []string          `json:"unverified"`
	Apart      []string          `json:"not_compared"` // a line each, with the reason
	Topics     []*Topic          `json:"topics"`
	Settings   *Settings         `json:"settings,omitempty"`

	profiles [2]*lockfile.Profile // of the libraries with changes
}

// Side is one of two reports.
type Side struct {
	File    string        `json:"file"`
	Made    time.Time     `json:"made"`
	Machine audit.Machine `json:"machine"`
}

// Topic holds the differences of one section.
type Topic struct {
	Title string `json:"title"`
	// Results reports whether results differ, and not only versions or places.
	Results bool     `json:"results"`
	Entries []*Entry `json:"entries"`
}

// Entry is one difference, side by side.
type Entry struct {
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
	// Witness is the smallest input that shows it, with both results, where
	// both reports have a proven tree.
	Witness *lock.Witness  `json:"witness,omitempty"`
	Like    []string       `json:"like,omitempty"` // names of others that differ alike
	Rows    []report.Trait `json:"-"`
}

// Settings is the answer which settings end the differences.
type Settings struct {
	Why string `json:"why,omitempty"` // none was looked for
	*lock.Pin
}

// Compare compares two reports, which files hold. It fails when ctx ends, with
// a finding that cannot be replayed, and with the *probe.Fault not-comparable
// where no section is in both.
func Compare(ctx context.Context, a, b *Report, files [2]string) (*Diff, error) {
	d := &Diff{
		A:          Side{files[0], a.Made, a.Machine},
		B:          Side{files[1], b.Made, b.Machine},
		Unverified: []string{}, Apart: []string{}, Topics: []*Topic{},
	}
	if !d.sections(a, b) {
		return nil, &probe.Fault{ID: "not-comparable", Thing: files[0] + " and " + files[1],
			Cause: "no section is done in both", Cure: "make both with the same --sections"}
	}
	d.machine(a, b)
	if err := d.ways(ctx, a, b); err != nil {
		return nil, err
	}
	d.functions(a, b)
	d.named("Batch, threads and ranks", sweepAnswers(a), sweepAnswers(b))
	d.named("This project", lockAnswers(a), lockAnswers(b))
	d.places(a, b)
	d.named("Digits", programAnswers(a), programAnswers(b))
	d.named("Differences", pairAnswers(a), pairAnswers(b))
	switch {
	case slices.ContainsFunc(d.Topics, func(t *Topic) bool { return t.Results }):
		d.Conclusion = reveal.Different
	case len(d.Unverified)+len(d.Apart) > 0:
		d.Conclusion = reveal.Open
	default:
		d.Conclusion = reveal.Same
	}
	return d, nil
}

// add adds a topic unless it is empty.
func (d *Diff) add(title string, results bool, entries []*Entry) {
	if len(entries) > 0 {
		d.Topics = append(d.Topics, &Topic{title, results, entries})
	}
}

// machine compares the machines and the versions of libraries.
func (d *Diff) machine(a, b *Report) {
	var list []*Entry
	compare := func(name, x, y string) {
		if x != y {
			list = append(list, &Entry{Name: name, A: text.Or(x, "none"), B: text.Or(y, "none")})
		}
	}
	m, n := a.Machine, b.Machine
	compare("platform", m.Platform, n.Platform)
	compare("CPU", m.CPU, n.CPU)
	compare("cores", fmt.Sprint(m.Cores), fmt.Sprint(n.Cores))
	compare("lastbit", m.Lastbit, n.Lastbit)
	compare("settings", strings.Join(m.Settings, " "), strings.Join(n.Settings, " "))
	if a.Audit != nil && b.Audit != nil {
		x, y := byName(a.Audit.Libraries), byName(b.Audit.Libraries)
		for _, name := range slices.Sorted(maps.Keys(both(x, y))) {
			compare(name, x[name].Name, y[name].Name)
			if x[name].Name != "" && y[name].Name != "" {
				compare(name+", kernels", inWords(x[name].Kernels), inWords(y[name].Kernels))
				compare(name+", settings", inWords(x[name].Settings), inWords(y[name].Settings))
			}
		}
	}
	d.add("This machine", false, list)
}

// inWords writes words as a list.
func inWords(words []string) string { return strings.Join(words, ", ") }

// byName maps the names of libraries, without their versions, to them.
func byName(list []audit.Library) map[string]audit.Library {
	all := map[string]audit.Library{}
	for _, l := range list {
		name, version, _ := strings.Cut(l.Name, " ")
		if version == "" {
			name = l.Name
		}
		all[name] = l
	}
	return all
}

// both returns the union of two maps of libraries.
func both(a, b map[string]audit.Library) map[string]audit.Library {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// ways compares the revealed operations that both reports have.
func (d *Diff) ways(ctx context.Context, a, b *Report) error {
	if a.Audit == nil || b.Audit == nil {
		return nil
	}
	old, err := a.profile()
	if err != nil {
		return err
	}
	now, err := b.profile()
	if err != nil {
		return err
	}
	var list, only []*Entry
	for _, o := range old.Operations {
		name := o.Name()
		if now.Operation(name) == nil {
			only = append(only, &Entry{Name: name, A: words(o), B: "not in this report"})
		}
	}
	for _, c := range lockfile.Compare(old, now, nil).Changes {
		if c.Kind == lockfile.NotLocked {
			only = append(only, &Entry{Name: c.Name, A: "not in this report", B: words(c.New)})
			continue
		}
		e := &Entry{Name: c.Name, A: words(c.Old), B: words(c.New)}
		for _, p := range c.With {
			if p.Name == "kernel" && c.New.Library != "" {
				continue // among the libraries of the machine
			}
			e.Rows = append(e.Rows, report.Trait{Name: p.Name,
				Value: text.Or(p.Old, "none") + " → " + text.Or(p.New, "none")})
		}
		if e.Witness, err = lock.Between(ctx, c.Old, c.New, reveal.Options{}); err != nil {
			return err
		}
		if e.Witness != nil {
			e.Rows = append(e.Rows, e.Witness.Rows("A", "B")...)
		}
		list = append(list, e)
	}
	d.unverified(old, now, list)
	d.profiles = [2]*lockfile.Profile{concerned(old, list, now), concerned(now, list, old)}
	d.add("Ways to add", true, gather(list))
	d.add("Ways to add that one report has", false, only)
	if len(only) > 0 {
		d.Apart = append(d.Apart, fmt.Sprintf("Ways to add: %s in one report only",
			isOrAre(len(only))))
	}
	return ctx.Err()
}

// gather joins the entries that differ alike, with the same input.
func gather(list []*Entry) (joined []*Entry) {
	first := map[string]*Entry{}
	for _, e := range list {
		key := fmt.Sprint(e.A, "\x00", e.B, "\x00", e.Rows)
		if f := first[key]; f != nil && e.Witness != nil {
			f.Like = append(f.Like, e.Name)
			continue
		}
		first[key] = e
		joined = append(joined, e)
	}
	return joined
}

// words describes an operation: its order and its arithmetic.
func words(o *lockfile.Operation) string {
	if !o.Verified() {
		return o.Verdict
	}
	s := text.Or(o.Family, "tree "+o.Tree[:8])
	if o.Arithmetic != "" {
		s += ", " + o.Arithmetic
	}
	return s
}

// unverified collects the operations that are in both reports, did not change
// and are not proven.
func (d *Diff) unverified(old, now *lockfile.Profile, changed []*Entry) {
	for _, o := range old.Operations {
		p := now.Operation(o.Name())
		if p == nil || lock.Settled(o) && lock.Settled(p) || slices.ContainsFunc(changed,
			func(e *Entry) bool { return e.Name == o.Name() }) {
			continue
		}
		d.Unverified = append(d.Unverified, o.Name())
	}
}

// concerned returns the operations of a profile whose library computes some
// operation otherwise in another profile, and that are proven in both.
func concerned(p *lockfile.Profile, changed []*Entry, other *lockfile.Profile) *lockfile.Profile {
	part := &lockfile.Profile{Class: p.Class, Settings: p.Settings}
	name := func(o *lockfile.Operation) string {
		library, _, _ := strings.Cut(o.Library, " ")
		return library
	}
	var names []string
	for _, e := range changed {
		names = append(names, name(p.Operation(e.Name)))
	}
	for _, o := range p.Operations {
		q := other.Operation(o.Name())
		if slices.Contains(names, name(o)) && q != nil && o.Verified() && q.Verified() {
			part.Operations = append(part.Operations, o)
		}
	}
	return part
}

// functions compares elementary functions.
func (d *Diff) functions(a, b *Report) {
	if a.Libm == nil || b.Libm == nil {
		return
	}
	var list []*Entry
	diff := a.Libm.Diff(b.Libm)
	if n := len(diff.OnlyOne); n > 0 {
		d.Apart = append(d.Apart,
			fmt.Sprintf("Elementary functions: %s in one report only", isOrAre(n)))
	}
	for _, p := range diff.Differ {
		e := &Entry{Name: functionName(p.Here), A: printWords(p.Here), B: printWords(p.There)}
		if slices.Equal(p.Here.At, p.There.At) && p.Here.Gave != p.There.Gave {
			call := p.Here.Function + "(" + arguments(p.Here) + ")"
			e.Rows = []report.Trait{{Name: "call", Value: call},
				{Name: "A", Value: string(p.Here.Gave)}, {Name: "B", Value: string(p.There.Gave)},
				{Name: "right", Value: string(p.Here.Right)}}
		}
		list = append(list, e)
	}
	d.add("Elementary functions", true, list)
}

// printWords describes the results of a function.
func printWords(p *libm.Print) string {
	s := fmt.Sprintf("%s: %s wrong, at most %s", p.Version, libm.Percent(p.Wrong, p.Count),
		p.WorstWords())
	if len(p.At) > 0 {
		s += " at " + arguments(p)
	}
	return s
}

// isOrAre writes a number with its verb.
func isOrAre(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// named compares answers by their names. Names that one report lacks are noted.
func (d *Diff) named(title string, a, b []report.Trait) {
	if len(a) == 0 || len(b) == 0 {
		return // sections has noted it
	}
	d.only(title, a, b, d.A.File)
	d.only(title, b, a, d.B.File)
	var list []*Entry
	for _, x := range a {
		for _, y := range b {
			if x.Name == y.Name && x.Value != y.Value {
				list = append(list, &Entry{Name: x.Name, A: x.Value, B: y.Value})
			}
		}
	}
	d.add(title, true, list)
}

// only notes the names of a that b lacks.
func (d *Diff) only(title string, a, b []report.Trait, file string) {
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y report.Trait) bool { return x.Name == y.Name }) {
			d.Apart = append(d.Apart, title+": "+x.Name+" is only in "+file)
		}
	}
}

func sweepAnswers(r *Report) (list []report.Trait) {
	for _, s := range r.Invariant {
		if s.Error == nil {
			list = append(list, report.Trait{Name: s.Name, Value: s.Answer})
		}
	}
	return list
}

func lockAnswers(r *Report) (list []report.Trait) {
	if r.Lock == nil {
		return nil
	}
	answer := r.Lock.Answer
	for _, c := range r.Lock.Changes {
		answer += "; " + lock.Summary(c)
	}
	return []report.Trait{{Name: r.Lock.File, Value: answer}}
}

func programAnswers(r *Report) (list []report.Trait) {
	for _, p := range r.Digits {
		if p.Error != nil {
			continue
		}
		list = append(list, report.Trait{Name: p.Name, Value: p.Answer})
		for _, t := range p.Result.Tokens {
			if t.Digits != nil {
				name := fmt.Sprintf("%s, line %d, word %d", p.Name, t.Line, t.Token)
				value := t.Plain + ", right: " + t.Shown
				list = append(list, report.Trait{Name: name, Value: value})
			}
		}
	}
	return list
}

func pairAnswers(r *Report) (list []report.Trait) {
	for _, p := range r.Explain {
		for _, one := range p.Reports {
			list = append(list, report.Trait{Name: strings.TrimSpace(p.name() + " " + one.Name),
				Value: explainfiles.Headline(one.Differences)})
		}
	}
	return list
}

// places compares the places in Go code, by file, line of source and message.
func (d *Diff) places(a, b *Report) {
	if a.Vet == nil || b.Vet == nil {
		return
	}
	only := func(x, y *Vet) (list []Place) {
		left := slices.Clone(y.Findings)
		for _, p := range x.Findings {
			i := slices.IndexFunc(left, func(q Place) bool {
				return p.File == q.File && p.Source == q.Source && p.Message == q.Message
			})
			if i < 0 {
				list = append(list, p)
			} else {
				left = slices.Delete(left, i, i+1)
			}
		}
		return list
	}
	var list []*Entry
	for _, p := range only(a.Vet, b.Vet) {
		list = append(list, &Entry{Name: p.place(), A: p.Message, B: "not found"})
	}
	for _, p := range only(b.Vet, a.Vet) {
		list = append(list, &Entry{Name: p.place(), A: "not found", B: p.Message})
	}
	d.add("Go code", true, list)
}

// place names a place.
func (p Place) place() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// sections notes the sections that are not done in both reports, and reports
// whether any is.
func (d *Diff) sections(a, b *Report) (any bool) {
	for _, t := range titles {
		x, y := a.section(t.verb), b.section(t.verb)
		switch {
		case x.done() && y.done():
			any = true
		case x.done():
			d.Apart = append(d.Apart, t.title+": not in "+d.B.File+": "+y.why())
		case y.done():
			d.Apart = append(d.Apart, t.title+": not in "+d.A.File+": "+x.why())
		case x.tried() && y.tried():
			d.Apart = append(d.Apart, t.title+": in neither: "+x.why())
		}
	}
	return any
}

// done reports whether a section was asked for and is done.
func (s *Section) done() bool { return s != nil && s.State == Done }

// tried reports whether there was something to look at.
func (s *Section) tried() bool { return s != nil && s.State != Absent }

// why returns the reason why a section is not done.
func (s *Section) why() string {
	if s == nil {
		return "it was not asked for"
	}
	return s.Why
}

// Pin looks for the settings under which this machine computes as each of the
// two reports. It looks only where this is the machine of one of them.
func (d *Diff) Pin(ctx context.Context, survey *lock.Survey) error {
	if d.profiles[0] == nil || len(d.profiles[0].Operations) == 0 {
		return nil
	}
	here := audit.ThisMachine()
	of := func(s Side) bool {
		return s.Machine.Platform == here.Platform && s.Machine.CPU == here.CPU
	}
	if !of(d.A) && !of(d.B) {
		d.Settings = &Settings{Why: "no setting was tried: this is neither machine; run " +
			"lastbit report --diff on one of the two"}
		return nil
	}
	pin, err := survey.Pin(ctx, d.profiles, [2]string{d.A.File, d.B.File})
	if err != nil {
		return err
	}
	d.Settings = &Settings{Pin: pin}
	return nil
}
