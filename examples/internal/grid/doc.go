// Package grid computes a field on a grid of points whose rows are shared out
// among ranks, and each rank's rows among its workers.
package grid
