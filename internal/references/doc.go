// Package references writes the module's citations in full. docs/references.bib
// holds each reference once; a doc comment cites it by key,
//
//	// References:
//	//   - [Kahan1965]
//
// and the generator completes the line from the bibliography:
//
//	// References:
//	//   - [Kahan1965] William Kahan. Further remarks on reducing truncation
//	//     errors. Communications of the ACM 8(1):40, 1965.
//
// A test fails where a comment differs from the generator's output.
package references

//go:generate go run ./generate
