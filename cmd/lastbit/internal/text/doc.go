// Package text lays out the command's output for people: wrapped lines, tables,
// lists, and numbers with their bits. A Printer knows how wide its lines may be
// and whether they may have colours.
package text
