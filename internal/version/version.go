// Package version holds the version of lastbit: the command's, the Python
// package's and the wheels'. It is the only place.
package version

// Number is the version, as in PEP 440 and semantic versioning, without a v.
const Number = "0.1.0"
