//go:build !unix

package mpi

// keepSignals has nothing to do where no library can be loaded.
func keepSignals() (restore func()) { return func() {} }
