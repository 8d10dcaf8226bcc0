package instrument

// Kind is the kind of an operation.
type Kind string

// The kinds. A comparison and a conversion to an integer are not perturbed, but
// observed: there an error changes the program's course.
const (
	Sum        Kind = "sum"
	Product    Kind = "product"
	Quotient   Kind = "quotient"
	Function   Kind = "function"
	Conversion Kind = "conversion"
	Comparison Kind = "comparison"
	ToInteger  Kind = "to integer"
)

// IsObserved reports whether operations of the kind are only observed.
func (k Kind) IsObserved() bool { return k == Comparison || k == ToInteger }

// A Site is an operation in the source of a program. The place of a site in
// Program.Sites is its number in the control file.
type Site struct {
	Package string `json:"package"`
	File    string `json:"file"` // relative to the module of the package
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Kind    Kind   `json:"kind"`
	Text    string `json:"text"` // the operation's source

	// Compared is set for an operation in an operand of a comparison: its
	// result decides and goes no further.
	Compared bool `json:"compared,omitempty"`
}

// An Omission is a place that was left alone, and why.
type Omission struct {
	Package string `json:"package"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Why     string `json:"why"`
}
