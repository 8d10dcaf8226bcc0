// Package emulated holds the tests that run this module's libraries on other
// architectures, cross-compiled and under an emulator.
package emulated
