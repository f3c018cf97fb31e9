// Package run holds the commands that ask models: eval, judge, caption, batch, inspect; and lists runs.
//
// It plans nothing itself: package jobs does. Its invariant: without a screen, a job
// that pauses by itself ends its command with a status that scripts can tell.
package run
