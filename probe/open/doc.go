// Package open opens targets by their addresses. It holds the one table of
// drivers: which addresses each has, what opens and lists them, and which
// fields of a Spec it honours.
//
// An address names an implementation in one string, "py:numpy.sum". What stands
// before the first colon is its scheme, and the row of a Table with that scheme
// opens it:
//
//	drivers := open.Drivers(open.Config{})
//	target, err := drivers.Open(ctx, "go:pairwise", probe.Spec{N: 1000})
//
// The command, its audit, its list of targets, its completion and the documents
// take what they know of drivers from the table. To add a driver, write its
// package and add its row to Drivers; docs/drivers.md shows how. A program that
// has a driver of its own appends a row:
//
//	drivers := append(open.Drivers(open.Config{}), mine)
//
// A Table is a value. Two of them share nothing, and nothing in this package
// changes.
//
// Some drivers start the running executable again to call foreign code there,
// so main has to call ServeIfWorker first.
package open
