// Package script runs the command in processes of its own, for tests: most by
// scripts, one for each topic, which testdata has here and in modules, and the
// examples of all documents.
package script
