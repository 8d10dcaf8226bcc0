// Package style holds the tests of the sources' form: the width of comments and
// code, and the length of files. Generated files are exempt, and gonum's.
package style
