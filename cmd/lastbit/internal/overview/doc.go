// Package overview is the report of everything: how this machine, this project
// and this run compute, on one page and in one JSON object.
//
// A Report is filled step by step, one for each section. A step that fails, or
// that an interrupt ends, leaves its section with the cause, and the others as
// they are. The first screen of the page answers in sentences (answers.go),
// each with a link to its evidence. Compare compares two reports (diff.go).
package overview
