// Package team holds the commands of a project's owner: people, serve and log.
//
// It keeps no person: package roster does. Its invariant: the log is told to the
// owner of the file only, and from stored facts alone.
package team
