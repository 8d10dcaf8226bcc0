// Package recording records findings of a machine together with raw outputs,
// and replays them on another machine. A GPU that is lent for minutes leaves
// test data that later runs check without it.
//
//	m, err := recording.Record(ctx, recording.Config{
//		Dir: "recording", Device: "cuda", Steps: recording.Plan("gpu"),
//	})
//	err = recording.Replay("recording")
//
// A recording is a folder: manifest.json, which lists the steps with their
// times, and one file for each step that ran. A step reveals a target and asks
// it the inputs of Bank, compares targets, or tries a sweep. Replay computes
// the bank from the trees of the verified findings, and compares all bits.
//
// Promise: Bank returns the same inputs for the same arguments on every
// machine. NaN, infinities, −0, subnormals and cancellations are among them. A
// recorded NaN equals any other.
package recording
