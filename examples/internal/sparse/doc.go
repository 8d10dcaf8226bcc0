// Package sparse holds sparse matrices that are assembled, multiplied and
// solved with the same bits for any number of workers.
//
// An [Assembly] adds contributions in any order: each element of the matrix is
// the sum of its contributions, rounded once. An [Arithmetic] computes the
// product of a row and a vector, and the dot product of two vectors: exactly,
// or by one published tree. Everything else is done to one element at a time,
// in an order that the matrix fixes. So workers, who share the rows out, change
// no bit.
package sparse
