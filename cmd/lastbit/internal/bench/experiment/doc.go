// Package experiment defines an experiment of lastbit bench: its texts, its
// flags, and the results that it measures. The experiments implement it, each
// in a package of its own, and package bench lists them.
package experiment
