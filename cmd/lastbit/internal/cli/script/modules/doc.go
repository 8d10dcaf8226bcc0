// Package modules holds the scripts about Go modules: the verbs that build,
// rewrite or run them. See package script.
package modules
