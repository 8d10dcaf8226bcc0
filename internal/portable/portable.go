// Package portable holds the tests that run this module's libraries on other
// architectures: cross-compiled, under an emulator.
package portable
