// Package terminal holds the command's knowledge of terminals: whether a writer
// is one, its width and colours, and a line of progress.
package terminal
