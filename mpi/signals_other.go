//go:build !unix

package mpi

// keepSignals does nothing where no library can be loaded.
func keepSignals() (restore func()) { return func() {} }
