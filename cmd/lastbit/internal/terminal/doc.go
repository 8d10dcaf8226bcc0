// Package terminal is what the command knows about terminals: whether a writer
// is one, how wide it is, whether it shows colours, and a line of progress.
package terminal
