// Package script holds the tests that run the command in a process of its own,
// most of them by scripts: testdata has one for each topic.
package script
