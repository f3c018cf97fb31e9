// Package rules finds the rule sets of a user's own: files of patterns in the folders rules beside the
// project and beside the user's configuration, and commands that are named on the command line.
//
// It refuses to run a command that a project names: only who types exec:COMMAND
// runs it, and only in a command that reads. Its one invariant: a rule set gets
// responses and gives choices; it is handed no project, and nothing to write to.
package rules
