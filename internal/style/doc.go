// Package style holds the tests of the sources' form: the width of comments and
// code, the length of files, words that comments avoid, and the links of the
// documents. Generated files are exempt, and gonum's.
package style
