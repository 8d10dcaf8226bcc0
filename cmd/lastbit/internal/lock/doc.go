// Package lock probes the operations of a project for its lock file, and finds
// inputs that show a change. Package lockfile holds the format.
package lock
