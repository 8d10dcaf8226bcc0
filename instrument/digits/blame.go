package digits

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/perturb"
)

// blameRuns is the number of runs that decide whether a set of operations
// causes a loss.
const blameRuns = 4

// maxTrials bounds the sets of lines that the search for a smallest one tries.
const maxTrials = 500

// slack bounds the difference, in digits, between the loss by some operations
// and the loss by all of them.
const slack = 1.0

// minLoss is the number of digits that have to be lost for lines to be blamed.
const minLoss = 1.0

// A unit holds the operations of a line, or of one path of calls to it.
type unit struct {
	file  string
	line  int
	sites []int
	paths []instrument.Call
}

// frames returns the calls that lead to the unit, or nil.
func (u unit) frames() []string {
	if len(u.paths) == 0 {
		return nil
	}
	return u.paths[0].Frames
}

// blame finds a smallest set of lines whose errors alone cost a token its
// digits, and the line where these errors grow most. The search is delta
// debugging (Zeller2002).
func (a *analysis) blame(found *Analysis) ([]Guilty, error) {
	if a.options.Calls {
		paths, err := a.findCalls(found.Seeds[0])
		if err != nil {
			return nil, err
		}
		found.Paths = paths
	}
	q, err := a.question(found)
	if err != nil || q == nil {
		return []Guilty{}, err
	}
	sources, ended, err := minimize(a.candidates(), maxTrials, q.causes)
	if err != nil {
		return nil, err
	}
	found.BlameEnded = ended
	guilty := []Guilty{}
	for _, u := range sources {
		guilty = append(guilty, Guilty{u.file, u.line, Source, u.frames()})
	}
	s := a.only(sources)
	s.Profile = true
	outputs, err := a.perturbed(q.seeds, s)
	if err != nil {
		return nil, err
	}
	if l := a.amplifier(records(append(outputs, a.plain)), q.digits); l != nil {
		guilty = append(guilty, Guilty{l.File, l.Line, Amplifier, nil})
	}
	return guilty, nil
}

// absorbed is the number of digits that a result has less than the output if it
// does not lead there, or is absorbed on the way: the last correction of an
// iteration has no right digit, and the iteration has all.
const absorbed = 2.0

// amplifier returns the line that loses most digits, or nil; digits is the
// number of digits of the output. A loss in an operand of a comparison, such as
// the test that ends an iteration, is named only where no other line loses
// digits. So is a loss that is absorbed.
func (a *analysis) amplifier(records [][]perturb.Record, digits float64) *Line {
	isCompared := func(s instrument.Site) bool { return s.Compared }
	for _, in := range []scope{{isCompared, digits - absorbed}, {isCompared, 0}, {}} {
		if lines := a.profile(records, in); len(lines) > 0 && lines[0].Lost >= minLoss {
			return &lines[0]
		}
	}
	return nil
}

// A question is the test of whether the errors of some lines cause a fault.
type question struct {
	seeds  []uint64
	causes func([]unit) (bool, error)
	digits float64 // of the token, or 0
}

// question returns the question of what causes the fault, or nil without one.
func (a *analysis) question(found *Analysis) (*question, error) {
	if a.options.Criterion != nil {
		return a.criterion(a.seeds)
	}
	target, err := a.target(found.Tokens)
	if err != nil || target == nil {
		return nil, err
	}
	most := target.limit
	seeds, err := a.telling(a.seeds, target)
	if err != nil {
		return nil, err
	}
	base, err := a.digitsWith(seeds, a.candidates(), target)
	if err != nil || most-base < minLoss {
		return nil, err
	}
	limit := min(base+slack, (base+most)/2)
	return &question{seeds: seeds, digits: base, causes: func(units []unit) (bool, error) {
		digits, err := a.digitsWith(seeds, units, target)
		return err == nil && digits <= limit, err
	}}, nil
}

// target returns the token whose loss is blamed on lines: the token that the
// options name, or the one with the fewest digits in relation to the printed
// digits. It is nil where no token has lost any.
func (a *analysis) target(tokens []Token) (*Token, error) {
	o := a.options
	if o.BlameLine != 0 || o.BlameToken != 0 {
		i := slices.IndexFunc(tokens, func(t Token) bool {
			return t.Line == o.BlameLine && t.Token == o.BlameToken
		})
		if i < 0 || tokens[i].Digits == nil {
			return nil, &NoTokenError{o.BlameLine, o.BlameToken}
		}
		return &tokens[i], nil
	}
	var worst *Token
	for i, t := range tokens {
		if t.Digits == nil || t.Plain == t.Shown || t.Varies {
			continue
		}
		if worst == nil || *t.Digits < *worst.Digits {
			worst = &tokens[i]
		}
	}
	return worst, nil
}

// NoTokenError reports that a token to blame is not a number of the output.
type NoTokenError struct{ Line, Token int }

func (e *NoTokenError) Error() string {
	return fmt.Sprintf("digits: token %d of line %d of the output is not a number", e.Token, e.Line)
}

// units returns the lines with operations that had rounding errors.
func (a *analysis) units() []unit {
	var all []unit
	for i, s := range a.program.Sites {
		if s.Kind.IsObserved() || a.plain.Records[i].Inexact == 0 {
			continue
		}
		k := slices.IndexFunc(all, func(u unit) bool {
			return u.file == s.File && u.line == s.Line
		})
		if k < 0 {
			k = len(all)
			all = append(all, unit{file: s.File, line: s.Line})
		}
		all[k].sites = append(all[k].sites, i)
	}
	slices.SortFunc(all, func(x, y unit) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.line, y.line))
	})
	return all
}

// telling returns the seeds whose runs differ most in a token. With some
// operations left alone, the others toss the same coins, as long as their
// operands are the same.
func (a *analysis) telling(seeds []uint64, t *Token) ([]uint64, error) {
	type run struct {
		seed   uint64
		digits float64
	}
	var runs []run
	for _, seed := range seeds {
		d, err := a.digitsWith([]uint64{seed}, a.candidates(), t)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run{seed, d})
	}
	slices.SortStableFunc(runs, func(x, y run) int { return cmp.Compare(x.digits, y.digits) })
	var all []uint64
	for _, r := range runs[:min(len(runs), blameRuns)] {
		all = append(all, r.seed)
	}
	return all, nil
}

// digitsWith returns the digits of a token if only some lines are perturbed.
func (a *analysis) digitsWith(seeds []uint64, units []unit, t *Token) (float64, error) {
	outputs, err := a.perturbed(seeds, a.only(units))
	if err != nil {
		return 0, err
	}
	for _, found := range compare(a.plain.Stdout, stdouts(outputs)) {
		if found.Line == t.Line && found.Token == t.Token && found.Digits != nil &&
			*found.Digits < found.limit {
			return *found.Digits, nil
		}
	}
	return MaxDigits, nil
}

// mask returns the sites of the units.
func mask(units []unit, sites int) []bool {
	m := make([]bool, sites)
	for _, u := range units {
		for _, i := range u.sites {
			m[i] = true
		}
	}
	return m
}
