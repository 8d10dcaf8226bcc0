// Package sweep combines values of settings, and decides from the libraries'
// own reports and from the orders revealed whether each took effect.
package sweep
