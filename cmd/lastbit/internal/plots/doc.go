// Package plots draws the charts of lastbit bench: Figure, lines over two
// logarithmic axes, and Bars. Each is data that JSON keeps, and writes itself
// as an SVG that light and dark pages can show.
package plots
