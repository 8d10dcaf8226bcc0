// Package sqlsum writes SQL queries whose rows hold exact sums, and reads their
// rows: lastbit sql.
//
// A float64 is an integer times a power of two, and every engine adds integers
// in any order without an error. A Query groups the rows of a table by keys and
// by such a power, its place, and lets the engine add the integers. Finish adds
// the few rows that leave the engine and rounds once, through package exact:
//
//	Query.Text → an engine → rows → Finish → lines, as lastbit sum prints them
//
// # Rows
//
// Every row has the same columns:
//
//	lastbit   the mark of the query, ":" and the keys of the group, ":" and
//	          the run of the query, and with keys ":" and a seal: see seal.go
//	total     the number of rows of the result
//	part      which sum of the query, from 1; 0 in the one row that describes it
//	place     what was added: see the constants nan … head
//	n         how many rows of the table
//	l0 … l3   Σ, as (l0 + l1·2^27 + l2·2^54 + l3·2^81) times the unit of the place
//	top       of products, the largest exponent of the first factor times 2^12,
//	          and of the second one
//	chk       a check of the numbers of this row
//
// A result that was cut off lacks rows of its total, and one that was mixed has
// several marks, or several runs. Numbers that a program on the way rounded
// fail chk, and keys that were changed fail the seal. Rows of queries without
// runs or seals are read.
//
// # Bounds
//
// A limb of one row is below 2^29 in magnitude, and up to 2^34 rows (maxRows)
// of the table are added in one row of the result: |l| < 2^63. Finish refuses
// rows of more. count(*) is right at that size in every engine, so that a sum
// that wrapped around has an n that shows it.
//
// Decimals are integers of units: see decimals.go.
//
// With folds, limbs are double sums of multiples of one power of two: see Fold.
// There l2 and l3 of some places count rows: see foldedAll and head.
package sqlsum
