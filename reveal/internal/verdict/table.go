package verdict

// Name is a verdict as the finding prints it.
type Name string

// The verdicts.
const (
	Tree             Name = "tree"
	Exact            Name = "exact"
	Compensated      Name = "compensated"
	Nondeterministic Name = "nondeterministic"
	ValueDependent   Name = "value-dependent"
	NotASum          Name = "not-a-sum"
	Unsupported      Name = "unsupported"
)

// Row is a verdict, and the reasons that make it.
type Row struct {
	Verdict Name
	Proof   Proof
	// When lists conditions that all have to hold. A condition holds when one
	// of its reasons was found. The fact behind the last condition supplies the
	// witness.
	When    []Reason
	Because string // one sentence, for people
}

// Proof ranks the rows of the table.
type Proof int

// The ranks.
const (
	Refuted  Proof = iota // a witness decides it
	Verified              // every proof has passed
	Fallback              // nothing above explains the evidence: holds only when every step is done
)

func when(conditions ...Reason) []Reason { return conditions }

// Table maps evidence to verdicts. The first row whose conditions hold decides;
// rows of rank Fallback decide only after the last step.
func Table() []Row {
	const precise = NothingLost | NearlyRight
	return []Row{
		{Nondeterministic, Refuted, when(Changed),
			"The same input gave different results."},
		{ValueDependent, Refuted, when(RowsMatter),
			"The result of a row depends on the other rows of the input."},

		{Unsupported, Refuted, when(NoRange),
			"The input format has no room for masks beside units."},
		{Unsupported, Refuted, when(NotFinite),
			"Huge numbers and their opposites give no finite sum."},
		{Unsupported, Refuted, when(TowardZero),
			"An addition rounds in one direction, so masks move, and counts cannot be read."},
		{Unsupported, Refuted, when(UnknownFamily),
			"No known family gives the outputs, and --algorithm family was asked for."},

		{Unsupported, Refuted, when(Hidden),
			"No result shows one unit in the last place of the sum."},
		{Unsupported, Refuted, when(Unresolved),
			"Three summands that cannot be negative are added as if at once."},

		{NotASum, Refuted, when(WrongTotal),
			"A sum of small whole numbers is wrong."},
		{NotASum, Refuted, when(WrongZero),
			"A sum of zeros is not zero."},
		{NotASum, Refuted, when(WrongAlone),
			"A summand alone among zeros is not returned."},
		{NotASum, Refuted, when(ScaledBetween),
			"A summand and its opposite do not cancel: they are scaled before they meet."},

		{Exact, Verified, when(AllRounded),
			"Inputs that only a correctly rounded sum gets right came out right."},
		{Unsupported, Refuted, when(precise, NotRoundedShort),
			"As compensated, but a wide accumulator holds all products of a format this short."},
		{Unsupported, Refuted, when(precise, NotRoundedWide),
			"The accumulator is wider than masks can show."},
		{Unsupported, Refuted, when(NoTree, NotRoundedWide),
			"The accumulator is wider than masks can show, and counts contradict each other."},
		{Unsupported, Refuted, when(precise, Indistinct),
			"All results were correctly rounded, but those of a wider plain sum would be too."},

		{Compensated, Refuted, when(precise, NotRounded),
			"Rounding errors are not lost, yet some sum is not correctly rounded."},
		{Compensated, Refuted, when(Certified, KahanFits),
			"Kahan's summation in the revealed order gives the results, and no plain sum does."},

		{ValueDependent, Refuted, when(Certified, SignsMatter),
			"Masks and counts of other signs or sizes are added in another order."},
		{ValueDependent, Refuted, when(Certified, HugeHides),
			"A huge summand hides more summands than any fused sum has operands."},
		{ValueDependent, Refuted, when(Certified, AnotherOrder),
			"Numbers of moderate size are added in another order than huge ones."},
		{ValueDependent, Refuted, when(Certified, ClassesMatter),
			"Some classes of values are added in another order than other values."},
		{ValueDependent, Refuted, when(Certified, SizesMatter),
			"Summands of moderate size are added in the order of the tree, others are not."},
		{ValueDependent, Refuted, when(Certified, ZerosMatter),
			"Zeros among the summands change the order of the others."},

		{Tree, Verified, when(Certified, Replayed),
			"The certificate and every replay held."},

		{ValueDependent, Fallback, when(NoTree),
			"No one tree gives the outputs, and nothing above explains why."},
		{Tree, Fallback, when(Certified, NotReplayed),
			"The certificate held, but no known arithmetic reproduces the results."},
	}
}

// Decision is a verdict with its proof, witness and warnings.
type Decision struct {
	Row
	Witness  *Witness // nil for verified rows
	Warnings []string
}

// IsDecided reports whether e decides a verdict already, without a further
// step.
func IsDecided(e Evidence) bool {
	r := e.row()
	return r != nil && r.Proof != Fallback
}

// Decide returns the verdict of e, which has to hold the facts of every step. A
// row without a witness of its own takes the latest that e has. Decide panics
// when no row holds: a step has returned neither a fact nor an error.
func Decide(e Evidence) Decision {
	r := e.row()
	if r == nil {
		panic("verdict: no row of the table holds")
	}
	d := Decision{Row: *r}
	for _, c := range r.When {
		if f := e.find(c); f.Warning != "" {
			d.Warnings = append(d.Warnings, f.Warning)
		}
	}
	if r.Proof == Verified {
		return d
	}
	d.Witness = e.find(r.When[len(r.When)-1]).Witness
	for i := len(e) - 1; i >= 0 && d.Witness == nil; i-- {
		d.Witness = e[i].Witness
	}
	return d
}

// row returns the first row of the table whose conditions hold, or nil.
func (e Evidence) row() *Row {
	for _, r := range Table() {
		if e.holds(r) {
			return &r
		}
	}
	return nil
}

// holds reports whether all conditions of r hold.
func (e Evidence) holds(r Row) bool {
	for _, c := range r.When {
		if e.find(c) == nil {
			return false
		}
	}
	return true
}
