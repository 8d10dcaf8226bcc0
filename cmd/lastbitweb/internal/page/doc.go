// Package page answers the questions of the page that runs in a browser: what a
// list of numbers adds up to, whether a browser's function is correctly
// rounded, and how two arrays differ.
package page
