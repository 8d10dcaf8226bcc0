// Package audit finds out how everything on a machine adds, and who agrees with
// whom.
//
// Run asks every target for every operation and fills a Report: the model,
// which JSON encodes unchanged. Targets that agree in every bit, and in tree
// and arithmetic, share a letter. WriteText shows a report on a terminal and
// WriteHTML on a page; both end, or begin, with its Summary.
package audit
