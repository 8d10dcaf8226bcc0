// Package report shows findings to people: as text for a terminal, as a static
// SVG picture, as Graphviz text, and as one HTML page that needs nothing else.
//
// A Drawing is a finding in words for people, and its tree; Cells is a map of
// the outputs of a matrix operation. Every function that writes takes the
// writer, then one value, and returns an error:
//
//	report.Text(w, drawing)
//	report.SVG(w, drawing)
//	report.HTML(w, report.Page{Drawings: drawings})
//	report.CellText(w, cells)
//
// # Promise
//
// The same value gives the same bytes. Every leaf of a tree is in exactly one
// place of every drawing. Text comes from the caller and is escaped, except for
// Page.Body and Page.Style.
//
// # Folding
//
// A large tree is folded before it is drawn. A long chain becomes one "chain of
// 125". A balanced combination of subtrees that differ only in a shift of their
// leaf numbers becomes the first of them and "×31 alike". Folding loses
// nothing. A picture is therefore small for a tree of any size; a page has the
// whole tree, which its script unfolds.
//
// # Special cases
//
// A drawing without a tree shows its facts. A tree of one leaf is that leaf.
// Nothing here recurses along a tree, so that chains of millions of leaves are
// drawn as well as any other tree.
//
// # Cost
//
// Linear in the tree, in time and memory. A page keeps some twelve bytes a
// leaf.
package report
