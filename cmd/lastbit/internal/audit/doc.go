// Package audit reveals every target of a machine, and groups those that agree.
//
// Run asks every target for every operation and fills a Report: the model,
// which JSON encodes unchanged. Targets that agree in every bit, and in tree
// and arithmetic, share a letter. WriteText shows a report on a terminal, with
// its Summary at the end. WriteHTML writes a page, with the Summary at the top.
package audit
