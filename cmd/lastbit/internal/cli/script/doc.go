// Package script holds the tests of the command line by scripts: testdata has
// one for each topic.
package script
