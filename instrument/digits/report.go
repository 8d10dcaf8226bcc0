package digits

import "github.com/lastbit/lastbit/instrument"

// A Report is the result of an analysis.
type Report struct {
	Runs   int      `json:"runs"`
	Seeds  []uint64 `json:"seeds"`
	Exit   int      `json:"exit"` // of the program itself
	Tokens []Token  `json:"tokens"`
	Lines  []Line   `json:"lines"` // with a loss, what costs most first
	Blame  []Guilty `json:"blame"`

	// BlameEnded is set where the search was ended before it was done: fewer
	// lines may cause the loss.
	BlameEnded bool `json:"blame_ended,omitempty"`

	// OtherExits counts the runs with random rounding that end with another
	// exit code, where it is always the same without.
	OtherExits int `json:"other_exits,omitempty"`

	// Paths describes the paths of calls, with Options.Calls.
	Paths *Paths `json:"paths,omitempty"`

	// Advice is the precision of lines, if it was asked for.
	Advice []Advice `json:"advice,omitempty"`

	// Synchronous is the report of three samples, if it was asked for.
	Synchronous *Synchronous `json:"synchronous,omitempty"`

	// Unordered are the lines whose operations come in another order, or have
	// other operands, when the program runs again with its own roundings: its
	// schedule or the time changes them. Their losses are not estimated.
	Unordered []Place `json:"unordered,omitempty"`

	// Mode is the rounding of the runs, where it is not random, and Share the
	// part of the operations that they perturb, where it is not all.
	Mode  string  `json:"mode,omitempty"`
	Share float64 `json:"share,omitempty"`

	// Stopped counts the runs that were ended, since they took far longer than
	// the program itself.
	Stopped int `json:"stopped,omitempty"`

	// Output is what the run printed, if Runs is 1.
	Output string `json:"output,omitempty"`

	// Omitted are the places that were not perturbed.
	Omitted []instrument.Omission `json:"omitted,omitempty"`
}

// A Token is a word of the program's output. Line and Token count from 1.
type Token struct {
	Line  int    `json:"line"`
	Token int    `json:"token"`
	Plain string `json:"plain"`
	Shown string `json:"shown"` // with only the digits that are right

	// Digits is the number of significant decimal digits that can be trusted.
	// It counts the worst number in the token, among the numbers that lost
	// digits if some did, or else among those that change beyond the 16th. It
	// is 0 for a NaN or an infinity that is another number in a run, and nil
	// for others and for a token without a number.
	Digits *float64 `json:"digits"`

	limit   float64 // the largest Digits that this number could have
	changes bool    // a number NaN or infinite is another one in a run

	// Differs is set where a run printed other text, or nothing in its place.
	Differs bool `json:"differs,omitempty"`

	// Varies is set where a second run with the program's own roundings printed
	// something else: a time, or a sum in the order of goroutines.
	Varies bool `json:"varies,omitempty"`
}

// A Line is a line of the source.
type Line struct {
	File          string  `json:"file"`
	Line          int     `json:"line"`
	Lost          float64 `json:"lost"`          // decimal digits
	Cancellations uint64  `json:"cancellations"` // in the run without perturbation

	// Unstable counts comparisons, and conversions to integers, whose outcome
	// differs between runs.
	Unstable uint64 `json:"unstable"`

	// NaN counts results NaN or infinite of finite operands, in the run with
	// most of them.
	NaN uint64 `json:"nan"`

	// Cost is the number of decimal digits that the output loses by errors as
	// large as this line's, in this line alone. A word that changes counts as
	// MaxDigits. Cost is nil if nobody measured it.
	Cost *float64 `json:"cost,omitempty"`
}

// Paths describes the paths of calls that lead to rounding errors.
type Paths struct {
	Count int `json:"count"`
	Depth int `json:"depth"` // calls of the longest

	// Cut is set where longer paths are too many, so that only their innermost
	// calls count.
	Cut bool `json:"cut"`

	// Unlisted counts operations in further paths: they were not blamed.
	Unlisted uint64 `json:"unlisted"`
}

// The parts that a line plays in a loss.
const (
	Source    = "source"    // the errors arise here
	Amplifier = "amplifier" // here they grow
)

// A Guilty line is one that a loss hangs on.
type Guilty struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Role string `json:"role"`

	// Calls is the path of calls to a source, with Options.Calls: the outermost
	// first, as function:line.
	Calls []string `json:"calls,omitempty"`
}
