package verdict

// A Fact is one thing that a step found out about a target. A step that cannot
// go on after it returns the Fact as an error.
type Fact struct {
	Reason  Reason
	What    string   // one clause, for people
	Witness *Witness // nil when no single input shows it
	Warning string   // a sentence for the finding that rests on this fact; may be ""
	Where   string   // a clause, "where …", about the inputs that show it; may be ""
	Meet    [2]int   // leaves whose probe contradicts others; {0, 0} for none

	// Shows reports whether an output for another input shows the fact as the
	// witness does, and returns the prediction that it contradicts. It is nil
	// where only the witness is known to.
	Shows func(x, y []float64, out float64) (want float64, shown bool)
}

// Error returns the fact in words.
func (f *Fact) Error() string { return "reveal: " + f.What }

// Witness is an input that shows a fact, and the outputs seen.
type Witness struct {
	What string    // the fact that the input shows
	X    []float64 // summands, or first factors
	Y    []float64 // second factors; nil for sums, and where all are 1
	Seen []float64 // outputs of the implementation
	Want *float64  // output that the alternative predicts; nil for none
}

// Reason is the kind of a fact. Its values are bits, so that a row of the table
// can name alternatives.
type Reason uint32

// Facts about the questions themselves.
const (
	// Changed means that the same input gave different results. Looked for by
	// ask.RepeatFirst, ask.Repeat, ask.RepeatMany and proof.NewMismatch.
	Changed Reason = 1 << iota
	// NoRange means that the input format has no room for masks beside units.
	// Looked for by ask.Calibrate.
	NoRange
	// NotFinite means that masks ±M give NaN or an infinity. Looked for by
	// every step that reads a count, through ask.NotACount.
	NotFinite
	// TowardZero means that additions, or one of them, round toward zero, or in
	// one direction, so a mask moves when it absorbs a count, and that counts
	// read as remainders contradict each other, too, or no arithmetic gives the
	// results. Looked for by ask.Open, proof.Directed and
	// proof.DirectedSquares.
	TowardZero
	// UnknownFamily means that no known family gives the outputs, and
	// --algorithm family was asked for. Returned by reveal.unknownFamily.
	UnknownFamily
)

// Facts that no sum can show.
const (
	// WrongTotal means that small whole numbers have a wrong sum. Looked for by
	// ask.Calibrate.
	WrongTotal Reason = 1 << (iota + 5)
	// WrongZero means that a sum of zeros is not zero. Looked for by
	// proof.Basics.
	WrongZero
	// WrongAlone means that a summand alone among zeros is not returned. Looked
	// for by proof.WrongSummand.
	WrongAlone
)

// Facts that no sum divided by n can show.
const (
	// ScaledBetween means that a summand and its opposite do not cancel: each
	// is scaled, and rounded, before they meet; or that a running mean gives
	// every result. Looked for by proof.ScaledBetween and
	// proof.Mismatch.RunningMean.
	ScaledBetween Reason = 1 << (iota + 30)
)

// Facts about the other results of a call.
const (
	// RowsMatter means that a row gives one result where the other rows are
	// zero, and another where they hold other numbers, each time the same.
	// Looked for by ask.Beside, and wherever Changed is.
	RowsMatter Reason = 1 << (iota + 28)
)

// Facts about sums that seem to keep more than a plain sum does.
const (
	// NothingLost means that no count was ever lost to a mask. Looked for by
	// proof.LosesNothing.
	NothingLost Reason = 1 << (iota + 8)
	// NearlyRight means that at least 70 % of the results are within two ULPs
	// where a plain chain is 16 ULPs off or more. Looked for by
	// proof.NearlyRight.
	NearlyRight
	// AllRounded means that hard inputs all came out correctly rounded. Looked
	// for by proof.JudgeRounding.
	AllRounded
	// NotRounded means that some result is not correctly rounded. Looked for by
	// proof.JudgeRounding.
	NotRounded
	// NotRoundedShort is NotRounded for products of a format so short that a
	// wide accumulator loses nothing to a mask either. Looked for by
	// proof.JudgeRounding.
	NotRoundedShort
	// NotRoundedWide is NotRounded where summands as far apart as the format
	// allows are lost: the accumulator is wider than masks can show. Looked for
	// by proof.JudgeRounding.
	NotRoundedWide
	// Indistinct means that all were correctly rounded, but a plain sum in a
	// wider format would be as well. Looked for by proof.JudgeRounding.
	Indistinct
	// KahanFits means that the certified tree is a chain of 3 summands or more,
	// and that Kahan's summation along it gives nine of ten results, and nine
	// of ten of those that are not correctly rounded; for less than 8 summands
	// all of them. Looked for by proof.Mismatch.KahanFits.
	KahanFits
)

// Facts about a tree.
const (
	// Certified means that the claimed tree predicts every masked output.
	// Looked for by proof.Certify.
	Certified Reason = 1 << (iota + 16)
	// Replayed means that tree and arithmetic give the target's bits on every
	// input. Looked for by proof.Settle and proof.SettleParts.
	Replayed
	// NotReplayed means that no known arithmetic gives the target's bits:
	// proof.Settle and proof.SettleParts leave none. Returned by
	// proof.Mismatch.NotReplayed.
	NotReplayed
	// SignsMatter means that masks and counts of other signs or sizes give
	// outputs that the certified tree does not predict. Looked for by
	// proof.Mismatch.SignsMatter.
	SignsMatter
	// HugeHides means that a huge summand hides more summands than any fused
	// sum has operands. Looked for by proof.Mismatch.HugeHides.
	HugeHides
	// AnotherOrder means that another known order reproduces the inputs of
	// moderate size. Looked for by proof.Mismatch.AnotherOrder.
	AnotherOrder
	// ClassesMatter means that all replays hold, and that another order gives
	// the results of some classes of values. Looked for by
	// proof.Mismatch.ClassesMatter.
	ClassesMatter
	// ZerosMatter means that zeros among the summands change the order of the
	// others. Looked for by proof.Mismatch.ZerosMatter.
	ZerosMatter
	// NoTree means that the outputs contradict each other, or a tree claimed
	// from them. Looked for by the algorithms of order.Table, by ask.NotACount,
	// proof.Certify and proof.Predicts.
	NoTree
)

// Facts about sums whose summands cannot be negative.
const (
	// Hidden means that no result shows one unit in the last place of the sum.
	// Looked for by ask.FindLevels.
	Hidden Reason = 1 << (iota + 25)
	// Unresolved means that three summands are added as if at once: a fused
	// sum, or partial sums of several formats. Looked for by
	// proof.CertifyTriples.
	Unresolved
	// SizesMatter means that the closest arithmetic reproduces the inputs of
	// moderate size, and others not. Looked for by
	// proof.Mismatch.SizesMatter.
	SizesMatter
)

// Evidence is the list of facts found so far.
type Evidence []Fact

// find returns the last fact whose reason is among those given.
func (e Evidence) find(any Reason) *Fact {
	for i := len(e) - 1; i >= 0; i-- {
		if e[i].Reason&any != 0 {
			return &e[i]
		}
	}
	return nil
}
