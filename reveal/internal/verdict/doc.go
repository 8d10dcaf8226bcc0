// Package verdict decides the outcome of package reveal.
//
// The steps of Reveal return facts: a Fact has a Reason, and a witness where
// one input shows it. The table in table.go maps the reasons found to a
// verdict. Nothing else in reveal chooses one. The rows of Compensated, for
// example, list the reasons that make a finding compensated; the comment on
// each Reason names the function that looks for it.
package verdict
