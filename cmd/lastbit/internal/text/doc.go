// Package text lays out what the command prints for people: wrapped lines,
// tables, lists, and numbers with their bits. A Printer knows how wide its
// lines may be and whether they may have colours.
package text
