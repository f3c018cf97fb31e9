// Package cli is the environment of one command: its streams, arguments, clock and
// log, and how it prints results, errors, progress and files.
//
// It knows no project and no command. Its invariant: text from outside passes Visible before it
// reaches a message, and the exit status of an error is decided in ExitStatusOf alone.
package cli
