// Package describe puts findings and comparisons of package reveal into words
// for people: the verdict and its meaning, the arithmetic, the evidence, groups
// that agree, and the smallest input that distinguishes two targets.
package describe
