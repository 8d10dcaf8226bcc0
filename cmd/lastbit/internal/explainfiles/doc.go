// Package explainfiles compares arrays in files for lastbit explain: it reads
// them, in pairs of one name, and writes the differences and their causes as
// text, JSON and a page.
package explainfiles
