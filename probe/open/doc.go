// Package open opens targets by their addresses. It holds the one table of
// drivers: their addresses, the functions that open and list these, and the
// fields of a Spec that each honours.
//
// An address names an implementation in one string, "py:numpy.sum". The part
// before the first colon is its scheme, and the Table's row with that scheme
// opens it:
//
//	drivers := open.Drivers(open.Config{})
//	target, err := drivers.Open(ctx, "go:pairwise", probe.Spec{N: 1000})
//
// The command, its audit, its list of targets, its completion and the documents
// read the drivers from the table. To add a driver, write its package and add
// its row to Drivers; docs/develop/recipes/driver.md shows how. A program that
// has a driver of its own appends a row:
//
//	drivers := append(open.Drivers(open.Config{}), mine)
//
// A Table is a value. Two of them share nothing, and this package has no state.
//
// Some drivers call foreign code in a second process of the running executable,
// so main has to call ServeIfWorker first.
package open
