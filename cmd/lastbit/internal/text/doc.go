// Package text lays out what the command prints for people: wrapped lines,
// tables, lists, and numbers with their bits. Widths count characters as a
// terminal shows them, so cells may carry colours.
package text
